"""Families of tests that public courses use, each with a right and a wrong answer.

In one namespace the test passes for the right answer and fails for the wrong one. The grader must
tell them apart in the same way, in two processes or in the student's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True)
class Family:
    """A test with a right and a wrong answer. `cause` says why two processes might differ."""

    cause: str
    right: str
    wrong: str
    test: str
    locked: str = ""


def _family(cause: str, right: str, wrong: str, test: str, locked: str = "") -> Family:
    return Family(cause, *(dedent(text).strip() for text in (right, wrong, test, locked)))


ERRORS = "an error of the channel is taken for the student's"
DEFAULTS = "a stand-in answers by default"
COPIES = "copies hide that two names are one object"
SUBCLASSES = "an instance of a subclass of a builtin class arrives plain"
STATE = "the state of generators and modules"
OTHER = "others"

POINT = """
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y
"""
FROZEN = """
from dataclasses import dataclass
@dataclass(frozen=True)
class Point:
    x: int
    y: int
"""
PROPERTY = """
class Circle:
    def __init__(self, r):
        self._r = r
    @property
    def area(self):
        return 3 * self._r ** 2
"""
NO_PROPERTY = """
class Circle:
    def __init__(self, r):
        self._r = r
        self.area = 3 * r ** 2
"""
CATCH = """
try:
    {}
except {}:
    pass
else:
    assert False
