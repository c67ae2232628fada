"""Years of study and names of schools: what is masked stands in double brackets."""

import pytest

from evenhand.masking.mask import mask_text
from evenhand.masking.pronouns import OPTIONAL, MaskOptions
from marked_text import unmarked

ALL = MaskOptions(optional=tuple(OPTIONAL))
CATEGORIES = ("GRADYEAR", "SCHOOL")

YEARS = [
    "Educated at Lincoln Tech ([[2004-2006]]).",
    (
        "Oct 2010 – Dec 2014\n"
        "Store Manager, Lidl, Bremen\n"
        "[[Sept 2006 – Jul 2009]]\n"
        "Retail apprenticeship and Berufskolleg diploma"
    ),
    "[[1979]] School Certificate; [[1981]] University Entrance, Tauranga Boys' College",
    "Educação\nBacharelado em Administração, Universidade Federal de Minas Gerais, [[2010]]",
    "Coursework toward M.Ed., Lesley University, [[2016-2017]] (12 credits)",
    "MS, Information Systems ([[2013]]); BS, Finance ([[2008]]), Brigham Young University",
    "Bac +5, [[2011]]",
    "LLM International Trade Law, Can Tho University, [[June 2014]]",
    "I took my B.Tech. (Electrical) at Université Laval, [[2020-24]]; then I left.",
    "Left Hanyang University in [[2022]] for a ferry line",
    "Read for the City & Guilds Level 3 at San Diego Mesa College between [[2014]] and [[2016]]",
    "School: University of Exeter\nDegree: B.Com.\nYears attended: [[Oct. 1982 – May 1986]]",
    "since [[Sept 2024]]; anticipated [[2027]]     Bachelor of Social Work, San Diego Mesa College",
    "Ernst & Young, Victoria, BC\n10/2013 - 12/2017",
    (
        "EDUCATION\n"
        "Northern Virginia Community College\n"
        "Associate of Applied Science in IT\n"
        "Graduated: [[Spring 2016]]\n"
        "\n"
        "WORK EXPERIENCE\n"
        "Geek Squad, Best Buy\n"
        "Fall 2016 – Spring 2019"
    ),
    "Completed a two-year master's programme in Uppsala ([[2014–2016]]).",
    "Matriculated from Pretoria Boys High School in [[1993]]",
    "She holds a doctorate in linguistics (University of Edinburgh, [[2003]]).",
    "Semester abroad at Universidad de Granada, [[spring 2010]]",
    "Anticipated graduation: [[December 2025]]",
    "WAEC/SSCE ([[2006]]) | First School Leaving Certificate ([[2000]])",
    "Trained as a nurse at St Bartholomew's School of Nursing, qualifying in [[1987]].",
    (
        "Sabine Keller-Ott · geb. 2. Februar 1981 in Ulm · verh., 1 Kind\n"
        "Weststraße 8, 89073 Ulm · 0731/555014 · s.keller-ott@post.example\n"
        "\n"
        "Berufliche Laufbahn\n"
        "seit 09/2012  Teamleiterin Einkauf, Magirus GmbH\n"
        "04/2006–08/2012  Sachbearbeiterin, Iveco\n"
        "\n"
        "Hochschule und Schule\n"
        "[[10/2001–03/2006]]  Hochschule Neu-Ulm, Dipl.-Betriebswirtin (FH)\n"
        "[[1991–2000]]  Kepler-Gymnasium Ulm, Abitur"
    ),
    (
        "KEY QUALIFICATIONS: 20 years in audit. Offices in Leeds, York and Hull.\n"
        "1998–2003 Audit junior, Garbutt & Elliott\n"
        "2003–2010 Audit senior, Brown Butler\n"
        "Education: ACA qualified 2002; University of Hull, BA Accounting [[1998]]"
    ),
    (
        "Bachelor of Science in Hotel Management — Ecole hôtelière de Lausanne — [[2004]]\n"
        "Front Office Manager — Hyatt Regency — 2004–2009"
    ),
    "SUMMARY\nLine cook with ten years on the grill.\nEDUCATION\nGED, [[2009]]\nWORK\nGrill cook, Denny's, 2010-2014",
    "Diplôme d'ingénieur, INSA Lyon, promotion [[2005]]",
    "W.A.S.S.C.E., Government Secondary School, Owerri, [[2004]]",
    (
        "| Education | |\n"
        "| --- | --- |\n"
        "| [[2016-2018]] | MA Conservation, Courtauld Institute of Art |\n"
        "| [[2012-2015]] | BA History of Art, University of Sussex |\n"
        "| Work | |\n"
        "| 2018-2021 | Assistant conservator, Wallace Collection |\n"
        "| 2021- | Conservator, freelance |"
    ),
    (
        "[[2015]]    National Taiwan University of Science and Technology    M.S.\n"
        "2015-2019   TSMC, Hsinchu    Process engineer"
    ),
    "EDUCATION\nBoston College, Chestnut Hill, MA            [[09/2004 – 06/2008]]\nB.S., Accounting",
    "Having completed my doctorate in [[2015]], I moved to industry in 2016.",
    "Education\nUniversity of Arizona, B.S. Mining Engineering, [[1984]]\nSince 1984 I have worked in copper.",
    (
        "EDUCATION AND CREDENTIALS\n"
        "[[2011]]\n"
        "University of Utah\n"
        "Master of Public Administration\n"
        "[[2007]]\n"
        "Weber State University\n"
        "Bachelor of Science, Political Science"
    ),
    "Education | Monash University | BCom, [[2011]] | Melbourne High School | VCE [[2007]]",
    (
        "FORMATION\n"
        "[[2013]] : Master Droit des affaires, Université Paris 1 Panthéon-Sorbonne\n"
        "[[2008]] : Baccalauréat ES, Lycée Montaigne, Bordeaux\n"
        "EXPÉRIENCES\n"
        "2014 – 2018 : Juriste, Cabinet Morel"
    ),
    "Matric: [[2001]]",
    "Major: Marketing        GPA: 3.6        [[2012–2016]]",
    "Istruzione\nLaurea in Lettere, Università degli Studi di Bologna, [[2006]]",
    (
        "My Education\n"
        "• [[2014 - 2017]]: Lagos State Polytechnic, HND Accountancy\n"
        "• [[2006 - 2012]]: Queen's College, Yaba\n"
        "Work\n"
        "• 2018 - date: Accounts officer, Dangote"
    ),
    "Nebraska Wesleyan, BA Music [[2002]]",
    "Bachelor's project: bridge monitoring ([[2010]])",
    "Graduation year: [[2019]]",
    (
        "Studies\n"
        "Law, KU Leuven, [[1996-2001]]\n"
        "Exchange at Universidad Complutense de Madrid ([[1999]])\n"
        "Languages\n"
        "Dutch, French"
    ),
    "Ph.D. ABD, New School for Social Research, [[2018]]–present",
    (
        "EDUCATIONAL QUALIFICATION:\n"
        "SSC from Holy Cross High School, Mumbai University in [[March 1999]] with 71%\n"
        "HSC from Ruia College in [[2001]] with 68%"
    ),
    "Bachelor of Nursing, University of the Philippines Manila ([[1998]])",
    "GCSEs: 9 at grades A-C, [[1996]]",
    (
        "After graduating from Howard University in [[2011]], I joined a small newspaper in Baltimore, where I "
        "stayed until 2016."
    ),
    (
        "Bildungsweg\n"
        "[[1984–1993]] Goethe-Gymnasium Weimar, Abitur\n"
        "[[1995]] Lehre Bankkaufmann, Sparkasse Jena\n"
        "Beruf\n"
        "1998–2003 Kundenberater, Commerzbank"
    ),
    (
        "My first school was a one-room schoolhouse; my last was Caltech, where I took a PhD in [[2008]]. Between "
        "the two I drove a truck for Werner (1996 to 2000)."
    ),
    (
        "EDUCATION\n"
        "Ph.D. Candidate, Sociology, University of Wisconsin–Madison  [[2019]]-present\n"
        "M.A., Sociology, Marquette University  [[2017]]\n"
        "TEACHING\n"
        "Teaching Assistant, Intro to Sociology, 2018, 2019"
    ),
    (
        "Estudios\n"
        "[[2006]] Técnico en Gastronomía, SENA\n"
        "[[2003]] Bachiller, Colegio La Salle, Envigado\n"
        "Experiencia\n"
        "2007 Cocinero, Hotel Dann"
    ),
    "Utbildning\nCivilekonom, Göteborgs universitet, [[2001]]\nArbetslivserfarenhet\nController, Volvo, 2001–2009",
    'PhD thesis [[2012]]: "Heat transport in thin films", supervised by Prof. R. Olsen',
    (
        "University of Florida                    Gainesville, FL\n"
        "Bachelor of Arts, Advertising                    [[Aug 2008 - May 2012]]\n"
        "Sales Rep, Verizon                    June 2012 - Present"
    ),
    "Honors thesis, Reed College, [[May 2013]]",
    (
        "Academic Qualifications & Training\n"
        "Trinity College Dublin\n"
        "BSc (Hons) Zoology\n"
        "[[1999-2003]]\n"
        "Cert. in Food Safety, 2011"
    ),
    (
        "EDUCATION: Delgado Community College, A.S. Respiratory Therapy, [[2009]]\n"
        "EXPERIENCE: Respiratory Therapist, Ochsner Health, 2009 to present"
    ),
    "Exchange student, Waseda University, Tokyo ([[2006-07]])",
    "1. Education\n1.1 ETH Zürich, MSc Physik, [[2004]]\n2. Employment\n2.1 CERN, fellow, 2005-2008",
    "Erasmus year, Université Lumière Lyon 2, [[2012/13]]",
    (
        "LI Wenjie (Jerry)\n"
        "+86 139 5550 1234 / wjli@post.example / WeChat: wjli_cn\n"
        "\n"
        "教育背景 EDUCATION\n"
        "[[2013.09–2017.06]]   Zhejiang University of Technology   B.Eng., Automation\n"
        "[[2010.09–2013.06]]   Wenzhou High School\n"
        "工作经历 EXPERIENCE\n"
        "2017.07–2020.03   Hikvision, test engineer"
    ),
    (
        "Work History\n"
        "Welder, Acme Steel, 2009 - 2014\n"
        "Schooling\n"
        "Leaving Certificate, St Joseph's Secondary School, Tulla, [[2005]]"
    ),
    "Ms Allen earned her MBA at Babson College ([[2014]]) and her bachelor's degree at Spelman College ([[2006]]).",
    "Passed matric with exemption in [[1998]] at Hoërskool Menlopark",
    "Degrees\n[[2015]]: LL.M., Leiden University\n[[2013]]: LL.B., University of Ghana",
    "Alumnus of IIM Calcutta, batch of [[2016]]",
    "Dropped out of Carleton University in [[2009]] to found a studio.",
]
SCHOOLS = [
    "SCHOOLING\n[[James Madison University]]: MBA",
    "Education\nHND Electrical Engineering / [[Purdue University Northwest]]",
    "School: [[City College Norwich]]\nDegree: BA",
    "Education\n<p>High School Diploma, <em>[[City College Norwich]]</em></p>",
    "Renovated three dormitories for [[Kalamazoo College]] (2014).",
    "[[Brown University]], Sc.B.",
    "[[Hochschule für Technik und Wirtschaft Berlin]], B.A.",
    "[[Université Cheikh Anta Diop]], Dakar",
    "[[Thomas Jefferson High School for Science and Technology]]",
    "A 2003 graduate of [[Florida A&M University]], she started out in radio.",
    "Graduate Diploma in Psychology – [[Deakin University]]; conferred 2017",
    "[[LaGuardia Community College]]",
    "[[University of the Arts London]]",
    "Volunteer reader at [[Hillcrest Elementary School]], 2015–2018",
    "[[Hochschule für Musik und Theater Hamburg]]",
    "[[Cadi Ayyad University]], Marrakech",
    "BA, [[Universidad Nacional Autónoma de México]]",
    "[[UCLA]], B.A. Economics; [[LSE]], MSc",
    "Taught at [[Boston Latin School]] from 1999 until 2004.",
    "[[Ecole Supérieure de Commerce de Tunis]]",
    "In 2007 I completed a bachelor's in social work at [[Wilfrid Laurier University]].",
    "[[Holy Angel University]], Angeles City, BS Nursing",
    "[[Duale Hochschule Baden-Württemberg]]",
    "[[Wirral Metropolitan College]], NVQ level 3",
    "[[SMA Negeri 3 Yogyakarta]]",
    "1. Education\n1.1 [[ETH Zürich]], MSc Physik, 2004\n2. Employment\n2.1 CERN, fellow, 2005-2008",
    "[[North-West University]], Potchefstroom",
    "[[Virginia Military Institute]]",
    "She read law at [[Durham University]] from 1999 to 2002 before training with Slater & Co in 2003.",
    "[[Rajiv Gandhi University of Health Sciences]], BDS",
    "Delivered a guest lecture at [[Keio University]] in 2019.",
    "[[Univerza v Ljubljani]]",
    "[[Università Bocconi]], laurea",
    "[[University of Santo Tomas]]",
    "MS, Information Systems (2013); BS, Finance (2008), [[Brigham Young University]]",
    "Educação\nBacharelado em Administração, [[Universidade Federal de Minas Gerais]], 2010",
    "学历 Education\n2008.09 – 2012.06  [[Wuhan University]]  B.Eng. Surveying",
    "[[Makerere University]]",
    "Raised £2m for the [[Royal Northern College of Music]] between 2009 and 2012.",
    "[[Tokyo Institute of Technology]]",
    "[[National University of Sciences and Technology]], Islamabad",
    "Abitur am [[Gymnasium Schloss Overhagen]]",
    "[[City of Glasgow College]], HNC",
    "[[Helsingin yliopisto]], FM",
    "[[Technische Hochschule Köln]], B.Eng.",
    "[[Seoul National University]], [[Daewon Foreign Language High School]]",
    "[[Vrije Universiteit Brussel]]",
    "[[University of Nevada, Las Vegas]]",
    "Education\n[[University of Arizona]], B.S. Mining Engineering, 1984\nSince 1984 I have worked in copper.",
    "[[Bishops Diocesan College]], matric",
    "[[Gonville & Caius College, Cambridge]]",
    "[[Stuyvesant High School]], diploma",
    "[[Cégep de Sainte-Foy]], DEC",
    "[[Christ's Hospital School]]",
    "[[Lycée Louis-le-Grand]], classes préparatoires",
    "[[The Open University]], BSc Open",
    "Education | [[Monash University]] | BCom, 2011 | [[Melbourne High School]] | VCE 2007",
    "[[Pepperdine]], MBA",
    "[[Kibabii High School]]",
    "Matriculated from [[Pretoria Boys High School]] in 1993",
    "[[Le Cordon Bleu]], grand diplôme",
    "[[University of Phoenix Online]]",
    "[[Queensland University of Technology]]",
    "[[Nanyang Polytechnic]], Diploma in IT",
    "[[Katholieke Hogeschool Leuven]], bachelor",
    "[[Universitetet i Oslo]], master",
    "[[Università Cattolica del Sacro Cuore]], Milano",
    "[[École Polytechnique Fédérale de Lausanne]]",
    "[[Texas A&M University–Corpus Christi]]",
    "[[Universiti Malaya]], LLB",
    "Bachelor of Nursing, [[University of the Philippines Manila]] (1998)",
    "[[McMaster University]], [[Mohawk College]]",
    "B.S. Computer Science, [[Oregon State University]], expected May 2026",
    "[[United States Naval Academy]], Annapolis",
    "[[The Juilliard School]], MM",
    "[[Boğaziçi Üniversitesi]], lisans",
    "[[Uniwersytet Jagielloński]], mgr prawa",
    "[[De La Salle University–Manila]]",
    "[[CEU San Pablo]], derecho",
    "Built the alumni portal for [[Purdue University]] in 2013.",
    "Ms Allen earned her MBA at [[Babson College]] (2014) and her bachelor's degree at [[Spelman College]] (2006).",
    "[[Szkoła Główna Handlowa]], Warszawa",
    "[[Cornell University]] '05, [[Columbia Business School]] '11",
    "[[Coleg Cambria]], NVQ 2",
    "[[École des Hautes Études Commerciales]], Montréal",
    "[[Akademia Górniczo-Hutnicza]], Kraków",
    "Trained as a nurse at [[St Bartholomew's School of Nursing]], qualifying in 1987.",
    "[[École Normale Supérieure de Lyon]]",
    "EDUCATION\n[[Boston College]], Chestnut Hill, MA            09/2004 – 06/2008\nB.S., Accounting",
    "B.E. (Mech.) passed in 2008 with first class from [[Anna University]]",
    "[[Institut Teknologi Bandung]]",
    "EDUCATION\nBA History, [[University of Leeds]], 2004–08",
    "[[Kwame Nkrumah University of Science and Technology]]",
    "[[UNC Charlotte]]",
    "1990/91 – 1994/95   Studium der Germanistik, [[Freie Universität Berlin]]",
    "Tutor at [[Emory University]] since 2012",
    "[[Univerzita Karlova]], Praha",
    "[[University College Cork]], BCL",
    "[[Colegio San Agustín]], Lima, bachillerato",
    "[[Københavns Universitet]], cand.jur.",
    "AAS, Automotive Technology – [[Pima Community College]] – 2013\nASE Master Technician – 2015",
    "High-school diploma, [[Roosevelt High School]], 2001",
    "[[Bellerbys College]] foundation year",
    "[[Obafemi Awolowo University]], Ile-Ife",
    "[[Budapesti Műszaki Egyetem]], BSc",
    "She holds a doctorate in linguistics ([[University of Edinburgh]], 2003).",
    "[[Institut d'Études Politiques de Paris]]",
    "[[Culinary Institute of America]]",
    "PhD (2012), MSc (2008) and BSc (2006) in Chemistry, all from [[Stellenbosch University]].",
    "[[Mar Ivanios College]], Thiruvananthapuram",
    "[[Erasmus Universiteit Rotterdam]]",
    "[[Escuela Superior Politécnica del Litoral]], Guayaquil, Ing. Naval",
    "WHERE I LEARNED\n[[Art Center College of Design]], BFA Product Design, 2010",
    "[[Lincoln Land Community College]]",
    "[[SUNY Geneseo]]; [[CUNY Graduate Center]]",
    "[[Ivy Tech Community College of Indiana]]",
    "Diplôme d'ingénieur, [[INSA Lyon]], promotion 2005",
    "[[Szent István Egyetem]], Gödöllő",
    "[[Thomas Jefferson University]]",
    "[[King's College, Lagos]]",
    "[[Lunds universitet]], kandidat",
    "Degree: Bachelor of Laws\nUniversity: [[University of Auckland]]\nYear: 2014",
    "[[Queen Elizabeth's Grammar School]], Penrith",
    "B.Tech, [[NIT Trichy]] ('12)",
]
KEPT = [
    "Ms Low worked for five years at Robert Bosch GmbH.",
    "MS Excel trainer at Acme",
    "Apprenticeship as electrician, completed 2004 at Wilson Electrical.",
    "Coursera: Machine Learning (2018). Udacity nanodegree, 2019.",
    "Sold 2004 units to the university in 2011.",
    "Recruited 14 graduates in 2016 for the London office.",
    "School bus driver, Durham School Services, 2006 – 2011",
    "NYSC discharge certificate, 2010",
    "Fulbright year in Lisbon, 2008.",
    "Member of the American Society of Civil Engineers since 2006.",
    "Completed first-aid course in 2016.",
    "Completed the London Marathon in 2013.",
    "Received the Bachelor Award for Journalism in 2012.",
    "FY 2015: closed the books of the college within five days.",
    "Worked with the university and two local colleges.",
    "Sales training academy for new hires; a school of thought.",
    "Led the School Lunch Program of Dallas County.",
    "Vice-president of the college; college administrator; school nurse.",
    "Founded the Data Academy within the Institute for Payments.",
    "American College of Surgeons, fellow",
    "Chartered Institute of Personnel and Development, member",
    "Project Management Institute certificate",
    "Royal College of Nursing member; Institute of Directors",
    "National Institutes of Health grant",
    "SANS Institute course",
    "SAT tutoring for Kaplan; school bus contract with First Student",
    "Managed the Fraunhofer Institute account.",
    "Procurement for Chicago Public Schools and Oxford University Press",
    "Consultant to the World Bank Institute.",
    "Cisco Networking Academy, CCNA",
    "Khan Academy volunteer translator",
    "Academy Sports + Outdoors, cashier",
    "Old School Pizza, delivery driver",
    "MIT licence; USC Title 18; the UCL final; NUS mass; UNC paths",
    "Harvard Business Review subscriber; Harvard style referencing",
    "State College, PA; College Station, TX",
    "High School Musical lighting crew",
    "Repaired 600 street lights and 20 Park benches.",
    "Clerk, Circuit Court of Cook County, 2014",
    "Sesame Street Workshop, 2011 writer; Jane Street intern",
    "The company, born in 2011, grew to 40 people.",
    "A 15-year-old codebase; a 3-year-old start-up; 20 years old bridges.",
    "Order 4500123456, part 555-0134-A, ticket 100200300.",
    "2012-2014, 12.05.2014-13.06.2015; 100,000,000 rows; 192.168.10.24",
    "Processed 1200 3400 5600 units",
    "Won the Dean's Cup for debating in 2011 and the regional science fair in 2008.",
]


def found(text, category):
    return [(span.start, span.end) for span in mask_text(text, options=ALL).spans if span.category == category]


@pytest.mark.parametrize("marked", YEARS)
def test_years(marked):
    text, expected = unmarked(marked)
    assert found(text, "GRADYEAR") == expected


@pytest.mark.parametrize("marked", SCHOOLS)
def test_schools(marked):
    text, expected = unmarked(marked)
    assert found(text, "SCHOOL") == expected


@pytest.mark.parametrize("text", KEPT)
def test_what_looks_alike_is_kept(text):
    assert [each for category in CATEGORIES for each in found(text, category)] == []
