"""Templates: where the person's name stood, in which form, and what is left as it was."""

import pytest

from evenhand.masking.people import Person
from evenhand.synthetic.own_name import FullName
from evenhand.synthetic.templates import NAME_IN_PART, NAME_REMAINS, NO_NAME, LeftOut, template_of, templates_of

NEW = FullName("Lakisha", "Banks")


def template(text, *known, **more):
    made = template_of(Person(id="1", text=text, known_names=known, **more))
    assert not isinstance(made, LeftOut), made
    assert made.original == text
    return made


#: Known name, a text that shows it, and the text under the name Lakisha Banks.
FORMS = [
    ("Jane Doe", "Jane Doe", "Lakisha Banks"),
    ("Jane Doe", "JANE DOE", "LAKISHA BANKS"),
    ("Jane Doe", "jane doe", "lakisha banks"),
    ("Jane Doe", "DOE, Jane", "BANKS, Lakisha"),
    ("Jane Doe", "Doe, J.", "Banks, L."),
    ("Jane Doe", "J. Doe", "L. Banks"),
    ("Jane Doe", "Jane D.", "Lakisha B."),
    ("Jane Doe", "Jane Doe. Jane led. Ms Doe won.", "Lakisha Banks. Lakisha led. Ms Banks won."),
    ("Ngozi Okafor", "Ngozi Okafor\nOne of two Ngozis", "Lakisha Banks\nOne of two Lakishas"),
    ("James Ross", "James Ross\nJames' team, Ross's desk", "Lakisha Banks\nLakisha's team, Banks's desk"),
    ("Jane Doe", "Jane Doe\nFile: Jane_Doe_CV.pdf", "Lakisha Banks\nFile: Lakisha_Banks_CV.pdf"),
    ("Jane Doe", "Jane Doe\nJaneDoe_CV.pdf", "Lakisha Banks\nLakishaBanks_CV.pdf"),
    ("Jane Doe", "J A N E   D O E", "L A K I S H A   B A N K S"),
    ("Jane Doe", "Jane A. Doe", "Lakisha Banks"),
    ("Jane Alice Doe", "Jane Alice Doe\nJ. A. Doe\nDoe, Jane A.", "Lakisha Banks\nL. Banks\nBanks, Lakisha"),
    ("Jane Alice Doe", "J.A. Doe\nJ. Doe", "L. Banks\nL. Banks"),
    ("Jane Alice Doe", "Jane Alice Doe. Alice led the team.", "Lakisha Banks. Lakisha led the team."),
    ("Robert Smith Jr.", 'Robert "Bob" Smith Jr.\nBob Smith led.', "Lakisha Banks\nLakisha Banks led."),
    ("María García López", "María García López\nGARCÍA LÓPEZ, María", "Lakisha Banks\nBANKS, Lakisha"),
    ("María García López", "María García López, Ms García", "Lakisha Banks, Ms Banks"),
    ("María García López", "Maria Garcia-Lopez", "Lakisha Banks"),
    ("José Núñez", "JOSÉ NÚÑEZ\nJose Nunez", "LAKISHA BANKS\nLakisha Banks"),
    ("Jürgen Müller", "Jürgen Müller\njuergen.mueller@x.org", "Lakisha Banks\nlakisha.banks@x.org"),
    ("Ludwig van der Berg", "VAN DER BERG, LUDWIG\nMr Berg", "BANKS, LAKISHA\nMr Banks"),
    ("Ana de la Cruz", "Ana de la Cruz\nanadelacruz@x.org", "Lakisha Banks\nlakishabanks@x.org"),
    ("Siobhán O'Brien", "Siobhán O\u2019Brien\nsobrien@x.org\nMs O'Brien", "Lakisha Banks\nlbanks@x.org\nMs Banks"),
    ("Jean-Luc Moreau", "Jean-Luc Moreau\nJ.-L. Moreau\njlmoreau@x.org", "Lakisha Banks\nL. Banks\nlbanks@x.org"),
    ("Arun Venkataraman", "Arun Venkataraman\nNurse. Venkata-\nraman led.", "Lakisha Banks\nNurse. Banks led."),
    ("An Do", "An Do\nI do an audit.", "Lakisha Banks\nI do an audit."),
    ("May Frost", "May Frost\nIn May 2019 a frost came.", "Lakisha Banks\nIn May 2019 a frost came."),
    ("Wang Xiaoming", "WANG Xiaoming\nMr Wang\nXiaoming led.", "BANKS Lakisha\nMr Banks\nLakisha led."),
]  # fmt: skip


