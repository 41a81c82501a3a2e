"""Tables of all that a test may do with values of student code, for one meaning in two processes.

The tables list what is understood. A test that does anything else with a student's value, or with
the state of its process, is not understood: see `read_test`.
"""

from __future__ import annotations

import builtins
import collections
import datetime
import decimal
import fractions

import numpy as np


def _words(text: str) -> list[str]:
    return text.split()


# Modules whose functions compute with values, and change nothing that student code could see.
# A value lists the only attributes that are understood; an empty one means all of them.
MODULES: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        _words(
            "__future__ abc ast autograder base64 binascii bisect calendar cmath "
            "collections contextlib copy csv dataclasses datetime decimal difflib dplab enum "
            "fractions functools graphlib hashlib heapq io itertools json math matplotlib "
            "networkx nose numbers numpy operator pandas pprint pytest random re scipy sklearn "
            "statistics string struct sympy textwrap timeit typing unicodedata unittest zoneinfo"
        ),
        frozenset(),
    ),
    "IPython": frozenset({"display"}),
    "inspect": frozenset({"signature", "Parameter", "Signature", "getdoc", "cleandoc"}),
    "os": frozenset({"path", "sep", "linesep"}),
    "pathlib": frozenset({"Path", "PurePath", "PurePosixPath"}),
    "sys": frozenset(
        {"byteorder", "float_info", "maxsize", "platform", "stderr", "stdout", "version",
         "version_info"}
    ),
    "time": frozenset({"monotonic", "perf_counter", "perf_counter_ns", "sleep", "time", "time_ns"}),
    "warnings": frozenset({"simplefilter", "filterwarnings"}),
}  # fmt: skip

CHECKS = "autograder.checks"  # its functions give the test copies of students' values

# Attributes of these modules that read or change the state of a process.
STATE = (
    r"numpy\.(set_printoptions|seterr|seterrcall|setbufsize|save\w*|memmap|shares_memory"
    r"|may_share_memory|lib\.stride_tricks.*)",
    r"numpy\.random\.(get_state|set_state|mtrand.*|bit_generator.*)",
    r"random\.(getstate|setstate|_inst)",
    r"pandas\.((re)?set_option|options.*|option_context)",
    r"decimal\.(getcontext|setcontext|localcontext)",
    r"contextlib\.chdir",
    r"os\.path\.(exists|isfile|isdir|getsize|getmtime|islink|abspath|realpath|samefile)",
    r"unittest\.mock\.(seal|create_autospec)",
    r"unittest\.(main|TestProgram)|pytest\.main",
)
SEEDS = r"(numpy\.random|random)\.seed"
DRAWS = r"(numpy\.random|random)\.(?!default_rng|Generator|RandomState|Random\b|seed)[a-z]\w*"
GENERATORS = r"(numpy\.random\.(default_rng|RandomState|Generator)|random\.Random)"

# Built-in functions that are not understood wherever they are.
NOT_UNDERSTOOD_FUNCTIONS = frozenset(
    {"__import__", "breakpoint", "compile", "eval", "exec", "exit", "help", "memoryview", "quit"}
)
# Built-in functions that return the notebook's names and their values.
NAMESPACE_FUNCTIONS = frozenset({"globals", "locals"})
# Methods of unittest that look for tests in a module, where a cell's tests are not.
LOADERS = frozenset({"discover", "loadTestsFromModule", "loadTestsFromName", "loadTestsFromNames"})
# Built-in functions that look at an object's nature: not understood for students' values.
NATURE_FUNCTIONS = frozenset(
    {"delattr", "dir", "hash", "id", "issubclass", "object", "setattr", "super", "vars"}
)
# Functions whose result is a new plain value, with nothing of a student's object in it.
SCALAR_FUNCTIONS = frozenset(
    _words(
        "abs all any ascii bin bool bytes callable chr complex divmod float hasattr hex int "
        "isinstance len oct ord pow repr round str isclose allclose array_equal isnan isinf "
        "isfinite approx"
    )
)
# Functions that may return a part of their argument.
PART_FUNCTIONS = frozenset({"getattr", "iter", "max", "min", "next", "partial", "reduce", "choice"})
# Functions that look at values in a way that needs the student's own methods of an object.
OBJECT_FUNCTIONS = frozenset(
    _words(
        "bool bytes complex copy deepcopy divmod float hash hex int oct bin pow round sum abs max "
        "min sorted set frozenset dict any all"
    )
)

