"""Given and family names of the unseen set: origin → men's, women's, family names. An underscore stands for a blank."""

WEST = {
    "english": (
        """Aidan Alec Alfie Andrew Archie Ashley Benjamin Blake Callan Christopher Colin David Ethan Finlay Gerald
        Jason Joel Jonathan Keith Kieran Logan Luke Matthew Michael Nathan Neil Nicholas Noah Patrick Russell Ryan
        Samuel Scott Stephen Steven Timothy""",
        """Becky Bethan Carly Catherine Cheryl Christine Danielle Diana Diane Ellen Emily Fiona Jane Joan Josephine
        Judy Karen Kimberly Laura Lauren Lesley Lily Lynn Mary Naomi Natalie Olivia Pamela Patricia Sally Samantha
        Sandra Scarlett Sharon Vicky Violet""",
        """Anderson Barker Beaumont Blake Booth Bradshaw Brewer Briggs Buckley Burton Clarke Dalton Davies Dawson
        Donnelly Duffy Dyer Farrell Fraser Goddard Hale Harvey Hopkins Hutchinson Jones Kelly Lawrence MacDonald
        Maxwell Mitchell Morgan Parker Patterson Reader Reeves Reynolds Richardson Rowe Sharpe Simpson Sinclair
        Sullivan Summers Thomson Turner Wilkinson Williamson Wright""",
    ),
    "african_american": (
        """Antoine Cassius Dandre Darrell Darryl Davion Devin Donovan Donte Ervin Everett Garfield Germaine Hezekiah
        Hosea Isaac Jayden Josiah Julius Kahlil Lucius Marlin Marlon Melvin Micah Mykal Phillip Raheem Rufus
        Shaquille Solomon Theodore Titus Tremayne Willis Zion""",
        """Adrienne Ashanti Aurelia Brandi Chaunte Claudette Corinne Denise Diamonique Ebonee Ethel Jasmin Juanita
        Keona Kierra Latanya Leontyne Loretta Makayla Melba Myrna Nichole Paulette Queenie Ruthie Sabrina Shaniya
        Shantel Sheryl Sondra Tameka Tamia Tanya Trina Whitney Xiomara""",
        """Atkins Austin Blair Bolton Bowens Boyd Bradford Brewer Broadus Bullard Burgess Burrell Calhoun Cannon
        Crockett Crump Dubose Durham Edmonds Ford Frye Grady Graves Griggs Gunter Hammond Harvey Lucas Marable
        Marshall Mayes McAdoo Milton Myles Newsome Oglesby Reid Rhymes Rutledge Sanders Snead Summerville Travis
        Vance Winston Wofford Woodard Younger""",
    ),
    "hispanic": (
        """Alberto Alfredo Amadeo Cándido Ciro Daniel David Elmer Emanuel Enrique Everardo Ezequiel Francisco Gabriel
        Gerardo Gustavo Jaime José_Luis Juan_Carlos Juan_Pablo Lautaro Luis_Alberto Manuel Marco_Antonio Mario
        Maximiliano Misael Noé Pablo Rafael Ricardo Santiago Sergio Teófilo Urbano Yahir""",
        """Adela Alejandra Ana Bertha Camila Carla Carmen Cristina Estela Evangelina Gabriela Ileana Irma Juana Juliana
        Karla Laura Lilia Lina Macarena Manuela Margarita María_Fernanda Mariana Mayra Micaela Miroslava Norma
        Olivia Paula Rita Rosalinda Roxana Sandra Valentina Zoila""",
        """Aguirre Alcántara Alfaro Almanza Amador Arias Burgos Cabral Camacho Carbajal Cardona Caro Ceballos Cervera
        Concha Crespo Duarte Escamilla Espinosa Gámez Heredia Llamas Menéndez Monroy Montalbán Nájera Novoa Oropeza
        Otero Palma Pascual Perdomo Polanco Portillo Prado Rentería Resendiz Rocha Salcedo Sanabria Segovia Sosa
        Sotelo Tirado Valdés Vázquez Villa Zapata""",
    ),
    "west_african": (
        """Adebisi Adekunle Aderemi Adetokunbo Alioune Amara Birame Bolaji Chinonso Chukwuma Daouda El-Hadj Isaac
        Ismaila Kamoru Lookman Malick Muktar Mustapha Nii Ogbonnaya Olufemi Olugbenga Onyeka Osaze Samba Selorm
        Serigne Suleiman Tamba Tijani Tope Uchechukwu Victor Yahaya Zubairu""",
        """Akosiwa Amaka Anuli Asabe Astou Ayoola Aziza Bosede Chidiebere Chikaodi Chisom Dieynaba Ekua Enyonam Hadiza
        Ijeoma Irene Jummai Kafayat Kankou Kemi Kosisochukwu Lami Mabel Mfon Ndidi Obiamaka Oluwaseyi Onyekachukwu
        Opeyemi Rabi Tinuke Titi Ugochi Vivian Yinka""",
        """Acquah Adekoya Agbaje Aggrey Ajao Akinyemi Akufo Alabi Amoah Ampong Anozie Aryee Boakye Chukwuma Diatta
        Drame Edet Ehigie Ejiofor Ekpo Essuman Falana Famuyiwa Fasanya Forson Igbinedion Isah Kouyaté Mansaray Mendy
        Muhammed Nimako Nwankwo Odukoya Okereke Okon Okunola Oladele Onyema Osagiede Osinbajo Oyedepo Oyelade
        Oyewole Sangaré Sissoko Tawiah Zakari""",
    ),
    "slavic": (
        """Adam Aleksander Andrzej Arkadiusz Bartłomiej Denis Dmytro Dušan Emil Fedir Filip Fyodor Gennady Grigory
        Henryk Hryhoriy Jacek Konrad Kyrylo Lech Leszek Libor Marko Mladen Orest Rafał Ryszard Stefan Stepan Stevan
        Svetozar Velimir Vit Vladyslav Yuri Željko""",
        """Aleksandra Alena Alicja Anastasia Anna Anzhela Bohumila Celina Diana Dobromira Galina Genowefa Hedvika Ilona
        Irena Irina Jolana Kristina Krystyna Larisa Lucyna Magda Margarita Mariana Maryna Miroslava Natasha Nevena
        Nikol Ružica Sandra Valentina Vesela Viktoria Yevdokiya Zuzanna""",
        """Andrijević Andrushko Bazylevych Bielak Bogdanović Bohachevsky Chmela Chornovil Czajka Frolov Gołębiowski
        Havel Havlíček Huba Jakubowski Kaluđerović Karpov Kolář Kolar Korol Koroliov Kostadinov Kováč Kovalchuk
        Kozlov Kulish Kvapil Lazarenko Lukić Lytvyn Malý Matić Medvedev Nikolov Obradović Ostoja Petryk Pokorný
        Rogov Semeniuk Shcherbak Sobolev Stefaniak Straka Szczepański Yakovenko Yakovlev Zelenko""",
    ),
    "european": (
        """Achim Alessio Andreas Antonis Arnaud Arne Clément Daniele Emmanuel Enrico Eskil Eugenio Filippo Henrik
        Herman Ingo Jelle Jonas Konrad Loris Mads Marc Michel Niklas Paulo Pedro Petri Pieter Reinhard Riccardo
        Steffen Stéphane Theo Theodoros Thorben Yann""",
        """Amandine Antonella Bodil Brigitte Carla Carolina Christa Christine Dörte Eliane Gaëlle Giada Hendrike
        Henriette Imke Inger Irina Irmgard Johanna Juliette Kristin Mafalda Maria_João Martine Mireille Morgane
        Nadège Nele Nicole Odile Paula Pilvi Roswitha Stine Tuula Verena""",
        """Arnold Bruno Carlsson Carvalho Coelho Coppola Dahlberg De_Backer Fabbri Ferri Fiore Franke Grimm Grosse
        Hakala Hansen Hansson Henriksen Jacobsen Jacobsson Jonsson Kuhlmann Kurz Laitinen Larsen Lecomte Leone Lopes
        Lutz Maes Marchand Mariani Mathieu Mendes Moser Nilsson Pelletier Peters Pettersson Pichler Riva Ruiter
        Schwarz Stolz Unger van_Dam Villa Werner""",
    ),
}
EAST = {
    "south_asian": (
        """Aakash Abdul Akshay Amar Arpit Basant Devendra Dharam Faizan Gagan Harsh Hemant Hitesh Jayesh Kailash
        Kalpesh Nilesh Omprakash Pradeep Prateek Rajeev Rakesh Ritesh Rohit Sarfraz Shankar Shashi Shekhar Sujit
        Surendra Tarun Uday Vaibhav Vinay Vivek Yogesh""",
        """Aneesa Anusha Aparna Bhavana Bhumika Chathurika Darshana Durga Farzana Geetha Ila Jaya Kajal Lata Manju
        Mayuri Megha Mohini Nikita Pallavi Prachi Pratima Rama Renuka Reshma Roopa Ruchi Sakshi Sanjana Sharmila
        Snehal Sumathi Surbhi Sushma Veena Zainab""",
        """Arumugam Chakravarty D'Souza Dasgupta Gaikwad Gomes Gopalakrishnan Guha Jafri Jaiswal Jhunjhunwala Kalra
        Kaushal Kazi Koirala Krishnan Kurup Madhavan Makhija Manandhar Maurya Mitra Mohanty Nag Nambiar Narayanan
        Nathan Nimbalkar Padmanabhan Parthasarathy Pawar Rajan Ramaswamy Ranatunga Ray Sahoo Salunkhe Sankar
        Shanmugam Solanki Sridhar Suri Talukdar Tata Tomar Vaidya Vyas Wagh""",
    ),
    "chinese": (
        """Baoguo Boyang Chenyang Chien-Hung Chin-Lung Chung-Wai Guangming Hongyi Jiaming Jianfeng Jianlin Jing-Wei
        Junhao Ka-Lok Kelong Kok-Wah Kun Man-Kit Minghao Mingxuan Qiming Rongji Ruiming Sai-Kit Shengli Shun Tianhao
        Tsz-Hin Weiping Wen-Hao Xiaofeng Xingyu Yiming Yongsheng Zhenyu Zhijian""",
        """Anqi Chi-Ling Chih-Ying Feifei Fu-Mei Haiyan Hoi-Yan Hong-Mei Hsueh-Fen Jialing Jiamin Ka-Man Limei Lingyun
        Liwen Lixia Meizhen Mengjie Shufang Suhua Suyin Wai-Yee Xiaojing Xiaojuan Xiaoli Xiaoying Xiuhua Xueqin
        Yifei Yilin Ying-Chu Yuhua Yujie Yunxia Yuqing Ziyi""",
        """Boey Cheah Chee Chiang Chiew Choong Choy Chuang Foong Goh Gui Heung Hoe Kao Keung Kho Kwek Leow Lok Lum Mou
        Nan Ngai Ooi Peh Phua Qiao Quah Quek Shih Shum Siow Soong Tee Teo Toh Tse Tseng Tsoi Wai Wing Woon Xian Yam
        Yeoh Yiu Yui Zu""",
    ),
    "vietnamese": (
        """Anh_Tuấn Bá_Đạt Bá_Long Bảo_Anh Chí_Dũng Công_Minh Đức_Anh Đức_Thắng Đức_Trí Dương_Minh Duy_Anh Gia_Minh
        Hoàng_Anh Hoàng_Long Hoàng_Phúc Huỳnh_Anh Khánh_Duy Kỳ Lâm_Tùng Minh_Vương Ngọc_Thạch Phi_Hùng Quân_Anh
        Quang_Huy Quang_Minh Thành_Công Thành_Long Thành_Trung Thế_Anh Thế_Hùng Thế_Vinh Trung_Hiếu Trường_Sơn
        Tuấn_Minh Việt_Hùng Vũ_Phong""",
        """Ái_Vân Bảo_Trân Bích_Phương Cẩm_Tú Đan_Thanh Diễm_Hương Hà_Phương Hải_Anh Huyền_Trang Khánh_An Khánh_Chi
        Khánh_Huyền Kiều_Trang Kim_Dung Kim_Tuyến Lan_Anh Linh_Chi Minh_Nguyệt Mỹ_Linh Ngọc_Lan Nhật_Lệ Phương_Linh
        Phương_Mai Phương_Nga Phương_Thanh Thanh_Hà Thanh_Lam Thu_Giang Thu_Hằng Thu_Vân Thúy_Vi Thy Trà_My Tường_Vy
        Tuyết_Nhung Yến_Nhi""",
        """Châu_Minh Cung Đàm Đặng_Ngọc Đậu Đồng Đường Dương_Minh Dương_Ngọc Giáp Hàn Hoàng_Ngọc Huỳnh_Minh Huỳnh_Ngọc
        Kha Kiều_Minh Kỷ Lâm_Minh Lê_Hoàng Lê_Ngọc Lê_Thanh Lữ Lục Lương_Minh Lý_Minh Mã Ngô_Minh Ngô_Thanh
        Nguyễn_Bá Nguyễn_Ngọc Nguyễn_Thùy Ninh Nông Phạm_Minh Phạm_Thanh Phan_Thanh Quản Thái_Minh Thiều Tôn
        Trần_Hoàng Trần_Nguyễn Trương Trương_Ngọc Võ_Minh Võ_Thanh Vũ_Minh Vũ_Ngọc""",
    ),
    "arabic": (
        """Abdelkader Abdulla Adib Akram Bader Bassel Bechara Burhan Charbel Eyad Fady Fakhr Ghazi Hafez Hamad Hazem
        Hussam Ibraheem Iyad Louay Luay Marouane Moataz Mohsen Monir Muneer Munir Nawaf Nayef Ramadan Reda Sayed
        Taoufik Tony Yaser Yasin""",
        """Balqis Doha Esraa Fadwa Farah Fayrouz Ghinwa Habiba Hafsa Halima Hanaa Hanadi Hanane Hasnaa Hoda Karima
        Leila Lynn Mahra Manar Mouna Naima Nesrine Qamar Rajaa Rihab Ruqayya Saba Sabrine Salima Samar Sherine
        Yasmine Zainab Zakia Zineb""",
        """Abdallah Abu_Bakr Abu_Hassan Achour Al-Amiri Al-Busaidi Al-Dabbagh Al-Hassan Al-Jubouri Al-Mazrouei
        Al-Nuaimi Al-Obaidi Al-Subaie Azzam Bakir Dagher Dakhil Farah Francis Gaber Geagea Habibi Hachem Hadid Hafez
        Hallak Hamed Iskandar Kabbara Kayali Mabrouk Madi Qassem Raad Razzouk Rihani Sabra Salam Samaan Sayed Shafik
        Sharaf Sherif Tarabay Yacoub Zananiri Zein Zureik""",
    ),
    "korean": (
        """Byung-chul Byung-ho Chul-min Dae-jin Dong-hoon Eui-sung Hae-soo Hyun-jun Hyung-joon In-ho Jae-woo Jae-wook
        Jin-seok Jin-young Jong-min Jong-won Ju-ho Ju-won Kang-woo Kwang-hyun Seung-min Seung-woo Seung-yong Soo-ho
        Sun-woo Sung-hyun Sung-won Tae-ho Tae-young Woo-shik Ye-chan Yong-hoon Yoon-ho Yoon-jae Young-chul Young-woo""",
        """Areum Chae-young Da-in Eun-mi Eun-soo Hee-ae Hee-kyung Hyun-jung Hyun-young Jae-in Jae-sook Ji-sook Jin-ju
        Jin-sun Joo-ah Mi-rae Min-a Min-kyung Sang-mi Se-young Seo-jin Seo-young Shin-ae Soo-hee Su-hyun Su-ra
        Suk-hee Ye-ra Yeon-jung Yeon-kyung Yoo-ri Young-ok Yu-bin Yu-ri Yun-jin Yun-mi""",
        """Ahn Chaee Cho Choi Han Hong Hwang Jang Jung Kahn Kahng Kang Kim Kuh Kwag Kwon Lee Lho Lim Moon Nahm Nho Oak
        Oh Oum Paik Park Roh Ryang Ryeom Seo Sheen Shin Shon Sinn Song Suhn Synn Tchae Whang Yeong Yhee Yoon Yune""",
    ),
}
