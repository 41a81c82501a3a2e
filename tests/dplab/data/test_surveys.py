import subprocess
import sys

import numpy as np

from dplab.data import doctor_visits, fair_survey


def test_fair_survey_is_the_published_one():
    survey = fair_survey()
    assert survey.shape == (6366, 10)
    assert survey["any_affair"].tolist() == (survey["affairs"] > 0).astype(int).tolist()
    assert survey["any_affair"].sum() == 2053
    assert survey["any_affair"].dtype.kind == "i"
    ratings = survey["rate_marriage"].value_counts().sort_index()
    assert ratings.to_dict() == {1: 99, 2: 348, 3: 993, 4: 2242, 5: 2684}


def test_every_column_of_the_fair_survey_is_documented():
    assert all(f"`{column}`" in fair_survey.__doc__ for column in fair_survey())


def test_doctor_visits_are_the_published_ones():
    visits = doctor_visits()
    assert visits.shape == (20_190,)
    assert visits.dtype.kind == "i"
    assert (visits.min(), visits.max(), visits.sum()) == (0, 77, 57_752)


def test_a_caller_cannot_spoil_the_next_callers_data():
    survey = fair_survey()
    survey["any_affair"] = 1
    doctor_visits()[:] = 0
    assert fair_survey()["any_affair"].sum() == 2053
    assert np.sum(doctor_visits()) == 57_752


def test_statsmodels_is_imported_only_when_asked_for():
    code = (
        "import sys, dplab.data; sys.exit('statsmodels' in sys.modules or 'pandas' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=600).returncode == 0
