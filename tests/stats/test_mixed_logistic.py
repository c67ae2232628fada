"""The mixed logistic model against lme4, statsmodels, a dense computation, closed forms and simulated truth."""

import sys
import warnings

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.special import expit, logit

from evenhand.stats.logistic import clustered_logistic
from evenhand.stats.mixed_logistic import CrossedTable, RestrictedSearch, laplace_mode, mixed_logistic

# Contagious bovine pleuropneumonia, new cases of animals per herd (rows) and period (columns); Lesnoff et al.
# (2004), as lme4's data set cbpp. A herd that was not seen in a period has 0 of 0.
CASES = """2 3 4 0 | 3 1 1 - | 8 2 0 2 | 2 0 2 0 | 5 0 0 1 | 3 0 0 1 | 8 1 3 0 | 12 - - -
| 2 0 0 0 | 1 1 0 2 | 0 5 3 1 | 2 1 0 0 | 1 2 0 0 | 11 0 0 0 | 1 1 1 0"""
ANIMALS = """14 12 9 5 | 22 18 21 - | 22 16 16 20 | 10 10 9 6 | 18 25 24 4 | 17 17 18 20 | 16 10 9 5 | 34 - - -
| 9 6 8 6 | 22 22 18 22 | 25 27 22 22 | 10 8 6 5 | 21 24 19 23 | 19 2 3 2 | 19 15 15 15"""


def herds(text):
    return np.array([[0.0 if cell == "-" else float(cell) for cell in row.split()] for row in text.split("|")])


def simulated(rng, *, groups=6, names=10, roles=10, n=4, name_sd=0.5, role_sd=0.8, effects=0.0, uneven=0.0):
    """Return cells of people whose log odds are known."""
    group = np.repeat(np.arange(groups), names)
    own = np.broadcast_to(effects, groups)[group] + rng.normal(0, name_sd, group.size)
    odds = own[:, None] + rng.normal(0, role_sd, roles) + rng.normal(0, uneven, (group.size, roles)) - 0.3
    name, role = np.indices(odds.shape)
    trials = np.full(odds.shape, n)
    accepted = rng.binomial(trials, expit(odds))
    return {
        "accepted": accepted.ravel(),
        "n": trials.ravel(),
        "group": group[name.ravel()],
        "name": name.ravel(),
        "role": role.ravel(),
    }


def ratios(fit):
    return np.array([each.odds_ratio for each in fit.groups])


def test_likelihood_is_that_of_lme4():
    # glmer(cbind(incidence, size - incidence) ~ period + (1 | herd), cbpp, binomial), lme4's own example; logLik as
    # printed for the 842 animals as rows, which leaves the binomial coefficients out as we do.
    cases, animals = herds(CASES), herds(ANIMALS)
    periods = np.concatenate([np.ones((4, 1)), np.eye(4)[:, 1:]], axis=1)

    def minus(values):
        table = CrossedTable(
            successes=cases,
            trials=animals,
            design=np.zeros((15, 0)),
            one_way=True,
            offset=np.broadcast_to(periods @ values[:4], (15, 4)),
        )
        return -laplace_mode(table, (values[4], 0.0)).laplace

    found = optimize.minimize(minus, [-1.0, -1.0, -1.0, -1.0, 0.5], method="BFGS", options={"gtol": 1e-5})
    assert found.x == pytest.approx([-1.3983, -0.9919, -1.1282, -1.5797, 0.6421], abs=1.5e-3)
    assert -found.fun == pytest.approx(-277.5, abs=0.05)


def dense(data, sds):
    """Return design and negative Hessian of the whole model, written down without elimination."""
    groups, names, roles = (np.eye(int(data[key].max()) + 1)[data[key]] for key in ("group", "name", "role"))
    whole = np.concatenate([groups, sds[0] * names, sds[1] * roles], axis=1)
    prior = np.diag(np.repeat([0.0, 1.0, 1.0], [groups.shape[1], names.shape[1], roles.shape[1]]))
    return whole, prior


def table_of(data):
    shape = (int(data["name"].max()) + 1, int(data["role"].max()) + 1)
    group = data["group"].reshape(shape)[:, 0]
    return CrossedTable(
        successes=data["accepted"].reshape(shape).astype(float),
        trials=data["n"].reshape(shape).astype(float),
        design=np.eye(int(group.max()) + 1)[group],
    )


