"""An example of each mechanism for the site: code that makes it, and two neighbours.

The code is run when the site is built, and shown as it is. It defines `mechanism`, and `x` and `y`,
which are neighbours. All that the page says beside it comes from the mechanism and its docstring.
"""

from __future__ import annotations

from typing import NamedTuple


class Example(NamedTuple):
    """What a mechanism answers, the noise in its answer, and code that makes one."""

    answers: str
    noise: str
    code: str

    def run(self) -> dict:
        """Return the names that the code defines."""
        names: dict = {}
        exec(self.code, names)
        return names


VOTES = """
def votes(data):
    return [data.count(candidate) for candidate in "abc"]

x, y = "aaabbc", "aabbbc"
"""
BITS = "x, y = [1, 1, 0], [1, 0, 0]\n"
RESPONSE = "response = RandomizedResponse(epsilon=0.5)\n"
ROWS = """
x = [[0.5, 0.5, 1.0]] + 19 * [[0.2, -0.4, -1.0]]
y = [[0.5, 0.5, -1.0]] + 19 * [[0.2, -0.4, -1.0]]
"""

NUMBERS = {
    "LaplaceMechanism": Example(
        "a number or a vector",
        "Laplace",
        "from dplab import LaplaceMechanism\n\n"
        + BITS
        + "mechanism = LaplaceMechanism(sum, sensitivity=1, epsilon=0.5)",
    ),
    "GaussianMechanism": Example(
        "a number or a vector",
        "normal",
        "from dplab import GaussianMechanism\n\n"
        + BITS
        + "mechanism = GaussianMechanism(sum, sensitivity=1, sigma=2)",
    ),
    "GeometricMechanism": Example(
        "whole numbers, or multiples of a grid",
        "discrete Laplace, drawn exactly",
        "from dplab import GeometricMechanism\n\n"
        + BITS
        + "mechanism = GeometricMechanism(sum, sensitivity=1, epsilon=0.5)",
    ),
    "DiscreteGaussianMechanism": Example(
        "whole numbers, or multiples of a grid",
        "discrete Gaussian, drawn exactly",
        "from dplab import DiscreteGaussianMechanism\n\n"
        + BITS
        + "mechanism = DiscreteGaussianMechanism(sum, sensitivity=1, sigma=2)",
    ),
    "ClampedMechanism": Example(
        "a count between two bounds",
        "discrete, clamped",
        "from dplab import GeometricMechanism\n\n"
        + BITS
        + "mechanism = GeometricMechanism(sum, sensitivity=1, epsilon=0.5).clamp(0, 3)",
    ),
    "SnappingMechanism": Example(
        "a number, as a float",
        "Laplace, rounded to a grid",
        "from dplab import SnappingMechanism\n\n"
        + BITS
        + "mechanism = SnappingMechanism(sum, sensitivity=1, epsilon=0.5, bound=64)",
    ),
    "SphericalLaplaceMechanism": Example(
        "a vector",
        "Laplace in the L2 norm",
        "import numpy as np\n"
        "from dplab import SphericalLaplaceMechanism\n\n"
        "x, y = [[0, 1], [1, 0]], [[0, 1], [0.6, 0.8]]  # rows of length 1\n"
        "mechanism = SphericalLaplaceMechanism(\n"
        "    lambda rows: np.mean(rows, axis=0), sensitivity=1, epsilon=0.5\n"
        ")",
    ),
    "ClippedMean": Example(
        "the mean of n values",
        "Laplace",
        "from dplab import ClippedMean\n\n"
        "x, y = [2, 4, 6, 9], [2, 4, 6, 1]\n"
        "mechanism = ClippedMean(lower=0, upper=10, n=4, epsilon=0.5)",
    ),
    "CauchyMechanism": Example(
        "a number, of data where it is stable",
        "Cauchy, as wide as the data need",
        "from dplab.local_sensitivity import Median\n"
        "from dplab.mechanisms.smooth_sensitivity import CauchyMechanism\n\n"
        "x, y = [4, 5, 5, 5, 6], [4, 5, 5, 9, 6]\n"
        "mechanism = CauchyMechanism(Median(0, 10), epsilon=1)",
    ),
    "StudentMechanism": Example(
        "a number, of data where it is stable",
        "Student's t, as wide as the data need",
        "from dplab.local_sensitivity import Median\n"
        "from dplab.mechanisms.smooth_sensitivity import StudentMechanism\n\n"
        "x, y = [4, 5, 5, 5, 6], [4, 5, 5, 9, 6]\n"
        "mechanism = StudentMechanism(Median(0, 10), epsilon=1, degrees=3)",
    ),
    "SmoothLaplaceMechanism": Example(
        "a number, of data where it is stable",
        "Laplace, as wide as the data need",
        "from dplab.local_sensitivity import Median\n"
        "from dplab.mechanisms.smooth_sensitivity import SmoothLaplaceMechanism\n\n"
        "x, y = [4, 5, 5, 5, 6], [4, 5, 5, 9, 6]\n"
        "mechanism = SmoothLaplaceMechanism(Median(0, 10), epsilon=1, delta=1e-6)",
    ),
    "LogNormalMechanism": Example(
        "a number, of data where it is stable",
        "Laplace times a log-normal factor",
        "from dplab.local_sensitivity import Median\n"
        "from dplab.mechanisms.smooth_sensitivity import LogNormalMechanism\n\n"
        "x, y = [4, 5, 5, 5, 6], [4, 5, 5, 9, 6]\n"
        "mechanism = LogNormalMechanism(Median(0, 10), epsilon=1)",
    ),
    "ProposeTestRelease": Example(
        "another mechanism's question, or nothing",
        "Laplace on a distance, and that of the other",
        "from dplab.local_sensitivity import Median\n"
        "from dplab.mechanisms.propose_test_release import propose_test_release\n\n"
        "x, y = 30 * [5] + [6], 29 * [5] + [6, 6]\n"
        "mechanism = propose_test_release(Median(0, 10), 1, epsilon=1, delta=0.001)",
    ),
    "SampleAndAggregate": Example(
        "any estimate, if parts of the data agree",
        "that of the mechanism that combines",
        "import numpy as np\n"
        "from dplab import PrivateQuantile\n"
        "from dplab.mechanisms.sample_and_aggregate import SampleAndAggregate\n\n"
        "x, y = [2, 3, 5, 9, 4, 4], [2, 3, 5, 9, 4, 10]\n"
        "mechanism = SampleAndAggregate(np.mean, 3, PrivateQuantile(0, 10, epsilon=1))",
    ),
    "PrivateQuantile": Example(
        "the median, or another quantile",
        "a random point, better ones more likely",
        "from dplab import PrivateQuantile\n\n"
        "x, y = [2, 3, 5, 9], [2, 3, 8, 9]\n"
        "mechanism = PrivateQuantile(lower=0, upper=10, epsilon=1)",
    ),
}
LOCAL = {
    "RandomizedResponse": Example(
        "each person's category",
        "another category, sometimes",
        "from dplab import RandomizedResponse\n\n"
        "x, y = [1, 0, 1], [0, 0, 1]\n"
        "mechanism = RandomizedResponse(epsilon=1)",
    ),
    "CoinSurvey": Example(
        "each person's yes or no",
        "a coin decides who tells the truth",
        "from dplab import CoinSurvey\n\n"
        "x, y = [1, 0, 1], [0, 0, 1]\n"
        "mechanism = CoinSurvey(theta=0.5, yes=0.5)",
    ),
    "UnaryEncoding": Example(
        "a bit of each person for each category",
        "each bit is turned over by chance",
        "from dplab.local.frequency_oracles import UnaryEncoding\n\n"
        "x, y = [1, 0], [0, 0]\n"
        "mechanism = UnaryEncoding(epsilon=1, k=3)",
    ),
    "HadamardResponse": Example(
        "a column of the Hadamard matrix",
        "the sign of the truth's row is right by chance",
        "from dplab.local.frequency_oracles import HadamardResponse\n\n"
        "x, y = [1, 0], [0, 0]\n"
        "mechanism = HadamardResponse(epsilon=1, k=3)",
    ),
    "LocalHashing": Example(
        "a hash function and a hash of the category",
        "randomized response on the hash",
        "from dplab.local.hashing import LocalHashing\n\n"
        "x, y = [1, 0], [0, 0]\n"
        "mechanism = LocalHashing(epsilon=1, k=3)",
    ),
    "OneBitMean": Example(
        "one bit about each person's number",
        "rounding by chance",
        "from dplab.local.one_bit_means import OneBitMean\n\n"
        "x, y = [0.9, 0.2], [0.1, 0.2]\n"
        "mechanism = OneBitMean(epsilon=1)",
    ),
    "ShuffledResponse": Example(
        "how many noisy answers are yes",
        "a coin of each person",
        "from dplab.local.shuffling import ShuffledResponse\n\n"
        "x, y = 20 * [0] + [1], 21 * [0]\n"
        "mechanism = ShuffledResponse(epsilon=1)",
    ),
}
CHOICES = {
    "ExponentialMechanism": Example(
        "the best candidate",
        "Gumbel on the scores",
        "from dplab import ExponentialMechanism\n"
        + VOTES
        + 'mechanism = ExponentialMechanism("abc", votes, sensitivity=1, epsilon=1)',
    ),
    "PermuteAndFlip": Example(
        "the best candidate",
        "exponential on the scores",
        "from dplab import PermuteAndFlip\n"
        + VOTES
        + 'mechanism = PermuteAndFlip("abc", votes, sensitivity=1, epsilon=1)',
    ),
    "ReportNoisyMax": Example(
        "the best candidate",
        "Laplace, exponential or Gumbel on the scores",
        "from dplab import ReportNoisyMax\n"
        + VOTES
        + 'mechanism = ReportNoisyMax("abc", votes, sensitivity=1, epsilon=1)',
    ),
    "GapSelection": Example(
        "one of the best candidates if they lead clearly",
        "Laplace on the margin, Gumbel on the scores",
        "from dplab import GapSelection\n"
        + VOTES.replace('"aaabbc", "aabbbc"', '20 * "a" + 5 * "b", 19 * "a" + 6 * "b"')
        + 'mechanism = GapSelection("abc", votes, 1, epsilon=1, delta=1e-3)',
    ),
    "AboveThreshold": Example(
        "for each answer: above a threshold?",
        "Laplace on the threshold and each answer",
        "from dplab import AboveThreshold\n"
        + VOTES
        + "mechanism = AboveThreshold(votes, threshold=2, sensitivity=1, epsilon=2)",
    ),
    "AboveThresholdStream": Example(
        "the same for answers that come one by one",
        "Laplace on the threshold and each answer",
        "from dplab import AboveThreshold\n\n"
        + BITS
        + "mechanism = AboveThreshold(threshold=5, sensitivity=1, epsilon=2).stream()",
    ),
}
TABLES = {
    "PartitionSelection": Example(
        "the keys of a table that nobody has listed",
        "a coin for each key",
        "from dplab.mechanisms.partition_selection import PartitionSelection\n\n"
        'x, y = 12 * ["Ada"] + ["Bo"], 12 * ["Ada"]\n'
        "mechanism = PartitionSelection(epsilon=0.5, delta=1e-4)",
    ),
    "StabilityHistogram": Example(
        "the counts of bins that nobody has listed",
        "discrete Laplace, and a threshold",
        "from dplab import StabilityHistogram\n\n"
        'x, y = 20 * ["Ada"] + ["Bo"], 21 * ["Ada"]\n'
        "mechanism = StabilityHistogram(epsilon=0.5, delta=1e-8)",
    ),
    "FactorizationMechanism": Example(
        "many linear queries",
        "Laplace or normal on a strategy",
        "from dplab import PureDP\n"
        "from dplab.queries import FactorizationMechanism, tree_factorization\n\n"
        "x, y = [0, 1, 3], [0, 1]  # each record is a cell of the table\n"
        "mechanism = FactorizationMechanism(tree_factorization(4), PureDP(0.5))",
    ),
    "RandomProjectionMechanism": Example(
        "many linear queries",
        "normal, with rare jumps along each cell",
        "import numpy as np\n"
        "from dplab.queries import RandomProjectionMechanism\n\n"
        "queries = np.tri(4)\n"
        "x, y = [0, 1, 3], [0, 1, 2]\n"
        "mechanism = RandomProjectionMechanism(queries, n=3, epsilon=0.5)",
    ),
    "MWEM": Example(
        "many linear queries, by a synthetic table",
        "Gumbel on choices, Laplace or normal on answers",
        "import numpy as np\n"
        "from dplab import PureDP\n"
        "from dplab.queries import MWEM\n\n"
        "queries = np.tri(4)\n"
        "x, y = [0, 1, 3], [0, 1, 2]\n"
        "mechanism = MWEM(queries, n=3, rounds=2, total=PureDP(0.5))",
    ),
    "TopDown": Example(
        "consistent counts of places in places",
        "discrete Gaussian on each level",
        "from dplab.synthesis import TopDown\n\n"
        "x, y = [0, 5, 7], [0, 5, 6]  # cells of a table of 2 x 2 x 2\n"
        "mechanism = TopDown((2, 2, 2), n=3, rhos=(0.01, 0.01, 0.02))",
    ),
    "ExponentialOverDatasets": Example(
        "a synthetic dataset of one column",
        "a random dataset, nearer ones more likely",
        "from dplab.synthesis import ExponentialOverDatasets\n\n"
        "x, y = [0.0, 0.0, 0.5, 1.0], [0.0, 1.0, 0.5, 1.0]\n"
        "mechanism = ExponentialOverDatasets((0.0, 0.5, 1.0), n=4, k=2, epsilon=1)",
    ),
    "KernelDensity": Example(
        "a density, at any number of points",
        "a Gaussian process",
        "from dplab.synthesis import KernelDensity\n\n"
        "x, y = [0.2, 0.3, 0.8], [0.2, 0.3, 0.4]\n"
        "mechanism = KernelDensity((0.2, 0.5, 0.8), n=3, bandwidth=0.05, sigma=20)",
    ),
}
LEARNING = {
    "ObjectivePerturbation": Example(
        "a linear model",
        "Laplace in the L2 norm, on the objective",
        "from dplab.learning import LOGISTIC, ObjectivePerturbation, RegularizedRisk\n"
        + ROWS
        + "risk = RegularizedRisk(LOGISTIC, n=20, regularizer=0.5)\n"
        "mechanism = ObjectivePerturbation(risk, epsilon=0.5)",
    ),
    "NoisyGradientDescent": Example(
        "a linear model",
        "normal on each step",
        "from dplab.learning import LOGISTIC, NoisyGradientDescent\n"
        + ROWS
        + "noise = dict(clip=0.2, noise_multiplier=40.0, delta=1e-9)\n"
        "mechanism = NoisyGradientDescent(LOGISTIC, n=20, steps=100, learning_rate=4, **noise)",
    ),
    "PoissonTraining": Example(
        "a linear model or a small network",
        "normal on each step, secret samples",
        "from dplab.learning import LOGISTIC, LinearModel, PoissonTraining\n"
        + ROWS.replace("y = [[0.5, 0.5, -1.0]] + 19", "y = 19")
        + "noise = dict(clip=1.0, noise_multiplier=4.0, delta=1e-9)\n"
        "samples = dict(rate=0.05, batch_size=1, steps=100)\n"
        "model = LinearModel(LOGISTIC, 2)\n"
        "mechanism = PoissonTraining(model, learning_rate=1, **samples, **noise)",
    ),
    "BandedTraining": Example(
        "a linear model or a small network",
        "normal, remembered from step to step",
        "from dplab.learning import LOGISTIC, BandedTraining, LinearModel\n"
        + ROWS.replace("y = [[0.5, 0.5, -1.0]] + 19", "y = 19")
        + "noise = dict(bands=5, clip=1.0, noise_multiplier=12.0, delta=1e-9)\n"
        "order = dict(batches=5, epochs=10, batch_size=4)\n"
        "model = LinearModel(LOGISTIC, 2)\n"
        "mechanism = BandedTraining(model, learning_rate=1, **order, **noise)",
    ),
    "TeacherLabels": Example(
        "labels of public points",
        "normal on the votes of teachers",
        "import numpy as np\n"
        "from dplab.learning import TeacherLabels\n\n"
        "def learn(part):\n"
        "    return lambda points: (points > np.mean(part)).astype(int)\n\n"
        "x, y = [0.1, 0.3, 0.5, 0.7], [0.1, 0.3, 0.5, 0.9]\n"
        "mechanism = TeacherLabels(learn, [0.2, 0.9], parts=4, classes=2, sigma=4)",
    ),
    "StableLearner": Example(
        "a rule on which parts of the sample agree",
        "discrete Laplace, and a threshold",
        "from dplab.learning import StableLearner\n\n"
        "x, y = 18 * [1], 17 * [1] + [0]\n"
        "mechanism = StableLearner(max, parts=18, epsilon=1, delta=1e-3)",
    ),
}
COMBINED = {
    "PostProcessed": Example(
        "a function of an output",
        "that of the other mechanism",
        "from dplab import RandomizedResponse\n\n"
        + "x, y = [1, 1, 0], [0, 1, 0]\n"
        + RESPONSE
        + "mechanism = response.post_process(sum)",
    ),
    "Composed": Example(
        "the outputs of two mechanisms",
        "those of both, independently",
        "from dplab import LaplaceMechanism\n\n"
        + BITS
        + "count = LaplaceMechanism(sum, sensitivity=1, epsilon=0.5)\n"
        "most = LaplaceMechanism(max, sensitivity=1, epsilon=0.25)\n"
        "mechanism = count.compose(most)",
    ),
    "Interaction": Example(
        "a conversation under a budget",
        "those of its mechanisms",
        "from dplab import RandomizedResponse\n"
        "from dplab.interaction import Interaction\n\n"
        "x, y = [1], [0]\n" + RESPONSE + "mechanism = Interaction.of([response, response])",
    ),
    "SampledMechanism": Example(
        "another mechanism's question, of a secret sample",
        "that of the other mechanism, and the sample",
        "from dplab import ADD_REMOVE, StabilityHistogram\n"
        "from dplab.accounting import sampled\n\n"
        'x, y = 20 * ["Ada"] + ["Bo"], 20 * ["Ada"]\n'
        "counts = StabilityHistogram(epsilon=1, delta=1e-8, neighbors=ADD_REMOVE)\n"
        "mechanism = sampled(counts, rate=0.5)",
    ),
    "ExactSampledMechanism": Example(
        "another mechanism's question, of a secret sample",
        "that of the other mechanism, and the sample",
        "from dplab import ADD_REMOVE, GeometricMechanism\n"
        "from dplab.accounting import sampled\n\n"
        "x, y = [1, 1, 0], [1, 0]\n"
        "count = GeometricMechanism(sum, sensitivity=1, epsilon=1, neighbors=ADD_REMOVE)\n"
        "mechanism = sampled(count.clamp(0, 3), rate=0.1)",
    ),
}
WARNINGS = {
    "NameAndShame": Example(
        "some records, as they are",
        "a coin for each person",
        "from dplab import NameAndShame\n\n"
        "x, y = [1, 0, 0], [2, 0, 0]\n"
        "mechanism = NameAndShame(delta=0.25)",
    ),
    "RandomRows": Example(
        "k records, as they are",
        "a random choice of people",
        "from dplab import RandomRows\n\n"
        "x, y = [1, 0, 0], [2, 0, 0]\n"
        "mechanism = RandomRows(n=3, k=1)",
    ),
    "OrEverything": Example(
        "another mechanism's question, or all data",
        "that of the other mechanism",
        "from dplab import OrEverything, RandomizedResponse\n\n"
        "x, y = [1], [0]\n"
        "mechanism = OrEverything(RandomizedResponse(epsilon=1), delta=0.01)",
    ),
    "FamilyAlarm": Example(
        "an alarm that more ones make more likely",
        "the alarm's own coin",
        "from dplab.theorems.groups import FamilyAlarm\n\n"
        + BITS
        + "mechanism = FamilyAlarm(epsilon=1, delta=0.01, n=3)",
    ),
    "Confidant": Example(
        "an alarm about two people",
        "the alarm's own coin",
        "from dplab.theorems.posterior import Confidant\n\n"
        "x, y = (1, 0), (0, 0)\n"
        "mechanism = Confidant(epsilon=1, quiet=0.25)",
    ),
}
GROUPS = {
    "Numbers and vectors": NUMBERS,
    "Answers of each person": LOCAL,
    "Choices and comparisons": CHOICES,
    "Tables and synthetic data": TABLES,
    "Learning": LEARNING,
    "Made of other mechanisms": COMBINED,
    "Mechanisms that only show a point": WARNINGS,
}
EXAMPLES = {name: example for group in GROUPS.values() for name, example in group.items()}
