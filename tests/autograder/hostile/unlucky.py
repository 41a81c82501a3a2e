"""Honest work with something about it that other graders punish: it deserves all its points."""

import json

from tests.autograder.hostile.catalogue import Desk, cell_of, own_cell, submission
from tests.autograder.tiny_assignment import as_bytes


@submission(points=6)
def warns(desk: Desk):
    """The function warns, logs and writes to stderr."""
    return desk.answered(
        double="""
        import logging, sys, warnings
        def double(x):
            warnings.warn("careful"); logging.warning("careful"); print("hm", file=sys.stderr)
            np.float64(1) / np.float64(0)
            return 2 * x
        """
    )


@submission(points=6)
def asks_for_input(desk: Desk):
    """Cells that ask somebody who isn't there."""
    notebook = desk.with_cell("name = input('Your name? ')", at=2)
    notebook["cells"].insert(3, own_cell("code", "import getpass\ngetpass.getpass()"))
    return notebook


@submission(points=6)
def draws(desk: Desk):
    """Figures in every cell and in the function."""
    return desk.with_cell(
        "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()",
        at=2,
        double="def double(x):\n    plt.figure(); plt.plot([x]); plt.show()\n    return 2 * x",
    )


@submission(points=6)
def draws_for_a_window(desk: Desk):
    """Backends that need a window, a browser or a package that isn't there."""
    return desk.with_cell("%matplotlib notebook\n%matplotlib qt", at=2)


@submission(points=6)
def slow_imports(desk: Desk):
    """Packages that take their time."""
    return desk.with_cell("import pandas, scipy.signal\npandas.DataFrame([1])", at=2)


@submission(points=6)
def interacts(desk: Desk):
    """Sliders."""
    return desk.with_cell(
        """
        import ipywidgets as widgets
        from ipywidgets import interact
        interact(lambda x: x, x=(0, 10))
        button = widgets.Button(description="go"); button.on_click(print); display(button)
        """,
        at=2,
    )


@submission(points=6)
def magics(desk: Desk):
    """Magics of lines and cells, one of which doesn't exist."""
    notebook = desk.with_cell("%load_ext autoreload\n%autoreload 2\n%time 1 + 1\n%pwd", at=2)
    for source in ("%%time\nx = 1", "%%capture\nprint(1)", "%%bash\necho hi", "%nonexistent"):
        notebook["cells"].insert(3, own_cell("code", source))
    return notebook


@submission(points=6)
def shell_commands(desk: Desk):
    """Commands of a shell, installation of packages among them."""
    return desk.with_cell("!ls -la\n!git --version\nfiles = !ls\n!python --version\n!exit 3", at=2)


@submission(points=6)
def timed_answer(desk: Desk):
    """The answer itself is timed."""
    return desk.answered(double="%%time\ndef double(x):\n    return 2 * x")


@submission(points=6)
def of_another_machine(desk: Desk):
    """Cells that work on the student's machine only."""
    notebook = desk.with_cell("from google.colab import drive\ndrive.mount('/content')", at=2)
    notebook["cells"].insert(2, own_cell("code", "open('/Users/me/data.csv')"))
    return notebook


