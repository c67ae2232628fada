"""The third set's names of five origins: given names of men and of women, family names; none is in another set."""

EAST = {
    "south_asian": (
        "Abhinav Ajay Alok Anirudh Ashok Balaji Chetan Chirag Deepak Farooq Girish Harish Irfan Jagdish Jayant Kamal "
        "Kapil Krishna Lalit Madhav Manoj Mukesh Naveen Parth Praveen Raghav Ram Rishi Sachin Satish Sourav Subhash "
        "Tejas Umesh Varun Vinod Yash Zubair Kamran Naeem Usman Tharindu Anup Bikash Sunny",
        "Aarti Aishwarya Amrita Anita Anushka Aruna Chhaya Devika Gauri Gayatri Hema Ishani Juhi Kalpana Kanchan "
        "Kusum Leela Malini Manisha Meera Mridula Namrata Neeta Padma Parvati Purnima Rajni Rashmi Revathi Rukmini "
        "Sarita Seema Shanti Shobha Sneha Sudha Supriya Tara Urmila Vidya Yamini Bushra Rabia Shazia Pinky",
        "Acharya Arora Awasthi Bajaj Balakrishnan Barua Basu Bhardwaj Bhat Biswas Chakraborty Chandra Chauhan Chopra "
        "Choudhury Datta Dhawan Dhillon Dubey Garg Goel Gokhale Goyal Hegde Jadhav Kale Kamath Kapur Kashyap Khanna "
        "Khurana Kumar Lal Mahajan Mehra Mishra Modi Nadar Nagarajan Nanda Nayak Oberoi Ojha Pandey Parikh Phadke "
        "Prabhu Puri Raghavan Raina Ramachandran Ranganathan Rathore Roy Sachdev Saha Saini Sehgal Sengupta Shetty "
        "Shukla Sinha Somani Sood Srinivasan Sundaram Swamy Talwar Thakur Tiwari Upadhyay Varma Verma Vohra Wadhwa "
        "Yadav Adhikari Shaikh Engineer Contractor",
    ),
    "chinese": (
        "Aiguo Bingwen Bojing Changming Chaoyang Chengwei Dawei Dehua Donghai Guanyu Guofeng Haitao Honghui Jiahao "
        "Jianhua Jianjun Jinhai Junjie Kangjian Lijun Longwei Mingze Pengfei Renjie Ruifeng Shaohua Shiyuan Weiguo "
        "Weiming Wenbin Wenjie Xiaobo Xiaodong Xinyu Xuefeng Yifan Yuchen Zhengyi Zhiyuan Chi-Keung Kwok-Wai Ho-Yin "
        "Tsz-Kit Wing-Kin Chung-Hao",
        "Aihua Baozhai Biyu Caihong Cuifen Daiyu Dandan Fangfei Guiying Huifang Huiling Jiaxin Jingyi Lanying Lihua "
        "Linlin Luli Manyu Meifeng Meili Meixiang Mengyao Mingzhu Peiyu Qian Qiaolian Qiuyue Shihan Shufen Siyu "
        "Wenjing Xiaohui Xiaoling Xiaomei Xuemei Yafang Yaling Yanyu Yuhan Yuwen Yuxuan Zhenzhen Sze-Man Yi-Chun "
        "Hsin-Yi",
        "Ai Bai Bian Chai Chang Chiu Chou Chung Dai Duan Fan Fei Fu Gan Ge Geng Gu Hou Hsu Huo Jia Jiao Kong Kuang "
        "Kuo Kwan Lao Lau Lian Liao Lou Lui Luk Man Meng Miao Mo Mok Ni Nie Ning Niu Ou Pei Pu Qi Qian Qin Qiu Qu "
        "Ruan Shao Shi Shu Situ Tai Tam Teng Tsang Tso Tsui Wan Wen Weng Xiang Xin Xing Xiong Yeh Yi Yin You Zang Zha "
        "Zhan Zhai Zhuo Zong Zou Zuo",
    ),
    "vietnamese": (
        "Công Chiến Cảnh Danh Điền Hiển Hiệp Hoàn Hữu Khang Khải Khôi Kiệt Lập Luân Lực Mạnh Nhật Phát Phước Quốc Quý "
        "Sang Tài Tâm Thiện Thuận Thức Toàn Trí Triết Trọng Trường Tuyên Uy Vĩ Minh_Khôi Đăng_Khoa Gia_Bảo Quốc_Việt "
        "Thiên_Ân Hoàng_Nam Tuấn_Kiệt Bảo_Long Trọng_Nghĩa",
        "Ái Cẩm Chi Diệu Duyên Đan Hậu Hiền Hoài Huyền Khuê Liên Mận Mi Ngân Nguyệt Nhã Nhi Quế Quyên Sương Thắm Thi "
        "Thoa Thương Trà Trâm Trúc Tươi Vi Xuyến Bảo_Châu Khánh_Linh Minh_Anh Ngọc_Bích Phương_Thảo Kim_Ngân "
        "Thanh_Tâm Tường_Vi Hồng_Nhung Bích_Ngọc Diễm_My",
        "Bành Bế Biện Ca Cam Cát Chế Chiêm Cổ Cung Đái Đàm Đan Đậu Điểu Giáp Hình Khâu Kha Khương Lạc Lăng Liễu Lò "
        "Lục Mạch Mẫn Mâu Ninh Ngụy Nhâm Nông Phó Phù Tất Thẩm Thi Thiều Thôi Tôn Trương Ty Uông Vi Vưu Xa Chiều "
        "Âu_Dương Khiếu Lều Mông Ngạc Lèo Vàng Ksor Rơ_Châm Siu Niê Hoàng_Phủ Bùi_Xuân Nguyễn_Phước Trần_Lê",
    ),
    "arabic": (
        "Abdulaziz Abdulrahman Adnan Alaa Amer Anas Ashraf Ayman Bashar Basem Fawzi Haitham Hamza Haroun Hatem Husam "
        "Ihab Imad Jalal Jamil Kamel Khalil Laith Maher Majed Mazen Mehdi Moez Mubarak Munther Najib Nizar Othman "
        "Raed Rashid Saad Salah Salim Samir Suhail Tamer Wael Wissam Younes Zakaria",
        "Afaf Ahlam Alia Amina Amira Areej Asma Aya Batoul Bouchra Buthaina Dana Doaa Eman Farida Fatin Haifa Hajar "
        "Hind Jamila Jihan Kawthar Latifa Maha Maysa Mervat Muna Nada Nahla Najwa Nermin Nisreen Ola Rabab Raghad "
        "Rola Ruba Safaa Samia Sawsan Siham Suad Sumaya Wijdan Zeina",
        "Abbas Abboud al-Amri al-Ansari al-Harbi al-Jabri al-Maliki al-Saadi al-Shamsi Alami Amrani Assaf Atallah "
        "Awad Ayoub Azar Badawi Bakr Bashir Bazzi Benali Benjelloun Bennani Berrada Bishara Boulos Chami Dajani Deeb "
        "El-Amin El-Baz El-Fassi El-Gamal El-Masri El-Tayeb Fawaz Fayad Gerges Ghazal Halabi Hammoud Hashem Hijazi "
        "Husseini Idrissi Kassem Kattan Khalidi Maalouf Madani Malouf Masoud Mikhail Morsi Mourad Mroueh Nahas Naim "
        "Nasr Nassif Odeh Omran Osman Qabbani Rizk Sadek Safi Said Salameh Salloum Sarkis Sawaya Sayegh Sharif "
        "Sleiman Tabbara Tahan Tannous Tawil Zaher",
    ),
    "korean": (
        "Chan-woo Chang-min Chul Dae-hyun Do-hyun Dong-wook Eun-ho Geon-woo Gi-hun Hae-jin Ho-jun Hong-jun Hwan Hyuk "
        "Hyun-bin Hyun-jin Hyung-sik Jae Jae-beom Jae-suk Jang-hoon Jin-woo Jong-hyun Joo-hyuk Joon-young Jung-hoon "
        "Jung-woo Ki-woo Kwang-soo Kyung-ho Man-sik Min-gyu Min-hyuk Myung-soo Nam-gil Sang-woo Seok-jin Seung-gi "
        "Seung-hoon Sung-jin Tae-hyung Woo-sung Yeong-ho Yong-hwa Young-jae",
        "Ae-ra Ah-young Bo-young Da-eun Eun-ah Eun-bi Eun-kyung Ga-eun Ga-young Gyu-ri Ha-na Ha-neul Hwa-young Hye-in "
        "Hye-ja Hye-soo Hyo-joo Hyo-rin Hyun-joo In-young Jae-hee Ji-hae Ji-sun Ji-yeon Joo-eun Joo-hee Jung-eun "
        "Kyung-mi Mi-ran Mi-sook Myung-hee Na-eun Nari Seo-hyun Seon-mi Seung-ah So-ra Soo-jin Soo-yeon Ye-jin Ye-rin "
        "Ye-seul Yeon-joo Yoon-ah Young-ae",
        "Baik Ban Bong Bu Cheon Cheong Chi Choo Doo Eo Eun Geum Gi Gim Goo Gook Gu Gwak Hahm Huh Hyeon In Jeong Jo "
        "Joh Kam Keum Kil Kuk Kweon Kye Maeng Mun Myeong Myung Namkoong No Ok Paek Pak Pi Pyun Rah Rha Rhee Rho Ri "
        "Rim Ro Ryoo Ryu Sa Sagong Seon Seong Sim So Sohn Sok Sol Suh Suk Sul Tae Um Wee Wook Yeo Yim Yom Youn Yuk "
        "Yum Seomun Pyeon Tark Chong Joung Jeung Yeun",
    ),
}
