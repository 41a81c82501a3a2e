"""The explorers that the lessons show: move a control, see the picture follow.

Read `explorer.py` first; each explorer is one short module beside it, which is loaded when the
explorer is asked for: a lesson shows two or three, and all together need half of the library.
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
    "LaplacePair",
    "LossPicture",
    "LossRange",
    "ManyQueries",
    "MembershipScores",
    "MistakeTree",
    "NoiseByDimension",
    "NoiseOfMax",
    "PostProcessingSandbox",
    "PriceLaw",
    "PrivateClassifier",
    "PrivateMedian",
    "ReconstructBits",
    "ReusableHoldout",
    "RocWedge",
    "ShameButton",
    "SigmaFormulas",
    "SmokingToggle",
    "SmoothCurves",
    "SparseVectorStream",
    "SquareRootOfK",
    "TailLadder",
    "UniquePeople",
)

__all__ = ["EXPLORERS", "Explorer", "Prediction", "check_blank", "loss_histogram", *EXPLORERS]


def __getattr__(name: str) -> type[Explorer]:
    """The explorer of this name: `SquareRootOfK` is in `square_root_of_k.py`."""
    if name not in EXPLORERS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = re.sub(r"(?<=.)(?=[A-Z])", "_", name).lower()
    globals()[name] = found = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *EXPLORERS})
