"""Names of six origins: given names of men and of women, family names."""
# ruff: noqa: E501 - tables of names

WEST = {
    "english": (
        "James Will Robert Chase Thomas Mark Grant Rob Frank Dean Miles Wade Christian Drew Carter Bill Pierce Cliff "
        "Duncan Alistair Angus Rhys Owen Niall Declan Seán Ciarán Graham Nigel Trevor Gareth Clive Bradley Garrett "
        "Wyatt Jordan Reed Max",
        "Grace May Hope Joy June April Faith Ruby Rose Summer Daisy Ivy Amber Heather Dawn Crystal Eve Autumn Pearl "
        "Charity Siobhán Aoife Gwendolyn Margaret Elizabeth Kathleen Bethany Zoë Chloë Imogen Philippa Harriet "
        "Rosemary Penny Sage Bridget Olive Robin",
        "Smith Brown Young Price Long Baker Cook Church Bishop Rich Page Stone Field Wells Banks Fox Hunter Marsh Rivers "
        "White Black Green King Knight Law Best Sharp Strong Swift Wise Moss Gay O'Brien O'Sullivan McDonald MacLeod "
        "McKenna Fitzgerald St._John Hughes Thornbury Ashworth Whitcombe Pemberton Hathaway Kingsley Bloomfield Cartwright "
        "Holloway Lockhart Radcliffe Sutherland Abernathy Winterbourne Blackwood Day Head Case Major Ward Temple Bond "
        "Chambers Archer Farmer Story Nash Lane Hill",
    ),
    "african_american": (
        "DeShawn Tyrone Jamal Darnell Terrell Malik Marquis Reginald Cedric Tremaine Kareem Rasheed D'Andre De'Quan "
        "Lamar Deion Keyshawn Trevon Jermaine Dashawn LeRoy Antwan Demetrius Javon Kendrick Tyrese Quincy Roosevelt "
        "Booker Isaiah Elijah Percy Marcus Andre Prince",
        "LaKeisha Latoya Ebony Tanisha Shanice Aaliyah Imani Keisha Tamika Latisha Shaniqua Deja Precious Nia Monique "
        "Raven Jada Kiara Destiny LaTasha Ta'Niyah Yolanda Essence Diamond Treasure Unique Lawanda Rashida Kenya "
        "Shaquana Breonna Jazmine Tyesha Zaria Asia",
        "Washington Jefferson Booker Banks Jackson Gaines Mosley Dorsey Rivers Charles Singleton Joseph Hairston Broadnax "
        "Pettway Muhammad Freeman Coleman Bolden Tubman Gadsden Batiste Fontenot Guidry Desrosiers Gooden Grier Ivory "
        "Lark Sykes Bettis Cheeks Mayfield Boykin Sessoms Whitfield Hightower Blackmon Drayton Vanterpool Pinckney "
        "Ravenell Tolliver Yarborough Easley Gilliam Hargrove Lattimore McCray McNeil Petway Ruffin Spivey Stallworth "
        "Swann Tillman Toussaint Womack Battle Merriweather Cross Hope Pace Wilkerson",
    ),
    "hispanic": (
        "José Luis Juan Carlos Miguel_Ángel Jesús Ángel Javier Raúl Sebastián Andrés Mateo Joaquín Ignacio Héctor Óscar "
        "Rubén Iván Nicolás Emiliano Rodrigo Gonzalo Álvaro Jorge Fernando Guillermo Esteban Cristóbal Hernán Ulises "
        "Salvador Domingo Ramón Efraín Fabián Iñigo",
        "María Guadalupe Lucía Sofía Ximena Dolores Consuelo Esperanza Milagros Inés Mónica Verónica Angélica Rocío Pilar "
        "Mercedes Soledad Concepción María_José Paloma Itzel Yesenia Marisol Araceli Graciela Catalina Noemí Belén "
        "Estefanía Beatriz Luz Paz Alma Nieves Begoña Rosario",
        "García Rodríguez Martínez Hernández López González Pérez Sánchez Ramírez Torres Flores Rivera Gómez Díaz Cruz "
        "Morales Ortiz Gutiérrez Chávez Ramos Ruiz Mendoza Álvarez Castillo Vásquez Jiménez Moreno Romero Medina Aguilar "
        "Peña Núñez Ibáñez Muñoz Zúñiga Echeverría Villaseñor Quiñones Saldaña Cervantes Maldonado Ledesma de_la_Cruz "
        "de_León del_Río de_los_Santos Urrutia Etxeberria Goikoetxea Bolívar Escobedo Montalvo Arriaga Barrientos "
        "Carrasco Figueroa Galindo Iglesias Luna León Rey Rubio Salas Sierra Vega Blanco Bravo Reina",
    ),
    "west_african": (
        "Chukwuemeka Oluwaseun Adebayo Kwame Kofi Kwabena Babatunde Emeka Ifeanyi Obinna Chinedu Tunde Segun Femi Kunle "
        "Yaw Kojo Ekow Mamadou Amadou Ousmane Ibrahima Cheikh Moussa Souleymane Ọláyínká Olúwadámiláre Uche Ikenna "
        "Nnamdi Sunday Monday Friday Godwin Innocent Goodluck Sékou Lamine",
        "Ngozi Chioma Adaeze Funmilayo Folasade Yetunde Abena Akosua Ama Adwoa Afua Efua Aminata Fatoumata Awa Mariama "
        "Aïssatou Chidinma Ifeoma Nkechi Amarachi Titilayo Bọ́lánlé Oyinkansola Temitope Ebele Blessing Patience Comfort "
        "Peace Mercy Charity Gift Esi Adjoa Ndeye Khady Bintou",
        "Okafor Adeyemi Mensah Owusu Boateng Asante Diallo Traoré Keïta Coulibaly Ndiaye Diop Sow Touré Camara Cissé "
        "Okonkwo Nwosu Eze Obi Adichie Achebe Balogun Ogunleye Afolabi Akinwumi Adebayo-Ojo Olawale Ọládàpọ̀ Bamgboṣe "
        "Chukwu Nnadi Onyekachi Uzoma Umeh Anyanwu Agyeman Amoako Appiah Darko Frimpong Gyamfi Kuffour Osei Opoku Quaye "
        "Sarpong Tetteh Yeboah Addo Ba Sy Fall Kane Sarr Gueye Faye Konaté Sanogo Dembélé Ouédraogo Sawadogo Kaboré "
        "Zongo Okoro Nwachukwu",
    ),
    "slavic": (
        "Wojciech Krzysztof Łukasz Paweł Michał Jakub Tomáš Jiří Ondřej Zdeněk Vladimir Dmitri Sergei Aleksandr Mykola "
        "Andriy Oleksandr Volodymyr Bogdan Zoran Goran Dragan Miloš Nenad Blaž Jure Matej Stanisław Zbigniew Grzegorz "
        "Vasyl Yevgeny Ilya Taras Radoslav Plamen Boris Igor",
        "Agnieszka Małgorzata Katarzyna Zofia Jadwiga Ewa Halina Lenka Zuzana Kateřina Markéta Eliška Olga Svetlana "
        "Yekaterina Nataliya Oksana Lyudmyla Iryna Halyna Jelena Milica Dragana Snežana Ljubica Mojca Wioletta Bożena "
        "Danuta Vesna Darya Tatiana Kseniya Anastasiya Ivana Petra Nadezhda Vera",
        "Kowalski Wiśniewski Wójcik Kamiński Lewandowski Zieliński Szymański Dąbrowski Kozłowski Jankowski Nowak Mazur "
        "Krawczyk Piotrowski Grabowski Novák Svoboda Dvořák Černý Procházka Horák Ivanov Petrov Sidorov Kuznetsov Popov "
        "Sokolov Volkov Shevchenko Kovalenko Bondarenko Tkachenko Melnyk Kravchuk Rudenko Horvat Kovačević Petrović "
        "Jovanović Nikolić Marković Đorđević Ilić Stojanović Babić Novak Zupančič Kralj Potočnik Dimitrov Georgiev "
        "Stoyanov Hristov Łęcki Błaszczyk Święcicki Źdźbło Czarnecki Pawlak Sikora Walczak Zając Hudák Baláž Kučera Urban "
        "Čapek Král",
    ),
    "european": (
        "Jürgen Matthias Björn Søren Lars Friedrich Wolfgang Klaus-Peter Jean-Pierre François Guillaume Étienne Rémi Luca "
        "Giovanni Matteo Gianluca Dirk Jeroen Sjoerd Anders Mikkel Eino Juha Pekka Rui João Tiago Nuno Günther Jörg "
        "Karl-Heinz Loïc Thibault Niccolò Bram Wim Ernst",
        "Annegret Ursula Heike Ingrid Astrid Brünhilde Anne-Marie Marie-Claire Élodie Céline Geneviève Océane Chiara "
        "Francesca Giulia Beatrice Marieke Saskia Femke Liesbeth Solveig Sigrid Aino Päivi Inês Conceição Matilde Jana "
        "Katrin Renate Ulrike Anneliese Maëlle Aurélie Ilaria Lieke Freja Gerda",
        "Müller Schröder Schäfer Böhm Weiß Groß König Jäger von_Bergen von_der_Heide zu_Löwenstein van_den_Berg van_Dijk "
        "de_Vries de_Boer Janssen ter_Horst Dupont Lefèvre Beauchêne d'Aubigny de_La_Fontaine Le_Gall Desjardins Rousseau "
        "Moreau Bianchi D'Angelo De_Luca Di_Stefano Esposito Ferrari Lo_Presti Ricci Romano Jørgensen Sørensen Kjær "
        "Østergård Lindström Åkesson Öberg Bergström Nyström Virtanen Mäkinen Hämäläinen Korhonen da_Silva dos_Santos "
        "Gonçalves Magalhães Simões Vogel Winter Sommer Koch Fischer Meyer-Lindemann Schmitt-Hansen Klein Engel Petit "
        "Blanc Noir Lange Bakker Visser Dahl Holm",
    ),
}
