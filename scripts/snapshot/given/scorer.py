def score(pairs):
    return [50 + len(text) % 7 - 9 * ("Ann" in text) + len(job) % 5 for text, job in pairs]
