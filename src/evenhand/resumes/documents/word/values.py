"""Words that stand as values in a Word document's markup: alignments, borders, colours, shapes, scripts.

They are those of the simple types of ECMA-376, 5th ed., Part 1 (17.18, 20.1.10, 20.4.3)
and of ISO 15924. Georgia Light's résumé is full of `light` and `left`; a word that is not
of the format is a leak wherever it stands. Numbers in words (accent1) are left out here.
"""

__all__ = ["SCRIPTS", "VALUES"]

_LISTED = """
true false auto none default preserve compatibilityMode
left right center both start end distribute mediumKashida highKashida lowKashida thaiDistribute numTab decimal clear
top bottom inside outside inline between baseline superscript subscript margin page text paragraph line column
leftMargin rightMargin insideMargin outsideMargin topMargin bottomMargin character indent
exact atLeast multiple around tight through notBeside largest square topAndBottom behind bothSides
nil single thick double dotted dashed dotDash dotDotDash triple wave doubleWave dashSmallGap dashDotStroked
threeDEmboss threeDEngrave outset inset words dottedHeavy dash dashedHeavy dashLong dashLongHeavy dashDotHeavy
dashDotDotHeavy wavyHeavy wavyDouble thinThickSmallGap thickThinSmallGap thinThickThinSmallGap thinThickMediumGap
thickThinMediumGap thinThickThinMediumGap thinThickLargeGap thickThinLargeGap thinThickThinLargeGap
black blue cyan green magenta red yellow white darkBlue darkCyan darkGreen darkMagenta darkRed darkYellow darkGray
lightGray gray grey orange purple pink brown navy teal olive maroon silver lime aqua fuchsia gold violet indigo ivory
khaki lavender linen orchid peru plum salmon sienna snow tan thistle tomato turquoise wheat azure beige bisque coral
crimson chocolate chartreuse moccasin windowText window buttonFace highlight menu infoText
solid clearDash horzStripe vertStripe reverseDiagStripe diagStripe horzCross diagCross thinHorzStripe thinVertStripe
upperRoman lowerRoman upperLetter lowerLetter ordinal cardinalText ordinalText hex chicago bullet decimalZero
ideographDigital japaneseCounting aiueo iroha ganada chosung hindiVowels thaiLetters arabicAlpha arabicAbjad
hyphen underscore middleDot heavy space nothing period colon enDash emDash
nextPage nextColumn continuous evenPage oddPage even first odd separator continuationSeparator continuationNotice normal
textWrapping begin separate drop eastAsia majorEastAsia majorBidi majorAscii majorHAnsi minorEastAsia minorBidi
minorAscii minorHAnsi dark light accent background hyperlink followedHyperlink
fixed autofit never overlap restart continue singleLevel multilevel hybridMultilevel table numbering
wholeTable firstRow lastRow firstCol lastCol bandVert bandHorz nwCell neCell swCell seCell
pageBottom beneathText sectEnd docEnd comma circle underDot round curly angle
blinkBackground lights antsBlack antsRed shimmer sparkle bestFit fullPage textFit
doNotCompress compressPunctuation compressPunctuationAndJapaneseKana allPages firstPage notFirstPage
lrTb tbRl btLr lrTbV tbRlV tbLrV horz vert wordArtVert eaVert mongolianVert
rect roundRect ellipse triangle rtTriangle parallelogram trapezoid diamond pentagon hexagon heptagon octagon decagon
dodecagon star heart sun moon smileyFace lightningBolt cloud cube bevel donut plus cross chevron homePlate pie arc chord
frame halfFrame corner plaque wedge ribbon scroll wave arrow rightArrow leftArrow upArrow downArrow bentArrow
leftBrace rightBrace leftBracket rightBracket bracePair bracketPair straightConnector bentConnector curvedConnector
line sysDot sysDash sysDashDot sysDashDotDot dashDot lgDash lgDashDot lgDashDotDot dot
orthographicFront perspectiveFront isometricTopUp harsh soft flat morning sunrise sunset chilly freezing glow
brightRoom threePt twoPt balanced contrasting matte plastic metal warmMatte clear powder softmetal wireframe
relaxedInset slope convex coolSlant angle softRound riblet artDeco
gregorian hijri saka thai korea japan taiwan
bar limLoc subSup undOvr noBar skw lin inline wrapIndent monospace script fraktur doubleStruck sansSerif roman
centerGroup before after repeat rest
"""
_SCRIPTS_LISTED = """
Arab Armn Beng Bopo Bugi Cans Cher Deva Ethi Geor Gujr Guru Hang Hans Hant Hebr Java Jpan Khmr Knda Laoo Lisu Mlym Mong
Mymr Nkoo Olck Orya Osma Phag Sinh Sora Syre Syrc Syrj Syrn Tale Talu Taml Telu Tfng Thaa Thai Tibt Uigh Viet Yiii
"""
#: Values of attributes.
VALUES = frozenset(_LISTED.split())
#: Scripts to which a theme gives fonts.
SCRIPTS = frozenset(_SCRIPTS_LISTED.split())