"""

FAMILIES: dict[str, Family] = {
    # (a) The channel's own errors.
    "a read-only property": _family(
        ERRORS,
        PROPERTY,
        NO_PROPERTY,
        "c = Circle(2)\nassert c.area == 12\n" + CATCH.format("c.area = 5", "AttributeError"),
    ),
    "a frozen dataclass": _family(
        ERRORS,
        FROZEN,
        POINT,
        "p = Point(1, 2)\nassert p.x == 1\n" + CATCH.format("p.x = 3", "AttributeError"),
    ),
    "slots": _family(
        ERRORS,
        "class P:\n    __slots__ = ('x',)",
        "class P:\n    x = 1",
        CATCH.format("P().y = 1", "AttributeError"),
    ),
    "no addition": _family(
        ERRORS,
        "class Id:\n    pass",
        "class Id:\n    def __add__(self, other): return self",
        CATCH.format("Id() + Id()", "TypeError"),
    ),
    "no order": _family(
        ERRORS,
        "class Id:\n    pass",
        "class Id:\n    def __lt__(self, other): return True",
        CATCH.format("Id() < Id()", "TypeError"),
    ),
    "a private attribute": _family(
        ERRORS,
        "class A:\n    def __init__(self): self.__x = 1",
        "class A:\n    def __init__(self): self.__x = self._x = 1",
        "assert not hasattr(A(), '_x')",
    ),
    "no attribute can be deleted": _family(
        ERRORS,
        FROZEN,
        POINT,
        "p = Point(1, 2)\n" + CATCH.format("del p.x", "AttributeError"),
    ),
    "items can't be set": _family(
        ERRORS,
        "class Row:\n    def __getitem__(self, i): return i",
        "class Row(dict):\n    def __missing__(self, i): return i",
        "r = Row()\nassert r[1] == 1\n" + CATCH.format("r[0] = 5", "TypeError"),
    ),
    # (b) Answers by default.
    "not equal": _family(
        DEFAULTS,
        POINT + "    def __eq__(self, o): return (self.x, self.y) == (o.x, o.y)",
        POINT + "    def __eq__(self, o): return (self.x, self.y) == (o.x, o.y)\n"
        "    def __ne__(self, o): return False",
        "assert Point(1, 2) != Point(1, 3)",
    ),
    "not equal by default": _family(
        DEFAULTS,
        POINT,
        POINT + "    def __eq__(self, o): return True",
        "assert Point(1, 2) != Point(3, 4)",
    ),
    "a hash by identity": _family(
        DEFAULTS,
        POINT,
        POINT + "    def __hash__(self): return 1",
        "a, b = Point(1, 2), Point(3, 4)\nassert hash(a) != hash(b)",
    ),
    "not hashable": _family(
        DEFAULTS,
        POINT,
        POINT + "    __hash__ = None",
        "assert len({Point(1, 2), Point(3, 4)}) == 2",
    ),
    "a coroutine function": _family(
        DEFAULTS,
        "def f(): return 1",
        "async def f(): return 1",
        "import inspect\nassert not inspect.iscoroutinefunction(f)",
    ),
    "a generator function": _family(
        DEFAULTS,
        "def f(n): return list(range(n))",
        "def f(n): yield from range(n)",
        "import inspect\nassert not inspect.isgeneratorfunction(f)\nassert list(f(2)) == [0, 1]",
    ),
    "no iterator": _family(
        DEFAULTS,
        "class Bag:\n    def __iter__(self): return iter([1])",
        "class Bag:\n    def __iter__(self): return iter([1])\n    def __next__(self): return 1",
        "assert not hasattr(Bag(), '__next__')\nassert list(Bag()) == [1]",
    ),
    "without slots": _family(
        DEFAULTS,
        "class P:\n    __slots__ = ('x',)",
        "class P:\n    x = 1",
        "assert hasattr(P, '__slots__')",
    ),
    "truth of an object": _family(
        DEFAULTS,
        "class Bag:\n    def __bool__(self): return False",
        "class Bag:\n    pass",
        "b = Bag()\nassert not b",
    ),
    # (c) Copies.
    "a result that is the argument": _family(
        COPIES,
        "def same(xs): return list(xs)",
        "def same(xs): return xs",
        "xs = [1, 2]\nys = same(xs)\nys.append(3)\nassert xs == [1, 2]",
    ),
    "a deep copy": _family(
        COPIES,
        "import copy\ndef deep(x): return copy.deepcopy(x)",
        "def deep(x): return list(x)",
        "x = [[1], [2]]\ny = deep(x)\ny[0].append(9)\nassert x == [[1], [2]]",
    ),
    "a getter that hands out a copy": _family(
        COPIES,
        "class Box:\n    def __init__(self): self.a = [1]\n    def get(self): return list(self.a)",
        "class Box:\n    def __init__(self): self.a = [1]\n    def get(self): return self.a",
        "b = Box()\nb.get().append(2)\nassert b.get() == [1]",
    ),
    "an array that is no view": _family(
        COPIES,
        "import numpy as np\ndef head(a): return a[:2].copy()",
        "import numpy as np\ndef head(a): return a[:2]",
        "import numpy as np\na = np.arange(5)\nh = head(a)\nh[0] = 99\nassert a[0] == 0",
    ),
    "a constructor that copies": _family(
        COPIES,
        "class Box:\n    def __init__(self, a): self.a = list(a)\n"
        "    def size(self): return len(self.a)",
        "class Box:\n    def __init__(self, a): self.a = a\n    def size(self): return len(self.a)",
        "a = [1]\nb = Box(a)\na.append(2)\nassert b.size() == 1",
    ),
    "two objects of one list": _family(
        COPIES,
        "class Box:\n    def __init__(self, a): self.a = list(a)\n"
        "    def add(self): self.a.append(0)\n"
        "    def size(self): return len(self.a)",
        "class Box:\n    def __init__(self, a): self.a = a\n    def add(self): self.a.append(0)\n"
        "    def size(self): return len(self.a)",
        "a = [1]\nb, c = Box(a), Box(a)\nb.add()\nassert c.size() == 1",
    ),
    "a default list": _family(
        COPIES,
        "def put(x, to=None):\n    to = [] if to is None else to\n    to.append(x)\n    return to",
        "def put(x, to=[]):\n    to.append(x)\n    return to",
        "first = put(1)\nput(2)\nassert first == [1]",
    ),
    "rows that are one row": _family(
        COPIES,
        "def zeros(n): return [[0] * n for _ in range(n)]",
        "def zeros(n): return [[0] * n] * n",
        "z = zeros(2)\nz[0][0] = 1\nassert z == [[1, 0], [0, 0]]",
    ),
    "a cached list": _family(
        COPIES,
        "def make(): return [0]",
        "_kept = [0]\ndef make(): return _kept",
        "a = make()\na.append(1)\nassert make() == [0]",
    ),
    "a variable of the notebook is left alone": _family(
        COPIES,
        "data = [2, 1]\ndef f(): return sorted(data)",
        "data = [2, 1]\ndef f():\n    data.sort()\n    return data",
        "before = list(data)\nassert f() == [1, 2]\nassert data == before",
    ),
    # (d) Subclasses of builtin classes.
    "exactly a list": _family(
        SUBCLASSES,
        "def f(): return [1]",
        "class L(list): pass\ndef f(): return L([1])",
        "assert type(f()) is list",
    ),
    "exactly an int": _family(
        SUBCLASSES,
        "def f(): return 1",
        "class N(int): pass\ndef f(): return N(1)",
        "assert type(f()) == int",
    ),
    "a class of its own": _family(
        SUBCLASSES,
        "class L(list): pass\ndef f(): return L([1])",
        "def f(): return [1]",
        "assert type(f()) is not list and f() == [1]",
    ),
    "a named class": _family(
        SUBCLASSES,
        "class Name(str): pass\ndef f(): return Name('a')",
        "def f(): return 'a'",
        "assert type(f()).__name__ == 'Name'",
    ),
    "a method of a subclass": _family(
        SUBCLASSES,
        "class D(dict):\n    def total(self): return sum(self.values())",
        "class D(dict):\n    def total(self): return 0",
        "assert D(a=1, b=2).total() == 3",
    ),
    "a default of a dictionary": _family(
        SUBCLASSES,
        "from collections import defaultdict\ndef count(): return defaultdict(int)",
        "def count(): return {}",
        "c = count()\nassert c['x'] == 0",
    ),
    # (e) State.
    "the given generator advances": _family(
        STATE,
        "def draw(rng): return rng.random()",
        "import numpy as np\ndef draw(rng): return np.random.default_rng(3).random()",
        "import numpy as np\nrng = np.random.default_rng(1)\nbefore = rng.bit_generator.state\n"
        "draw(rng)\nassert rng.bit_generator.state != before",
    ),
    "two draws differ": _family(
        STATE,
        "def draw(rng): return rng.random()",
        "import numpy as np\ndef draw(rng): return np.random.default_rng(3).random()",
        "import numpy as np\nrng = np.random.default_rng(1)\nassert draw(rng) != draw(rng)",
    ),
    "the global seed is untouched": _family(
        STATE,
        "import numpy as np\ndef f(): return np.random.default_rng(0).random()",
        "import numpy as np\ndef f():\n    np.random.seed(0)\n    return np.random.rand()",
        "import numpy as np\nnp.random.seed(7)\na = np.random.rand()\nnp.random.seed(7)\nf()\n"
        "assert np.random.rand() == a",
    ),
    "the global generator is not used": _family(
        STATE,
        "import random\ndef f(): return random.Random(1).random()",
        "import random\ndef f(): return random.random()",
        "import random\nrandom.seed(1)\na = random.random()\nrandom.seed(1)\nf()\n"
        "assert random.random() == a",
    ),
    "the seed of the test": _family(
        STATE,
        "import random\ndef roll(): return random.randint(1, 10**9)",
        "import random\ndef roll(): return random.SystemRandom().randint(1, 10**9)",
        "import random\nrandom.seed(1)\na = roll()\nrandom.seed(1)\nassert roll() == a",
    ),
    "the environment is untouched": _family(
        STATE,
        "def f(): return 1",
        "import os\ndef f():\n    os.environ['DEBUG'] = '1'\n    return 1",
        "import os\nassert f() == 1\nassert 'DEBUG' not in os.environ",
    ),
    "the precision is untouched": _family(
        STATE,
        "def f(): return 1",
        "from decimal import getcontext\ndef f():\n    getcontext().prec = 3\n    return 1",
        "from decimal import Decimal, getcontext\nassert f() == 1\nassert getcontext().prec == 28",
    ),
    "time of the process": _family(
        STATE,
        "def f(): return 1",
        "def f():\n    total = 0\n    for n in range(3_000_000): total += n\n    return 1",
        "import time\nstart = time.process_time()\nassert f() == 1\n"
        "assert time.process_time() - start < 0.02",
    ),
}

COUNTER = """
def counter():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step
"""
BROKEN_COUNTER = "def counter():\n    return lambda: 1"
VECTOR = """
class Vector:
    def __init__(self, *xs): self.xs = list(xs)
    def __add__(self, o): return Vector(*[a + b for a, b in zip(self.xs, o.xs)])
    def __eq__(self, o): return self.xs == o.xs
    def __repr__(self): return f"Vector{tuple(self.xs)}"
    def __len__(self): return len(self.xs)
    def __iter__(self): return iter(self.xs)