def test_mode_determinant_and_covariance_are_those_of_the_whole_matrix():
    data = simulated(np.random.default_rng(0), groups=3, names=6, roles=5)
    sds = (0.4, 0.7)
    whole, prior = dense(data, sds)
    mode = laplace_mode(table_of(data), sds)
    effects = np.concatenate([mode.point.fixed, mode.point.first, mode.point.second])
    mean = expit(whole @ effects)
    assert whole.T @ (data["accepted"] - data["n"] * mean) - prior @ effects == pytest.approx(0.0, abs=1e-8)
    hessian = whole.T @ (whole * (data["n"] * mean * (1 - mean))[:, None]) + prior
    assert mode.log_determinant == pytest.approx(np.linalg.slogdet(hessian)[1], abs=1e-5)
    assert mode.covariance == pytest.approx(np.linalg.inv(hessian)[:3, :3], rel=1e-5)


def rows_for_statsmodels(data):
    """Return 0/1 rows, the only form that statsmodels' mixed model takes."""
    each = {key: np.repeat(data[key], data["n"]) for key in ("group", "name", "role")}
    pairs = zip(data["accepted"], data["n"], strict=True)
    won = np.concatenate([np.arange(n) < accepted for accepted, n in pairs]).astype(float)
    names, roles = (np.eye(int(each[key].max()) + 1)[each[key]] for key in ("name", "role"))
    ident = np.repeat([0, 1], [names.shape[1], roles.shape[1]])
    return won, np.eye(int(each["group"].max()) + 1)[each["group"]], np.concatenate([names, roles], axis=1), ident


def test_mode_is_that_of_statsmodels_and_its_variational_intervals_are_far_too_narrow():
    from statsmodels.genmod.bayes_mixed_glm import BinomialBayesMixedGLM

    data = simulated(np.random.default_rng(2), groups=3, names=6, roles=6, n=6)
    fit = mixed_logistic(**data)
    sds = (fit.names.sd, fit.roles.sd)
    mode = laplace_mode(table_of(data), sds)
    model = BinomialBayesMixedGLM(*rows_for_statsmodels(data), vcp_p=0.5, fe_p=1e4)
    # Independent code, same density: its gradient vanishes in all effects at our mode.
    ours = np.concatenate([mode.point.fixed, np.log(sds), sds[0] * mode.point.first, sds[1] * mode.point.second])
    gradient = model.logposterior_grad(ours)
    assert np.delete(gradient, [3, 4]) == pytest.approx(0.0, abs=1e-5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        variational = model.fit_vb(mean=np.zeros(ours.size), sd=np.full(ours.size, 0.5))
    effects = variational.fe_mean - variational.fe_mean.mean()
    assert effects == pytest.approx(np.log(ratios(fit)), abs=0.04)
    assert np.exp(variational.vcp_mean[0]) == pytest.approx(fit.names.sd, rel=0.15)
    # Independent normal factors: the variance of a group without that of its names.
    assert variational.fe_sd.max() < 0.6 * np.sqrt(np.diag(mode.covariance)).min()


def test_with_endless_decisions_it_is_the_analysis_of_variance_of_the_names():
    # With 10^8 decisions each a name's log odds are known; then REML's variance is the pooled one within groups.
    rng = np.random.default_rng(3)
    effects = np.repeat([0.4, 0.0, -0.2], 8) + rng.normal(0, 0.3, 24)
    n = np.full(24, 10**8)
    accepted = np.round(n * expit(effects))
    fit = mixed_logistic(accepted, n, group=np.repeat([0, 1, 2], 8), name=np.arange(24), role=np.zeros(24, int))
    known = logit(accepted / n).reshape(3, 8)
    sd = np.sqrt(known.var(axis=1, ddof=1).mean())
    deviation = known.mean(axis=1) - known.mean()
    half = stats.t.ppf(0.975, 21) * sd * np.sqrt(2 / 3 / 8)
    assert fit.names.sd == pytest.approx(sd, rel=2e-3)
    assert np.log(ratios(fit)) == pytest.approx(deviation, abs=2e-3)
    assert [np.log(each.high) for each in fit.groups] == pytest.approx(deviation + half, abs=3e-3)
    # Under normal effects the F test is that of one-way analysis of variance.
    assert fit.alike_p == pytest.approx(stats.f_oneway(*known).pvalue, rel=0.03)
    # df · s²/σ² is chi-square, and the likelihood ratio's interval is close to that.
    assert fit.names.low == pytest.approx(sd * np.sqrt(21 / stats.chi2.ppf(0.975, 21)), rel=0.05)
    assert fit.names.high == pytest.approx(sd * np.sqrt(21 / stats.chi2.ppf(0.025, 21)), rel=0.05)


def test_profile_limits_are_where_the_likelihood_has_fallen_by_the_quantile():
    # Second route: the other SD refitted by a bounded search instead of parabolas.
    table = table_of(simulated(np.random.default_rng(4), groups=2, names=8, roles=6))
    search = RestrictedSearch(table=table)
    logs = search.best()
    for end in search.profile(logs, 0, z=1.96):
        refitted = optimize.minimize_scalar(
            lambda z, end=end: search.minus((float(np.log(end)), z)), bounds=(-3.0, 2.0), method="bounded"
        )
        assert 2 * (refitted.fun - search.minus(logs)) == pytest.approx(1.96**2, abs=0.03)


def test_rejections_give_the_inverse_ratios():
    data = simulated(np.random.default_rng(5))
    turned = {**data, "accepted": data["n"] - data["accepted"]}
    one, other = mixed_logistic(**data), mixed_logistic(**turned)
    assert ratios(one) * ratios(other) == pytest.approx(1.0, abs=1e-3)
    assert one.names.sd == pytest.approx(other.names.sd, rel=1e-2)


def test_order_of_rows_and_split_cells_make_no_difference():
    data = simulated(np.random.default_rng(6))
    rng = np.random.default_rng(0)
    halves = {key: np.concatenate([values, values]) for key, values in data.items()}
    halves["n"] = np.concatenate([data["accepted"], data["n"] - data["accepted"]])
    halves["accepted"] = np.concatenate([data["accepted"], np.zeros_like(data["accepted"])])
    order = rng.permutation(halves["n"].size)
    shuffled = {key: values[order] for key, values in halves.items()}
    assert ratios(mixed_logistic(**shuffled)) == pytest.approx(ratios(mixed_logistic(**data)), rel=1e-9)


def cells(accepted, *, groups=2, names=6, roles=4, n=10):
    """Return cells where `accepted(group, name, role)` of n were accepted."""
    name, role = np.indices((groups * names, roles)).reshape(2, -1)
    group = name // names
    counts = np.array([accepted(*each) for each in zip(group, name, role, strict=True)])
    return {"accepted": counts, "n": np.full(counts.size, n), "group": group, "name": name, "role": role}


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (cells(lambda *_: 10), "All decisions are the same"),
        (cells(lambda *_: 0), "All decisions are the same"),
        (cells(lambda group, *_: 10 if group else 5), "one group are the same"),
        (cells(lambda *_: 5, groups=1), "needs two of them"),
        (cells(lambda *_: 5, names=4), "A group has 4 names"),
        (cells(lambda _, name, __: 10 if name % 2 else 0), "variance is not finite"),
        (cells(lambda _, __, role: 10 if role % 2 else 0), "variance is not finite"),
        (cells(lambda *_: 0, n=0), "needs two of them"),
    ],
)
def test_what_cannot_be_fitted_is_null_with_a_reason(data, told):
    fit = mixed_logistic(**data)
    assert told in fit.reason
    assert (fit.groups, fit.names.sd, fit.roles.sd, fit.alike_p) == ((), None, None, None)
    assert fit.names.reason is not None


