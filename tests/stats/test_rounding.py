"""Numbers as whole codes: one at a time has the code that it has in an array."""

import numpy as np

from evenhand.stats.rounding import LEAST, kept_code, kept_codes


def test_one_number_has_the_code_that_it_has_in_an_array():
    rng = np.random.default_rng(2)
    numbers = np.concatenate([10 ** rng.uniform(-14, 11.9, 2_000), LEAST, LEAST * (1 - 1e-16), [0.0, 0.00005, 1.0]])
    numbers = np.concatenate([numbers, -numbers])
    assert [kept_code(float(number)) for number in numbers] == kept_codes(numbers).tolist()