@submission(points=6)
def old_notebook(desk: Desk):
    """Format 3, as IPython wrote it before 2015."""
    cells = [
        {"cell_type": "code", "input": cell["source"], "language": "python", "outputs": [],
         "collapsed": False, "metadata": cell["metadata"]}
        if cell["cell_type"] == "code"
        else {"cell_type": "markdown", "source": cell["source"], "metadata": cell["metadata"]}
        for cell in desk.answered()["cells"]
    ]  # fmt: skip
    sheets = [{"cells": cells, "metadata": {}}]
    notebook = {"worksheets": sheets, "metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0}
    return as_bytes(notebook)


@submission(points=6)
def older_notebook(desk: Desk):
    """Format 4.2, whose cells have no identifiers, with sources as lists of lines."""
    notebook = desk.answered() | {"nbformat_minor": 2}
    for cell in notebook["cells"]:
        cell.pop("id", None)
        cell["source"] = cell["source"].splitlines(keepends=True)
    return notebook


@submission(points=6)
def saved_by_colab(desk: Desk):
    """Marks replaced by those of Colab, and a cell of its own."""
    notebook = desk.answered()
    notebook["metadata"] = {"colab": {"provenance": []}, "kernelspec": {"name": "python3"}}
    for number, cell in enumerate(notebook["cells"]):
        cell.pop("id", None)
        cell["metadata"] = {"id": f"Ab{number}", "colab": {"base_uri": "https://localhost:8080/"}}
    return notebook


@submission(points=6)
def saved_by_an_editor(desk: Desk):
    """Marks stripped, as some versions of VS Code did."""
    notebook = desk.answered()
    for cell in notebook["cells"]:
        cell.pop("id", None)
        cell["metadata"] = {"vscode": {"languageId": "python"}}
    return notebook


@submission(points=6)
def helpers_in_other_cells(desk: Desk):
    """The answer lies in several cells of the student's own, before and behind."""
    notebook = desk.with_cell("def twice(x):\n    return 2 * x", at=2)
    cell_of(notebook, "double")["source"] = "def double(x):\n    return twice(x)"
    place = notebook["cells"].index(cell_of(notebook, "double")) + 1
    notebook["cells"].insert(place, own_cell("code", "plain = double\ndouble = lambda x: plain(x)"))
    return notebook


@submission(points=6, file="Zoë Ångström-李雷/Übung tiny.ipynb")
def name_of_the_world(desk: Desk):
    """A name and a file with letters from everywhere."""
    return desk.answered(
        double="def double(größe):\n    π = 2 * größe  # 二倍 🎉\n    return π", why="Ça dépend… 🎲"
    )


@submission(points=6, file="O'Brien, Mary-Jane (she) #1 & co %20.ipynb")
def name_with_signs(desk: Desk):
    """A name with signs that mean something in addresses, shells and databases."""
    return desk.answered()


@submission(points=6)
def ends_of_lines(desk: Desk):
    """Windows' ends of lines, in the file and within the cells."""
    notebook = desk.answered()
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].replace("\n", "\r\n")
    return json.dumps(notebook, indent=1).replace("\n", "\r\n").encode()


@submission(points=6)
def byte_order_mark(desk: Desk):
    """The file begins with a byte-order mark."""
    return b"\xef\xbb\xbf" + as_bytes(desk.answered())


@submission(points=6)
def wide_characters(desk: Desk):
    """The file is in UTF-16."""
    return json.dumps(desk.answered()).encode("utf-16")


@submission(points=6)
def latin_letters(desk: Desk):
    """The file is in Windows' western encoding."""
    return json.dumps(desk.answered(why="Müßte gehen"), ensure_ascii=False).encode("cp1252")


@submission(points=6)
def another_kernel(desk: Desk):
    """A kernel that this machine doesn't have."""
    notebook = desk.answered()
    notebook["metadata"]["kernelspec"] = {"name": "conda-env-dp-py", "display_name": "dp"}
    return notebook


@submission(points=6)
def kernel_of_another_language(desk: Desk):
    """The notebook says that it is in R."""
    notebook = desk.answered()
    notebook["metadata"]["kernelspec"] = {"name": "ir", "display_name": "R", "language": "R"}
    notebook["metadata"]["language_info"] = {"name": "R"}
    return notebook


@submission(points=6)
def no_kernel(desk: Desk):
    """The notebook says nothing about itself."""
    return desk.answered() | {"metadata": {}}


@submission(points=6, file="misnamed/Untitled1.ipynb")
def wrong_file_name(desk: Desk):
    """The file is called as Jupyter calls new ones."""
    return desk.answered()


@submission(points=6, file="copied/tiny (2).ipynb")
def name_of_a_copy(desk: Desk):
    """The file is called as browsers call a second download."""
    return desk.answered()


@submission(points=6)
def asynchronous(desk: Desk):
    """Cells that await something."""
    return desk.with_cell("import asyncio\nawait asyncio.sleep(0.01)\n'done'", at=2)


@submission(points=6)
def files_of_its_own(desk: Desk):
    """Files that the notebook writes and reads."""
    return desk.with_cell(
        """
        import json, tempfile, pathlib
        pathlib.Path("data").mkdir(); open("data/x.json", "w").write(json.dumps([1]))
        assert json.load(open("data/x.json")) == [1]
        with tempfile.TemporaryDirectory() as folder: np.save(f"{folder}/x", [1])
        """,
        at=2,
    )


@submission(points=6)
def many_hands(desk: Desk):
    """Processes and threads that the notebook starts and ends."""
    return desk.with_cell(
        """
        from concurrent.futures import ThreadPoolExecutor
        from multiprocessing import Pool
        with ThreadPoolExecutor(4) as pool: print(list(pool.map(abs, [-1, 2])))
        with Pool(2) as pool: print(pool.map(abs, [-1, 2]))
        """,
        at=2,
    )


@submission(points=6)
def another_style(desk: Desk):
    """Functions that are objects, partial, cached, annotated, decorated."""
    return desk.answered(
        double="""
        from functools import cache, partial
        double: "a function" = cache(partial(lambda factor, x: factor * x, 2))
        """,
        mean="""
        class Mean:
            def __call__(self, values, /, *, exactly: bool = True) -> np.floating:
                return np.mean(np.asarray(values, dtype=np.float32)).astype("f4")
        mean = Mean()
        """,
    )


