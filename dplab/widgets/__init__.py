"""The explorers that the lessons show: move a control, see the picture follow.

Read `explorer.py` first; each explorer is one short module beside it.
"""

from dplab.widgets.arms_race import ArmsRace
from dplab.widgets.attack_and_bound import AttackAndBound
from dplab.widgets.averaging_noise import AveragingNoise
from dplab.widgets.belief_band import BeliefBand
from dplab.widgets.blank import check_blank
from dplab.widgets.budget_ledger import BudgetLedger
from dplab.widgets.class_survey import ClassSurvey
from dplab.widgets.clipping_valley import ClippingValley
from dplab.widgets.collapse import Collapse
from dplab.widgets.dataset_size import DatasetSize
from dplab.widgets.density_bins import DensityBins
from dplab.widgets.differencing_pair import DifferencingPair
from dplab.widgets.error_curves import ErrorCurves
from dplab.widgets.flip_or_exponential import FlipOrExponential
from dplab.widgets.float_lattice import FloatLattice
from dplab.widgets.graph_neighbors import GraphNeighbors
from dplab.widgets.grid_noise import GridNoise
from dplab.widgets.group_chain import GroupChain
from dplab.widgets.histogram_bins import HistogramBins
from dplab.widgets.laplace_pair import LaplacePair
from dplab.widgets.loss_histogram import loss_histogram
from dplab.widgets.loss_picture import LossPicture
from dplab.widgets.loss_range import LossRange
from dplab.widgets.many_queries import ManyQueries
from dplab.widgets.membership_scores import MembershipScores
from dplab.widgets.mistake_tree import MistakeTree
from dplab.widgets.noise_by_dimension import NoiseByDimension
from dplab.widgets.noise_of_max import NoiseOfMax
from dplab.widgets.post_processing_sandbox import PostProcessingSandbox
from dplab.widgets.prediction import Prediction
from dplab.widgets.price_law import PriceLaw
from dplab.widgets.private_classifier import PrivateClassifier
from dplab.widgets.private_median import PrivateMedian
from dplab.widgets.reconstruct_bits import ReconstructBits
from dplab.widgets.reusable_holdout import ReusableHoldout
from dplab.widgets.roc_wedge import RocWedge
from dplab.widgets.shame_button import ShameButton
from dplab.widgets.sigma_formulas import SigmaFormulas
from dplab.widgets.smoking_toggle import SmokingToggle
from dplab.widgets.smooth_curves import SmoothCurves
from dplab.widgets.sparse_vector_stream import SparseVectorStream
from dplab.widgets.square_root_of_k import SquareRootOfK
from dplab.widgets.tail_ladder import TailLadder
from dplab.widgets.unique_people import UniquePeople

__all__ = [
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
    "Prediction",
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
    "check_blank",
    "loss_histogram",
]
