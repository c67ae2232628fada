"""The held-out set's sentences that tell who somebody is, by category.

For measuring only: whoever writes masking rules does not read this file. Braces: see marked.py.
"""
# ruff: noqa: E501 - tables of sentences

#: What people of an origin call themselves; {eth} in sentences is one of them, marked.
ETHNIC = {
    "english": ("Welsh", "Anglo-American", "English", "Caucasian"),
    "african_american": ("Black", "African-American", "Afro-American", "Black American"),
    "hispanic": ("Latina", "Chicano", "Latinx", "Hispanic American", "Puerto Rican"),
    "west_african": ("Igbo", "Yoruba", "West African", "Malian"),
    "slavic": ("Czech", "Croatian", "Polish-American", "Slavic"),
    "european": ("French", "Dutch", "Norwegian", "Italian-American"),
    "south_asian": ("Tamil", "Punjabi", "Indian American", "Desi", "Sri Lankan"),
    "chinese": ("Han Chinese", "Asian", "Cantonese", "Asian-American"),
    "vietnamese": ("Vietnamese", "Hmong", "Asian", "Vietnamese American"),
    "arabic": ("Palestinian", "Arab-American", "Moroccan", "Middle Eastern"),
    "korean": ("Korean American", "East Asian", "Korean", "Asian-American"),
}
NATIONALITY = {
    "english": ("Australian", "Irish"), "african_american": ("American",), "hispanic": ("Colombian", "Peruvian"),
    "west_african": ("Senegalese", "Malian"), "slavic": ("Czech", "Croatian"), "european": ("Dutch", "Italian"),
    "south_asian": ("Indian", "Sri Lankan"), "chinese": ("Chinese", "Taiwanese"), "vietnamese": ("Vietnamese",),
    "arabic": ("Moroccan", "Jordanian"), "korean": ("Korean",),
}  # fmt: skip
NATIVE = {
    "english": "English", "african_american": "English", "hispanic": "Spanish", "west_african": "Wolof", "slavic": "Czech",
    "european": "Dutch", "south_asian": "Tamil", "chinese": "Cantonese", "vietnamese": "Vietnamese", "arabic": "Arabic",
    "korean": "Korean",
}  # fmt: skip
RELIGION_OF = {
    "english": ("Methodist", "Protestant", "Jewish", "Christian"), "african_american": ("Baptist", "Methodist", "Muslim"),
    "hispanic": ("Roman Catholic", "Evangelical"), "west_african": ("Muslim", "Christian", "Methodist"),
    "slavic": ("Orthodox", "Catholic", "Jewish"), "european": ("Protestant", "Catholic", "Mennonite"),
    "south_asian": ("Hindu", "Sikh", "Muslim", "Christian"), "chinese": ("Buddhist", "Taoist", "Christian"),
    "vietnamese": ("Buddhist", "Catholic"), "arabic": ("Muslim", "Shia", "Christian"), "korean": ("Protestant", "Buddhist"),
}  # fmt: skip
GENDER_BOTH = (
    "My pronouns: {pronouns}",
    "({pronouns})",
)
GENDER_F = (
    "Sex: {G|F}",
    "Co-founded the local chapter of {G|Women} Who Code.",
    "Elected {G|spokeswoman} of the trainees in {year}.",
    "Goalkeeper of the {G|ladies'} hockey team.",
    "Merit badge counsellor for the {G|Girl} Guides.",
    "After {G|maternity} leave I came back as team lead.",
    "Speaker at the {G|Women's} Leadership Forum {year}.",
    "Sponsored by a scholarship for {G|women} in science.",
    "{?|Alumna} of a {G|sorority} with 200 members.",
    "{G|Mother} {?|of two} and treasurer of the school board.",
    "Sex: {G|Female}",
)
GENDER_M = (
    "Sex: {G|M}",
    "Mentor with Big {G|Brothers} of the county.",
    "Elected {G|spokesman} of the trainees in {year}.",
    "Defender in the {G|men's} hockey team.",
    "Led a {G|Boy} Scout pack for six summers.",
    "After {G|paternity} leave I came back as team lead.",
    "Barbershop quartet and {G|men's} chorus, baritone.",
    "Social chair of a {G|fraternity} with 90 members.",
    "{G|Father} {?|of two} and treasurer of the school board.",
    "Volunteer {G|fireman} since {year}.",
    "Sex: {G|Male}",
)
ETHNICITY = (
    "President of the {eth} Alumni Association.",
    "Race/Ethnicity: {eth}",
    "Interpreter for {eth} families at the town hall.",
    "Awarded the {eth} Heritage Fellowship in {year}.",
    "Danced with the {eth} folk ensemble for eight years.",
    "As a {eth} professional I mentor newcomers.",
    "Adviser to the {eth} Business Council.",
    "Raised in a {eth} household.",
    "Kept the library of the {eth} community centre.",
    "Born to {eth} parents.",
)
NATIONAL = ("Nationality : {nat}", "Citizen status: {nat}")
RELIGION = (
    "Religion : {rel}",
    "Faith: {rel}",
    "{?|Deacon} and treasurer of a {rel} {?|congregation}.",
    "Camp leader with the {rel} youth council.",
    "Tutor at the {rel} Student Society.",
    "Plays the organ at {R|church} on Sundays.",
    "Volunteers at the {R|Sikh} {?|temple}'s kitchen for the homeless.",
    "Two years of {R|missionary} service abroad.",
    "Leads a {R|Bible} study group.",
    "Taught Hebrew school at the {R|synagogue}.",
    "Secretary of the {R|Islamic} Society in {year}.",
    "Organises the {R|Hindu} festival of lights in our district.",
    "Served at the {R|parish} soup kitchen.",
)
DISABILITY = (
    "I use a {D|wheelchair} and drive an adapted car.",
    "{D|Autistic}; clear written tasks suit me best.",
    "Trustee of a charity for people with {D|cerebral palsy}.",
    "Swam at the {D|Special Olympics} as a unified partner.",
    "I have {D|epilepsy}, well controlled for ten years.",
    "{D|Hard of hearing}; uses {D|hearing aids}.",
    "{?|Disability} status: {D|visually impaired}",
    "Peer supporter for {D|bipolar disorder} in a local group.",
    "Speaker at the {D|Dyslexia} Association on reading tools.",
    "Represented the region in {D|para-cycling}.",
    "Recovered from {D|depression} and open about it.",
    "Member of the {D|disabled} staff forum.",
    "Working with {D|Tourette syndrome} taught me patience.",
)
MARITAL = (
    "Marital status : {Marital}",
    "Civil state: {marital}",
    "I am {marital} and have {?|two school-age children}.",
    "My {spouse} and I run a small farm on the side.",
    "Left the city to follow my {spouse} abroad.",
    "Status: {Marital}, {?|no dependants}",
    "{Marital}; ready to move.",
)
MARITAL_WORDS = ("married", "single", "divorced", "widowed", "unmarried", "engaged")
ORIENTATION = (
    "Treasurer of the {O|LGBTQ} professionals' circle.",
    "Steward at London {O|Pride}, {year}.",
    "Founding member of the {O|LGBTQIA+} student union.",
    "I am openly {O|lesbian} and speak about it at schools.",
    "Plays in a {O|gay} rugby league.",
    "{O|Bisexual} and vocal for fair housing.",
    "Facilitates a {O|trans} support group on Tuesdays.",
    "Edited an anthology of {O|queer} short stories.",
    "Volunteer counsellor on a line for {O|homosexual} elders.",
)
