"""Prices from the user's file, and a budget that holds whatever comes back."""

import numpy as np
import orjson
import pytest
from _virtual_time import TimedModel, VirtualTime
from hypothesis import given
from hypothesis import strategies as st

from evenhand.errors import InputError
from evenhand.models.collecting import Settings, collect
from evenhand.models.cost import Budget, TokenCount, journaled_usage, read_prices
from evenhand.models.journal import Journal
from evenhand.models.limits import CostTracker
from evenhand.models.model import Answer, Generation, Request
from evenhand.results.audit import Price

PRICES = """
currency = "USD"

[models."gpt-4o-mini"]
input = 0.15
output = 0.60
batch_discount = 0.5

[models."gpt-4o*"]
input = 2.5
output = 10

[models."gpt-*"]
input = 30
output = 60
currency = "EUR"

[models."openai:local"]
input = 0
output = 0
"""

# A token in and a token out cost 1 each.
UNIT = Price(input=1e6, output=1e6, currency="USD")


@pytest.fixture
def prices(tmp_path):
    def write(text):
        path = tmp_path / "prices.toml"
        path.write_text(text, encoding="utf-8")
        return read_prices(path)

    return write


@pytest.mark.parametrize(
    ("model", "output", "currency"),
    [
        ("openai:gpt-4o-mini", 0.60, "USD"),
        ("openai:gpt-4o", 10, "USD"),
        ("openai:gpt-3.5-turbo", 60, "EUR"),
        ("openai:local", 0, "USD"),
    ],
)
def test_a_name_goes_before_patterns_and_a_longer_pattern_before_a_shorter(prices, model, output, currency):
    price = prices(PRICES).of(model)
    assert (price.output, price.currency) == (output, currency)


def test_a_model_without_a_price_has_none_and_the_reason_offers_the_nearest(prices):
    found = prices('[models."claude-haiku"]\ninput = 1\noutput = 5\n')
    assert found.of("anthropic:claude-haiko") is None
    assert found.reason("anthropic:claude-haiko") == (
        "prices.toml has no price for anthropic:claude-haiko. Did you mean claude-haiku?"
    )


