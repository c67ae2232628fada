"""Seconds for documents that are one line, of 20,000 and 80,000 characters.

    PYTHONPATH=bench python -m masking.long_lines

A ratio of 4 is linear, of 16 quadratic. Best of three.
"""

import time

from evenhand.resumes.mask import MaskOptions, mask_text
from evenhand.resumes.spans import OPTIONAL

UNITS = (
    "Ran Kafka clusters and SQL jobs. ",
    "Led by Ann Roe in 2015. ",
    "Team: Ann, Bo, ",
    "Name: Ann Roe Mail: x ",
    "BSc, Leeds, 2010; ",
    "| Name | Ann ",
    "0123456789",
)


def seconds(unit: str, size: int) -> float:
    text = "Ngozi Okafor led. " + (unit * (size // len(unit) + 1))[:size]
    options = MaskOptions(optional=frozenset(OPTIONAL))
    taken = []
    for _ in range(3):
        start = time.process_time()
        mask_text(text, options=options)
        taken.append(time.process_time() - start)
    return min(taken)


def main() -> None:
    seconds(UNITS[0], 100)
    for unit in UNITS:
        short, long = seconds(unit, 20_000), seconds(unit, 80_000)
        print(f"{unit!r}: {short:.3f} s, {long:.3f} s, ratio {long / short:.1f}")


if __name__ == "__main__":
    main()