def test_five_names_each_are_enough():
    assert mixed_logistic(**cells(lambda group, name, role: 4 + (group + name + role) % 3, names=5)).reason is None


def test_one_role_leaves_its_random_intercept_out():
    fit = mixed_logistic(**cells(lambda group, name, _: 4 + group + name % 2, roles=1))
    assert fit.reason is None
    assert fit.roles.sd is None
    assert "one role only" in fit.roles.reason


def test_decisions_as_even_as_can_be_have_intervals_with_a_width():
    fit = mixed_logistic(**cells(lambda *_: 5))
    assert fit.names.sd == 0.0
    assert fit.names.high > 0.05
    assert max(each.low for each in fit.groups) < 0.95
    assert min(each.high for each in fit.groups) > 1.05


def test_unmet_pairs_of_name_and_role_are_allowed():
    data = simulated(np.random.default_rng(7))
    met = np.random.default_rng(0).random(data["n"].size) < 0.5
    fit = mixed_logistic(**{key: values[met] for key, values in data.items()})
    assert fit.reason is None
    assert fit.cells == met.sum()


def test_dispersion_shows_that_names_fare_differently_in_different_roles():
    even = mixed_logistic(**simulated(np.random.default_rng(8), n=30))
    uneven = mixed_logistic(**simulated(np.random.default_rng(8), n=30, uneven=0.6))
    assert even.dispersion < 1.2
    assert uneven.dispersion > 1.5


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"accepted": [2, 3]}, "0 <= accepted <= n"),
        ({"accepted": [-1, 0]}, "0 <= accepted <= n"),
        ({"name": [0, 0]}, "belong to one group"),
        ({"confidence": 95}, "confidence"),
    ],
)
def test_wrong_input_is_refused(change, told):
    data = {"accepted": [1, 1], "n": [2, 2], "group": [0, 1], "name": [0, 1], "role": [0, 0]}
    with pytest.raises(ValueError, match=told):
        mixed_logistic(**(data | change))


