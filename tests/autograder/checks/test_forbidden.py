"""What an answer must not call: refused in answers alone, and nowhere else a difference."""

import importlib
import inspect
import pickle
import pkgutil
import textwrap
import types

import numpy as np
import pytest

import dplab
from autograder import checks
from autograder.checks.forbidden import _MODULES, Forbidden, forbidden
from autograder.rehearsal.run_trusted import rehearse
from autograder.wire.run import Run, count_student_call, use_run

LIMITED = "from autograder import checks\nchecks.forbidden('dplab.CoinSurvey', 'dplab.histogram')"


@pytest.fixture(autouse=True)
def lifted():
    """Tests of other notebooks follow in this process."""
    with use_run(Run()):
        yield


def notebook(*cells: str) -> dict:
    """The names of a notebook after these cells."""
    names = {"__name__": "__main__"}
    for cell in (LIMITED, *cells):
        exec(textwrap.dedent(cell), names)
    return names


def refuses(call, name="dplab.CoinSurvey"):
    assert isinstance(call.error, Forbidden)
    assert str(call.error) == (
        f"the exercise asks you to write this yourself: {name} is off limits in an answer"
    )


ANSWERS = {
    "imported before": "from dplab import CoinSurvey\ndef answer(): CoinSurvey(0.5)",
    "imported inside": "def answer():\n    import dplab\n    dplab.CoinSurvey(theta=0.5)",
    "where it is written": """
        import dplab.mechanisms.randomized_response as there
        def answer(): return there.CoinSurvey(0.5)""",
    "through another function": """
        import dplab
        def answer(): return list(map(dplab.CoinSurvey, [0.5]))""",
    "through numpy": """
        import dplab, numpy as np
        def answer(): return np.vectorize(dplab.CoinSurvey, otypes=[object])([0.5])""",
    "made before": """
        import dplab, numpy as np
        made = dplab.CoinSurvey(0.5)
        def answer(): return made([1, 0], np.random.default_rng())""",
    "a class of it": """
        import dplab
        class Mine(dplab.CoinSurvey): pass
        def answer(): return Mine(0.5)""",
}


@pytest.mark.parametrize("style", ANSWERS)
def test_answers_are_refused_it(style):
    refuses(checks.call(notebook(ANSWERS[style])["answer"]))


def test_functions_are_refused_by_every_name():
    before = "from dplab import histogram as count\nfrom dplab.mechanisms import histogram as there"
    names = notebook(before, LIMITED, "def answer(): return count((1, 2), (1, 2))")
    refuses(checks.call(names["answer"]), "dplab.histogram")
    exec("def answer(): return there.histogram((1, 2), (1, 2))", names)
    refuses(checks.repeat(names["answer"], count=2), "dplab.histogram")


def test_what_the_notebook_called_it_before_is_refused_too():
    original = getattr(dplab.histogram, "__wrapped__", dplab.histogram)
    names = {"__name__": "__main__", "count": original}
    exec(f"{LIMITED}\ndef answer(): return count((1, 2), (1, 2))", names)
    refuses(checks.call(names["answer"]), "dplab.histogram")


def test_dplab_knows_each_function_by_one_name():
    """So that a function is replaced wherever a module of it has one of that name."""
    modules = [importlib.import_module(name) for name in _MODULES]
    assert {m.name for m in pkgutil.walk_packages(dplab.__path__, "dplab.")} < set(_MODULES)
    others = [
        (module.__name__, known, value.__name__)
        for module in modules
        for known, value in vars(module).items()
        if isinstance(value, types.FunctionType)
        and not known.startswith("__")  # `__getattr__` of a module finds old names
        and value.__module__.startswith("dplab")
        and value.__name__ != known
    ]
    assert others == []


def test_tests_and_dplab_go_on_using_it():
    names = notebook("import dplab\nmade = dplab.CoinSurvey(0.5)")
    assert names["made"].theta == 0.5
    assert dplab.CoinSurvey(0.25)([1, 0], np.random.default_rng()).shape == (2,)
    with count_student_call():  # of another notebook, which has no limits
        assert dplab.CoinSurvey(0.5) == names["made"]


def test_a_class_stays_what_it_was():
    notebook()
    made = dplab.CoinSurvey(0.5)
    assert isinstance(made, dplab.CoinSurvey)
    assert type(made) is dplab.CoinSurvey
    assert pickle.loads(pickle.dumps(made)) == made
    assert "theta" in inspect.signature(dplab.CoinSurvey).parameters
    assert inspect.getdoc(dplab.CoinSurvey)
    assert inspect.getdoc(dplab.histogram)


def test_saying_it_twice_wraps_once():
    notebook()
    limited, built = dplab.histogram, dplab.CoinSurvey.__init__
    notebook(LIMITED, LIMITED)
    assert dplab.histogram is limited
    assert dplab.CoinSurvey.__init__ is built
    assert not hasattr(limited.__wrapped__, "__wrapped__")


def test_a_later_cell_adds_to_the_limits():
    later = "checks.forbidden('dplab.hockey_stick')"
    names = notebook(later, "import dplab\ndef answer(function): return function(0.5)")
    refuses(checks.call(names["answer"], dplab.CoinSurvey))
    refuses(checks.call(names["answer"], dplab.hockey_stick), "dplab.hockey_stick")


def test_the_next_notebook_has_its_own_limits():
    first = notebook("import dplab\ndef answer(): return dplab.CoinSurvey(0.5)")
    second = {"__name__": "__main__"}
    exec("import dplab\ndef answer(): return dplab.CoinSurvey(0.5)", second)
    assert checks.call(second["answer"]).error is None
    refuses(checks.call(first["answer"]))
    exec("from autograder import checks\nchecks.forbidden('dplab.hockey_stick')", second)
    assert checks.call(second["answer"]).error is None


def test_limits_end_with_the_notebook_that_is_rehearsed():
    rehearse([{"cell_type": "code", "metadata": {}, "source": LIMITED}])
    assert checks.call(dplab.CoinSurvey, 0.5).error is None


def test_names_that_are_not_dplabs():
    for name in ("numpy.sum", "CoinSurvey", "dplabs.x"):
        with pytest.raises(ValueError, match="forbidden takes names such as"):
            forbidden(name)
    with pytest.raises(AttributeError):
        forbidden("dplab.no_such_thing")