@pytest.mark.parametrize(("known", "text", "filled"), FORMS)
def test_a_name_is_filled_in_the_form_that_it_was_written_in(known, text, filled):
    assert template(text, known).filled(NEW) == filled


ADDRESSES = [
    ("jane.doe@x.org", "lakisha.banks@x.org"),
    ("jane_doe@x.org", "lakisha_banks@x.org"),
    ("JANE.DOE@X.ORG", "LAKISHA.BANKS@X.ORG"),
    ("doe.jane84@x.org", "banks.lakisha84@x.org"),
    ("janedoe@x.org", "lakishabanks@x.org"),
    ("jdoe@x.org", "lbanks@x.org"),
    ("doej@x.org", "banksl@x.org"),
    ("j.doe@x.org", "l.banks@x.org"),
    ("jane@janedoe.com", "lakisha@lakishabanks.com"),
    ("jd84@x.org", "lb84@x.org"),
    ("janedoecv@x.org", "lakishabankscv@x.org"),
    ("sunny.day@x.org", "applicant@x.org"),
    ("mrsmith@acme.com", "applicant@acme.com"),
    ("linkedin.com/in/jane-doe-4711", "linkedin.com/in/lakisha-banks-4711"),
    ("https://www.linkedin.com/in/janedoe/", "https://www.linkedin.com/in/lakishabanks/"),
    ("github.com/jdoe", "github.com/lbanks"),
    ("GitHub: jdoe", "GitHub: lbanks"),
    ("https://janedoe.dev/cv", "https://lakishabanks.dev/cv"),
    ("https://acme.com/team", "https://acme.com/team"),
    ("github.com/janedoerdotfiles", "github.com/profile"),
]


@pytest.mark.parametrize(("address", "filled"), ADDRESSES)
def test_addresses_follow_the_name_or_are_neutral(address, filled):
    assert template(f"Jane Doe\n{address}\n\nNurse", "Jane Doe").filled(NEW) == f"Lakisha Banks\n{filled}\n\nNurse"


@pytest.mark.parametrize(
    ("name", "filled"),
    [
        ("Jane_Doe_CV.pdf", "Lakisha_Banks_CV.pdf"),
        ("cv-doe-2024.final.docx", "cv-banks-2024.final.docx"),
        ("JDoe.pdf", "LBanks.pdf"),
        ("resume.pdf", "resume.pdf"),
        ("janedoerr.pdf", "resume.pdf"),
    ],
)
def test_the_name_of_the_file_follows_the_name(name, filled):
    assert template("Jane Doe\nNurse", "Jane Doe", file_name=name).file_name(NEW) == filled


def test_a_name_is_found_without_being_told_and_spelled_as_the_text_does():
    made = template("NGOZI OKAFOR\nn.okafor@example.org\n\nSUMMARY\nNgozi led audits at Acme.\n")
    assert made.name == FullName("Ngozi", "Okafor")
    assert made.filled(NEW) == "LAKISHA BANKS\nl.banks@example.org\n\nSUMMARY\nLakisha led audits at Acme.\n"


def test_other_people_stay():
    text = "Jane Doe\njane.doe@x.org\n\nREFERENCES\nMark Smith, manager, mark.smith@acme.com\nReported to Dr. J. Roe.\n"
    assert template(text, "Jane Doe").filled(NEW) == text.replace("Jane Doe", "Lakisha Banks").replace(
        "jane.doe", "lakisha.banks"
    )


def test_what_masking_took_for_a_name_stays_where_it_shares_no_word_with_the_persons():
    text = "Jane Doe\njane.doe@x.org\n\nSkills: Django, Jenkins, Ruby. Called in by Krystal.\n"
    assert template(text).filled(NEW) == text.replace("Jane Doe", NEW.text).replace("jane.doe", "lakisha.banks")


def test_a_name_in_another_script_goes():
    made = template("Wang Xiaoming (王小明)\nEngineer", "Wang Xiaoming", "王小明")
    assert made.filled(NEW) == "Lakisha Banks\nEngineer"


LETTER = "Jane Doe\n\nShe/her. Ms. Doe led her team; Mr. Roe told her so. The praise is hers. He agreed.\n"


def test_pronouns_and_titles_of_the_person_follow_a_gender_and_those_of_others_stay():
    made = template(LETTER, "Jane Doe")
    told = "{name}\n\n{}/{}. {}. {last} led {} team; Mr. Roe told {} so. The praise is {}. He agreed.\n"
    names = {"name": NEW.text, "last": NEW.last}
    assert made.filled(NEW) == made.filled(NEW, gender="female")
    assert made.filled(NEW, gender="female") == told.format("She", "her", "Ms", "her", "her", "hers", **names)
    assert made.filled(NEW, gender="male") == told.format("He", "him", "Mr", "his", "him", "his", **names)


