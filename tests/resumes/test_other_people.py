"""Names of other people in all places where résumés have them, and what reads like a name and is none."""

import pytest

from evenhand.resumes.mask import mask_text
from marked_text import unmarked

SENTENCES = """
Dissertation chaired by [[Maricel Dimaculangan]]; committee members [[Datu Panganiban]] and [[T. Aung]].
Witness: [[Jamal Witherspoon]]
Stage with [[Tejas Kulkarni]] at Noma
[[Duong Khanh]] | Operations Director | 0161 496 0000
CC: [[Mei-Ling Tsao]] (HR)
Statement taken by [[Bo Shen]].
[[Bo Shen]] has known me since 2012.
Authors: [[Maricel Dimaculangan]], [[Datu Panganiban]], [[Sokha Chhim]]
The clinic, run by Dr [[Teoman Kumbaracibaşi]], sees 80 patients a day.
Supervised Master's theses of [[Thiri Aung]] and [[Suwannee Charoenrat]].
Minutes: [[Kofi Annang]]
Role of Nora in A Doll's House, dir. [[Nayeli Xicoténcatl]], Almeida Studio
Grant with PI [[Yat-sen Poon]], NSF 2016
Student teaching with [[Devika Pillai]] (Grade 3).
Apprenticed to master joiner [[Vahagn Terteryan]] in Bern.
Photo by [[Froukje Wijdenes]]
Postdoctoral adviser: [[Dima Arslan]], Ph.D.
Research Assistant to Prof. [[Sokha Chhim]], Spring 2018
After [[Karthik Subramaniam]] left in 2016 I ran the desk alone.
Manager: [[Trần Quốc Bảo]] | Reason for leaving: end of contract
Beat [[Folasade Adegbite]] in the 2014 final.
Professor [[Devika Pillai]] invited me to co-teach the seminar.
Opened for [[Nuray Özbek]] on a twelve-date tour.
TA for Prof. [[Belousova]], Organic Chemistry
The late [[Pánfilo Barrenechea]] left me his tools.
Sous chef to [[Lionel Grubb]] at The Copper Pot.
Work with [[Quitterie du Plessis]] cited 200 times.
Assisted Ms. [[Asaka]] in a first-grade class.
Interviewer: [[Bérengère Kermadec]] Date: 3 May
Stage manager on "Tide", directed by [[Ratka Dzhambazova]].
[[Zdzisława Brzęczyszczykiewicz]], fake.person@arbor.example, 555-0134
Filled in for [[Whetu Tirikatene]] during sick leave.
Landlord: [[Nuray Özbek]]
Learned bread from [[Ibrahim Danjuma]].
[[Jean-Baptiste Dessalines]] said: "She never misses a detail."
I learned the trade at the side of [[Trần Quốc Bảo]].
A former colleague of mine, [[Lupe Villalpando]], told me of the opening.
Teachers: [[Lupe Villalpando]] (voice), [[Ximena Zavaleta]] (movement)
Thanks to [[Nizar Qabbani]], we kept the contract.
Name of the father: [[Mehdi Ouazzani]]
Choreography by [[Agung Wicaksono]]; lighting by [[Maricel Dimaculangan]].
Music by [[Trần Quốc Bảo]], lyrics by [[Nguyen Thi Hoa]]
Mentored interns [[Karthik]] and [[Devika]].
Played Juliet opposite [[Dong-hyun Seo]]'s Romeo.
[[Joost van der Meulen]] promoted me to shift lead after six months.
Husband's name : [[Bo Nie]]
Letter of recommendation from [[Ruqayya Benslimane]] available.
Key contacts: [[Chukwuemeka Nwankwo]], [[Uche Ezeilo]]
~ [[Folasade Adegbite]], parent
Approved by [[Kofi Annang]] on 12 March 2020.
Line manager: [[Ji-woo]]
Committee: [[Marcus Thornbury]] (chair), [[Roy Fenwick]], [[Dale Hutchings]]
[[Nazneen Bharucha]]: fake.person@arbor.example
Text: [[Jelimo Cheruiyot]], music: [[Otieno Ochieng]]
Handed my accounts to [[Rocío Tejada Montes]].
Tenant [[Deshaun Coleman]] thanked us in writing.
Reported to the COO, [[Stavroula Papaioannou]].
Reason for leaving: [[Latoyah Prendergast]] sold the business.
Worked for [[Wiebke Ohlsen]] at a small framing shop.
Dual reporting line to [[Evanildo Bechara]] (Oslo) and [[Garvin Ramsumair]] (Turin).
Head chef [[Anneliese von Trotha]] put me in charge of pastry.
Mentored by [[Abena Sarpong]] and [[Kofi Annang]] during my first year on the trading floor.
Studied piano with [[Châu Bảo Trân]] and composition with [[Quách Ngọc Lan]].
Examiners: Prof [[Oghogho Igiehon]], Dr [[Yakubu Maitama]]
Owner [[Kwabena Oppong]] trusted me with the keys.
Our principal, [[Jerrell Yancy]], asked me to run the summer school.
Managed the calendar of [[Froukje Wijdenes]], CEO.
[[Mei-Ling Tsao]] told me you are looking for a cook.
PhD adviser: [[Mats Bergström]]; second reader: [[Wiebke Ohlsen]]
Moderated a panel with [[Wanjiru Kimathi]], [[Kofi Annang]] and [[Abena Sarpong]].
"One of the most careful planners I have met." – [[Karthik Subramaniam]], Site Manager
Advisor [[Jelimo Cheruiyot]]
Worked in [[Temitope Ogundimu]]'s lab on protein folding.
[[Jorrit]] and I split the rota.
Line Manager: [[Lakeisha Tolliver]], Tel: 01632 960 001, Email: x@depot.example
[[Tariq El-Hadidi]], our head of legal, signed the lease.
Wife: [[Ruy Belfort]], nurse
Please call [[Akosombo Tsegah]] on 020 7946 0991 for a reference.
Covered [[Duong Khanh]]'s maternity leave.
Trained three apprentices ([[Kalani]], [[Leilani]] and [[Tallulah]]) to NVQ level 2.
Exhibition with [[Dalmacio Catubig]], [[Thuzar Hlaing]] and [[Sreymom Nhem]], Gallery 12
Portrait of [[Satenik Avetikyan]], oil on linen
Voice: [[Uche Ezeilo]]. Dance: [[Aisha Bello]]. Dialects: [[Chukwuemeka Nwankwo]].
Sponsored by [[Thiago Figueiredo]].
Client contact: [[Sigríður Þorvaldsdóttir]]
Sous-chef, The Anchor (chef-patron [[Sreymom Nhem]])
Interviewed by [[Ruy Belfort]].
Articleship under CA [[Oleksandr Hrytsenko]].
Translator of [[Petra Winstanley]]'s poems
Attended lectures by [[Fleur Terpstra]] and [[Ineke Dijkhuizen]].
Defended [[Quách Ngọc Lan]] against eviction.
Referee: [[Tyrell Gadsden]], Head of Year 7, Oakfield School, 01632 960 123
Under the guidance of Dr. [[Ayumi Endo]], Asst. Professor.
Feel free to reach out to [[Tyrell]] or [[Shaniqua]] for a reference.
CO: Maj. [[Katya Belousova]]
Deputy to Superintendent [[Suhayl bin Nasir]]
Host: [[Tevita Fonoti]]
Album "Blue Yard" recorded with [[Fardin Khalatbari]] (bass) and [[Teoman Kumbaracibaşi]] (drums).
Next of kin: [[Phùng Khắc Khoan]] (sister)
The project was led by [[Behrouz Farrokhzad]], with [[Gülşah Karaosmanoğlu]] as deputy.
Took part in a workshop run by [[Temitope Ogundimu]].
My line manager [[Mei-Ling]] asked me to chair the safety group.
[[Joost van der Meulen]] (parent of a pupil): "Our son loved your class."
— [[Dong-hyun Seo]], CEO, Arbor Paints
Because [[Anush Grigoryan]] was ill, I chaired the meeting.
[[Ruan Zhihong]] and I wrote the first version of the scheduler.
Reported to [[Park Min-seo]] and later to [[Yuna Choi]].
Driver for Sir [[Baldev Sekhon]].
Married to [[Maëlle Quéméner]] since 2009.
Clerk to the Honorable [[Yuxuan Deng]]
Co-founded a bakery with [[Zalman Shazar]] and [[Fruma Gutnick]].
Workshops: [[Xu Jing]] (clown), [[Zhang Weiling]] (mask)
Vessel master: Capt. [[Ruqayya Benslimane]]
Licensed under [[Dong-hyun Seo]], master plumber
Chauffeured Ambassador [[Oleksandr Hrytsenko]] during the summit.
Viva examined by [[Yann Le Goff]] and [[Ineke Dijkhuizen]].
Foreword by [[Chukwuemeka Nwankwo]].
Advisors: [[Yat-sen Poon]] and [[Ling Bingqing]]
Joined [[Piers Gallagher-Moss]]'s team to rebuild the claims desk.
Counselled [[Aroha]] (name changed) through a bereavement.
feat. [[Ghada al-Rawashdeh]]
While [[Ostap]] was on leave, I ran the desk alone.
[[Sefina Leota]] from your payroll team suggested that I apply.
Panel: [[Kyu-sik Eom]], [[Pak Tong-jin]], [[Ye-won Tak]]
Groom for rider [[Gülşah Karaosmanoğlu]]
Doubles partner: [[Mats Bergström]]
Guided by [[Latoyah Prendergast]] at the Institute of Crop Science.
At the time [[Rui Asaka]] ran the kitchen.
Prepared by: [[Yuxuan Deng]]
Horses owned by [[Yat-sen Poon]]
Instructor: [[Lakeisha Tolliver]]
Founded with [[Tallulah Begay]]
Signed: [[Yashar Daneshvar]]
Photographed [[Nguyen Thi Hoa]] for the cover of the spring issue.
w/ [[Eleni Kostas]]
Customer [[Minh Tam Ly]] wrote: "Best service in town."
My mentor, Dr. [[Endo]], taught me to write grants.
Escalated outages to [[Marlon Bissoondath]].
Catalogue essay by [[Katya Belousova]]
Following my call with [[Ruy Belfort]] on Monday, I attach my papers.
Mr and Mrs [[Charoenrat]] ran the hotel.
Recommended by [[Menachem Zilberstein]] for the fast-track scheme.
Reporting to [[Omkar Phatak]] (CFO), I closed the books for nine entities.
Uncle of [[Lakeisha Tolliver]].
Acknowledged in [[Yuxuan Deng]]'s book on dyslexia.
Ghostwrote speeches for [[Sefina Leota]].
Thesis advisor: Prof. [[Bo Nie]]
Mother's name - [[Sō Takahata]]
Hired by [[Doug Arkwright]], the founder, as employee number four.
Mr. [[Poon]] trusted me with the safe.
During the strike [[Musa Garba]] and I kept the boilers on.
The club was founded by [[Yaw Asante]] in 2010.
Ask for [[Winona Benally]] at the front desk.
Managed by: [[Dragana Ilić]] (2014-2016), [[Grzegorz Wiśniewski]] (2016-2018)
The choir ([[Vu Thi Lan Anh]], conductor) toured Japan.
Quote: "Always early." [[Svitlana Koval]], depot manager
What [[Kim Chi Dang]] says: "Always early."
Clays of the Delta, with [[Mio Tachibana]], forthcoming
"[[Barasa Wekesa]], our head nurse, kept us calm."
(ed. with [[Gyeong-hui Pyo]]) Clays of the Delta
If [[Yesenia]] is away, I run the line.
Siblings: [[Chebet Kiplagat]], [[Yaw Asante]]
Supervisor [[Bahram Nikzad]] can be reached at 402-555-0110.
How did you hear of us? [[Gilberto Nascimento]]
[[Gaëtan Thibodeaux]] vs. City of Orlin
Nominated for staff award by [[Gyeong-hui Pyo]] (ward sister)
Line-managed by [[Yūto Sakamoto]]; dotted line to [[Mio Tachibana]]
Confidential references may be sought from [[Devonte Grimsley]] and [[Marquise Pinckney]].
Together, [[Maricarmen Ochoa Luna]] and I cut the waiting list by half.
Referral: [[Defne Aksoy]], Sales
Referred by [[Dakota Yellowhorse]] (employee no. 211)
In 2017 my then manager [[Tracy Holroyd]] moved me to the claims desk.
Flew as co-pilot to Capt. [[Heike Zumwalt]]
I assisted [[Lin Yifan]] and her team with the archive move.
Live-in carer for Mrs [[Rodrigo Magbanua]]
Student of Professor [[Keisha Drayton]]
Last supervisor's name and title: [[Sjoerd Hoekstra]], Foreman
Letters: [[Arpine Hakobyan]] (UCL), [[Yehuda Shapiro]] (KCL)
See letters by [[Nattapong Srisai]] and [[Analyn Bautista]].
Won the regional prize (with [[Chebet Kiplagat]] and [[Kwaku Boateng]]).
"""

