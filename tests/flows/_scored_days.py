"""What a scorer judged on sixty days; from the fortieth on it scores women lower."""

import random
from datetime import UTC, datetime, timedelta

FIRST = datetime(2026, 1, 5, 8, tzinfo=UTC)


def scored_days(*, days=60, people=80, step=0.09, seed=4):
    """Return the rows as CSV: time, department, gender, score, invited."""
    drawn = random.Random(seed)
    lines = ["decided_at,department,gender,score,invited"]
    for day in range(days):
        for place in range(people):
            gender = "woman" if place % 2 else "man"
            score = min(max(drawn.gauss(0.55, 0.12) - (step if place % 2 and day >= 40 else 0), 0), 1)
            at = FIRST + timedelta(days=day, minutes=6 * place)
            department = ("north", "south")[place // 2 % 2]
            lines.append(f"{at.isoformat()},{department},{gender},{score:.3f},{'yes' if score > 0.6 else 'no'}")
    return "".join(f"{line}\n" for line in lines)
