# SPDX-License-Identifier: GPL-3.0-or-later
"""The prototypes against what the library exports and its header declares; and the handshake."""
import ctypes
import os
import pathlib
import re
import subprocess
import sys

import pytest

import hsel
from conftest import ROOT
from hsel import _library as lib

STUDY = os.environ["HSEL_LIBRARY"].replace("libhsel", "libhsel-study")
HEADER = (ROOT / "include" / "hsel" / "hsel.h").read_text()


def declared():
    """Functions of the header: name -> number of arguments."""
    text = re.sub(r"/\*.*?\*/", "", HEADER, flags=re.S)
    return {name: 0 if arguments.strip() == "void" else arguments.count(",") + 1
            for name, arguments in re.findall(r"HSEL_API[^;{}]*?\b(hsel_\w+)\(([^;]*?)\);", text)}


def test_there_is_one_header():
    assert [path.name for path in (ROOT / "include" / "hsel").iterdir()] == ["hsel.h"]


def test_prototypes_are_exported():
    def exported(library):
        done = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
        return {name for name in (line.split()[-1].split("@")[0] for line in done.stdout.splitlines()) if name.startswith("hsel_")}
    selection, study = exported(os.environ["HSEL_LIBRARY"]), exported(STUDY)
    assert set(lib.PROTOTYPES) <= selection and set(lib.STUDY_PROTOTYPES) == study
    assert not selection & study and set(declared()) == selection | study


def test_prototypes_are_those_of_the_header():
    functions = declared()
    for name, (_, takes) in {**lib.PROTOTYPES, **lib.STUDY_PROTOTYPES}.items():
        assert functions[name] == len(takes), name


def test_structs_are_those_of_the_header():
    for name, struct in lib.STRUCTS.items():
        assert lib.library.hsel_sizeof(name.encode()) == ctypes.sizeof(struct), name
        body = re.search(r"typedef struct %s \{(.*?)\} %s;" % (name, name), HEADER, re.S).group(1)
        body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
        body = re.sub(r"(?:int|void) \(\*(\w+)\)\([^)]*\)", r"int \1", body)
        fields = [re.sub(r"\[.*", "", word.strip().split()[-1].lstrip("*")) for line in body.split(";") if line.strip()
                  for word in line.split(",")]
        assert fields == [field for field, _ in struct._fields_], name
    assert lib.library.hsel_sizeof(b"nothing") == 0


@pytest.mark.parametrize("change, message", [("lib.INTERFACE = 77", "version 1 of the interface, but this package needs 77"),
                                             ("lib.Error._fields_; lib.STRUCTS['hsel_error'] = lib.Edges",
                                              "hsel_error has .* bytes in"),
                                             ("lib.PROTOTYPES['hsel_nothing'] = (None, [])", "has no hsel_nothing")])
def test_handshake(change, message):
    program = f"import hsel._library as lib\n{change}\ntry:\n    lib.load()\nexcept ImportError as e:\n    print(e)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
    assert re.search(message, done.stdout), done.stdout + done.stderr


def test_missing_library_says_what_to_do():
    done = subprocess.run([sys.executable, "-c", "import hsel"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "python"), "HSEL_LIBRARY": "/nowhere/libhsel.so"})
    assert done.returncode != 0 and "HSEL_LIBRARY" in done.stderr and "ImportError" in done.stderr


def loaded(place):
    return subprocess.run([sys.executable, "-c", "import hsel"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "python"), "HSEL_LIBRARY": str(place)})


@pytest.mark.parametrize("name, package", [("libjansson", "libjansson4"), ("libRmath", "r-mathlib")])
def test_missing_dependency_is_named(tmp_path, name, package):
    content = pathlib.Path(os.environ["HSEL_LIBRARY"]).read_bytes()
    broken = re.sub(rb"\0(%s\.so\.)\d\0" % name.encode(), rb"\0\g<1>x\0", content)
    assert broken != content
    (tmp_path / "libhsel.so").write_bytes(broken)
    done = loaded(tmp_path / "libhsel.so")
    assert done.returncode != 0 and f"ImportError: hsel: the shared library needs {name}.so.x" in done.stderr
    assert f"apt install {package}\n" in done.stderr


def needed(library):
    done = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True)
    return {name.split(".so")[0] for name in re.findall(r"NEEDED.*\[(.*)\]", done.stdout)}


def test_what_is_needed_is_known_and_documented():
    content = pathlib.Path(os.environ["HSEL_LIBRARY"]).read_bytes()
    opened = {name.decode() for name in re.findall(rb"\0(libraptor2|libsqlite3)\.so\.\d", content)}
    at_once, for_studies = needed(os.environ["HSEL_LIBRARY"]), needed(STUDY)
    assert (at_once | for_studies) - {"libhsel", "libc", "libm", "ld-linux-x86-64", "libasan", "libubsan"} | opened <= set(lib.NEEDS)
    assert set(lib.NEEDS) <= at_once | for_studies | {"libraptor2"}
    assert not at_once & {"libsqlite3", "libyaml-0"} and "libsqlite3" in for_studies
    text = (ROOT / "docs" / "python.md").read_text()
    assert [package for package in lib.NEEDS.values() if f"`{package}`" not in text] == []


def test_version():
    assert hsel.__version__ == lib.VERSION
    assert re.search(r'^version = \{attr = "hsel._library.VERSION"\}', (ROOT / "python" / "pyproject.toml").read_text(), re.M)


def test_the_library_for_studies_is_loaded_when_it_is_used(tmp_path):
    program = """if True:
        import hsel, re
        data = hsel.generate("ontology:instances=60,features=40")
        hsel.cross_validate(data)
        loaded = lambda: set(re.findall(r"lib[a-z-]+", open("/proc/self/maps").read()))
        assert not loaded() & {"libhsel-study", "libyaml-"}, loaded()
        try:
            hsel.report("nothing.db", "x.html")
        except hsel.FileError as error:
            print(error)
        assert "libhsel-study" in loaded(), loaded()"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
    assert done.returncode == 0 and "nothing.db" in done.stdout, done.stderr


def test_missing_library_for_studies_says_what_to_do(tmp_path):
    (tmp_path / "libhsel.so").write_bytes(pathlib.Path(os.environ["HSEL_LIBRARY"]).read_bytes())
    program = """if True:
        import hsel
        try:
            hsel.report("nothing.db", "x.html")
        except ImportError as error:
            print(error)"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "python"), "HSEL_LIBRARY": str(tmp_path / "libhsel.so")})
    assert "libhsel-study.so cannot be loaded" in done.stdout, done.stdout + done.stderr
