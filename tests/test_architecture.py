"""Imports run one way, and what serves the TensorBoard process never loads TensorFlow."""

import ast
import pathlib
import subprocess
import sys

import pytest

import tb_nanwatch

PACKAGE = pathlib.Path(tb_nanwatch.__file__).parent
CORE = {"model": set(), "stats": {"numpy"}, "rules": {"numpy"}, "detect": {"numpy"}}
EVENTS = {"numpy", "google.protobuf", "tensorboard.compat.proto"}
PLUGIN = {*EVENTS, "tensorboard", "werkzeug"}
CAPTURE = {*EVENTS, "keras", "tensorflow"}

# From the lowest part to the highest: the libraries that it may import. Of our own it may import what stands above
# it here, but for the pairs below. A file of the package's root is a part of its own.
LIBRARIES = {
    "_version": set(),
    "errors": set(),
    **CORE,
    "events": EVENTS,
    "plugin": PLUGIN,
    "capture": CAPTURE,
    "cli": PLUGIN,
    "callback": {*PLUGIN, *CAPTURE},
    # What a demonstration trains is a user's program: it uses the public interface, and libraries of its own.
    "cli/demos": {*PLUGIN, *CAPTURE, "matplotlib", "PIL"},
    "__init__": set(),
    "__main__": set(),
}
ORDER = list(LIBRARIES)
FORBIDDEN = {("capture", "plugin"), ("cli", "capture"), ("_version", "errors"), ("errors", "_version")}
ALLOWED = {("cli", "cli/demos")}
FILES = sorted(PACKAGE.rglob("*.py"))


def part_of(path):
    """The part that a file of the package, or a module's path in it, belongs to."""
    parts = path.with_suffix("").parts
    return "cli/demos" if parts[:2] == ("cli", "demos") else parts[0]


def part_of_module(name):
    """The part that one of our modules belongs to; `from tb_nanwatch import x` is the package's own face."""
    parts = name.split(".")[1:]
    return part_of(pathlib.PurePath(*parts)) if parts else "__init__"


def imports(source):
    """Every imported module, with whether only type checkers see it; in functions too."""
    tree = ast.parse(source)
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, id(node) in for_types
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"a relative import hides its direction: {ast.unparse(node)}"
            for alias in node.names:
                # The name may be a module: `from tb_nanwatch.rules import growth`.
                yield f"{node.module}.{alias.name}", id(node) in for_types


def violations(part, source):
    """What a part imports although it may not."""
    for name, for_types in imports(source):
        if name.split(".")[0] == "tb_nanwatch":
            other = part_of_module(name)
            # `from tb_nanwatch import errors` and `from tb_nanwatch import Alert` differ in what they load.
            other = other if other in LIBRARIES else "__init__"
            downward = ORDER.index(other) <= ORDER.index(part) and (part, other) not in FORBIDDEN
            if not downward and (part, other) not in ALLOWED:
                yield name
        elif name.split(".")[0] not in sys.stdlib_module_names and not for_types and not is_allowed(part, name):
            yield name


def is_allowed(part, name):
    """Whether a part may use a library's module."""
    return any(f"{name}.".startswith(f"{library}.") for library in LIBRARIES[part])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_file_imports_only_what_stands_below_it(path):
    part = part_of(path.relative_to(PACKAGE))
    assert list(violations(part, path.read_text(encoding="utf-8"))) == []


def test_every_part_has_its_place_in_the_order():
    assert {part_of(path.relative_to(PACKAGE)) for path in FILES} == set(LIBRARIES)


@pytest.mark.parametrize(
    ("part", "source"),
    [
        ("model", "import numpy"),
        ("model", "from tb_nanwatch.stats import trend"),
        ("stats", "from tb_nanwatch import rules"),
        ("rules", "import tb_nanwatch.detect.engine"),
        ("rules", "from google.protobuf import message"),
        ("detect", "def late():\n    import tensorflow as tf"),
        ("detect", "from tb_nanwatch.events.reader import RunLog"),
        ("events", "from tensorboard.util import tensor_util"),
        ("events", "from tb_nanwatch import NanWatch"),
        ("plugin", "from tb_nanwatch.capture.schedule import Schedule"),
        ("plugin", "import keras"),
        ("capture", "from tb_nanwatch.plugin.store import Store"),
        ("capture", "from tb_nanwatch.callback import NanWatch"),
        ("cli", "from tb_nanwatch.capture.session import Session"),
        ("cli", "from tb_nanwatch.callback import NanWatch"),
        ("errors", "from tb_nanwatch.model.alert import Alert"),
    ],
)
def test_this_test_sees_an_import_that_runs_the_wrong_way(part, source):
    assert len(list(violations(part, source))) == 1


def loaded_by(program):
    """TensorFlow and Keras, as far as a program loads them in a process of its own."""
    report = "import sys; print(sorted({'tensorflow', 'keras', 'jax', 'torch'} & set(sys.modules)))"
    command = [sys.executable, "-c", f"{program}\n{report}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    "program",
    [
        "import tb_nanwatch",
        "import tb_nanwatch.plugin.loader",
        "import tb_nanwatch.plugin.plugin",
        "import tb_nanwatch.detect.engine",
        "import tb_nanwatch.events.writer, tb_nanwatch.events.reader",
        "import tb_nanwatch; tb_nanwatch.Alert; tb_nanwatch.Thresholds(growth=False)",
        "import tb_nanwatch; dir(tb_nanwatch)",
        "import tb_nanwatch.cli.main",
    ],
)
def test_what_needs_no_training_leaves_tensorflow_and_keras_unloaded(program):
    assert loaded_by(program) == "[]"


def test_the_public_surface_is_what_the_package_lists():
    assert set(tb_nanwatch.__all__) <= set(dir(tb_nanwatch))


@pytest.mark.parametrize("name", sorted(set(tb_nanwatch.__all__) - {"NanWatch"}))
def test_a_public_name_is_there(name):
    assert getattr(tb_nanwatch, name) is not None


def test_a_name_that_is_not_public_is_no_attribute():
    with pytest.raises(AttributeError, match="no attribute 'Aura'"):
        tb_nanwatch.Aura  # noqa: B018


@pytest.mark.parametrize("name", [name for name in tb_nanwatch.__all__ if name.endswith("Error")])
def test_every_error_is_a_nanwatch_error(name):
    assert issubclass(getattr(tb_nanwatch, name), tb_nanwatch.NanWatchError)