@submission(points=6)
def guarded_main(desk: Desk):
    """Code under the guard of a script, and an exit at the end."""
    return desk.with_cell(
        "import sys\nif __name__ == '__main__':\n    print(double(1))\n    sys.exit(0)"
    )


@submission(points=6)
def variables_in_the_way(desk: Desk):
    """Own variables with names of builtins and modules."""
    return desk.with_cell("list = sum = abs = [1]\nmath = random = stats = 5\nid = type = 7")


@submission(points=6)
def recovered(desk: Desk):
    """Cells that fail, and go on all the same."""
    return desk.with_cell("1 / 0", at=2, why="# Title\n\n$x^2$ and `code`, ~~old~~ | new |")


@submission(points=6)
def oldest_notebook(desk: Desk):
    """Format 2, the first that IPython had, with headings as cells of their own."""
    cells = [
        {"cell_type": "code", "input": cell["source"], "language": "python", "outputs": []}
        if cell["cell_type"] == "code"
        else {"cell_type": "markdown", "source": cell["source"]}
        for cell in desk.answered()["cells"]
    ]
    cells.insert(0, {"cell_type": "heading", "level": 1, "source": "My work"})
    notebook = {"worksheets": [{"cells": cells}], "metadata": {"name": "x"}, "nbformat": 2}
    return as_bytes(notebook)


@submission(points=6)
def saved_by_colab_with_outputs(desk: Desk):
    """As Colab saves today: ids, who ran it, forms, outputs by reference, sources in lines."""
    notebook = desk.answered()
    notebook["nbformat_minor"] = 0
    notebook["metadata"] = {"colab": {"provenance": [], "toc_visible": True, "gpuType": "T4"},
                            "kernelspec": {"name": "python3", "display_name": "Python 3"},
                            "language_info": {"name": "python"}, "accelerator": "GPU"}  # fmt: skip
    for number, cell in enumerate(notebook["cells"]):
        cell.pop("id", None)
        who = {"displayName": "Zoë", "userId": "0123"}
        cell["metadata"] = {"id": f"q{number}Zx", "cellView": "form", "outputId": "a-b-c",
                            "executionInfo": {"status": "ok", "user": who}}  # fmt: skip
        cell["source"] = cell["source"].splitlines(keepends=True)
        if cell["cell_type"] == "code":
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["ok\n"]}]
            cell["execution_count"] = number
    notebook["cells"].append(own_cell("code", "#@title A form { run: 'auto' }\nx = 1 #@param"))
    return notebook


@submission(points=6)
def saved_by_vs_code(desk: Desk):
    """As VS Code saves: ids of its own, nothing of the kernel, a cell of another language."""
    notebook = desk.answered()
    notebook["metadata"] = {"language_info": {"name": "python"}, "orig_nbformat": 4}
    for number, cell in enumerate(notebook["cells"]):
        cell["id"] = f"VSC-{number:08x}"
        cell["metadata"] = {"vscode": {"languageId": "python"}, "notebookRunGroups": {"x": "1"}}
    other = own_cell("code", "SELECT 1") | {"metadata": {"vscode": {"languageId": "sql"}}}
    notebook["cells"].append(other)
    return notebook


@submission(points=6)
def saved_by_kaggle(desk: Desk):
    """With the marks of Kaggle, its input folders, and tags of papermill."""
    notebook = desk.with_cell("import os\nfor f in os.walk('/kaggle/input'): print(f)", at=2)
    notebook["metadata"]["kaggle"] = {"accelerator": "none", "dataSources": []}
    notebook["metadata"]["papermill"] = {"exception": True, "default_parameters": {}}
    for number, cell in enumerate(notebook["cells"]):
        cell["metadata"] |= {"_cell_guid": f"b{number}", "_uuid": "d6", "papermill": {}, "tags": []}
        cell["metadata"] |= {"execution": {"iopub.status.busy": "2023-01-01"}, "trusted": True}
    return notebook


@submission(points=6)
def folded_and_scrolled(desk: Desk):
    """What older Jupyter kept of the looks: collapsed, scrolled, slides, signature, celltoolbar."""
    notebook = desk.answered() | {"nbformat_minor": 0}
    notebook["metadata"] |= {
        "signature": "sha256:0",
        "celltoolbar": "Slideshow",
        "anaconda-cloud": {},
    }
    for cell in notebook["cells"]:
        cell.pop("id", None)
        cell["metadata"] |= {
            "collapsed": True,
            "scrolled": "auto",
            "slideshow": {"slide_type": "-"},
        }
    return notebook
