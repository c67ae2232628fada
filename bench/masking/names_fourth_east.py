"""Given and family names of the fourth set's eastern origins, none of them in the other sets.

Origin → men's, women's, family names. Written down from general knowledge, rare and common ones;
words, towns, firms and tools among them. An underscore stands for a blank.
"""

EAST = {
    "south_asian": (
        """
Aadil Abhijit Anil Aniruddha Anshul Aravind Arif Atul Bharat Bikram Brijesh Chaitanya Charan Daljit Danish
Darshan Debashish Deep Dharmendra Gopal Govind Gyan Hiren Indra Jai Jaswant Jatin Kabir Kaushik Kunal Lokesh
Love Madhu Mahesh Manas Nagaraj Niraj Omkar Paresh Prem Raghu Raj Rajat Ratan Roshan Sagar Sahil Sai Sarath
Saravanan Senthil Shiva Shreyas Sukhdev Swapnil Tapan Utkarsh Vijay
        """,
        """
Aanchal Ambika Arundhati Babita Bhavna Bina Chhavi Debjani Dhanya Dimple Dipali Diya Gulshan Hemalatha Keerthana
Krupa Lavanya Madhuri Mahima Malavika Mallika Mamta Meena Meghana Mina Minati Mukta Nalini Namita Nandita
Nimisha Nishita Nivedita Padmini Parveen Poonam Pragya Pratibha Rakhi Rani Renu Ritu Sadhana Sapna Saroj
Sarojini Shaila Shalini Shubhra Shweta Smita Sukanya Sunanda Taruna Trupti Tulsi Vijaya Vimala
        """,
        """
Athalye Bajwa Balakrishna Bandopadhyay Basak Bedi Begum Bhalla Bhandari Bora Butt Chandrasekhar Chaturvedi
Chaudhuri Cheema Chettiar Chitnis Dave De Dhaliwal Gandhi Ganguly Gehlot Goswami Gulati Haldar Handa Iqbal
Jayaraman Jhaveri Jindal Kakkar Kar Karunaratne Khosla Kini Kothari Kundu Kurian Lad Lamba Madan Mahapatra
Mandal Mane Mann Marwah Master Mathew Memon Merchant Mittal More Nadkarni Narang Natarajan Nayar Pal Palekar
Pandit Pandya Parmar Patwardhan Prabhakar Prajapati Purohit Rai Raizada Raju Ramakrishnan Rana Rastogi Rath
Sabharwal Sahni Salvi Samanta Sandhu Sane Sanyal Sareen Sarin Sarma Sawant Sekhon Seth Sethi Shastri Silva Sodhi
Taneja Tharoor Tyagi Varghese Venugopal Wasan
        """,
    ),
    "chinese": (
        """
Bojun Boqin Chenghao Chi-Wai Chia-Wei Chongwen Da Dacheng Enlai Fuhua Guotao Guozhi Haibo Hanwen Heng Hongbo
Huan Jianming Jianping Jianwei Jianxin Jingguo Jinghua Junfeng Kin-Man Kuan-Ting Liming Liwei Mao Ming-Che
Mingyu Po-Han Qingshan Ruilin Shaobo Shaoqing Shuai Shunyuan Tie Ting Weijun Weizhe Wenhua Wing-Kit Xiaoping Xun
Yiu-Chung Yongqiang Yu-Wen Yuhang Yun Yunfei Zhichao Zhihui Zhiqiang Zhuang Zihao Zijian
        """,
        """
Ailing Baihe Chan Changying Chunhua Cuiping Fangfang Fen Fengling Fengyan Guanglan Hiu-Tung Hongxia Huanhuan
Huizhong Jiahui Jiali Jiejie Jingjing Jinhua Jinjing Lifen Lijuan Lili Lingling Liqin Luwen Mei-Chen Mingxia Mu
Nana Nuan Nuo Peijing Qingzhao Ronghua Ru Ruomei Shanshan Sisi Ting Wai-Ling Weici Wenling Wenqian Xinyan Xinyue
Xiulan Xueying Ya-Ting Yijun Yinan Yuanyuan Yueming Yufen Yushan Yuzhen Zhaodi
        """,
        """
Ao Bei Bi Bie Cen Chan Chew Chia Chin Ching Chua Chui Dian Dongfang Dou Fen Foo Fung Guan Heng Hon Hsia Hsiao
Huan Ip Ju Kan Ke Keng Khoo Koh Kou Ku Kuan Kui Kwong Leng Lew Liew Liow Loh Loo Look Loong Low Lung Mang Mao
Men Moy Mu Mui Pang Pao Pian Pong Poon Ru Seah See Sha Shek Sheung Shiu Si Sin Sit Soo Soon Sui Sze Tay Teoh
Ting Tom Tow Toy Tsao Tsien Tsou Tsung Tzeng Wat Xi Yap Yau Yee Yep Yeung Yip Yow Yuen Yun Yung Zhangsun Zhuang
        """,
    ),
    "vietnamese": (
        """
Anh_Khoa Anh_Quân Bảo_Khang Chánh Chí_Thanh Chính Chương Công_Danh Doanh Duy_Khánh Gia_Huy Gia_Khánh Hoạt Huân
Hải_Đăng Hội Hữu_Nghĩa Hữu_Phước Khiêm Kính Lợi Minh_Nhật Minh_Quân Minh_Đức Nghị Ngôn Nhiên Nhật_Minh Nhật_Nam
Quang_Hải Quyết Quốc_Bảo Quốc_Tuấn Sinh Soạn Thanh_Bình Thanh_Liêm Thanh_Tùng Thoại Thuyên Thành_Nhân Thành_Đạt
Thông Tiến_Dũng Tiến_Thành Trung_Kiên Trường_Giang Trạch Tường Tấn_Phát Tịnh Việt_Anh Việt_Hoàng Xuân_Trường
Đình_Phúc Đăng_Khôi Đức_Huy Đức_Minh
        """,
        """
Anh_Thư Bích_Hà Bích_Thủy Bạch_Tuyết Cát_Tường Diệu_Linh Gia_Hân Hoài_An Hoàng_Yến Hương_Ly Hạnh_Dung Hải_Yến
Khúc Kim_Anh Kim_Chi Kim_Cương Kim_Thoa Kiều_Oanh Lan_Hương Luyến Lệ_Thu Lụa Mai_Phương Mỹ_Duyên Mỹ_Hạnh Nghi
Ngoan Ngọc_Diệp Ngọc_Mai Ngọc_Trâm Ngọc_Ánh Như_Ý Quế_Anh Quỳnh_Chi Quỳnh_Hoa Quỳnh_Như Sáu Thanh_Thúy Thanh_Vân
Thiên_Kim Thu_Hiền Thu_Hương Thu_Minh Thu_Thảo Thêu Thảo_Vy Thể Trúc_Ly Tuyết_Lan Tuệ_Mẫn Tím Tú_Uyên Tịnh
Tố_Quyên Vui Vân_Anh Ánh_Dương Ánh_Nguyệt
        """,
        """
Cao_Bá Chu_Văn Chương Cung_Dinh Công_Tôn Công_Tằng Cấn Do-Vu Dương_Đình Giả Giản Hoa_Phan Hoàng_Hữu Huỳnh_Tấn
Hà_Huy Hồ_Sỹ Hồ_Đắc K'Brih Khúc Khưu Le_Van Ly-Truong Lâm_Quang Lê_Hữu Lê_Phan Lê_Đình Lôi Lý_Thường Lưu_Quang
Lương_Thế Mai_Xuân Mục Nghê Nghị Nguyễn_Công Nguyễn_Hữu Nguyễn_Khoa Nguyễn_Phúc Nguyễn_Xuân Nguyễn_Đình
Ngô_Đình Nùng Pham-Nguyen Phan_Huy Phan_Đình Phạm_Hữu Phạm_Đình Rmah Sái Thân_Trọng Tiết Tran-Le Triển Trác
Trương_Vĩnh Trần_Quốc Trần_Đình Trịnh_Công Tây Tô_Hoài Tôn_Nữ Tôn_Thất Tư_Mã Tưởng Tạ_Quang Tề Vòng Võ_Tá
Võ_Đình Vũ_Trọng Vũ_Đình Vương_Đình Xi Y-Ban Yết Êban Ôn Đinh_Công Đoàn_Minh Đoái Đào_Duy Đặng_Trần Đỗ_Trọng Đới
        """,
    ),
    "arabic": (
        """
Abdelhamid Abdo Abdul_Aziz Abdul_Karim Abdul_Latif Ali Amin Amine Amjad Ammar Bassam Chafik Dawud Emir Fadel
Fahd Fakhri Fares Farid Fathi Fayez Haidar Hamdi Hamid Haytham Hilal Hosni Hossam Houssem Islam Issam Jawad
Mohamad Mostafa Nader Nadim Nahed Noureddine Osama Raja Rajab Rakan Ramez Rashed Riad Saadi Samer Shadi Shaker
Sulaiman Taha Tahir Tarek Umar Wassim Yazid Zaid Zayn
        """,
        """
Afnan Aida Anoud Arij Bahija Basima Chaima Dalia Dania Darin Dima Duaa Faten Ferial Hasna Haya Hend Hiba Houda
Ilham Izdihar Jalila Jude Khulood Leen Lujain Madiha Maissa Malika Mariam Marwa Maysam Mounira Nadira Nahed
Naila Najat Nancy Nesreen Noha Rahaf Rand Randa Rowaida Shadia Shahira Shatha Somaya Suhaila Suzan Taghreed
Wahiba Walaa Warda Wesal Widad Zohra Zuhra
        """,
        """
Abou_Zeid Abu_Khalil Al-Bakri Al-Din Al-Fahad Al-Haddad Al-Kuwari Al-Masri Al-Najjar Al-Omari Al-Thani Al-Zaidi
Al_Ghamdi Al_Hajri Al_Ketbi Al_Mansoori Al_Marri Al_Mazrouei Al_Mutairi Al_Otaibi Al_Qahtani Al_Rashid
Al_Suwaidi Ammari Anouar Arfaoui Arslan Atiyeh Attia Aziz Baraka Barghouti Baz Ben_Ali Bouazizi Chamoun Chaouch
Chehab Dahdah Daoud El_Gohary El_Idrissi El_Khoury Elkadi Elmasry Elsayed Eltayeb Fadel Farag Fares Fneich
Ghandour Ghosn Gouda Hamadeh Harb Hashimi Hayek Hilmi Imam Isa Jabr Jarrah Joumblatt Khaddam Khadra Khaled
Khalifeh Khater Khatib Lotfy Mahdi Makarem Mazloum Mikati Mikhael Moawad Mouawad Mufti Naji Nimr Noor Qasem
Qasimi Radwan Rafei Rashed Sabri Sarraf Sheikh Sidhom Slim Tarazi Yahya Zidan Zouari
        """,
    ),
    "korean": (
        """
Beom-soo Byeong-cheol Byung-wook Chan-ho Chan-hyuk Chang-ho Dae-sung Do-hun Do-yoon Dong-jun Dong-wan Geon Hyeok
Hyo-sung Hyuk-jae Hyun-seung Hyun-tae Hyung-jun Jae-jin Jae-kyung Jae-sung Jeong-hun Ji-hwan Ji-sub Ji-sung
Jong-hoon Joo-hwan Joon-ho Joon-hyuk Jun-young Jung-hwan Ki-bum Ki-woong Kwang-min Man-ho Min-hyeok Min-jae
Min-soo Myung-hwan Se-hyun Se-yoon Seong-ho Seung Soo-hyun Sung-gon Sung-ho Sung-hoon Sung-kyu Tae-hyun Tae-sik
Ui-jin Wan-ho Won-bin Won-ho Won-jae Won-shik Yong-jun Yong-soo
        """,
        """
A-ra A-young Chae-rin Da-bin Da-yeon Do-yeon Eun-jeong Eun-jin Eun-joo Eun-ju Eun-sun Eun-yeong Hae-sook Hee
Hee-won Hye Hye-rin Hye-seon Hye-su Hyun-ah In-na Jae-kyung Jae-yeon Ji-a Ji-eun Ji-seon Jin-sook Joo-yeon
Ju-eun Jung-min Kyung Kyung-eun Kyung-wha Mi-young Min-joo Nam-hee Nam-joo Se-jeong Se-ri Seo-hee Seon-hee
Shi-eun So-dam So-jung So-min Sol-bi Song-yi Soo-yun Sook Su-yeon Sun-hwa Ye-in Yeon-ji Yoo-bin Young-a
Young-sook Yu-mi Yul-hee
        """,
        """
Ahn-Yu Bark Bing Bok Boo Buk Byeon Byon Chin Choe Choi-Han Doh Eoh Eum Gal Gam Gimm Go Gum Gun Gwan Gyeon Ha-Ryu
Hah Her Hur Hyung Ihm Ihn Im Inn Jaegal Jahng Jang-Lee Je Jhang Jhin Jho Jhun Jong Ju Jwa Kee Key Ki Kim-Cho
Kimm Ko-Min Koh Kum Kwun Kyong Leem Lie Lyu Mang Mar Minn Mock Moo Myong Nah Namgoong On Pack Pahk Pea Peck Pyon
Rheem Rhie Ru Rue Ryeo Ryom Seo-Baek Seo-mun Seol Seonu Shinn Si Sin Soh Soon Suhr Sum Sunoo Sunwoo Takh Uh Un
Yae Yee Yon Yuh Yun
        """,
    ),
}