BLOCKS = [
    "Hi [[Bidemi]],\n\nGreat to talk to you about the open role.",
    "Dr. [[Wangechi Ndirangu]]\nChief of Cardiology\n",
    "REFEREES\n\nProfessional: [[Thibault de La Rochère]], Head Nurse\nPersonal: [[Ineke Dijkhuizen]], family friend\n",
    "To: [[Tejas Kulkarni]]\nFrom: Someone",
    "Ms. [[Gülşah Karaosmanoğlu]]\nProgram Coordinator\n",
    "Prof. Dr. [[Tyrell Gadsden]]\nLehrstuhl Statistik\n",
    "Referees:\n[[Yakubu Maitama]], City Clinic, Hull\n[[Ebitimi Dokubo]], Harbour Ward, Hull\n",
    "Mr [[Noura bint Faisal]]\nRecruitment Manager\nArbor Paints",
    "Name: [[Ibrahim Danjuma]]\nPosition: Team Lead\nCompany: Arbor Paints\nPhone: 555-0134",
    "Reference 1\nName: [[Jorrit Bergsma]]\nRelationship: Former supervisor\nPhone: 555-0134",
    "Dear [[Ghada al-Rawashdeh]],\n\nI am writing to apply for the position of warehouse planner.",
    "Dear Ms [[Gallagher-Moss]] and Mr [[Ashdown]],\n\nThank you for the call on Tuesday.",
    "References\n[[Arkwright, Doug]]\nHead Nurse, Acme Ltd\n555-0101",
    "[[Corvin Hale]]\nPlanner\n\nPublications\n[[Ormerod K]], [[Brandt P.]] Tides and towns. Lancet 2014; 383: 912.",
    "Publications\n1. [[Ormerod, K.]], [[van den Bosch, W.]] & [[Sow, M.]] (2014). Tides and towns. Urban Studies.",
    '[[K. Ormerod]], [[W. van den Bosch]], "Tides and towns", Urban Studies, 2014.',
    "Students\n[[Whetu Tirikatene]] (PhD, 2018)\n[[Fruma Gutnick]] (MSc, 2020)",
    "* SHARED THE PRIZE WITH [[VÂN LÝ]] AND [[MICHAL SVOBODA]].",
]