CHANGING_METHODS = frozenset(
    _words(
        "add append clear difference_update discard extend fill insert "
        "intersection_update itemset move_to_end pop popitem popleft appendleft "
        "extendleft put remove resize reverse rotate setdefault setflags sort subtract "
        "symmetric_difference_update update"
    )
)
CHANGING_FUNCTIONS = frozenset(
    _words(
        "shuffle heapify heappush heappop heapreplace heappushpop insort insort_left insort_right "
        "copyto put place putmask fill_diagonal put_along_axis setitem delitem iadd"
    )
)

_VALUE_CLASSES: list[type] = [
    bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, range, slice,
    fractions.Fraction, decimal.Decimal, datetime.date, datetime.time, datetime.datetime,
    datetime.timedelta, collections.Counter, np.ndarray, np.float64, np.int64, np.bool_,
]  # fmt: skip
_TABLE_METHODS = _words(
    "index columns iloc loc at iat values shape dtype dtypes head tail mean sum std var median "
    "min max count groupby sort_values sort_index reset_index set_index drop dropna fillna isna "
    "isnull notna notnull astype apply map merge join agg aggregate describe unique nunique "
    "value_counts to_numpy to_list tolist to_dict to_string equals copy empty size ndim T items "
    "iterrows itertuples rename round abs corr cov cumsum cumprod diff quantile idxmax idxmin "
    "isin str dt between duplicated name nlargest nsmallest pivot_table query sample "
    "select_dtypes shift rank all any item filter rolling eq ne lt le gt ge add sub mul div mode "
    "keys"
)
PLAIN_ATTRIBUTES = frozenset(
    {name for kind in _VALUE_CLASSES for name in dir(kind) if not name.startswith("_")}
    | {*_TABLE_METHODS}
)
# Attributes that show how an array lies in memory, or what it shares it with.
MEMORY_ATTRIBUTES = frozenset({"base", "ctypes", "data", "flags", "strides"})
VALUE_CLASS_NAMES = frozenset({"bytearray", "dict", "list", "set"})
READABLE_DUNDERS = frozenset({"__name__", "__doc__"})
CLOSED_ATTRIBUTES = frozenset({"send", "throw", "close", "asend", "athrow", "aclose"})

# Classes in `isinstance`, and of which a value may have the exact type: they cross as they are.
PLAIN_CLASSES = frozenset(
    _words(
        "bool int float complex str bytes list tuple dict set frozenset range NoneType type(None) "
        "numpy.ndarray numpy.generic numpy.number numpy.integer numpy.floating numpy.bool_ "
        "numpy.float64 numpy.float32 numpy.int64 numpy.int32 numpy.inexact numpy.signedinteger "
        "numbers.Number numbers.Real numbers.Integral numbers.Rational numbers.Complex "
        "fractions.Fraction decimal.Decimal datetime.date datetime.datetime datetime.time "
        "datetime.timedelta collections.Counter pandas.DataFrame pandas.Series "
        "pandas.core.frame.DataFrame pandas.core.series.Series"
    )
)
EXCEPTIONS = frozenset(
    name for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)  # fmt: skip
EXCEPTION_ATTRIBUTES = frozenset({"args", "value", "exception", "type", "match", "msg"})
BUILTINS = frozenset(name for name in vars(builtins) if not name.startswith("_")) | {
    "__name__", "__build_class__", "display", "get_ipython",
}  # fmt: skip
IMPORT_LINES = {
    "math": "import math", "np": "import numpy as np", "pd": "import pandas as pd",
    "plt": "import matplotlib.pyplot as plt", "pytest": "import pytest", "re": "import re",
}  # fmt: skip
