"""Explorers for the lessons: pictures that follow their controls.

Read `explorer.py` first. Each explorer is one short module of this package. It is loaded on first
use: a lesson shows two or three explorers, and all of them together need half of the library.
"""

import importlib
import re

from dplab import optional

with optional.packages_for("dplab.widgets"):
    from dplab.widgets.blank import check_blank
    from dplab.widgets.explorer import Explorer
    from dplab.widgets.loss_histogram import loss_histogram
    from dplab.widgets.prediction import Prediction

EXPLORERS = (
    "ArmsRace",
    "AttackAndBound",
    "AveragingNoise",
    "BeliefBand",
    "BudgetLedger",
    "ClassSurvey",
    "ClippingValley",
    "Collapse",
    "ContributionBound",
    "DatasetSize",
    "DensityBins",
    "DifferencingPair",
    "ErrorCurves",
    "FlipOrExponential",
    "FloatLattice",
    "GraphNeighbors",
    "GridNoise",
    "GroupChain",
    "HistogramBins",
    "IntervalCoverage",
    "LaplacePair",
    "LossPicture",
    "LossRange",
    "ManyQueries",
    "MembershipScores",
    "MistakeTree",
    "NoiseByDimension",
    "NoiseMemory",
    "NoiseOfMax",
    "PostProcessingSandbox",
    "PriceLaw",
    "PrivateClassifier",
    "PrivateMedian",
    "ReconstructBits",
    "RecordThreshold",
    "ReusableHoldout",
    "RocWedge",
    "SecretBatch",
    "ShameButton",
    "ShuffledEpsilon",
    "SigmaFormulas",
    "SmokingToggle",
    "SmoothCurves",
    "SparseVectorStream",
    "SquareRootOfK",
    "StableMedian",
    "TailLadder",
    "UniquePeople",
)

__all__ = ["EXPLORERS", "Explorer", "Prediction", "check_blank", "loss_histogram", *EXPLORERS]


def __getattr__(name: str) -> type[Explorer]:
    """Return the explorer of this name: `SquareRootOfK` is in `square_root_of_k.py`."""
    if name not in EXPLORERS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = re.sub(r"(?<=.)(?=[A-Z])", "_", name).lower()
    globals()[name] = explorer = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    return explorer


def __dir__() -> list[str]:
    return sorted({*globals(), *EXPLORERS})