@pytest.mark.parametrize(
    ("sex", "text", "gender", "filled"),
    [
        ("female", "She praised him.", "male", "He praised him."),
        ("M", "She praised him.", "female", "She praised her."),
        (None, "She praised him.", "male", "She praised him."),
        (None, "He was promoted and his team grew.", "female", "She was promoted and her team grew."),
        (None, "They/them.", "male", "They/them."),
        (None, "Gender: Female", "male", "Gender: Male"),
        (None, "Sex: M\nRan the female ward.", "female", "Sex: F\nRan the female ward."),
        (None, "Pronouns: he/his", "female", "Pronouns: she/her"),
    ],
)
def test_whose_pronouns_they_are_is_told_by_the_column_or_by_most_of_them(sex, text, gender, filled):
    protected = {} if sex is None else {"gender": sex}
    made = template(f"Jane Doe\n\n{text}", "Jane Doe", protected=protected)
    assert made.filled(NEW, gender=gender) == f"Lakisha Banks\n\n{filled}"


def test_lines_are_added_below_the_name_and_at_the_end_where_they_are_asked_for():
    made = template("Jane Doe, RN\nNurse\n", "Jane Doe")
    assert made.filled(NEW, lines={"pronouns": "she/her", "affinity": "Member, Club"}) == (
        "Lakisha Banks, RN\nshe/her\nNurse\n\nMember, Club\n"
    )


@pytest.mark.parametrize(
    ("text", "known", "file_name", "filled"),
    [
        ("Jane Doe\njane.doe@x.org\nDoe, J.", ["Jane Doe"], "CV_Jane_Doe.pdf", "Una Doe\nuna.doe@x.org\nDoe, U."),
        ("{name}\n{email}", ["Jane van Doe"], None, "Una van Doe\nuna.vandoe@example.org"),
        ("Dear {name}", [], None, "Dear Una"),
    ],
)
def test_a_given_name_alone_leaves_the_persons_own_last_name(text, known, file_name, filled):
    made = template_of(Person(id="1", text=text, known_names=known, file_name=file_name))
    assert made.filled(FullName("Una")) == filled
    if file_name is not None:
        assert made.file_name(FullName("Una")) == "CV_Una_Doe.pdf"
    assert made.filled(FullName("Una", "Li")).splitlines()[0].endswith("Una Li")


def test_a_text_with_slots_is_a_template_as_it_stands():
    made = template_of(Person(id="1", text="**{name}**\n{email}\n\nLed {a: 1} with Jane Doe."))
    assert made.filled(NEW) == "**Lakisha Banks**\nlakisha.banks@example.org\n\nLed {a: 1} with Jane Doe."
    assert made.name is None


@pytest.mark.parametrize(
    ("text", "known", "reason"),
    [
        ("Registered nurse with ten years of practice.", (), NO_NAME),
        ("Registered nurse with ten years of practice.", ("Jane Doe",), NO_NAME),
        ("Anne-Marie Roe-Smith\nNurse", ("Marie Roe",), NAME_IN_PART),
        ("Ngozi\n\nSUMMARY\nNgozi led audits.\nSigned: Ngozi", (), NAME_IN_PART),
        ("Ja**ne** Doe\nNurse", ("Jane Doe",), NAME_REMAINS),
        ("Ngozi Okafor\nNurse\nngoziokaforgmailcom", ("Ngozi Okafor",), NAME_REMAINS),
        ("Jordan Smith\n\nEXPERIENCE\nNurse, Jordan Hospital, 2014", (), NAME_REMAINS),
        ("Chase Donnelly\nchase@x.org\n\nEXPERIENCE\nTeller, Chase Bank, 2014", (), NAME_REMAINS),
    ],
)
def test_who_has_no_name_or_keeps_a_word_of_it_is_left_out(text, known, reason):
    person = Person(id="7", text=text, known_names=known, protected={"race": "white"})
    assert template_of(person) == LeftOut(id="7", reason=reason, protected={"race": "white"})


def test_who_is_left_out_is_counted_by_group():
    people = [
        Person(id="1", text="Jane Doe\nNurse", known_names=("Jane Doe",), protected={"race": "white"}),
        Person(id="2", text="A nurse.", protected={"race": "black"}),
        Person(id="3", text="A welder.", protected={"race": "black"}),
        Person(id="4", text="A clerk."),
    ]
    made = templates_of(people)
    assert [each.id for each in made.templates] == ["1"]
    assert made.counts(["race"]) == {(NO_NAME, "black"): 2, (NO_NAME, None): 1}
