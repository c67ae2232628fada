"""The third set's names of six origins: given names of men and of women, family names; none is in another set."""

WEST = {
    "english": (
        "Stuart Neville Hamish Callum Fergus Barnaby Rupert Giles Malcolm Desmond Vernon Wallace Chester Clifford "
        "Gordon Leonard Roland Sidney Wesley Heath Rusty Forrest Gage Ridge Bud Don Art Gene Guy Buck Basil Rowan "
        "Cash Ian Roger Elliot Toby Crispin Jasper Piers Quentin Humphrey Lionel Bernard Kenneth",
        "Daphne Rosalind Maeve Bronwyn Rhiannon Ailsa Isla Tamsin Poppy Fern Hazel Opal Prudence Verity Honor Wren "
        "Sandy Sue Pat Bliss Merry Melody Harmony Candy Bonnie Angela Brenda Doreen Shirley Winifred Muriel Edith "
        "Agatha Marjorie Ottilie Felicity Clementine Saffron Tabitha Myrtle Lavender Jill Joanne Nicola Gemma",
        "Atkinson Barlow Bridges Brooks Burns Butcher Carver Chandler Clay Drake Fisher Flowers Frost Fuller Gardner "
        "Glass Goodwin Hancock Hardy Hawkins Hayes Hobbs Holt Horn Hurst Ireland Kettle Lovelace Mercer Moody Noble "
        "Nightingale Paine Parrish Peacock Pepper Pickering Pike Pond Potter Power Quick Rhodes Savage Shepherd Short "
        "Slater Snow Sparks Speed Steele Strange Sumner Thorne Vickers Wainwright Webb Weeks Whittaker Woodhouse "
        "Yates Workman Sales Rust Crisp Merriman Lockwood Fairweather",
    ),
    "african_american": (
        "Darius Tyrell Jamar Devonte Rashad Terrence Lamont Roderick Cornelius Alonzo Cleveland Messiah Sterling "
        "Montel Kelvin Tavon Jalen Dwayne Omari Desean Daquan LaVar Marcellus Ulysses Thaddeus Nehemiah Deangelo "
        "Hakeem Earl Otis Clyde Amari Delroy Lavelle Maurice Reuben Mekhi Kobe Jabari Deshaun Rodney Lorenzo Cortez "
        "Dontrell Jamarcus",
        "Latonya Dominique Chantel Chanel Princess Queen Miracle Heaven Tyra Alexus Tanesha Shameka Rochelle Charlene "
        "Bernice Ernestine Mahalia Zora Ciara Nakia Janelle Octavia Coretta Tia Lashawn Tawanda Sharonda Yvette "
        "Vonetta Lakisha Shonda Tasha Chandra Felecia Jamila Kenyatta Quiana Rhonda Valencia Wanda Anika Mya Simone "
        "Tamar Nyah",
        "Alston Ambrose Baldwin Bynum Cobb Coles Covington Crenshaw Cummings Ellison Fields Flood Hampton Hollis "
        "Hooks Huff Jeter Kinsey Lofton Lyles Mack Manigault McCoy Mobley Outlaw Pinkney Rollins Sewell Singletary "
        "Spears Stokes Talley Tubbs Vann Youngblood Boone Bright Bush Favors Golden Goode Moses Poole Ransom Sledge "
        "Speight Toliver Beal Dinkins Bridgewater Claiborne Drummond Eubanks Fluker Garvin Gamble Haywood Isom Jolly "
        "Kearse Lassiter Mathis Merritt Nesbitt Purvis Peoples Rucker Seals Shaw Tolbert Upshaw Weathers Wooten "
        "Baskerville Cornish Ledbetter",
    ),
    "hispanic": (
        "Adrián Emilio Ernesto Moisés Leandro Octavio Ramiro Saúl Gael Fermín Gilberto Heriberto Jacinto Lázaro "
        "Leonel Lorenzo Marcelo Matías Mauricio Nicanor Osvaldo Patricio Porfirio Rogelio Santos Tobías Vicente "
        "Wilfredo Camilo Nazario Bernardo Segundo Modesto Justo Baltasar Eliseo Plácido Anselmo Cayetano Horacio "
        "Reinaldo",
        "Remedios Socorro Amparo Inmaculada Asunción Lorena Maribel Blanca Julieta Leticia Lourdes Lucero Magdalena "
        "Marcela Marina Mireya Perla Raquel Renata Rosalía Silvia Susana Trinidad Viviana Yadira Zulema Dulce "
        "Estrella Linda Maricela Azucena Esmeralda Griselda Jimena Minerva Nayeli Odalys Rosaura Sonia Yolotzin "
        "Candelaria Refugio Eugenia",
        "Abreu Acevedo Acosta Alarcón Almeida Alonso Arce Arellano Avilés Ayala Baca Barrera Beltrán Benavides "
        "Cabello Calderón Cantú Cárdenas Casas Cisneros Contreras Córdova Corona Cuevas Dávila Durán Escobar Espinoza "
        "Esquivel Estrada Fuentes Gallegos Garza Guerra Guzmán Hidalgo Huerta Ibarra Jaramillo Leal Lozano Macías "
        "Marín Mejía Mesa Montoya Navarro Ochoa Olivares Orozco Pacheco Padilla Palacios Paredes Peralta Ponce "
        "Quintero Rangel Robles Rosales Salinas Santillán Sepúlveda Serrano Solís Tapia Trejo Trujillo Valle Vela "
        "Velázquez Zamora Zavala Zárate",
    ),
    "west_african": (
        "Kwaku Kwesi Fiifi Chidi Uchenna Ebuka Kelechi Tobenna Olusegun Olumide Wale Seun Dayo Kayode Gbenga Rotimi "
        "Sola Ayodele Modou Lamin Ebrima Abdoulaye Boubacar Fortune Lucky Progress Ebenezer Osagie Efosa Sani Yakubu "
        "Danjuma Akwasi Kwadwo Ekene Chukwudi Ejike Somto Tochukwu Adewale Oluwatobi Gbolahan Lanre Niyi Idrissa",
        "Akua Yaa Araba Chiamaka Chinyere Uju Oluchi Obiageli Nneka Adanna Folake Bukola Morenike Abiola Ronke "
        "Simisola Kehinde Taiwo Isatou Binta Adama Hauwa Goodness Happiness Rejoice Perpetua Osaro Itohan Serwaa "
        "Maame Nyarko Onyinye Ogechi Uzoamaka Modupe Omolara Yewande Sade Kadiatou Hawa Rokhaya Sokhna Favour Divine "
        "Eseosa",
        "Acheampong Adjei Ampofo Ankrah Ansah Antwi Asamoah Atta Awuah Badu Bediako Boadu Dankwah Donkor Fosu Kumi "
        "Kusi Nkrumah Nyarko Obeng Ofosu Oppong Prempeh Twum Agu Akintola Akande Aluko Azikiwe Bakare Duru Egwu "
        "Ekwueme Fashola Igwe Iwu Kalu Mbah Njoku Odum Ogbonna Okeke Okoye Oladipo Onwudiwe Orji Oyelaran Shonekan "
        "Uba Ude Uzor Bah Barry Ceesay Conteh Gaye Jallow Jobe Kaba Kamara Koné Sanneh Sesay Sidibé Sylla Thiam "
        "Bangura Koroma",
    ),
    "slavic": (
        "Borys Vadym Vitaliy Yaroslav Yevhen Ostap Ruslan Maksym Artem Hlib Nazar Anton Valentin Gleb Konstantin Lev "
        "Leonid Matvei Roman Stanislav Timur Yegor Zakhar Jarosław Mirosław Radosław Bartosz Damian Kamil Kacper "
        "Maciej Mateusz Przemysław Szymon Tadeusz Tymon Branko Milan Nebojša Slobodan Zdravko Tomislav Luboš Vojtěch "
        "Bohumil",
        "Bohdana Hanna Kateryna Larysa Lesia Mariya Nadiya Oleksandra Polina Svitlana Tamara Uliana Valentyna Yana "
        "Yuliya Zoya Alina Antonina Inna Kira Ksenia Lidia Lyubov Nina Raisa Rimma Sofya Vasilisa Yevgenia Zinaida "
        "Barbara Beata Dorota Elżbieta Grażyna Iwona Justyna Kinga Biljana Gordana Ljiljana Slavica Zorica Květa "
        "Zdeňka",
        "Antonenko Babenko Bilyk Boyko Chernenko Danylenko Demchenko Havryliuk Hnatiuk Hrytsenko Ivanchenko Klymenko "
        "Kolisnyk Kostenko Kuzmenko Lysenko Marchenko Moroz Oliynyk Panchenko Savchenko Shvets Symonenko Tkachuk Vovk "
        "Yurchenko Zakharchenko Baranov Belov Bogdanov Chernov Denisov Efimov Fomin Golubev Gusev Kalinin Komarov "
        "Krylov Lebedev Nikitin Orlov Panov Ryabov Stepanov Titov Vlasov Zhukov Adamczyk Bąk Chmielewski Duda Dudek "
        "Gajewski Górski Jabłoński Jasiński Kaczmarek Kołodziej Król Kucharski Maciejewski Majewski Malinowski "
        "Olszewski Ostrowski Pietrzak Sobczak Stępień Szewczyk Wieczorek Witkowski Wróbel Jurić Pavlović Popović "
        "Vuković Krejčí Pospíšil Novotný",
    ),
    "european": (
        "Gunnar Leif Torsten Sven Ragnar Rasmus Jesper Kasper Jukka Eero Ville Heinz Uwe Detlef Gerhard Rainer Tobias "
        "Lukas Florian Benedikt Falk Otto Bas Joost Maarten Wouter Thijs Koen Alain Bertrand Didier Fabrice Gaël "
        "Yannick Dario Fabio Massimo Nicolò Paolo Raffaele Tiziano Aristides Kostas Stavros Vasilis",
        "Birgit Gudrun Inga Liv Maren Ulla Elina Riikka Annika Britta Christel Elke Frauke Hannelore Ilse Karin "
        "Liesel Nadine Sabine Uta Anouk Sanne Wilhelmina Bérénice Cécile Édith Fabienne Isabelle Jeanne Margaux "
        "Nathalie Pascale Séverine Véronique Alessandra Donatella Federica Letizia Ornella Rosaria Serena Despina "
        "Eleni Flora Gloria",
        "Andersen Eklund Forsberg Hedlund Holmberg Jespersen Lindgren Lund Ødegård Rasmussen Sandberg Söderberg "
        "Strand Thorsen Åberg Laine Bauer Becker Brandt Ebert Fuchs Graf Hartmann Herrmann Keller Köhler Krämer Kuhn "
        "Lang Lehmann Maier Möller Pfeiffer Richter Roth Scholz Schreiber Schulze Simon Stein Vogt Voss Winkler "
        "Zimmermann Dekker Hendriks Kuiper Mulder Smit Verhoeven Willems Blanchet Bonnet Boucher Chevalier Delacroix "
        "Duval Fontaine Gauthier Lacroix Lambert Lemaire Mercier Renard Vasseur Barbieri Caruso Conti Costa Gallo "
        "Lombardi Mancini Marino Moretti Rizzo Papadopoulos Economou Nikolaidis Pereira Moreira",
    ),
}
