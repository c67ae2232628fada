"""BusinessVocabulary: how gendered the words of letters and reviews are."""
