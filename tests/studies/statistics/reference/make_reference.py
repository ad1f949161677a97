#!/usr/bin/python3
"""Makes samples.txt and scipy.txt: samples, and what SciPy says of them.

    /usr/bin/python3 make_reference.py       (Debian 12: python3-scipy, 1.10.1)

Each line: a name, a tabulator, numbers that read back to the bit.
"""
import math
import os

import numpy as np
import scipy
from scipy import optimize, stats

here = os.path.dirname(os.path.abspath(__file__))
random = np.random.default_rng(20090731)


def line(name, numbers):
    return name + "\t" + " ".join(repr(float(x)) for x in np.atleast_1d(numbers)) + "\n"


samples = {
    "d5": np.round(random.normal(0.7, 1.0, 5), 4),
    "d12": np.round(random.normal(0.4, 1.0, 12), 4),
    "d24": np.round(random.normal(-0.9, 2.0, 24), 4),
    "d47": np.round(random.normal(-400.0, 300.0, 47), 3),
    "offset": np.round(1e6 + random.normal(0.0, 1e-2, 20), 6),
    "skewed30": np.round(random.exponential(60.0, 30), 3),
    "n3": np.array([1.0, 2.5, 2.9]),
    "n11": np.round(random.normal(0.0, 1.0, 11), 4),
    "n50": np.round(random.normal(5.0, 3.0, 50), 4),
    "n200": np.round(random.standard_t(3, 200), 4),
    "likert9": np.array([1, 0, 2, -1, 0, 1, 1, 3, -2], float),
    "likert240": random.integers(-2, 4, 240).astype(float),
    "g1": np.round(random.normal(5.0, 3.7, 39), 3),
    "g2": np.round(random.normal(9.0, 5.8, 8), 3),
    "g3": np.round(random.normal(6.0, 4.0, 15), 3),
    "kinds": np.array([31, 12, 18, 15, 22, 9], float),
    "row1": np.array([31, 12, 18, 15], float),
    "row2": np.array([20, 25, 11, 3], float),
    "row3": np.array([7, 14, 16, 30], float),
}
with open(os.path.join(here, "samples.txt"), "w") as file:
    for name, values in samples.items():
        file.write(line(name, values))

out = []


def add(name, *numbers):
    out.append(line(name, numbers))


for name in ("d5", "d12", "d24", "d47", "offset"):
    d = samples[name]
    test = stats.ttest_1samp(d, 0.0)
    interval = test.confidence_interval(0.95)
    add("t1." + name, test.statistic, test.df, test.pvalue, interval.low, interval.high)

for a, b in (("g1", "g2"), ("g2", "g3"), ("d12", "d24")):
    for kind, equal in (("pooled", True), ("welch", False)):
        test = stats.ttest_ind(samples[b], samples[a], equal_var=equal)
        add(f"t2.{kind}.{a}.{b}", test.statistic, test.pvalue)

for name, low, high in (("d5", -2.0, 2.0), ("d12", -1.0, 1.0), ("d24", -2.0, 1.5)):
    d = samples[name]
    above = stats.ttest_1samp(d, low, alternative="greater").pvalue
    below = stats.ttest_1samp(d, high, alternative="less").pvalue
    # intervals are R's: this SciPy's quantile of four degrees is off by 2e-9
    add("tost." + name, low, high, above, below)

for name in ("d5", "d12", "d24"):
    test = stats.wilcoxon(samples[name], mode="exact")
    add("signedrank." + name, test.pvalue)
test = stats.wilcoxon(samples["likert240"], zero_method="pratt", correction=False, mode="approx")
add("signedrank.likert240", test.pvalue)

for names in (("g1", "g2"), ("g1", "g2", "g3")):
    test = stats.f_oneway(*(samples[n] for n in names))
    add("anova." + ".".join(names), test.statistic, test.pvalue)

test = stats.chisquare(samples["kinds"])
add("chisquare.kinds", test.statistic, test.pvalue)
test = stats.chi2_contingency([samples["row1"], samples["row2"], samples["row3"]], correction=False)
add("chisquare.rows", test[0], test[1], test[2], stats.contingency.association(
    np.array([samples["row1"], samples["row2"], samples["row3"]], int), method="cramer"))

for name in ("d5", "d12"):
    # all signs, of SciPy's own exact permutation test
    test = stats.permutation_test((samples[name],), np.mean, permutation_type="samples",
                                  n_resamples=np.inf)
    add("signflip." + name, test.statistic, test.pvalue)

for name in ("d5", "d12", "d24", "d47"):
    d = samples[name]
    n, m = len(d), len(d) - 1
    t = stats.ttest_1samp(d, 0.0).statistic
    dz = t / math.sqrt(n)
    corrected = dz * math.exp(math.lgamma(m / 2) - math.lgamma((m - 1) / 2)) / math.sqrt(m / 2)
    ends = [optimize.brentq(lambda s: stats.nct.sf(t, m, s) - chance, t - 12, t + 12,
                            xtol=1e-14, rtol=1e-14) for chance in (0.025, 0.975)]
    add("dz." + name, dz, corrected, ends[0] / math.sqrt(n), ends[1] / math.sqrt(n))

for name in ("d47", "skewed30"):
    values = samples[name]
    add("moments." + name, values.mean(), values.std(ddof=1), *np.quantile(values, [0, .25, .5, .75, 1]))

p = [0.01, 0.04, 0.03, 0.005, 0.2, 0.03]
add("holm.in", *p)
# no holm in SciPy 1.10; of its definition: the largest of (m - k) p_(k) so far
order = np.argsort(p, kind="stable")
adjusted, largest = np.zeros(len(p)), 0.0
for k, i in enumerate(order):
    largest = max(largest, min(1.0, (len(p) - k) * p[i]))
    adjusted[i] = largest
add("holm.out", *adjusted)

with open(os.path.join(here, "scipy.txt"), "w") as file:
    file.write("# SciPy " + scipy.__version__ + "\n")
    file.writelines(out)