def test_the_size_of_the_study_recovers_what_was_put_in():
    # 300 names × 41 roles × 60 e-mails; the SDs of 300 and 41 draws lie within 4 standard errors.
    effects = np.array([0.2, -0.1, 0.0, 0.0, -0.1, 0.0])
    data = simulated(np.random.default_rng(1), names=50, roles=41, n=60, name_sd=0.3, effects=effects)
    fit = mixed_logistic(**data)
    assert fit.cells == 12_300
    assert fit.n == 738_000
    assert fit.names.sd == pytest.approx(0.3, abs=4 * 0.3 / np.sqrt(2 * 294))
    assert fit.roles.sd == pytest.approx(0.8, abs=4 * 0.8 / np.sqrt(2 * 40))
    assert np.log(ratios(fit)) == pytest.approx(effects, abs=4 * 0.3 / np.sqrt(50))
    beside = clustered_logistic(**data)
    assert beside.odds_ratio == pytest.approx(ratios(fit), rel=0.01)
    assert beside.low == pytest.approx([each.low for each in fit.groups], rel=0.03)


def test_without_random_effects_two_groups_are_the_two_by_two_table():
    # 30 of 60 against 15 of 60: odds 1 and 1/3.
    data = cells(lambda group, name, _: (5 + name % 2 if group else 3) - (name % 2), roles=1)
    data["accepted"] = np.where(data["group"] == 0, [4, 6, 5, 5, 7, 3] * 2, [2, 3, 1, 4, 2, 3] * 2)
    found = clustered_logistic(**data)
    assert found.odds_ratio == pytest.approx([np.sqrt(3), 1 / np.sqrt(3)], rel=1e-8)
    assert (found.low < found.odds_ratio).all()
    assert (found.odds_ratio < found.high).all()


def test_regression_beside_is_that_of_statsmodels_with_its_clustered_errors():
    import statsmodels.api as sm

    data = simulated(np.random.default_rng(9))
    design = np.concatenate(
        [data["group"][:, None] == np.arange(6), data["role"][:, None] == np.arange(1, 10)], axis=1
    ).astype(float)
    counts = np.stack([data["accepted"], data["n"] - data["accepted"]], axis=1)
    fitted = sm.GLM(counts, design, family=sm.families.Binomial()).fit(
        cov_type="cluster", cov_kwds={"groups": data["name"]}
    )
    contrast = np.eye(6) - 1 / 6
    effects = contrast @ fitted.params[:6]
    # Their factor for the number of coefficients, (N - 1)/(N - K), is not ours.
    errors = np.sqrt(np.diag(contrast @ fitted.cov_params()[:6, :6] @ contrast) * (600 - 15) / 599)
    found = clustered_logistic(**data)
    assert np.log(found.odds_ratio) == pytest.approx(effects, abs=1e-6)
    assert np.log(found.high) == pytest.approx(effects + stats.t.ppf(0.975, 54) * errors, abs=1e-6)


def test_a_group_with_one_outcome_has_no_regression():
    found = clustered_logistic(**cells(lambda group, name, _: 10 if group else 4 + name % 2))
    assert found.odds_ratio.size == 0
    assert "one outcome" in found.reason


def test_the_regression_beside_needs_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "statsmodels", None)
    monkeypatch.setitem(sys.modules, "statsmodels.api", None)
    with pytest.raises(ImportError):
        clustered_logistic(**cells(lambda _, name, __: 4 + name % 2))


@pytest.mark.slow
@pytest.mark.parametrize(
    "design",
    [
        {"name_sd": 0.5},
        {"name_sd": 0.0},
        {"groups": 2, "names": 5, "roles": 7, "n": 20},
        {"names": 20, "roles": 2, "n": 2, "name_sd": 0.7, "role_sd": 0.5},
        {"roles": 1, "n": 20, "role_sd": 0.0},
        {"n": 20, "name_sd": 0.2, "uneven": 0.7},
    ],
)
def test_95_percent_intervals_of_groups_cover_their_truth(design):
    rng = np.random.default_rng(5)
    effects = np.linspace(-0.3, 0.3, design.get("groups", 6))
    covered = []
    for _ in range(400):
        fit = mixed_logistic(**simulated(rng, **design, effects=effects))
        assert fit.reason is None
        truth = np.exp(effects - effects.mean())
        covered.append(np.mean([each.low <= true <= each.high for each, true in zip(fit.groups, truth, strict=True)]))
    assert 0.925 <= np.mean(covered) <= 0.975