"""
ACCOUNT = """
class Account:
    def __init__(self, balance): self.balance = balance
    def pay(self, amount):
        if amount > self.balance: raise ValueError("too little")
        self.balance -= amount
"""
POOR_ACCOUNT = """
class Account:
    def __init__(self, balance): self.balance = balance
    def pay(self, amount): self.balance -= amount
"""

FAMILIES |= {
    "equal numbers": _family(
        OTHER, "def f(x): return x + 1", "def f(x): return x", "assert f(2) == 3"
    ),
    "close numbers": _family(
        OTHER,
        "def f(x): return x / 3",
        "def f(x): return x // 3",
        "import math\nassert math.isclose(f(1), 0.3333333, rel_tol=1e-5)",
    ),
    "close arrays": _family(
        OTHER,
        "import numpy as np\ndef f(a): return a - a.mean()",
        "def f(a): return a",
        "import numpy as np\nnp.testing.assert_allclose(f(np.array([1.0, 3.0])), [-1, 1])",
    ),
    "results that are kept": _family(
        OTHER,
        "def f(n): return [n] * n",
        "_k = []\ndef f(n):\n    _k[:] = [n] * n\n    return _k",
        "a = f(1)\nb = f(2)\nassert a == [1]\nassert b == [2, 2]",
    ),
    "a variable": _family(OTHER, "answer = 42", "answer = 41", "assert answer == 42"),
    "a hashed answer": _family(
        OTHER,
        "answer = 42",
        "answer = 41",
        "import hashlib\nassert hashlib.md5(str(answer).encode()).hexdigest() "
        "== 'a1d0c6e83f027327d8461063f4ac58a6'",
    ),
    "a builtin error": _family(
        OTHER,
        "def f(x):\n    if x < 0: raise ValueError('negative')\n    return x",
        "def f(x): return x",
        CATCH.format("f(-1)", "ValueError"),
    ),
    "another builtin error": _family(
        OTHER,
        "def f(x):\n    if x < 0: raise ValueError('negative')\n    return x",
        "def f(x):\n    assert x >= 0\n    return x",
        CATCH.format("f(-1)", "ValueError").replace(
            "else:", "except Exception:\n    assert False\nelse:"
        ),
    ),
    "an error and its text": _family(
        OTHER,
        "def f(x): raise ValueError('negative')",
        "def f(x): raise ValueError('bad')",
        "try:\n    f(-1)\n    assert False\nexcept ValueError as error:\n"
        "    assert 'negative' in str(error)",
    ),
    "an assertion of the student's": _family(
        OTHER,
        "def f(x):\n    assert x >= 0\n    return x",
        "def f(x): return x",
        "try:\n    f(-1)\nexcept AssertionError:\n    pass\nelse:\n    raise RuntimeError",
    ),
    "a runtime error, no assertion": _family(
        OTHER,
        "def f(x): raise RuntimeError",
        "def f(x): assert False",
        "ok = False\ntry:\n    f(1)\nexcept RuntimeError:\n    ok = True\nexcept AssertionError:\n"
        "    ok = False\nassert ok",
    ),
    "an error of the student's class": _family(
        OTHER,
        "class Bad(Exception): pass\ndef f(): raise Bad()",
        "class Bad(Exception): pass\ndef f(): raise KeyError()",
        CATCH.format("f()", "Bad"),
    ),
    "pytest's raises": _family(
        OTHER,
        "def f(x): return 1 / x",
        "def f(x): return 0",
        "import pytest\nwith pytest.raises(ZeroDivisionError):\n    f(0)",
    ),
    "unittest": _family(
        OTHER,
        "def f(x): return x * 2",
        "def f(x): return x",
        "import unittest\nt = unittest.TestCase()\nt.assertEqual(f(2), 4)",
    ),
    "what is printed": _family(
        OTHER,
        "def f(): print('hello')",
        "def f(): print('hi')",
        "import io, contextlib\nout = io.StringIO()\nwith contextlib.redirect_stdout(out):\n"
        "    f()\n"
        "assert out.getvalue() == 'hello\\n'",
    ),
    "what is typed": _family(
        OTHER,
        "def f(): return int(input()) + 1",
        "def f(): return int(input())",
        "from unittest.mock import patch\nwith patch('builtins.input', return_value='2'):\n"
        "    assert f() == 3",
    ),
    "an account": _family(
        OTHER,
        ACCOUNT,
        POOR_ACCOUNT,
        "a = Account(10)\na.pay(4)\nassert a.balance == 6\n"
        + CATCH.format("a.pay(7)", "ValueError"),
    ),
    "a closure": _family(
        OTHER,
        COUNTER,
        BROKEN_COUNTER,
        "c = counter()\nassert c() == 1\nassert c() == 2",
    ),
    "two closures": _family(
        OTHER,
        COUNTER,
        "n = 0\ndef counter():\n    def step():\n        global n\n        n += 1\n"
        "        return n\n    return step",
        "a, b = counter(), counter()\na()\nassert b() == 1",
    ),
    "operators": _family(
        OTHER,
        VECTOR,
        VECTOR.replace("a + b", "a"),
        "assert Vector(1, 2) + Vector(3, 4) == Vector(4, 6)",
    ),
    "the text of an object": _family(
        OTHER,
        VECTOR,
        VECTOR.replace("Vector{", "V{"),
        "assert repr(Vector(1, 2)) == 'Vector(1, 2)'",
    ),
    "the text names the class": _family(
        OTHER,
        VECTOR,
        VECTOR.replace("Vector{", "V{"),
        "assert 'Vector' in str(Vector(1, 2))",
    ),
    "length and items": _family(
        OTHER,
        VECTOR,
        VECTOR.replace("len(self.xs)", "1"),
        "assert len(Vector(1, 2)) == 2",
    ),
    "a subclass": _family(
        OTHER,
        "class A: pass\nclass B(A): pass",
        "class A: pass\nclass B: pass",
        "assert issubclass(B, A)",
    ),
    "an instance": _family(
        OTHER,
        "class A: pass\nclass B(A): pass",
        "class A: pass\nclass B: pass",
        "assert isinstance(B(), A)",
    ),
    "an attribute is there": _family(
        OTHER,
        ACCOUNT,
        ACCOUNT.replace("balance", "money"),
        "assert hasattr(Account(1), 'balance')",
    ),
    "an attribute in dir": _family(
        OTHER,
        ACCOUNT,
        ACCOUNT.replace("pay", "take"),
        "assert 'pay' in dir(Account(1))",
    ),
    "a context manager": _family(
        OTHER,
        "class Log:\n    n = 0\n    def __enter__(self):\n        self.n += 1\n"
        "        return self\n"
        "    def __exit__(self, *e): self.n += 1",
        "class Log:\n    n = 0\n    def __enter__(self): return self\n"
        "    def __exit__(self, *e): pass",
        "log = Log()\nwith log:\n    pass\nassert log.n == 2",
    ),
    "an attribute is set": _family(
        OTHER,
        PROPERTY + "    @area.setter\n    def area(self, a): self._r = (a / 3) ** 0.5",
        NO_PROPERTY + "        self.r2 = r",
        "c = Circle(2)\nc.area = 27\nassert abs(c._r - 3) < 1e-9",
    ),
    "a generator": _family(
        OTHER,
        "def f(n):\n    for i in range(n): yield i * i",
        "def f(n):\n    yield from range(n)",
        "g = f(4)\nassert [next(g), next(g), next(g)] == [0, 1, 4]",
    ),
    "send": _family(
        OTHER,
        "def echo():\n    x = 0\n    while True: x = yield x",
        "def echo():\n    while True: yield 0",
        "g = echo()\nnext(g)\nassert g.send(5) == 5",
    ),
    "recursion": _family(
        OTHER,
        "def f(n): return 1 if n == 0 else n * f(n - 1)",
        "import math\ndef f(n): return math.factorial(n)",
        "import inspect\nassert inspect.getsource(f).count('f(') > 1 and f(4) == 24",
    ),
    "no loop": _family(
        OTHER,
        "def f(xs): return sum(xs)",
        "def f(xs):\n    t = 0\n    for x in xs: t += x\n    return t",
        "import ast, inspect\nt = ast.parse(inspect.getsource(f))\n"
        "assert not any(isinstance(n, ast.For) for n in ast.walk(t))",
    ),
    "random numbers by a patch": _family(
        OTHER,
        "import random\ndef roll(): return random.randint(1, 6)",
        "def roll(): return 4",
        "from unittest.mock import patch\nwith patch('random.randint', return_value=5):\n"
        "    assert roll() == 5",
    ),
    "no sleep": _family(
        OTHER,
        "import time\ndef f(): time.sleep(0.01)",
        "def f(): pass",
        "from unittest.mock import patch\nwith patch('time.sleep') as nap:\n    f()\n"
        "nap.assert_called_once_with(0.01)",
    ),
    "an environment variable": _family(
        OTHER,
        "import os\ndef f(): return os.environ.get('MODE', 'x')",
        "def f(): return 'x'",
        "import os\nos.environ['MODE'] = 'y'\nassert f() == 'y'",
    ),
    "a coroutine": _family(
        OTHER,
        "async def f(): return 3",
        "async def f(): return 4",
        "assert await f() == 3",
    ),
    "a file": _family(
        OTHER,
        "def save(): open('out.txt', 'w').write('a')",
        "def save(): pass",
        "import os\nsave()\nassert os.path.exists('out.txt')",
    ),
    "a change in place": _family(
        OTHER,
        "def order(xs): xs.sort()",
        "def order(xs): return sorted(xs)",
        "xs = [2, 1]\norder(xs)\nassert xs == [1, 2]",
    ),
    "no change in place": _family(
        OTHER,
        "def order(xs): return sorted(xs)",
        "def order(xs):\n    xs.sort()\n    return xs",
        "xs = [2, 1]\nassert order(xs) == [1, 2]\nassert xs == [2, 1]",
    ),
    "the same object": _family(
        OTHER,
        "def same(x): return x",
        "def same(x): return list(x)",
        "x = []\nassert same(x) is x",
    ),
    "a singleton": _family(
        OTHER,
        "class S:\n    _one = None\n    def __new__(cls):\n        cls._one = cls._one or "
        "object.__new__(cls)\n        return cls._one",
        "class S: pass",
        "assert S() is S()",
    ),
    "a type": _family(
        OTHER,
        "def f(): return (1, 2)",
        "def f(): return [1, 2]",
        "assert isinstance(f(), tuple)\nassert len(f()) == 2",
    ),
    "no boolean": _family(
        OTHER,
        "def f(): return 1",
        "def f(): return True",
        "assert type(f()) is int",
    ),
    "a docstring": _family(
        OTHER,
        "def f():\n    'Say one.'\n    return 1",
        "def f(): return 1",
        "assert f.__doc__",
    ),
    "parameters": _family(
        OTHER,
        "def f(a, b=2): return a",
        "def f(a): return a",
        "import inspect\nassert list(inspect.signature(f).parameters) == ['a', 'b']",
    ),
    "annotations": _family(
        OTHER,
        "def f(a: int) -> int: return a",
        "def f(a): return a",
        "assert f.__annotations__['return'] is int",
    ),
    "a lambda": _family(
        OTHER,
        "f = lambda x: x",
        "def f(x): return x",
        "assert f.__name__ == '<lambda>'",
    ),
    "a table": _family(
        OTHER,
        "import pandas as pd\ndef f(): return pd.DataFrame({'a': [1, 2]})",
        "import pandas as pd\ndef f(): return pd.DataFrame({'a': [1, 3]})",
        "import pandas as pd\npd.testing.assert_frame_equal(f(), pd.DataFrame({'a': [1, 2]}))",
    ),
    "a figure": _family(
        OTHER,
        "import matplotlib.pyplot as plt\ndef f():\n    fig, ax = plt.subplots()\n"
        "    ax.set_title('t')\n    return ax",
        "import matplotlib.pyplot as plt\ndef f():\n    fig, ax = plt.subplots()\n    return ax",
        "assert f().get_title() == 't'",
    ),
    "a higher-order function": _family(
        OTHER,
        "def twice(g): return lambda x: g(g(x))",
        "def twice(g): return g",
        "assert twice(lambda x: x + 3)(1) == 7",
    ),
    "a decorator": _family(
        OTHER,
        "def loud(g):\n    def h(*a): return g(*a) * 2\n    return h",
        "def loud(g): return g",
        "@loud\ndef one(): return 1\nassert one() == 2",
    ),
    "a name that must not be there": _family(
        OTHER,
        "total = 3",
        "total = 3\ntemporary = 1",
        "assert 'temporary' not in globals()",
    ),
    "a helper is used": _family(
        OTHER,
        "def helper(x): return x\ndef f(x): return helper(x)",
        "def helper(x): return x\ndef f(x): return x",
        "def helper(x): return 'called'\nassert f(1) == 'called'",
    ),
    "a warning": _family(
        OTHER,
        "import warnings\ndef f(): warnings.warn('old')",
        "def f(): pass",
        "import warnings\nwith warnings.catch_warnings(record=True) as w:\n"
        "    warnings.simplefilter('always')\n    f()\nassert len(w) == 1",
    ),
    "an order that is lazy": _family(
        OTHER,
        "def f(xs): return map(str, xs)",
        "def f(xs): return [str(x) for x in xs]",
        "r = f([1])\nassert not isinstance(r, list)\nassert list(r) == ['1']",
    ),
    "an iterator is consumed": _family(
        OTHER,
        "def first(it): return next(it)",
        "def first(it): return list(it)[0]",
        "it = iter([1, 2])\nassert first(it) == 1\nassert next(it) == 2",
    ),
    "a linked list": _family(
        OTHER,
        "def total(n): return 0 if n is None else n.value + total(n.rest)",
        "def total(n): return 0 if n is None else n.value",
        "assert total(Node(1, Node(2))) == 3",
        "class Node:\n    def __init__(self, value, rest=None):\n"
        "        self.value, self.rest = value, rest",
    ),
    "a node of a locked class": _family(
        OTHER,
        "def f(n): return isinstance(n, Node)",
        "def f(n): return False",
        "assert f(Node(1))",
        "class Node:\n    def __init__(self, value): self.value = value",
    ),
    "a result of the locked class": _family(
        OTHER,
        "def f(): return Node(1)",
        "def f(): return 1",
        "assert isinstance(f(), Node)",
        "class Node:\n    def __init__(self, value): self.value = value",
    ),
    "a helper of the locked cells": _family(
        OTHER,
        "class P:\n    __slots__ = ()",
        "class P: pass",
        "check(P())",
        "def check(p): assert not hasattr(p, '__dict__')",
    ),
    "a magic": _family(
        OTHER,
        "x = 3",
        "x = 4",
        "get_ipython().run_line_magic('time', 'pass')\nassert x == 3",
    ),
    "partial credit": _family(
        OTHER,
        "def f(x): return x",
        "def f(x): return -x",
        "assert f(1) == 1\n2",
    ),
}

FAMILIES |= {
    "a list of the class": _family(
        COPIES,
        "class A:\n    def __init__(s): s.items=[]\n    def add(s,x): s.items.append(x)",
        "class A:\n    items=[]\n    def add(s,x): s.items.append(x)",
        "a,b=A(),A()\na.add(1)\nassert b.items==[]",
    ),
    "a property that hands out a copy": _family(
        COPIES,
        "class A:\n    def __init__(s): s._i=[1]\n    @property\n    def i(s): return s._i[:]",
        "class A:\n    def __init__(s): s.i=[1]",
        "a=A()\nx=a.i\nx+=[2]\nassert a.i==[1]",
    ),
    "a slice of a cached list": _family(
        COPIES,
        "def f(): return [1,2]",
        "_x=[1,2]\ndef f(): return _x",
        "a=f()\na[:]=[]\nassert f()==[1,2]",
    ),
    "a list made longer": _family(
        COPIES,
        "def f(xs): return xs[:]",
        "def f(xs): return xs",
        "xs=[1]\nys=f(xs)\nys+=[2]\nassert xs==[1]",
    ),
    "an array that is added to": _family(
        COPIES,
        "import numpy as np\ndef f(a): return a+0",
        "def f(a): return a",
        "import numpy as np\na=np.zeros(2)\nb=f(a)\nb+=1\nassert a.sum()==0",
    ),
    "an array as the output of a function": _family(
        COPIES,
        "def f(a): return a.copy()",
        "def f(a): return a",
        "import numpy as np\na=np.ones(2)\nb=f(a)\nnp.multiply(b,2,out=b)\nassert a[0]==1",
    ),
    "the base of an array": _family(
        COPIES,
        "def f(a): return a.copy()",
        "def f(a): return a[:]",
        "import numpy as np\na=np.ones(3)\nassert f(a).base is None",
    ),
    "the flags of an array": _family(
        COPIES,
        "def f(a): return a.copy()",
        "def f(a): return a[:]",
        "import numpy as np\na=np.ones(3)\nassert f(a).flags.owndata",
    ),
    "a table sorted in place": _family(
        COPIES,
        "import pandas as pd\ndef f(d): return d.copy()",
        "def f(d): return d",
        'import pandas as pd\nd=pd.DataFrame({"a":[2,1]})\ne=f(d)\n'
        'e.sort_values("a",inplace=True)\nassert list(d.a)==[2,1]',
    ),
    "a table that stays as it was": _family(
        COPIES,
        "def f(d): return d.assign(b=1)",
        'def f(d):\n    d["b"]=1\n    return d',
        'import pandas as pd\nd=pd.DataFrame({"a":[2,1]})\ne=f(d)\nassert list(d.columns)==["a"]',
    ),
    "a list within a dictionary": _family(
        COPIES,
        "def f(d): return {k:list(v) for k,v in d.items()}",
        "def f(d): return dict(d)",
        'd={"a":[1]}\ne=f(d)\ne["a"].append(2)\nassert d["a"]==[1]',
    ),
    "results changed in a loop": _family(
        COPIES,
        "def f(x): return list(x)",
        "def f(x): return x",
        "xs=[[1],[2]]\nfor x in xs:\n    y=f(x)\n    y.append(0)\nassert xs==[[1],[2]]",
    ),
    "a result changed by a helper": _family(
        COPIES,
        "def f(x): return list(x)",
        "def f(x): return x",
        "def add(z): z.append(5)\nx=[1]\ny=f(x)\nadd(y)\nassert x==[1]",
    ),
    "a result changed in a comprehension": _family(
        COPIES,
        "def f(x): return list(x)",
        "def f(x): return x",
        "x=[1]\n[r.append(2) for r in [f(x)]]\nassert x==[1]",
    ),
    "a result named on the way": _family(
        COPIES,
        "def f(x): return list(x)",
        "def f(x): return x",
        "x=[1]\n(y:=f(x)).append(2)\nassert x==[1]",
    ),
    "a part of a pair": _family(
        COPIES,
        "def f(x): return list(x),1",
        "def f(x): return x,1",
        "x=[1]\ny,_=f(x)\ny.append(2)\nassert x==[1]",
    ),
    "a result in a dictionary": _family(
        COPIES,
        "def f(x): return list(x)",
        "def f(x): return x",
        'x=[1]\nbox={"y":f(x)}\nbox["y"].append(2)\nassert x==[1]',
    ),
    "a result in a zip": _family(
        COPIES,
        "def f(x): return list(x)",
        "def f(x): return x",
        "x=[1]\nfor y,_ in zip([f(x)],[0]): y.append(2)\nassert x==[1]",
    ),
    "a method of the class list": _family(
        COPIES,
        "def f(x): return list(x)",
        "def f(x): return x",
        "x=[1]\ny=f(x)\nlist.append(y,2)\nassert x==[1]",
    ),
    "a method by its name": _family(
        COPIES,
        "def f(x): return list(x)",
        "def f(x): return x",
        'x=[1]\ny=f(x)\ngetattr(y,"append")(2)\nassert x==[1]',
    ),
    "a method handed to map": _family(
        COPIES,
        "def f(x): return list(x)",
        "def f(x): return x",
        "x=[1]\ny=f(x)\nlist(map(y.append,[2,3]))\nassert x==[1]",
    ),
    "a shuffled result": _family(
        COPIES,
        "def f(x): return list(x)",
        "def f(x): return x",
        "import random\nx=list(range(50))\ny=f(x)\nrandom.shuffle(y)\nassert x==list(range(50))",
    ),
    "exactly an array": _family(
        SUBCLASSES,
        "import numpy as np\ndef f(): return np.array([1])",
        "import numpy as np\nclass A(np.ndarray): pass\ndef f(): return np.array([1]).view(A)",
        "import numpy as np\nassert type(f()) is np.ndarray",
    ),
    "a matrix": _family(
        SUBCLASSES,
        "import numpy as np\ndef f(): return np.array([[1,2],[3,4]])",
        "import numpy as np\ndef f(): return np.matrix([[1,2],[3,4]])",
        "m=f()\nassert (m*m)[0,0]==1",
    ),
    "an ordered dictionary": _family(
        SUBCLASSES,
        'from collections import OrderedDict\ndef f(): return OrderedDict([("a",1),("b",2)])',
        'from collections import OrderedDict\ndef f(): return OrderedDict([("b",2),("a",1)])',
        'from collections import OrderedDict\nassert f()==OrderedDict([("a",1),("b",2)])',
    ),
    "exactly a float": _family(
        SUBCLASSES,
        "def f(): return 1.0",
        "import numpy as np\ndef f(): return np.float64(1.0)",
        "assert type(f()) is float",
    ),
    "exactly an error": _family(
        SUBCLASSES,
        'class Mine(ValueError): pass\ndef f(): raise ValueError("x")',
        'class Mine(ValueError): pass\ndef f(): raise Mine("x")',
        "try:\n    f()\nexcept Exception as e:\n    assert type(e) is ValueError",
    ),
    "an abstract class": _family(
        DEFAULTS,
        "class A:\n    def __len__(s): return 1",
        "class A: pass",
        "from collections.abc import Sized\nassert isinstance(A(),Sized)",
    ),
    "not of an abstract class": _family(
        DEFAULTS,
        "class A: pass",
        "class A:\n    def __len__(s): return 1",
        "from collections.abc import Sized\nassert not isinstance(A(),Sized)",
    ),
    "an iterator": _family(
        DEFAULTS,
        "def f(): return iter([1])",
        "def f(): return [1]",
        "from collections.abc import Iterator\nassert isinstance(f(),Iterator)",
    ),
    "how often a function is called": _family(
        OTHER,
        "def f(g): return g(1)",
        "def f(g): return g(1)+g(1)-g(1)",
        "n=[]\ndef g(x):\n    n.append(x)\n    return x\nf(g)\nassert len(n)==1",
    ),
    "a mock as an argument": _family(
        OTHER,
        "def f(g): return g(1)",
        "def f(g): return g(2)",
        "from unittest.mock import Mock\nm=Mock(return_value=1)\nf(m)\n"
        "m.assert_called_once_with(1)",
    ),
    "a generator that is used up": _family(
        OTHER, "def f():\n    yield 1", "def f(): return [1]", "g=f()\nlist(g)\nassert list(g)==[]"
    ),
    "the end of a generator": _family(
        OTHER,
        "def g():\n    yield 1",
        "def g():\n    yield 1\n    yield 2",
        "it=g()\nnext(it)\ntry:\n    next(it)\n    assert False\nexcept StopIteration:\n    pass",
    ),
    "a global variable": _family(
        OTHER,
        "count=0\ndef f():\n    global count\n    count+=1",
        "count=0\ndef f(): pass",
        "f()\nf()\nassert count==2",
    ),
    "an abstract method": _family(
        OTHER,
        "import abc\nclass A(abc.ABC):\n    @abc.abstractmethod\n    def m(s): ...",
        "class A:\n    def m(s): ...",
        "try:\n    A()\n    assert False\nexcept TypeError:\n    pass",
    ),
    "a base class": _family(
        OTHER,
        "class A:\n    def m(s): return 1\nclass B(A):\n    def m(s): return super().m()+1",
        "class A:\n    def m(s): return 1\nclass B:\n    def m(s): return 2",
        "assert B().m()==2 and B.__bases__[0] is A",
    ),
    "a subclass in the test": _family(
        OTHER,
        "class A:\n    def m(s): return s.k()",
        "class A:\n    def m(s): return 3",
        "class T(A):\n    def k(s): return 7\nassert T().m()==7",
    ),
    "an object that is called": _family(
        OTHER,
        "class B:\n    def __call__(s,x): return x+1",
        "class B:\n    def __call__(s,x): return x",
        "assert B()(1)==2",
    ),
    "items of an object": _family(
        OTHER,
        "class B:\n    def __contains__(s,x): return x==1",
        "class B:\n    def __contains__(s,x): return True",
        "assert 1 in B() and 2 not in B()",
    ),
    "an enumeration": _family(
        OTHER,
        "import enum\nclass C(enum.Enum):\n    RED=1",
        "class C:\n    RED=1",
        "assert C.RED.value==1",
    ),
    "a file object as an argument": _family(
        OTHER,
        'def f(h): h.write("a")',
        "def f(h): pass",
        'import io\nh=io.StringIO()\nf(h)\nassert h.getvalue()=="a"',
    ),
    "the order of prints": _family(
        OTHER,
        'def f():\n    print("a")\n    return "b"',
        'def f():\n    return "b"',
        "import io,contextlib\no=io.StringIO()\nwith contextlib.redirect_stdout(o):\n"
        '    print(f())\nassert o.getvalue()=="a\\nb\\n"',
    ),
    "the order of keys": _family(
        OTHER,
        'def f(): return {"a":1,"b":2}',
        'def f(): return {"b":2,"a":1}',
        'assert list(f())==["a","b"]',
    ),
    "the sign of zero": _family(
        OTHER,
        "import math\ndef f(): return -0.0",
        "def f(): return 0.0",
        "import math\nassert math.copysign(1,f())==-1",
    ),
    "a generator with a known seed": _family(
        STATE,
        "import numpy as np\ndef f(rng): return rng.normal()",
        "import numpy as np\ndef f(rng): return 0.3",
        "import numpy as np\na=f(np.random.default_rng(1))\n"
        "assert a==np.random.default_rng(1).normal()",
    ),
    "the mean of draws": _family(
        STATE,
        "import random\ndef f(): return random.random()",
        "def f(): return 0.9",
        "assert abs(sum(f() for _ in range(2000))/2000-.5)<.1",
    ),
}

FAMILIES |= {
    "a function named like a built-in one": _family(
        OTHER,
        "def sum(xs):\n    t=0\n    for x in xs: t+=x\n    return t",
        "def sum(xs): return 0",
        "assert sum([1,2])==3",
    ),
    "a built-in function is replaced": _family(
        OTHER, "def f(): return 1", "max=3\ndef f(): return 1", "assert max([f()])==1"
    ),
    "tests that unittest looks for": _family(
        OTHER,
        "def f(x): return x+1",
        "def f(x): return x",
        "import unittest, io\nclass T(unittest.TestCase):\n    def test(self):\n"
        "        assert f(1)==2\n"
        'r=unittest.main(argv=[""],exit=False,'
        "testRunner=unittest.TextTestRunner(stream=io.StringIO())).result\n"
        "assert r.wasSuccessful()",
    ),
    "a function by its name": _family(
        COPIES,
        "def f(x): return list(x)",
        "def f(x): return x",
        'x=[1]\ny=globals()["f"](x)\ny.append(2)\nassert x==[1]',
    ),
    "a function in a dictionary": _family(
        COPIES,
        "def f(x): return list(x)",
        "def f(x): return x",
        'fs={"a":f}\nx=[1]\ny=fs["a"](x)\ny.append(2)\nassert x==[1]',
    ),
    "a partial function": _family(
        COPIES,
        "def f(x): return list(x)",
        "def f(x): return x",
        "from functools import partial\nx=[1]\ny=partial(f,x)()\ny.append(2)\nassert x==[1]",
    ),
    "a default list for a keyword": _family(
        COPIES,
        "def f(x,*,to=None):\n    to=to or []\n    to.append(x)\n    return to",
        "_d=[]\ndef f(x,*,to=_d):\n    to.append(x)\n    return to",
        "r1=f(1)\nr2=f(2)\nassert r1==[1] and r2==[2]",
    ),
    "results that are collected": _family(
        COPIES,
        "def f(n): return [n]",
        "_k=[]\ndef f(n):\n    _k[:]=[n]\n    return _k",
        "rs=[]\nfor i in range(2): rs.append(f(i))\nassert rs==[[0],[1]]",
    ),
    "items that are one list": _family(
        COPIES,
        "def g():\n    for i in range(2): yield [i]",
        "def g():\n    x=[0]\n    for i in range(2):\n        x[0]=i\n        yield x",
        "assert list(g())==[[0],[1]]",
    ),
    "two results at once": _family(
        COPIES,
        "def f(n): return [n]",
        "_k=[]\ndef f(n):\n    _k[:]=[n]\n    return _k",
        "assert (f(1),f(2))==([1],[2])",
    ),
    "two results that differ": _family(
        COPIES,
        "def f(n): return [n]",
        "_k=[]\ndef f(n):\n    _k[:]=[n]\n    return _k",
        "assert f(1)!=f(2)",
    ),
    "a method that returns a new object": _family(
        COPIES,
        "class B:\n    def __init__(s,x=()): s.x=list(x)\n    def add(s,v): return B(s.x+[v])",
        "class B:\n    def __init__(s,x=()): s.x=list(x)\n    def add(s,v):\n"
        "        s.x.append(v)\n        return s",
        "b=B()\nc=b.add(1)\nassert b.x==[] and c.x==[1]",
    ),
    "an attribute that is kept": _family(
        COPIES,
        "class B:\n    def __init__(s): s.x=[]\n    def add(s,v): s.x=s.x+[v]",
        "class B:\n    def __init__(s): s.x=[]\n    def add(s,v): s.x.append(v)",
        "b=B()\nx=b.x\nb.add(1)\nassert x==[]",
    ),
    "a variable that is kept": _family(
        COPIES,
        "log=[]\ndef f():\n    global log\n    log=log+[1]",
        "log=[]\ndef f(): log.append(1)",
        "x=log\nf()\nassert x==[]",
    ),
    "an argument that is kept": _family(
        COPIES,
        "_k=[]\ndef put(x): _k.append(list(x))\ndef wipe():\n    for x in _k: x.clear()",
        "_k=[]\ndef put(x): _k.append(x)\ndef wipe():\n    for x in _k: x.clear()",
        "x=[1]\nput(x)\nwipe()\nassert x==[1]",
    ),
    "the text of a type": _family(
        SUBCLASSES,
        "def f(): return {}",
        "from collections import defaultdict\ndef f(): return defaultdict(int)",
        "assert str(type(f())) == \"<class 'dict'>\", 'no dict'",
    ),
    "a hashed type": _family(
        SUBCLASSES,
        "x = 3",
        "class Own(int): pass\nx = Own(3)",
        "from hashlib import sha1\n"
        "assert sha1(str(type(x)).encode('utf-8') + b'salt').hexdigest() == "
        "'5b7219c3ed72dbd35815ff40e684163653aa2a62'",
    ),
    "an attribute's array of another size": _family(
        COPIES,
        "import numpy as np\nclass M:\n    def __init__(s): s.par={'w': np.zeros(0)}\n"
        "    def fit(s): s.par['w']=np.ones(3)",
        "import numpy as np\nclass M:\n    def __init__(s): s.par={'w': np.zeros(0)}\n"
        "    def fit(s): s.par['w']=np.ones(2)",
        "m=M()\nassert m.par['w'].size==0\nm.fit()\nassert m.par['w'].size==3",
    ),
    "an error's class as an argument": _family(
        ERRORS,
        "def f(x):\n    if x<0: raise ValueError\n    return x",
        "def f(x):\n    if x<0: raise TypeError\n    return x",
        "def throws(call, kind):\n    try:\n        call()\n    except kind:\n        return True\n"
        "    except Exception:\n        return False\nassert throws(lambda: f(-1), ValueError)",
    ),
    "an error of the student's as an argument": _family(
        ERRORS,
        "class Own(ValueError): pass\ndef f(x): raise Own",
        "class Own(ValueError): pass\ndef f(x): raise ValueError",
        "def throws(call, kind):\n    try:\n        call()\n    except kind:\n        return True\n"
        "    except Exception:\n        return False\nassert throws(lambda: f(-1), Own)",
    ),
    "the keys of a dictionary": _family(
        DEFAULTS,
        "def f(): return {1: 'a'}.keys()",
        "def f(): return {2: 'a'}.keys()",
        "assert f() == {1} and f() | {2} == {1, 2} and {1, 2} - f() == {2} and len(f()) == 1",
    ),
    "the items of a dictionary": _family(
        DEFAULTS,
        "def f(): return {1: []}.items()",
        "def f(): return {1: [2]}.items()",
        "assert f() == {1: []}.items() and not f() != {1: []}.items()",
    ),
    "keys that change later": _family(
        COPIES,
        "class B:\n    def __init__(s): s.x={}\n    def keys(s): return s.x.keys()\n"
        "    def add(s,v): s.x[v]=1",
        "class B:\n    def __init__(s): s.x={}\n    def keys(s): return {**s.x}.keys()\n"
        "    def add(s,v): s.x[v]=1",
        "b=B()\nks=b.keys()\nassert ks==set()\nb.add(1)\nassert ks=={1}",
    ),
    "a default of a built-in class": _family(
        SUBCLASSES,
        "from collections import defaultdict\ndef f(): return defaultdict(list, {1: [2]})",
        "from collections import defaultdict\ndef f(): return defaultdict(int, {1: [2]})",
        "assert f()[5] == [] and f() == {1: [2]}",
    ),
    "no default": _family(
        SUBCLASSES,
        "def f(): return {}",
        "from collections import defaultdict\ndef f(): return defaultdict(lambda: 3)",
        CATCH.format("f()[5]", "KeyError"),
    ),
    "a missing key of a subclass": _family(
        SUBCLASSES,
        "class Row(dict): pass\ndef f(): return Row()",
        "class Row(dict):\n    def __missing__(self, i): return i\ndef f(): return Row()",
        CATCH.format("f()[5]", "KeyError"),
    ),
    "a counted recursion": _family(
        OTHER,
        "def fib(n): return 1 if n<2 else fib(n-1)+fib(n-2)",
        "def fib(n):\n    a=b=1\n    for _ in range(n): a,b=b,a+b\n    return a",
        "def counted(f):\n    n=[0]\n    def wrapper(*a):\n        n[0]+=1\n        return f(*a)\n"
        "    return wrapper, n\nfib, count = counted(fib)\nassert fib(5)==8 and count[0]>5",
    ),
    "a locked list that the solution changes": _family(
        COPIES,
        "colleges[1] = ''",
        "colleges[0] = ''",
        "assert colleges[1] == ''",
        locked="colleges = ['Muir', 'Warren']",
    ),
    "a locked list that the solution must keep": _family(
        COPIES,
        "def add(x): return [*names, x]\nlonger = add(3)\nnames.append(longer.pop())\nnames.pop()",
        "def add(x):\n    names.append(x)\n    return names\nlonger = add(3)",
        "assert names == [1]",
        locked="names = [1]",
    ),
    "a locked list by way of a helper": _family(
        COPIES,
        "names.append(2)",
        "names.append(3)",
        "assert last() == 2",
        locked="names = [1]\ndef last(): return names[-1]",
    ),
}