def test_cost_is_per_million_and_batches_are_discounted(prices):
    price = prices(PRICES).of("openai:gpt-4o-mini")
    # 2 million in at .15 and half a million out at .60.
    assert price.cost(2_000_000, 500_000) == pytest.approx(0.60)
    assert price.cost(2_000_000, 500_000, batch=True) == pytest.approx(0.30)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("models = ", "is not valid TOML"),
        ("", "holds no prices"),
        ("[prices.m]\ninput = 1\n", "unknown key 'prices'"),
        ("[models.m]\ninput = 1\n", "has no output"),
        ("[models.m]\ninput = 1\noutput = 2\ncached = 3\n", "unknown key 'cached'"),
        ('[models.m]\ninput = "1"\noutput = 2\n', "input is '1'; expected a number from 0"),
        ("[models.m]\ninput = -1\noutput = 2\n", "input is -1"),
        ("[models.m]\ninput = nan\noutput = 2\n", "input is nan"),
        ("[models.m]\ninput = true\noutput = 2\n", "input is True"),
        (f"[models.m]\ninput = 1{'0' * 400}\noutput = 2\n", "input is 1000"),
        ("[models.m]\ninput = 1\noutput = 2\nbatch_discount = 50\n", "from 0 to 1"),
        ("[models.gpt-4.1]\ninput = 1\noutput = 2\n", "in quotes"),
        ("models.m = 3\n", "is 3; expected"),
        ("currency = 5\n[models.m]\ninput = 1\noutput = 2\n", "currency is 5"),
    ],
)
def test_what_is_no_price_is_said_in_one_line(prices, text, said):
    with pytest.raises(InputError) as caught:
        prices(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.toml can't be read: No such file"):
        read_prices(tmp_path / "none.toml")


def test_the_journal_counts_every_line_that_was_answered(tmp_path, line):
    with Journal(tmp_path) as journal:
        journal.append(line(1, input_tokens=10, output_tokens=5))
        journal.append(line(1, input_tokens=10, output_tokens=7))  # asked again: paid twice
        journal.append(line(2, text=None, input_tokens=None, output_tokens=None, error_class="rejected"))
        journal.append(line(3, text="four", input_tokens=None, output_tokens=None))
    used = journaled_usage(tmp_path)
    assert (used.input_tokens, used.output_tokens, used.answers, used.uncounted) == (20, 12, 3, 1)
    # The uncounted answer: 30 tokens of prompt as told, and 4 characters at 4.5 a token.
    assert used.cost(UNIT, prompt=30) == pytest.approx(20 + 12 + 30 + 4 / 4.5)


def test_only_what_came_in_batches_is_discounted(tmp_path, line):
    with Journal(tmp_path) as journal:
        journal.append(line(1, input_tokens=10, output_tokens=5))
        journal.append(line(2, input_tokens=20, output_tokens=7, latency=None))
        journal.append(line(3, text="four", input_tokens=None, output_tokens=None, latency=None))
    price = Price(input=1e6, output=1e6, batch_discount=0.25)
    used = journaled_usage(tmp_path)
    assert (used.answers, used.batched.answers) == (3, 2)
    assert used.cost(price, prompt=30) == pytest.approx(15 + 0.75 * (27 + 30 + 4 / 4.5))


@pytest.fixture
def paid(tmp_path, plan):
    """Return a function that collects under a budget in virtual time."""

    async def run(n, limit, *, max_tokens=None, concurrency=8, spent=0.0, start=0, **model):
        time = VirtualTime()
        chat = TimedModel(time, **model)
        budget = Budget(UNIT, limit, spent=spent)
        meter = CostTracker(budget=budget)
        chunks = plan(range(start, n), generation=Generation(max_tokens=max_tokens))
        async with time.passing():
            with Journal(tmp_path) as journal:
                done = await collect(
                    chat,
                    chunks,
                    journal,
                    Settings(concurrency=concurrency, meter=meter, clock=time.clock, sleep=time.sleep),
                    answered=journal.answered(),
                )
        return chat, done, budget

    return run


async def test_a_budget_that_suffices_is_not_noticed(paid):
    _, done, budget = await paid(20, 1e9, max_tokens=50)
    assert (done.stopped, done.answered) == (None, 20)
    assert budget.spent == 20 * 150


@pytest.mark.parametrize("concurrency", [1, 4, 64])
@pytest.mark.parametrize("limit", [100, 1000, 1234.5, 5000])
async def test_no_request_is_sent_that_could_exceed_the_budget(paid, tmp_path, limit, concurrency):
    # A prompt of 5 characters is bounded by 69 tokens; here it has 40, and the answer as many as it may.
    chat, done, budget = await paid(1000, limit, max_tokens=50, concurrency=concurrency, usage=(40, 50))
    assert done.stopped == "max-cost"
    assert budget.spent == 90 * len(chat.sent) == 90 * done.answered <= limit
    used = journaled_usage(tmp_path)
    assert used.input_tokens + used.output_tokens == budget.spent
    # Nothing more than one bound is left over.
    assert limit - budget.spent < 69 + 50 + 90
    assert str(f"{limit:g}") in done.message


async def test_requests_in_flight_wait_for_what_the_others_leave(paid):
    # Bounds of 119 let 8 be in flight under 1,000; answers of 1 token leave room for many more.
    chat, done, budget = await paid(1000, 1000, max_tokens=50, concurrency=64, usage=(5, 1))
    assert chat.most_at_once <= 1000 / 55
    assert budget.spent <= 1000
    assert done.answered > 100


async def test_without_max_tokens_the_first_answer_is_awaited_alone(paid):
    chat, done, budget = await paid(1000, 5000, concurrency=16, usage=(40, 50))
    first, second = chat.sent[0][0], chat.sent[1][0]
    assert second - first >= chat.latency
    assert budget.spent <= 5000
    assert done.stopped == "max-cost"


async def test_what_was_spent_before_counts(paid):
    chat, done, budget = await paid(100, 1000, max_tokens=50, usage=(40, 50), spent=990)
    assert (chat.sent, done.stopped, budget.spent) == ([], "max-cost", 990)


async def test_a_try_that_may_have_been_billed_counts_at_its_bound(paid):
    # Bounds are 69 + 50: the first five time out, and 595 of 1,000 may be gone.
    _, done, budget = await paid(100, 1000, max_tokens=50, concurrency=1, usage=(40, 50), faults=["timeout"] * 5)
    assert budget.uncertain == 5 * 119
    assert budget.spent + budget.uncertain <= 1000
    assert done.stopped == "max-cost"
    assert "tries without an answer" in done.message


async def test_without_a_limit_tries_without_an_answer_are_counted_and_nothing_waits(paid):
    faults = ["timeout"] * 3 + ["too_large", "rate_limit"]
    chat, done, budget = await paid(40, float("inf"), max_tokens=50, usage=(40, 50), faults=faults)
    assert (done.stopped, done.answered) == (None, 40)
    # The first five prompts, of 69 and 50 tokens at most, before any usage was seen; a busy server bills nothing.
    assert (budget.uncertain, budget.spent) == (4 * 119, 40 * 90)
    # Without a limit, and without --max-tokens, the first answer isn't awaited alone.
    chat, _, _ = await paid(80, float("inf"), start=40, usage=(40, 50))
    assert chat.most_at_once == 8


async def test_a_busy_server_bills_nothing(paid):
    _, done, budget = await paid(5, 1000, max_tokens=50, usage=(40, 50), faults=["rate_limit"] * 5)
    assert (done.stopped, budget.uncertain, budget.spent) == (None, 0.0, 450)


async def test_the_stopped_run_goes_on_where_it_was(paid, tmp_path):
    _, first, budget = await paid(30, 1000, max_tokens=50, usage=(40, 50))
    _, second, rest = await paid(30, 10_000, max_tokens=50, usage=(40, 50), spent=budget.spent)
    assert first.answered + second.answered == 30
    assert (second.stopped, rest.spent) == (None, 30 * 90)
    assert journaled_usage(tmp_path).answers == 30


def request(text, max_tokens=None):
    return Request(
        id="0" * 16,
        stimulus={},
        attempt=0,
        messages=[{"role": "user", "content": text}],
        generation=Generation(max_tokens=max_tokens),
        seed=None,
    )


@given(text=st.text(max_size=300), used=st.integers(1, 400), made=st.integers(0, 5000))
def test_bounds_lie_above_what_is_expected(text, used, made):
    tokens = TokenCount()
    assert sum(tokens.bounds(request(text))) >= tokens.expected(request(text))
    tokens.add(request(text), Answer(text="", input_tokens=used, output_tokens=made))
    assert tokens.bounds(request(text))[1] >= made
    assert tokens.bounds(request(text, max_tokens=7))[1] == 7


def test_usage_that_a_server_leaves_out_is_estimated():
    tokens = TokenCount()
    assert tokens.add(request("x" * 45), Answer(text="y" * 90)) == (18.0, 20.0)


def test_the_journal_of_a_killed_run_counts_whole_lines(tmp_path, line):
    with Journal(tmp_path) as journal:
        journal.append(line(1, input_tokens=10, output_tokens=5))
    file = tmp_path / "answers-000.jsonl"
    file.write_bytes(file.read_bytes() + orjson.dumps({"id": "1"})[:-3])
    assert journaled_usage(tmp_path).input_tokens == 10


def test_an_empty_folder_has_used_nothing(tmp_path):
    assert np.sum([journaled_usage(tmp_path).cost(UNIT, prompt=9)]) == 0