ORDINARY = """
Priced options with Monte Carlo and finite differences.
Drew Pareto charts and a Pareto front for suppliers.
Estimated survival by Kaplan-Meier and Cox regression.
Fitted Kaplan–Meier curves and Nelson Aalen estimators.
Certified Myers-Briggs practitioner; DISC and Hogan assessor.
Scrub nurse for Da Vinci robot prostatectomy.
Ran the Da Vinci Xi console orientation for residents.
Johns Hopkins protocols adopted in the ward.
Worked with Ernst & Young on the audit plan.
Negotiated rates with Kuehne Nagel and DB Schenker.
Integrated with Google Analytics, Adobe Target and Hotjar.
Migrated from Lotus Notes to Office 365.
Trained on Cisco Meraki and Palo Alto firewalls.
Deployed Red Hat OpenShift with Ansible Tower.
Collaborated with Procter Gamble and Estee Lauder buyers.
Managed accounts for Louis Vuitton, Hugo Boss and Ted Baker.
Opened stores in Santa Rosa, San Mateo and Palo Alto.
Relocated from Kuala Lumpur to Addis Ababa.
Branch audits in Baton Rouge, Corpus Christi and Des Moines.
Delivered to depots near Milton Keynes and Stoke Mandeville.
Worked under Basel III, Sarbanes Oxley and Dodd-Frank.
Compliance with Gramm-Leach-Bliley and Hatch-Waxman rules.
Modelled Black-Scholes prices and Nash equilibria.
Proved a lemma on Riemann surfaces and Lie groups.
Used Bayes factors, Gibbs sampling and Markov chains.
Karl Fischer titration and Bradford assays.
Ran Western blots, Coomassie stains and Bradford assays.
Gram stains and Petri dish counts daily.
Kirby Bauer plates read each morning.
Assisted with Whipple procedures and Foley catheter care.
Scored Glasgow Coma Scale and Braden Scale.
Cared for patients with Guillain-Barre, Crohn's and Parkinson's.
Alzheimer's Association walk captain, Down syndrome camp.
Winner of the Rhodes Scholarship and the Fields Medal runner-up.
Robert Wood Johnson Foundation grant writer.
Bill & Melinda Gates Foundation reporting.
Interned at Goldman Sachs, Morgan Stanley and Lazard Freres.
Supported by Wells Fargo and Charles Schwab sponsors.
Underwriting with Swiss Re, Munich Re and Hannover Re.
Hired by Booz Allen to staff a Navy contract.
Reported to Head Office and the Audit Committee.
Reporting to the Board of Directors and Group Finance.
Worked closely with Product, Design and Customer Success.
Worked with Human Resources, Legal and Internal Audit.
Mentored by senior staff; coached new hires.
Coached Little League and Junior Varsity tennis.
Taught Advanced Placement Chemistry and Honors Physics.
Taught Hatha Yoga, Tai Chi and Zumba Gold.
Served Eggs Benedict, Beef Wellington and Crème Brûlée.
Trained in Muay Thai, Krav Maga and Brazilian Jiu Jitsu.
Ran Kanban, Kaizen and Poka Yoke events.
Led Gemba walks and Ishikawa sessions with Toyota suppliers.
Lean Six Sigma, Taguchi methods and Poisson models.
Tuned PostgreSQL with PgBouncer, Redis Sentinel and Kafka Connect.
Wrote Apache Airflow DAGs and Spark Streaming jobs.
Shipped on Unreal Engine with Perforce Helix.
Edited in Premiere Pro, After Effects and DaVinci Resolve.
Designed with Adobe Illustrator and Figma Mirror.
Piloted Cessna Caravan and Beechcraft King Air.
Maintained Rolls-Royce Trent and Pratt Whitney engines.
Sold Harley Davidson and Aston Martin cars.
Wired Allen Organ consoles and Steinway Hall pianos.
Read Things Fall Apart and Jane Eyre with the class.
Performed Romeo and Juliet, Hedda Gabler and King Lear.
Played Lady Macbeth in a school production.
Choir sang Carmina Burana and Ave Maria.
Cataloged Saint Augustine and Duns Scotus manuscripts in Latin.
Volunteered with Habitat for Humanity and Doctors Without Borders.
Volunteered with Big Brothers Big Sisters and Meals on Wheels.
Donated to St. Jude and Ronald McDonald House.
Member of Delta Sigma Theta and Phi Beta Kappa.
Toastmasters, Rotary Club, Lions International.
Ran Boston Marathon and London Triathlon.
Visited Ho Chi Minh City, Abu Dhabi and Tel Aviv.
Hub in Port Harcourt; depots in Cape Coast and Abeokuta.
Offices in Novi Sad, Banja Luka and Stara Zagora.
Plants in Nizhny Novgorod, Ulan Bator and Nur-Sultan.
Supply to Santa Cruz, Porto Alegre and Belo Horizonte.
Mill Lane depot: cut waste by 10%.
Prepared for Head of Operations, Head of Sales.
Assistant to the General Manager and Chief of Staff.
Thanks to Continuous Improvement, output rose 9%.
Introduced Total Productive Maintenance with Plant Engineering.
Won Employee of the Month, Sales Star and Golden Apple.
Bronze, Silver and Gold Duke of Edinburgh's Award.
Martin Luther King Day of Service organiser.
Cesar Chavez Middle School, Malcolm X College.
George Washington Bridge inspection, Lincoln Center events.
Abraham Lincoln Brigade archive; Oskar Schindler museum.
Working at Heights, Manual Handling, First Aid at Work.
Built dashboards in Power BI, Tableau Prep and Looker Studio.
Ran payroll in Sage Intacct, Xero and Zoho Books.
Booked tickets in Amadeus, Sabre and Galileo Desktop.
Configured Jira Align, Trello and Monday.
Wrote Ruby on Rails with Devise and Pundit.
Hired through Robert Half and Michael Page.
Placed by Hays, Reed and Kelly Services.
Consulted for Arthur Andersen successor firms.
Counsel to Merrill Lynch, Lehman Brothers and Bear Stearns.
Outside counsel with Baker McKenzie and Clifford Chance.
Buyer for Marks and Spencer, John Lewis and Debenhams.
Cashier at Trader Joe's, Wendy's and Dick's Sporting Goods.
Barista, Tim Hortons; shift lead, Jack in the Box.
Line cook at Applebee's and P.F. Chang's.
Catered with Sam Adams and Jim Beam.
Stylist for Vera Wang and Jimmy Choo.
Sales, Mary Kay and Estee Lauder counters.
Team: Marketing, Sales, Engineering
Customers: Siemens, Bosch, Daimler
Tools: Jira, Confluence, Miro
Location: Palo Alto, California
Company: Zephyr Loop
Partners: Arbor Paints, Copper Pot
Joined Quillon Tarrow as employee five.
Rolled out Zephyr Loop to 40 shops.
Launched Nova Prime and Halo Verde.
Contract manager, Sodexo Justice; cleaner, Mitie Care
Managed Amazon Aurora, Azure Synapse and Google Cloud.
Certified ScrumMaster, Prince2 Practitioner, Lean Black Belt.
Diploma in Chartered Accountancy, Institute of Cost Accountants.
Bachelor of Arts in Comparative Literature, minor in Gender Studies.
Coursework: Linear Algebra, Organic Chemistry, Operating Systems.
Dear Hiring Manager,
Dear Sir or Madam,
Dear Recruitment Team,
To: Human Resources
Attn: Hiring Committee
Contact: Front Desk
Reference: available upon request
References: Available on Request
Supervisor: Yes, you may contact
Supervisor: name withheld
Manager: on request
Reports to: Regional Director
Reporting to: Chief Operating Officer
Role: Team Lead
Led by example; mentored by peers.
Approved by Finance and Legal.
Signed by Head Office.
Prepared by Internal Audit.
Interviewed by Channel Four News and Sky Sports.
Featured in Le Monde, El Pais and Der Spiegel.
Published in Lancet Oncology, Nature Methods and Cell Reports.
J Clin Oncol 2019; N Engl J Med 2020.
Proc. Natl. Acad. Sci. USA 115, 2018.
In: Advances in Neural Information Processing Systems, Vancouver BC, 2019.
Oxford University Press, 2018.
Paper on Hebbian learning and Boltzmann machines.
Extended Kalman filters and Dijkstra searches.
Elliott Wave and Bollinger Bands alerts.
Rorschach, Wechsler and Beck Depression inventories.
Administered Stanford Binet and Woodcock Johnson tests.
Montessori, Waldorf Steiner and Reggio Emilia methods.
Orton Gillingham and Wilson Reading tutor.
Suzuki and Kodaly trained.
Taught Alexander Technique and Feldenkrais.
Bobath, Maitland and McKenzie trained physio.
Applied Maslow and Kirkpatrick models to training.
Ran Balanced Scorecard and Porter Five Forces reviews.
Facilitated Belbin and Thomas Kilmann workshops.
Used Kotter and Prosci ADKAR for change.
Implemented Kronos Workforce, Oracle Fusion and Epic Beaker.
Read charts in Cerner Millennium and Epic Hyperspace.
Followed Joint Commission and Magnet standards.
Handled Medicare Part D and Blue Shield claims.
"""


@pytest.mark.parametrize("marked", [*filter(None, SENTENCES.split("\n")), *BLOCKS])
def test_other_people_are_masked(marked):
    text, expected = unmarked(marked)
    assert sorted((span.start, span.end) for span in mask_text(text).spans if span.category == "NAME") == expected


@pytest.mark.parametrize("text", [*filter(None, ORDINARY.split("\n"))])
def test_what_reads_like_a_name_is_kept(text):
    assert not [text[span.start : span.end] for span in mask_text(text).spans if span.category == "NAME"]


def test_an_employer_is_no_person_elsewhere():
    jobs = "Corvin Hale\nPlanner\n\nHalden Marsh, Leeds\tPlanner\t2016 - 2019\n"
    text = jobs + "Trained with Halden Marsh and Ana Ruiz on intake."
    found = [text[span.start : span.end] for span in mask_text(text).spans if span.rule == "other person"]
    assert found == ["Ana Ruiz"]
