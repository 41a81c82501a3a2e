"""nbgrader's rules as they are stated here, beside nbgrader's own."""

from hypothesis import example, given
from hypothesis import strategies as st
from nbformat import from_dict
from nbgrader import utils

from autograder.classroom.sets import nbgrader_rules as rules

texts = st.sampled_from(["", "x = 1", "# ü\n\U0001f600", "a" * 200])
numbers = st.sampled_from([0, 1, 2.5, 3.0, "3", 1e-9])
results = st.one_of(
    st.sampled_from(["0", "1", "2.5", "-1", "nan", "inf", "4", "x", "", "1\n", " 2 ", "1_0"]),
    st.lists(st.sampled_from(["1", "x"]), max_size=2),
)
outputs = st.one_of(
    st.just({"output_type": "error", "ename": "E", "evalue": "", "traceback": []}),
    st.builds(
        lambda name: {"output_type": "stream", "name": name, "text": "1"},
        st.sampled_from(["stdout", "stderr"]),
    ),
    st.builds(
        lambda said: {"output_type": "execute_result", "data": {"text/plain": said}}, results
    ),
    st.just({"output_type": "execute_result", "data": {"text/html": "<b>1</b>"}}),
    st.just({"output_type": "display_data", "data": {"text/plain": "1"}}),
)
marks = st.fixed_dictionaries(
    {"grade_id": st.sampled_from(["a", "b c", "ü"]), "points": numbers},
    optional={flag: st.booleans() for flag in ("grade", "solution", "locked", "task")}
    | {"checksum": st.just("0" * 32)},
)
cells = st.builds(
    lambda kind, source, noted, shown: {
        "cell_type": kind, "source": source, "metadata": {"nbgrader": noted}, "outputs": shown,
    },
    st.sampled_from(["code", "markdown"]), texts, marks, st.lists(outputs, max_size=3),
)  # fmt: skip
TEST = {"grade_id": "a", "grade": True, "points": 3}
RESULT = {"output_type": "execute_result", "data": {"text/plain": ["1", "x"]}}


def told(rule, cell):
    try:
        return rule(cell)
    except (ValueError, KeyError) as error:
        return type(error), str(error)


@given(cells)
def test_a_checksum_is_nbgraders(cell):
    assert rules.checksum(cell) == utils.compute_checksum(from_dict(cell))


@given(cells)
@example({"cell_type": "code", "source": "", "metadata": {}, "outputs": []})
@example({"cell_type": "code", "source": "", "metadata": {"nbgrader": TEST}, "outputs": [RESULT]})
def test_points_are_nbgraders(cell):
    assert told(rules.points, cell) == told(utils.determine_grade, from_dict(cell))


def test_an_answer_that_is_as_released_gets_nothing_and_another_waits():
    noted = {"grade_id": "a", "grade": True, "solution": True, "points": 2}
    cell = {"cell_type": "markdown", "source": "YOUR ANSWER HERE", "metadata": {"nbgrader": noted}}
    assert rules.points(cell) == (None, 2)
    noted["checksum"] = rules.checksum(cell)
    assert rules.points(cell) == utils.determine_grade(from_dict(cell)) == (0, 2)
