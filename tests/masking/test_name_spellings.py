"""A known name: masked in any spelling, order and case, letter-spaced, stacked, broken and joined."""

import pytest

from evenhand.masking.mask import mask_text
from marked_text import unmarked

#: A person, and sentences with the name in double brackets.
SPELLINGS = {
    "José Núñez": ["[[JOSE NUNEZ]]; [[Nunez, José]]; [[jose.nunez]]"],
    "Müge Öztürk": ["[[Muege Oeztuerk]]; [[MUGE OZTURK]]; [[Öztürk]]"],
    "Søren Kjærgård": ["[[Soren Kjaergaard]]; [[SØREN KJÆRGÅRD]]; [[Soeren]]"],
    "Jürgen Groß": ["[[Jurgen Gross]]; [[JÜRGEN GROSS]]"],
    "Ka\u02bbiulani Kealoha": ["[[Ka'iulani Kealoha]]; [[Kaiulani]]; [[Ka\u2019iulani]]"],
    "D'Angelo O'Neil": ["[[DAngelo ONeil]]; [[D Angelo]] x; [[O\u2019Neil]]; [[D\u2019ANGELO O\u2019NEIL]]"],
    "Si\u00e2n O'Brien-\u0141ukasz": ["[[OBrien]] led; [[O-Brien-Lukasz]]; [[O-BRIEN]]"],
    "Le Van Dinh Phuc": ["[[Le Van]] spent seven years there; [[Le]] drove a Van"],
    "Ch\u1eed V\u0103n Thanh T\u00f9ng": ["slug: /people/[[thanhtung]]-[[chuvan]]"],
    "M\u1ef9 H\u1ea1nh V\u00f5 T\u00e1": ["addressed as: ms. [[v\u00f5 t\u00e1]]\nshe did legal outreach"],
    "Thi Hoa Dang": ["[[thihoa.dang]]", "see x/[[thihoa.dang]] y"],
    "Ammar Al-Masri": ["scp [[amasri]]@build7:/srv; profile hr.firm/[[masria]]"],
    "Min-ji Park": ["intranet/[[min.ji.park]]; registry/[[min_park]]/app"],
    "Ana de la Cruz": ["stored at ~/[[anadela.cruz]]/notes"],
    "Ada Okonkwo": [
        "[[O.k.o.n.k.w.o]] led; [[A.D.A. O.K.O.N.K.W.O]].",
        "[[\u1d00\u1d05\u1d00]] led; [[O\u1d0b\u1d0f\u0274\u1d0b\u1d21\u1d0f]] x",
    ],
    "Linh Tran": ["scp [[linh.t]]@build7:/srv"],
    "Bethany Thistlewood": ["a joke: three [[bethanys]] on one shift; two [[Thistlewoods]]"],
    "Jean-Luc Saint-Pierre": ["[[Jean Luc Saint Pierre]]; [[Jeanluc]]; [[JEAN-LUC]]; [[Saint-Pierre]]"],
    "Mary-Kate Obi Uzoma": ["[[Mary Kate Uzoma]]; [[Mary]] said; [[MARYKATE]]"],
    "Hae-won Yang": ["[[Haewon Yang]]; [[Hae Won Yang]]; [[YANG Hae-won]]; [[HaeWon]]"],
    "Anneke van der Meer": [
        "[[ANNEKE\nVAN\nDER\nMEER]]\nSinger",
        "[[van der Meer, Anneke]]; [[A. van der Meer]]; [[Vandermeer]]; [[avandermeer]]",
    ],
    "Juan de la Cruz": [
        "[[Juan\nde\nla\nCruz]]\nCook",
        "[[DE LA CRUZ, Juan]]; [[De la Cruz]] cooks; [[delacruz]]; cv_[[Jde_la_Cruz]].zip; cv_[[de_la_Cruz]].zip",
    ],
    "Omar bin Khalid Al Nuaimi": [
        "[[OMAR\nBIN\nKHALID\nAL\nNUAIMI]]\nPilot",
        "[[Omar Al-Nuaimi]]; [[AlNuaimi]]; [[Al Nuaimi]]; [[al-Nuaimi]]",
    ],
    "Ludovica Dell'Orto": ["[[LUDOVICA\nDELL\u2019ORTO]]\nTutor"],
    "Thomas MacGregor": ["[[Thomas Mac Gregor]]; [[MACGREGOR]]"],
    "Ngozi Adichie": [
        "[[Ngo-\nzi Adichie]]; [[Adi-\nchie]] x",
        "[[N.A. Adichie]]; [[Ngozi A.]]",
        "[[NgoziAdichie]], [[adichie_ngozi]], [[nadichie]], [[ngozia]]",
        "([[Ngozi Adichie]])",
        "[[n g o z i   a d i c h i e]]\nnurse",
        "[[Ngozi]] x",
        "résumé of [[ngozi adichie]], nurse",
        "[[ADICHIE Ngozi]]",
        "[[Ngozi]] & co",
    ],
    "Sara El Fassi": [
        "[[Sara\nEl\nFassi]]\nCook",
        "[[ElFassi]]; [[El-Fassi]]; [[Elfassi]]; [[EL FASSI Sara]]",
    ],
    "Wei-Ting Chen": [
        "[[Weiting Chen]]; [[Wei Ting Chen]]; [[Chen Wei-Ting]]; [[WT Chen]]; [[Chen WT]]; [[Chen, W.-T.]]",
    ],
    "Kwok-leung Tsui": ["CV_[[Kwok-leungTsui]].pdf; [[KwokLeungTsui]]; [[TSUI Kwok Leung]]"],
    "Oluwaseun Akíntọ́lá": ["[[Oluwaseun Akintola]]; [[AKÍNTỌ́LÁ]]; [[Akíntọ́lá]]"],
    "Nguyễn Thị Ánh": ["[[Nguyen Thi Anh]]; [[NGUYỄN THỊ ÁNH]]; [[Ánh]] sings; Ms [[Nguyen]]"],
    "Zoë Brontë-Achebe": ["[[Zoe Bronte Achebe]]; [[Zoe Bronte]]; [[Z. Brontë-Achebe]]"],
    "Maria Fernanda Souza Lima": ["[[Maria Souza]]; [[Fernanda Lima]]; [[M. F. Souza Lima]]"],
    "Sarojini": ["[[Sarojini]] paints; [[SAROJINI]]"],
    "S. P. Balakrishnan": ["[[S.P. Balakrishnan]]; [[Balakrishnan S P]]; [[SP Balakrishnan]]; [[Balakrishnan]]"],
    "Robert James O'Hara Jr.": ["[[Robert O'Hara Jr.]]; [[R. J. O'Hara]]; [[RJ O'Hara]]; [[O'Hara, Robert J.]]"],
}
CASES = [(name, marked) for name, sentences in SPELLINGS.items() for marked in sentences]


@pytest.mark.parametrize(("name", "marked"), CASES)
def test_a_known_name_is_masked_in_any_spelling(name, marked):
    text, expected = unmarked(marked)
    spans = [(span.start, span.end) for span in mask_text(text, known_names=[name]).spans if span.category == "NAME"]
    assert spans == expected
