"""Names of five origins: given names of men and of women, family names."""
# ruff: noqa: E501 - tables of names

EAST = {
    "south_asian": (
        "Arjun Rahul Vikram Sanjay Rajesh Suresh Aditya Rohan Karthik Venkatesh Subramaniam Ganesh Harpreet Gurpreet "
        "Jaspreet Manmohan Imtiaz Farhan Salman Tanvir Shafiq Mahfuz Nuwan Chaminda Bishnu Dev Om Amit Ravi Anand Sunil "
        "Manish Nitin Prakash Dinesh Abhishek Siddharth Mohandas",
        "Priya Anjali Lakshmi Deepa Kavita Sunita Pooja Neha Shreya Divya Meenakshi Padmavathi Saraswati Harleen Simran "
        "Manpreet Fatima Nusrat Shabnam Rukhsana Taslima Dilini Sanduni Sita Gita Maya Asha Usha Rekha Radhika Swati "
        "Archana Vaishnavi Chandrika Jyoti Indira Nandini Mira",
        "Patel Sharma Gupta Singh Kaur Iyer Iyengar Nair Menon Pillai Reddy Rao Naidu Chatterjee Mukherjee Banerjee Bose "
        "Das Sen Ghosh Deshpande Kulkarni Joshi Patil Shinde Mehta Shah Desai Trivedi Chaudhary Khan Ahmed Hussain Rahman "
        "Chowdhury Siddiqui Qureshi Malik Perera Fernando Jayawardena Wickramasinghe Gunawardena Thapa Gurung Shrestha "
        "Tamang Raghunathan Balasubramanian Venkataraman Krishnamurthy Chidambaram Agarwal Bhattacharya Saxena Tripathi "
        "Bansal Kapoor Malhotra Ahluwalia Grewal Sidhu Gill Bains Dutt Jain",
    ),
    "chinese": (
        "Wei Jian Ming Hao Jun Lei Bo Qiang Zhiwei Xiaoming Jianguo Guoqiang Haoran Zihan Yichen Tianyu Zhihao Weidong "
        "Xiaolong Kai Tao Peng Yong Gang Bin Chao Feng Rui-lin Chih-Ming Wai-Keung Ka-Ho Siu-Ming Yu-Xuan Zhen Sheng Long "
        "Dong Shan",
        "Fang Xiuying Na Min Jing Li Yan Xia Mei Ling Xiaoyan Meiling Yuting Xinyi Ruoxi Jiayi Shuang Hui Ying Yue Lan Qing "
        "Hong Xue Hua Zhilan Chun-Hua Pui-Shan Wing-Yan Ka-Yee Hsiao-Ling Mei-Chu Lüying Nü Rong Juan Ping Zi",
        "Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo He Lin Gao Luo Zheng Liang Xie Song Tang Deng "
        "Han Feng Cao Peng Zeng Xiao Tian Dong Pan Yuan Cai Jiang Yu Du Ye Cheng Wei Su Lü Ding Ren Shen Yao Lu Cui Zhong "
        "Tan Ouyang Sima Shangguan Szeto Au-Yeung Cheung Leung Wong Chow Tsai Hsieh Fong Kwok Mak Ng She",
    ),
    "vietnamese": (
        "Minh Tuấn Hùng Dũng Quang Hải Sơn Thành Đức Khoa Long Phong Nam Việt An Bảo Khánh Trung Hiếu Tín Nghĩa Phúc Lộc "
        "Thọ Duy Đạt Cường Vinh Thắng Hoàng Kiên Tùng Huy Quân Do Binh Thinh Tan",
        "Lan Hương Mai Linh Thảo Ngọc Hạnh Phương Trang Nga Thủy Tuyết Bích Diễm Yến Như Quỳnh Thu Xuân Hạ Đông Vân Hằng "
        "Loan Ly My Nhung Oanh Trinh Uyên Vy Kim Dung Cúc Anh Hoa Hue Tien",
        "Nguyễn Trần Lê Phạm Huỳnh Hoàng Phan Vũ Võ Đặng Bùi Đỗ Hồ Ngô Dương Lý Đinh Đoàn Lâm Trịnh Mai Đào Hà Tô Tạ Lưu "
        "Lương Châu Cao Chu Quách Thái Từ Vương Kiều Nghiêm Doãn Khuất Tống Thạch Giang Lại Mạc Phùng Quan Tăng Thân Triệu "
        "Ung Văn Âu Bạch Cù Diệp Hứa Khổng La Nhan Ông Phí Sầm Tiêu Ứng Viên Bang Nguyen Tran Pham Le Do Bui Vo Dang",
    ),
    "arabic": (
        "Mohammed Ahmad Omar Khalid Yousef Ibrahim Abdullah Abdul_Rahman Hassan Hussein Tariq Bilal Faisal Sultan Nasser "
        "Saeed Karim Walid Ziad Rami Sami Adel Anwar Mahmoud Mustafa Amr Hisham Jaber Majid Qasim Usama Zayn_al-Abidin "
        "Badr Ghassan Marwan Nabil Fadi Jihad",
        "Aisha Fatimah Khadija Zaynab Maryam Noura Layla Salma Hala Rania Dina Yasmin Huda Iman Samira Nadia Amal Ghada "
        "Hanan Rasha Mona Heba Nour Reem Dalal Lubna Sahar Umm_Kulthum Wafa Zahra Basma Jumana Israa Shaimaa Abeer Sara "
        "Hayat Joumana",
        "Al-Farsi al-Hashimi El-Sayed El_Amin Haddad Khoury Nasrallah Mansour Abdelaziz Abdel_Nasser Bin_Salem bin_Rashid "
        "Ibn_Yusuf Al_Maktoum Al-Otaibi Al-Ghamdi Al-Zahrani Al-Qahtani Al-Shammari Al-Dosari Darwish Farouk Fayed Gamal "
        "Habib Hamdan Hariri Ismail Jaafar Kanaan Karam Kassab Lahoud Mahfouz Makki Najjar Nassar Obeid Qureshi-Hamdi Rahal "
        "Saab Sabbagh Saleh Shaheen Shami Shehata Tamimi Tawfik Wahbi Yassin Younis Zaki Zayed Ziadeh Boutros Ghali Barakat "
        "Bitar Chahine Daher Fakhoury Ghanem Hakim Issa Jabbour Kabbani",
    ),
    "korean": (
        "Min-jun Seo-jun Do-yun Ye-jun Si-woo Ha-jun Ji-ho Jun-seo Hyun-woo Sung-min Dong-hyun Jae-won Young-ho Kyung-soo "
        "Sang-hoon Tae-yang Woo-jin Chul-soo Byung-hun Minho Jihoon Seungri Kwangsoo Hyeon-U Gun-woo In-sung Ki-tae Myung-bak "
        "Jong-il Dae-jung Han-sol Joon Yong-nam Wonbin Beom-seok Sung_Ho",
        "Seo-yeon Ji-woo Ha-eun Min-seo Su-bin Ye-eun Ji-min Soo-ah Eun-ji Hye-jin Mi-kyung Young-hee Sun-hee Kyung-ja "
        "Jung-ah Bo-ra Yu-na Hee-jin So-hee Yeon-ah Jiyoung Eunhye Hyewon Sujin Da-hye Ga-in Na-rae Sae-rom Ae-ri Min-ah "
        "Jin-sol Seul-gi Ok-ja Chae-won Yoo_Jin Bitna",
        "Kim Lee Park Choi Jung Kang Cho Yoon Jang Lim Han Oh Seo Shin Kwon Hwang Ahn Song Yoo Hong Jeon Ko Moon Son Yang "
        "Bae Baek Heo Nam Shim Noh Ha Kwak Sung Cha Joo Woo Koo Na Min Jin Ji Eom Chae Won Chun Bang Gong Hyun Ham Byun Yeom "
        "Pyo Do Seok Sun Ma Gil Wi Yeon Namgung Hwangbo Jegal Seonwoo Dokgo Tak",
    ),
}
