"""The open set's sentences that tell who somebody is, by category. Braces: see marked.py."""
# ruff: noqa: E501 - tables of sentences

#: What people of an origin call themselves; {eth} in sentences is one of them, marked.
ETHNIC = {
    "english": ("British", "Irish", "Scottish", "White"),
    "african_american": ("Black", "African American", "African-American"),
    "hispanic": ("Hispanic", "Latino", "Mexican-American", "Latin American"),
    "west_african": ("Nigerian", "Ghanaian", "African", "Senegalese"),
    "slavic": ("Polish", "Ukrainian", "Russian", "Serbian"),
    "european": ("German", "Italian", "Portuguese", "Swedish"),
    "south_asian": ("Indian", "South Asian", "Pakistani", "Bengali"),
    "chinese": ("Chinese", "Asian American", "Taiwanese", "Chinese-American"),
    "vietnamese": ("Vietnamese", "Asian American", "Vietnamese-American", "Southeast Asian"),
    "arabic": ("Arab", "Lebanese", "Egyptian", "Arab American"),
    "korean": ("Korean", "Korean-American", "Asian", "Asian American"),
}
NATIONALITY = {
    "english": ("British", "American"), "african_american": ("American",), "hispanic": ("Mexican", "Spanish"),
    "west_african": ("Nigerian", "Ghanaian"), "slavic": ("Polish", "Ukrainian"), "european": ("German", "French"),
    "south_asian": ("Indian", "Pakistani"), "chinese": ("Chinese",), "vietnamese": ("Vietnamese",),
    "arabic": ("Egyptian", "Lebanese"), "korean": ("South Korean",),
}  # fmt: skip
NATIVE = {
    "english": "English", "african_american": "English", "hispanic": "Spanish", "west_african": "Yoruba", "slavic": "Polish",
    "european": "German", "south_asian": "Hindi", "chinese": "Mandarin", "vietnamese": "Vietnamese", "arabic": "Arabic",
    "korean": "Korean",
}  # fmt: skip
RELIGION_OF = {
    "english": ("Anglican", "Christian", "Quaker", "Catholic"), "african_american": ("Baptist", "Christian", "Muslim"),
    "hispanic": ("Catholic", "Pentecostal", "Christian"), "west_african": ("Muslim", "Christian", "Anglican"),
    "slavic": ("Catholic", "Orthodox Christian", "Jewish"), "european": ("Lutheran", "Catholic", "Jewish"),
    "south_asian": ("Hindu", "Sikh", "Muslim", "Jain"), "chinese": ("Buddhist", "Christian"),
    "vietnamese": ("Buddhist", "Catholic"), "arabic": ("Muslim", "Coptic", "Sunni"), "korean": ("Presbyterian", "Buddhist"),
}  # fmt: skip
GENDER_BOTH = (
    "Pronouns: {pronouns}",
    "Preferred pronouns are {pronouns}.",
)
GENDER_F = (
    "Member, Society of {G|Women} Engineers, since {year}.",
    "{G|Chairwoman} of the parents' council, {year}.",
    "Coach of the {G|girls'} under-15 football team.",
    "Volunteer leader, {G|Girl} Scouts, troop {n}.",
    "Returned from {G|maternity} leave in {year} and took on the larger team.",
    "Winner of the {G|Businesswoman} of the Year award, {year}.",
    "Captain of the {G|women's} rowing eight.",
    "Pledged a {G|sorority} and kept its accounts for two years.",
    "Spoke at {G|Women} in Data on forecasting.",
    "Gender: {G|Female}",
    "As a {?|working} {G|mother}, values plans that hold.",
)
GENDER_M = (
    "Gender: {G|Male}",
    "Treasurer of a {G|fraternity} for two years.",
    "Head {G|boy} at school in the last year.",
    "Eagle Scout; later leader in the {G|Boy} Scouts, troop {n}.",
    "Captain of the {G|men's} volleyball team.",
    "Took {G|paternity} leave in {year}.",
    "{G|Chairman} of the allotment club.",
    "Sings in the {G|men's} choir of the town.",
    "Named {G|Salesman} of the Year in {year}.",
    "As a {G|father}, values plans that hold.",
    "Coached the {G|boys'} athletics squad.",
)
ETHNICITY = (
    "Founded the {eth} Student Association and ran it for two years.",
    "Treasurer, {eth} Chamber of Commerce of the county.",
    "Ethnicity: {eth}",
    "Volunteer at the {eth} Cultural Center on weekends.",
    "Recipient of the {eth} Scholars Award, {year}.",
    "Member of the {eth} Employee Network since {year}.",
    "Proud of my {eth} heritage and at home in several cultures.",
    "Mentor with the National Society of {eth} Professionals.",
    "I am {eth} and grew up in two languages.",
)
NATIONAL = ("Nationality: {nat}", "Citizenship: {nat}")
RELIGION = (
    "Religion: {rel}",
    "Youth group leader in the {rel} Fellowship on campus.",
    "Volunteer cook at the {rel} community kitchen.",
    "Taught Sunday classes for the {rel} Students' Union.",
    "Raised funds for {R|Muslim} Aid and for the {R|Jewish} Community Center.",
    "Organised {R|Ramadan} dinners for neighbours and colleagues.",
    "Reader at {R|church} and member of its building committee.",
    "Kept the accounts of the local {R|mosque}.",
    "Sang in the {R|gospel} choir for ten years.",
    "Board member of the {R|Catholic} charity for housing.",
    "Active in the {R|synagogue}'s food bank.",
    "Observes the {R|Sabbath}; not available on Friday evenings.",
)
DISABILITY = (
    "I am {D|legally blind} and work with a {D|screen reader}.",
    "Diagnosed with {D|dyslexia}; spell-checked my way through two degrees.",
    "Member of the {D|neurodiversity} network at work.",
    "Plays {D|wheelchair} basketball in the regional league.",
    "Volunteer timekeeper at the {D|Paralympic} trials.",
    "{D|Deaf} since birth; communicates in sign language and in writing.",
    "Needs a {D|wheelchair}-accessible workplace.",
    "Living with {D|multiple sclerosis}; works full time.",
    "{?|Disability}: {D|hearing impaired}",
    "Co-founded the {D|autism} parents' helpline.",
    "Open about {D|ADHD} and the routines that help.",
    "{?|Registered} {D|disabled}, no adjustments needed.",
)
MARITAL = (
    "Marital status: {marital}",
    "Marital Status - {marital}",
    "{Marital}, {?|two children}.",
    "Relocated with my {spouse} to the coast.",
    "Moved here when my {spouse} changed jobs.",
    "Civil status: {marital}",
    "Family: {marital}{?|, willing to travel}.",
)
MARITAL_WORDS = ("married", "single", "divorced", "widowed", "unmarried", "separated")
ORIENTATION = (
    "Board member, {O|LGBTQ+} employee network.",
    "Volunteer at the city's {O|Pride} parade since {year}.",
    "Co-chair of the {O|LGBT} business lunch.",
    "Wrote a column on {O|queer} history for the student paper.",
    "Out at work as {O|gay} since {year}, and a mentor to others.",
    "Helpline volunteer for {O|lesbian} and {O|gay} teenagers.",
    "Organised the {O|bisexual} caucus of the union.",
    "Raised money for a {O|transgender} health charity.",
)
