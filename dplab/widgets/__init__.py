"""The explorers that the lessons show: move a control, see the picture follow.

Read `explorer.py` first; each explorer is one short module beside it.
"""

from dplab.widgets.class_survey import ClassSurvey
from dplab.widgets.clipping_valley import ClippingValley
from dplab.widgets.error_curves import ErrorCurves
from dplab.widgets.laplace_pair import LaplacePair
from dplab.widgets.prediction import Prediction

__all__ = ["ClassSurvey", "ClippingValley", "ErrorCurves", "LaplacePair", "Prediction"]
