"""Given and family names of the fourth set's western origins, none of them in the other sets.

Origin → men's, women's, family names. Written down from general knowledge, rare and common ones;
words, towns, firms and tools among them. An underscore stands for a blank.
"""

WEST = {
    "english": (
        """
Bertram Brent Brook Chance Cole Colt Conrad Cooper Curt Dale Darren Deacon Dominic Dougal Dylan Edmund Ernest
Euan Ewan Flint Floyd Gavin Gregory Herbert Horace Hugh Ivor Jack Jeremy Jett Jocelyn Kirk Kyle Lance Lloyd
Magnus Mason Monty Nick Norman Oswald Ralph Randall Rex Rory Ross Royal Seth Shane Spencer Stewart Tanner Todd
Trent Trip Tristan Troy Zachary
        """,
        """
Abigail Alexa Alison Amity Augusta Beatrix Briony Brooke Camilla Cassandra Celia Charlotte Clara Clarissa
Clemency Clover Coral Cordelia Dale Eleanor Enid Estelle Eunice Georgina Geraldine Ginger Glenda Glenys Hermione
Hilary Isobel Jacinta Jennifer Jocelyn Julia Kirsty Lavinia Lucinda Lydia Madeleine Marigold Maureen Meredith
Millicent Miranda Misty Morag Myra Nerys Odette Patsy Phyllis Piper Portia Sheila Thelma Verna Wendy
        """,
        """
Ackroyd Addison Atherton Avery Beckwith Binder Bird Boston Bristow Broadbent Close Crane Dell Denholm Dewhurst
Draper Early Eastwood Eccleston England Fairbairn Fargo Featherstone Gainsborough Galbraith Gates Glover
Greenhalgh Hargreaves Higginbotham Hilton Holroyd Houghton Hutchings Ingram Jenkins Joyner Kent Lancaster
Langford Ledger Lincoln London Longbottom MacDougall Macready Mactavish Main Marriott Marsden Maudsley
McAllister McGrath McLeod Noon O'Keeffe O'Malley Oakden Packer Partridge Pitman Plumber Pound Prendergast
Prescott Quayle Ramsbottom Redfern Rigby Rush Saddler Sawyer Scarborough Seal Self Shilling Sidebottom Skelton
Small Spring Stamp Still Street Swan Tester Trainer Twelvetrees Underhill Usher Uttley Waddington Warburton Ware
Wetherby Winterbottom Wooldridge
        """,
    ),
    "african_american": (
        """
Clarence Courtney Curtis Dajuan Damarcus Dante Davante Dayvon Deacon Demarco Demario Denzel Deonte Deron Derrick
Dewayne Donnell Dwight Earnest Elder Ezekiel Jahmal Jakari Jamison Jermichael Justice Juwan Kadeem Keenan Keon
Lafayette Laquan Latrell Lavon Leander Legend Levar Marquise Marvell Montez Octavius Quadir Quentavious Quinton
Roscoe Royal Sherrod Sincere Tayshaun Terrance Travon Tyree Vontae Wardell Winfred Wisdom Xavion Zyaire
        """,
        """
Angelique Aniya Bettye Candace Carlotta Chanelle Charisma Charmaine Cherelle China Cinnamon Cleopatra Damaris
Dashonda Deidra Demetria Derricka Essie Felicia Genesis Hattie India Inez Jacqulyn Jakayla Jalisa Jameela Janae
Jayla Jerrica Jonelle Journey Karlesha Keiara Lashonda Latrice Lavonne Lexus Mattie Maxine Mozelle Nichelle
Ophelia Paris Promise Renita Roxanne Sanaa Serenity Sherita Tangela Tasheena Teyana Tomeka Toya Trinity Venus
Zaniya
        """,
        """
Branch Bullock Burden Butts Cage Chatman Cherry Cotton Cunningham Dantzler Days Dillard Dukes Eaves Epps Fair
Felder Foreman Fountain Fredericks Free Gadson Gaither Gentry Gibbs Glover Hamlin Harper Hinton Holiday Holly
Houston Hubbard Hurd Ivey Jeffries Jernigan Joiner Josey Justice Keys Kirkland Lawson Leggett Love Lovett Maddox
Manning Mays McClain McClendon McGhee McMillan McNair Mims Murphy Neal Nixon Odom Parks Person Pitts Pratt
Presley Proctor Pugh Purnell Quarles Ragland Rainey Reddick Roundtree Session Shack Shields Smalls Spearman
Spencer Street Swain Tate Toney Towns Trotter Tyson Vaughn Waddell Walls Ware Watkins Wiggins Winfrey
Witherspoon Woodson Worthy Yancey
        """,
    ),
    "hispanic": (
        """
Abelardo Adán Agustín Alan Alejo Alfonso Amado Antonio Ariel Arturo Aurelio Benito Claudio Conrado Dagoberto
Dionisio Dámaso Edgardo Eladio Eleazar Erasmo Facundo Faustino Federico Felipe Fidel Filiberto Florencio Félix
Gaspar Genaro Gualberto Isidro Israel Jairo Jerónimo Josué Julián Leopoldo Lisandro Lucio Marcelino Mariano Mayo
Melchor Orlando Reyes Salomón Saturnino Silvio Tadeo Teodoro Tito Ubaldo Uriel Valente Virgilio Zacarías
        """,
        """
Abril Adriana Alba Amanda Ana_María Anahí Ariadna Aurora Berta Carmela Cecilia Celeste Cielo Clementina
Constanza Daniela Delfina Edelmira Elena Elvira Encarnación Enriqueta Ernestina Esther Fabiola Fernanda Flor
Florencia Genoveva Georgina Gisela Hortensia Imelda Ivonne Jacinta Jazmín Karina Liliana Luisa Maite
María_del_Carmen Natividad Nuria Ofelia Piedad Purificación Romina Rosa Rosalba Selena Serafina Teresa Tomasa
Victoria Violeta Virginia Zenaida Águeda
        """,
        """
Acuña Agudelo Aldana Altamirano Angulo Arango Arreola Avendaño Barragán Bautista Bello Betancourt Bonilla Borja
Briones Bueno Calle Campo Cano Carranza Cobos Colón Correa De_la_Rosa Domínguez Fajardo Franco Galván Granados
Guillén Haro Iturbe Jasso Lara Latorre Leiva Lizárraga Loya Madero Madrid Manzanares Mena Mercado Mireles Monge
Montes Montiel Moya Mundo Murillo Naranjo Nava Nieto Noriega Ocampo Olmos Ovalle Palomino Pantoja Partida
Pedraza Pizarro Plata Ponce_de_León Pozo Preciado Puente Quiroga Raya Real Reynoso Rincón Rojo Ruelas Saavedra
San_Martín Santa_María Santacruz Sarmiento Segura Serna Suárez Tello Toledo Tovar Uribe Valdivia Varela Venegas
Vidal Vigil Villanueva Villarreal Villegas Yáñez Zaldívar
        """,
    ),
    "west_african": (
        """
Adebola Adeniyi Akinola Alhassan Alieu Azubuike Bamidele Bankole Biodun Chibuzo Chidera Chigozie Chimezie Coffie
Dele Denkyi Edem Foday Godspower Happy Idris Jideofor Junior Kabiru Kafui Kenechukwu Kobina Kodjo Kolade Kweku
Lateef Madu Mawuli Momodou Ndubuisi Nonso Obafemi Odinaka Oghenekaro Okechukwu Okey Olaniyi Olanrewaju Olayemi
Papa Praise Prosper Sahr Saikou Shola Sulayman Tanko Tayo Tokunbo Udo Wisdom Yoofi Yusuf
        """,
        """
Abeni Abimbola Abosede Adetoun Alaba Alimatou Asabi Assetou Atinuke Awurama Ayomide Busayo Chichi Chidimma
Chinenye Chizoba Damilola Dede Dzifa Edna Ejiro Enam Gifty Iretiola Isioma Jainaba Jumoke Kosi Kosoluchukwu
Lovelyn Mabinty Mamle Mariam Mawusi Mojisola Musu Nene Neneh Nyima Odunayo Ogechukwu Olajumoke Olufunke
Omobolanle Osas Praise Rashidat Rukayat Safiatou Sia Sira Teni Titilope Uchechi Uduak Ugonna Ukamaka Yejide
        """,
        """
Abban Aboagye Adams Adarkwah Addai Adedoyin Adeleye Ademola Afriyie Agyapong Agyei Ahiable Ajayi Akinfenwa Akpan
Akuffo Alao Aliyu Amadi Ani Aniagolu Ankomah Asiedu Asogwa Atakora Baah Baffour Baidoo Banjo Boahen Dabo Dankwa
Diagne Doe Dzakpasu Ebo Edozien Effiong Egbuna Enyinna Ezekwe Fayemi Folarin Gyasi Hayford Ibe Ibekwe Idowu Ike
Ilesanmi Inyang Isichei Jatta Johnson Kabbah Kargbo Kassim Koffi Kolawole Kpodo Kuti Kwarteng Ladipo Lawal
Madueke Manu Musa Ndukwe Obioha Odei Odoi Ogunbanjo Ogunsanya Ojo Oke Olajide Olaniyan Oluwole Omotoso Onwuka
Onyeama Opare Otoo Oyelowo Sackey Salami Sanusi Sarkodie Seck Tagoe Tandoh Touray Turay Udeh Udo Uwakwe
        """,
    ),
    "slavic": (
        """
Alexei Anatoly Bogumił Bohdan Bohuslav Bozhidar Branimir Branislav Czesław Damir Dariusz Drago Dragomir Eduard
Edvard Egor Franciszek Georgi Ivica Ivo Jan Jerzy Juraj Klim Kostadin Marian Maxim Mihajlo Mstislav Nestor
Nikolai Pavel Pavlo Petro Radek Radovan Sava Savo Sergey Serhiy Siergiej Srđan Stanimir Stojan Sławomir Tibor
Tihomir Todor Vadim Vasil Vlad Vladislav Vsevolod Wacław Witold Yakiv Yuriy Zenon
        """,
        """
Alžběta Anya Bogdana Branka Danica Dobrosława Dominika Ewelina Filipa Honorata Jitka Joanna Jolanta Kalina
Karina Karolina Klara Klavdiya Ksenija Lada Ludmila Malwina Marta Marzena Milada Mirela Mirjana Mlada Monika
Natalya Nataša Nikolina Olena Paraskeva Patrycja Paulina Pavla Pelagia Radka Radmila Regina Sabina Sanja Senka
Stanisława Stefania Sylwia Teodora Ulyana Vanda Viktorie Violeta Vlasta Walentyna Weronika Yelizaveta Yulia
Zdislava
        """,
        """
Andreev Antonov Babiak Bajda Balcerzak Bank Baran Bartoš Bosak Byk Cibulka Cieślak Czech Doležal Dostál Drozd
Dusek Dworak Dąbek Fiala Filipović Gajda Galić Gorbach Groch Głowacki Holub Hrabal Hrdlička Hruška Hryhorenko
Ivanović Janda Kafka Kalina Karpenko Kasprzak Klimov Knežević Konečný Kos Kotov Kovalev Kozak Kruk Kubiak
Kushnir Lis Makarov Markov Mašek Medved Mihaylov Mikula Milić Mraz Myszka Nedved Noga Němec Palacký Pavlenko
Pawłowski Petrenko Podolski Pravda Prokop Ptak Rak Rybka Rzepka Růžička Sadowski Sedlák Serdyuk Skrzypek Sokol
Stanek Tichý Todorov Turek Tymoshenko Vasilev Vlček Vorobyov Voronin Wilk Wysocki Zaremba Zeman Zima Zorić
Červenka Łaski Šimić Żak
        """,
    ),
    "european": (
        """
Aksel Armin Asger Aurélien Axel Baptiste Bart Bastian Bertil Davide Eirik Elias Fabrizio Frederik Gerd Gregor
Hans Hartmut Heikki Heiko Henri Horst Hubert Jochen Joris Kjell Knud Kristof Kurt Ludwig Maik Marcel Marco
Mattia Maurizio Melchior Mika Odd Olivier Oskar Ove Paavo Pascal Pelle Per Philippe Pim Rik Roberto Sander
Sandro Siegfried Tancredi Teun Tjark Tommaso Ulrich Xavier
        """,
        """
Agnès Alba Andrea Anke Anneke Ariane Bettina Bianca Blandine Britt Camille Carina Chantal Claire Clara Clotilde
Clémence Elena Elin Elsa Emanuela Emma Flavia Fleur Florence France Franka Gabriella Gabrielle Hanne Helga Helle
Iris Isabella Isolde Jolanda Kirsi Leonie Margareta Martina Merle Mette Noémie Pauline Rebekka Regina Renée
Sandrine Sidonie Siri Stefania Svenja Therese Tone Ute Valeria Wiebke Zita
        """,
        """
Aalto Andersson Antonelli Auer Baert Baron Behrens Blom Borg Bos Bosch Bouchard Brun Buchholz Calder Caputo
Claes D'Amico Dahlgren Dal_Pozzo Daniels De_Clercq De_Groot De_Jong De_Santis De_Wit Degas Deschamps Drescher
Duchamp Eckert Egger Faber Faure Franz Frei Freitag Frey Funk Girard Giraud Grandi Grimaldi Gruber Guerin Hahn
Hauser Held Jansson Johansson Kern Kruse Langlois Larsson Le_Goff Legrand Lind Link Longo Löwe Messina Meunier
Morel Munk Ott Picard Poirier Postma Quist Rapp Reuter Riedel Roche Rosén Sachs Salvi Santoro Schmidt Schmitt
Schulz Segers Stark Steen Stern Stoll Sturm Suter Thomsen Tosi Van_Leeuwen Van_der_Meer Vitale Walter Wild Witte
Østergaard
        """,
    ),
}
