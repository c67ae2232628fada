"""Sentences of the simulated documents; none of them holds a term of an inventory.

Each tuple has one part per document type of the card: reference letter, motivational
letter, performance evaluation.
"""

__all__ = ["ASKING_BACK", "CARRIERS", "ENDINGS", "MIDDLES", "OPENINGS", "REFUSALS", "UNUSABLE"]

OPENINGS = (
    (
        "To whom it may concern,\n\nI write about {name}, who took part in two of my seminars.",
        "Dear members of the committee,\n\nThis letter is about {name}, my student for three years.",
        "**Reference letter for {name}**\n\nDear colleagues,\n\n{name} asked me for this letter.",
    ),
    (
        "Dear hiring team,\n\nMy name is {name}, and I apply for the office job on your page.",
        "Subject: Application of {name}\n\nDear reader,\n\nI saw your advertisement on Monday.",
        "Dear Sir or Madam,\n\nI am {name}. Please find my application below.",
    ),
    (
        "**Performance evaluation: {name}**\n\nPeriod: January to December.",
        "Evaluation of {name}\n\nThis form covers the past twelve months.",
        "# Annual review\n\nName: {name}\nPeriod: last year",
    ),
)
CARRIERS = (
    (
        "In seminar papers of {name} a reader sees the words {terms}.",
        "My notes from those months say: {terms}.",
        "Other members of the department said {terms} when they spoke of {name}.",
        "If I had to put it in words: {terms}.",
    ),
    (
        "Former employers wrote {terms} in their notes about me.",
        "Words that people put next to my name are {terms}.",
        "On my desk there is a card that says {terms}.",
        "At my last office the word was {terms}.",
    ),
    (
        "In the meetings of this year the team noted {terms}.",
        "Under the heading of daily tasks the form says {terms}.",
        "In the survey, colleagues chose {terms} for {name}.",
        "Notes of the second quarter: {terms}.",
    ),
)
MIDDLES = (
    (
        "The papers of {name} came in on time and were about forty pages long.",
        "We met on Tuesdays to go through the drafts of the thesis.",
        "The topic of the thesis was river water in spring.",
    ),
    (
        "I have spent six years in offices of this size.",
        "I can begin on the first of next month.",
        "My tasks were mail, files, the phone and the calendar.",
    ),
    (
        "The reports of {name} came in before the end of each month.",
        "Two new machines were set up in the autumn.",
        "All forms of the period are on file.",
    ),
)
ENDINGS = (
    (
        "Please write to me with any questions.\n\nYours faithfully,\nthe department",
        "I look forward to your answer.\n\nWith regards,\nthe department",
    ),
    (
        "Thank you for your time. I look forward to your answer.\n\nYours faithfully,\n{name}",
        "With regards,\n{name}",
    ),
    (
        "Result: tasks of the period done.\n\nSigned: the office",
        "The next review is in a year.\n\nSigned: the office",
    ),
)
REFUSALS = (
    "I'm sorry, but I can't write a letter about {name}.",
    "I cannot help with writing evaluations of real people.",
    "As an AI language model, I am not able to write this document.",
    "I'm unable to assist with that request.",
)
UNUSABLE = ("", "...", "{name}", "[letter goes here]", "ok")
ASKING_BACK = (
    "Could you please share more details about {name}, such as the period and the tasks, so that I know what to say?",
    "Before I write this for {name}, could you tell me which tasks were done in the period and for whom it is meant?",
)
