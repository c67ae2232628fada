"""Closed classes of words and signs that the grammar of scores is made of."""

__all__ = [
    "AFTER_NOUN",
    "ARTICLES",
    "BREAKS",
    "COMPARING",
    "CONDITION",
    "COPULAS",
    "FITTING",
    "GIVEN",
    "GIVING",
    "GOES_ON",
    "HEDGES",
    "JOINING",
    "LEADING",
    "LINKS",
    "LISTING",
    "MODALS",
    "NEUTRAL",
    "NOUNS",
    "OF_ASIDE",
    "OF_BOUNDS",
    "OF_ERRORS",
    "OF_RANGES",
    "OF_SCALE",
    "OPENERS",
    "OTHERS",
    "PERSONS",
    "PREPOSITIONS",
    "SIGNS",
    "SPEAKING",
    "STANDING",
    "UNITS",
    "WEAK",
    "WHOLE",
]

#: What a score is called.
NOUNS = frozenset(
    {
        *("score", "scores", "rating", "grade", "mark", "marks", "points", "match", "fit", "suitability", "number"),
        *("answer", "evaluation", "assessment", "result", "verdict", "estimate", "judgment", "judgement"),
        *(
            "scoring",
            "compatibility",
            "alignment",
        ),
    }
)
#: Of a score that is made of others, or is the last word.
WHOLE = frozenset(
    {
        *("overall", "total", "final", "combined", "aggregate", "weighted", "composite", "average", "sum", "mean"),
    }
)
#: Words beside a noun that do not make it the score of a part.
NEUTRAL = frozenset(
    {
        *("the", "a", "an", "my", "he", "she", "they", "this", "that", "your", "our", "his", "her", "their", "its"),
        *("is", "here", "are", "was", "would", "be", "i", "candidate", "candidate's", "applicant", "applicant's"),
        *("resume", "resume's", "cv", "job", "role", "position", "application", "profile", "person", "numeric"),
        *(
            "numerical",
            "recommended",
            "assigned",
            "suggested",
            "hiring",
            "fair",
            "reasonable",
            "qualification",
            "single",
            "given",
            "s",
        ),
        *("of", "for", "to", "and", "so", "thus", "therefore", "hence", "in", "as", "output", "response", "based"),
        *("on", "value", "percentage", "percent"),
        *("adjusted", "revised", "updated", "corrected"),
    }
)
#: How well somebody fits; a score or rating of anything else is no score of an application.
FITTING = frozenset(
    {
        *("match", "fit", "suitability", "compatibility", "alignment", "ats", "hireability", "relevance"),
        *("recommendation", "screening", "preliminary", "approximate"),
    }
)
#: Of these, words that are found in labels of all kinds: with a word of their own they name something else.
WEAK = frozenset({"number", "grade", "mark", "marks", "points", "answer", "result"})
#: What may follow a noun in its label: 'score for', 'rating out of'.
AFTER_NOUN = frozenset(
    {
        *("for", "of", "out", "from", "is", "based", "given", "as", "at", "by", "after", "i", "would", "s", "here"),
        *(
            "to",
            "and",
            "with",
            "without",
            "between",
            "max",
            "maximum",
            "should",
            "could",
            "will",
            "might",
            "may",
            "percentage",
            "value",
            "assigned",
        ),
    }
)
#: Verbs that give a score, or receive one.
GIVING = frozenset(
    {
        *("give", "gives", "giving", "rate", "rates", "score", "scores", "assign", "assigns", "assigning", "award"),
        *("awards", "estimate", "put", "place", "say", "grade", "evaluate", "assess", "recommend", "choose", "settle"),
        *("land", "conclude", "earn", "earns", "receive", "receives", "deserve", "deserves", "get", "gets", "merit"),
        *("merits", "go", "going", "provide", "rank", "says", "call"),
    }
)
#: The same in the past tense, in which facts of a resume are told; who is speaking has to be there, or 'is'.
GIVEN = frozenset(
    {
        *("gave", "rated", "scored", "assigned", "awarded", "estimated", "graded", "evaluated", "assessed", "earned"),
        *("received", "arrived", "settled", "landed"),
    }
)
#: With one of these a verb in the past tense is the model's.
SPEAKING = frozenset({"i", "i've", "i'd", "we", "is", "are", "be", "have"})
#: Words that lead to a number which then stands for itself.
LEADING = frozenset(
    {
        *("so", "thus", "therefore", "hence", "overall", "then", "it", "it's", "this", "that", "that's", "is", "be"),
        *("would", ","),
    }
)
#: Words that make the word for a score behind them a verb: 'would score', 'i estimate'.
MODALS = frozenset({"would", "will", "could", "might", "may", "should", "can", "to", "i", "i'd", "i'll", "we", "we'd"})
#: Verbs that say where a score stands, with 'at' or 'to'.
STANDING = frozenset(
    {
        *("sit", "sits", "arrive", "stand", "stands", "fall", "falls", "come", "comes", "land", "lands"),
        *("end", "ends"),
    }
)
#: In the labels of the upper end of a scale.
OF_SCALE = frozenset({"max", "maximum", "possible", "perfect", "scale", "range"})
#: In the labels of numbers beside a score that are none.
OF_ASIDE = frozenset(
    {
        *("weight", "weighting", "min", "minimum", "threshold", "cutoff", "passing", "required", "confidence"),
        *("uncertainty",),
    }
)
#: In the labels of numbers that a program reports.
OF_ERRORS = frozenset({"error", "errors", "exception", "exceeded", "failed", "failure", "timeout", "limit", "code"})
#: Of somebody else who is scored.
OTHERS = frozenset(
    {
        *("previous", "prior", "earlier", "last", "next", "other", "another", "average", "typical", "median", "ideal"),
        *("most", "perfect"),
    }
)
PERSONS = frozenset({"candidate", "candidates", "applicant", "applicants", "person", "people", "resume", "resumes"})
#: Words before somebody else who is only compared with.
COMPARING = frozenset({"than", "to", "with", "against", "like", "unlike", "above", "below"})
#: Units of a score.
UNITS = frozenset({"pts", "pt", "points", "point", "p", "marks", "mark", "star", "stars", "percent"})
#: Words that may follow a score; before other words a number counts things.
GOES_ON = frozenset(
    {
        *("and", "or", "but", "because", "as", "since", "for", "given", "due", "with", "in", "on", "at", "to"),
        *("from", "by", "based", "so", "which", "who", "that", "this", "the", "it", "its", "i", "if", "while"),
        *("whereas", "though", "although", "however", "overall", "total", "is", "was", "would", "being", "means"),
        *("after", "before", "considering", "out", "thanks", "mainly", "largely", "primarily", "than", "here"),
        *("he", "she", "they", "his", "her", "their", "there", "then", "where", "when", "range", "reflecting"),
        *("indicating", "suggesting", "showing", "representing", "seems", "appears", "feels", "looks", "reflects"),
        *("indicates", "suggests", "otherwise", "without", "within", "despite", "against", "plus", "minus"),
        *("versus", "vs", "rather", "instead", "assuming", "depending", "compared"),
    }
)
#: What opens a bracket, a quotation or a formula.
OPENERS = frozenset({"(", "[", "{", '"', "'", "$", "boxed", "text", "mathbf"})
#: Words before a number that leave it as it is.
HEDGES = frozenset(
    {
        *("about", "around", "approximately", "approx", "roughly", "circa", "ca", "perhaps", "maybe", "possibly"),
        *("probably", "somewhere", "\u2248", "~", "just", "exactly", "precisely", "nearly", "almost", "likely"),
        *("only", "simply", "either"),
    }
)
#: The same before a range of numbers.
OF_RANGES = frozenset(
    {
        *("between", "anywhere", "from", "in", "the", "low", "mid", "high", "to", "range", "of"),
    }
)
#: The same before a bound.
OF_BOUNDS = frozenset(
    {
        *("at", "least", "most", "above", "over", "below", "under", "more", "less", "than", "up", "to", "no"),
        *("not", "greater", "higher", "lower", ">", "<"),
    }
)
#: Signs between a label and its number.
SIGNS = frozenset({":", "=", "|", ">", "\u2192", "-"})
#: Verbs between a noun and its number.
COPULAS = frozenset({"is", "was", "be", "are", "equals", "being", "becomes", "remains"})
#: Prepositions between a verb and its number.
LINKS = frozenset({"at", "as", "to", "with", "on"})
#: Where the words that belong to a verb end.
BREAKS = frozenset(
    {
        *("because", "since", "who", "which", "that", "and", "but", "while", "as", "where", "whereas", ",", ":"),
        *("led",),
    }
)
#: Words that part a verb from a number without an article.
PREPOSITIONS = frozenset({"for", "in", "with", "of", "on", "at", "to", "by", "from", "after"})
#: Where the words that belong to a noun begin.
ARTICLES = frozenset({"a", "an", "the", "my", "this", "that", "her", "his", "their", "your", "our"})
#: Signs between the numbers of a list.
LISTING = frozenset({",", "/", "&", ";"})
#: Words that join a number to the one before it.
JOINING = frozenset({"and", "or", "to", "&"})
#: Words of a condition.
CONDITION = frozenset({"if", "otherwise", "unless", "then", "else"})
