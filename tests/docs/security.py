#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""SECURITY.md, sentence by sentence: each has a test here, and a sentence without one fails. Only what people promise has none.

    security.py path/to/hsel
"""
import base64
import csv
import hashlib
import html.parser
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HSEL = pathlib.Path(sys.argv[1]).resolve()
SANITIZED = b"__asan_init" in HSEL.read_bytes()
PEOPLE = {  # what no program can test
    "Report any file that makes it crash, run forever, use far more memory than docs/formats.md says, write outside the named output, or put a script "
    "into a report or page.",
    "Fixes are made for the latest release and the head of the repository.",
    "You get an answer within two weeks, with the date of the release that has the fix.",
}
PROMISES = {}


def sources(pattern):
    return [file for folder in ("src", "cli", "study", "explore") for file in (ROOT / folder).rglob(pattern)]


HOSTILE = "</title><script>alert(1)</script><img src=x onerror=alert(2)>"


def promise(*sentences):
    def keep(check):
        PROMISES.update(dict.fromkeys(sentences, check))
        return check
    return keep


def sentences():
    """Of the page, without marks; a sentence ends before a blank and a capital letter, or with its paragraph."""
    text = re.sub(r"^#.*$", "", (ROOT / "SECURITY.md").read_text(), flags=re.M)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("`", "")
    for part in re.split(r"(?:\n\s*)*\n- |\n\s*\n", text):
        yield from filter(None, re.split(r"(?<=\.)\s+(?=[A-Z]|hsel )", " ".join(part.split())))


def hsel(*words, status=(0,), **options):
    done = subprocess.run([HSEL, *words], capture_output=True, timeout=120, **options)
    assert done.returncode in status, (words, done.returncode, done.stderr)
    return done


def has(path, *texts):
    """Is the test there that keeps the promise?"""
    found = (ROOT / path).read_text()
    for text in texts:
        assert text in found, f"{path} has no {text}"


def pages():
    """An explorer page and a report, of data with hostile names."""
    name = HOSTILE.replace(",", "")
    rows = "".join(f"i{i},{i % 2},{i // 2 % 2},{name if i % 2 else 'other'}\n" for i in range(40))
    pathlib.Path("hostile.csv").write_text(f"id,{name},plain,class\n{rows}")
    pathlib.Path("study.yaml").write_text("name: small\ndatasets:\n  - path: hostile.csv\nselectors: [none]\nclassifiers: [nb]\nfolds: {count: 4}\n")
    hsel("run", "-q", "study.yaml", "--store", "small.db")
    hsel("report", "-q", "small.db", "-o", "report.html")
    made = [pathlib.Path("report.html").read_text()]
    done = hsel("explore", "-q", "hostile.csv", "-o", "page.html", status=(0, 2))
    assert done.returncode == 0 or b"built without the page" in done.stderr, done.stderr
    return made + ([pathlib.Path("page.html").read_text()] if done.returncode == 0 else [])


def attributes(page):
    found = []
    parser = html.parser.HTMLParser()
    parser.handle_starttag = lambda tag, pairs: found.extend(pairs)
    parser.feed(page)
    return found


@promise("hsel reads files from other people: data sets, hierarchies, packs, models, stores and study files.")
def damaged_files_are_refused():
    hsel("generate", "ontology:features=30,instances=40", "-q", "-o", "made")
    hsel("convert", "-q", "made", "-o", "made.hsel")
    hsel("train", "-q", "made", "-o", "made.model")
    pathlib.Path("made.yaml").write_text("name: small\ndatasets:\n  - path: made.hsel\nselectors: [none]\nclassifiers: [nb]\nfolds: {count: 2}\n")
    hsel("run", "-q", "made.yaml", "--store", "made.db")
    for file, *words in (("made.hsel", "info", "bad"), ("made.model", "predict", "bad", "made.hsel"), ("made.db", "check", "bad"), ("made.yaml", "run", "bad")):
        whole = pathlib.Path(file).read_bytes()
        for cut in (b"", whole[:len(whole) // 3], whole[:100] + bytes(len(whole))):
            pathlib.Path("bad").write_bytes(cut)
            before = sorted(os.listdir())
            hsel(*words, status=(1, 2))
            assert sorted(os.listdir()) == before, "something was written"


@promise("Write to the address in debian/control, or make a private report where the repository is hosted.")
def there_is_an_address():
    assert re.search(r"^Maintainer: .*<\S+@\S+>", (ROOT / "debian/control").read_text(), re.M)


@promise("Include the file or the command that shows the problem, and the output of hsel version.")
def version_says_what_was_built():
    said = hsel("version").stdout.decode()
    assert re.match(r"hsel \d+\.\d+", said) and "libraries:" in said, said


@promise("Every reader is fuzzed (make fuzz), and its corpus is replayed in the tests (tests/fuzz).")
def every_reader_has_a_corpus():
    corpus = {folder.name for folder in (ROOT / "tests/fuzz/corpus").iterdir() if any(folder.iterdir())}
    formats = {format["name"] for format in json.loads(hsel("methods", "--kind", "format", "--json").stdout)} | {"model", "store", "study"}
    assert formats <= corpus, f"without a corpus: {formats - corpus}"
    listed = subprocess.run(["ctest", "--test-dir", HSEL.parent, "-N", "-R", "^fuzz\\."], capture_output=True, text=True, check=True).stdout
    replayed = set(re.findall(r": fuzz\.(\S+)", listed))
    assert formats <= replayed, f"not replayed: {formats - replayed}"
    has("scripts/fuzz", "ls tests/fuzz/corpus")


@promise("make check runs all tests under the address and undefined-behaviour sanitizers, and those that use threads under the thread sanitizer.")
def sanitizers_are_run():
    """scripts/check, which make check calls, with programs that only write down how they are called."""
    called = pathlib.Path("calls").resolve()
    for program in ("cmake", "ctest", "clang"):
        stub = pathlib.Path("stubs", program)
        stub.parent.mkdir(exist_ok=True)
        stub.write_text(f'#!/bin/sh\necho "{program} $*" >>{called}\necho "100% tests passed, 0 tests failed out of 1"\n')
        stub.chmod(0o755)
    pathlib.Path("copy/scripts").mkdir(parents=True)
    shutil.copy(ROOT / "scripts/check", "copy/scripts")
    assert "scripts/check" in (ROOT / "Makefile").read_text()
    done = subprocess.run(["copy/scripts/check"], env={"PATH": f"{pathlib.Path('stubs').resolve()}:{os.environ['PATH']}"}, capture_output=True, timeout=60)
    assert done.returncode == 0, done
    calls = [line for line in called.read_text().splitlines() if line.startswith("ctest") and " -N " not in line]
    assert len(calls) == 3 and "build/asan" in calls[1] and " -L" not in calls[1] and "build/tsan" in calls[2] and calls[2].endswith("-L threads"), calls
    presets = {preset["name"]: preset.get("cacheVariables", {}) for preset in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}
    assert presets["asan"]["HSEL_SANITIZE"] == "address,undefined" and presets["tsan"]["HSEL_SANITIZE"] == "thread"


@promise("Sizes in files are checked before they are used.")
def sizes_are_checked():
    """Any number in the head of a pack or a model made as large as can be: refused, without taking the memory."""
    hsel("generate", "ontology:features=30,instances=40", "-q", "-o", "sized")
    hsel("convert", "-q", "sized", "-o", "sized.hsel")
    whole = pathlib.Path("sized.hsel").read_bytes()

    def little():
        if not SANITIZED:
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    for at in range(8, min(len(whole) - 8, 264), 8):
        pathlib.Path("huge.hsel").write_bytes(whole[:at] + b"\xff" * 8 + whole[at + 8:])
        hsel("info", "-q", "huge.hsel", status=(0, 1, 2), preexec_fn=little)


@promise("Names from files become text in pages, reports and drawings, never markup.")
def names_stay_text():
    for page in pages():
        assert HOSTILE not in page and "<img" not in page
    hsel("train", "-q", "hostile.csv", "--classify", "tree", "-o", "tree.model")
    drawn = hsel("explain", "-q", "--model", "tree.model", "--output", "tree.svg", status=(0, 1, 2))
    if drawn.returncode == 0:
        assert "<script" not in pathlib.Path("tree.svg").read_text()


@promise("The content security policy of a page or report allows its own script by its hash, and no other.")
def policy_allows_one_script():
    for page in pages():
        policy = dict(part.split(None, 1) for part in re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1].split("; "))
        script = re.findall(r"<script>(.*?)</script>", page, re.S)
        assert len(script) == 1
        digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
        assert policy["script-src"] == f"'sha256-{digest}'" and policy["default-src"] == "'none'", policy
        assert not [name for name, _ in attributes(page) if name.startswith("on")], "a handler in the markup"


@promise("Pages and reports load nothing.")
def pages_load_nothing():
    for page in pages():
        outside = [value for name, value in attributes(page) if name in ("src", "href", "xlink:href") and not re.match("#|data:", value)]
        assert not outside and not re.search(r"""url\((?!["']?(data:|#))|@import""", re.sub(r"<script.*?</script>", "", page, flags=re.S)), outside
    has("tests/browser/run.py", "a request leaves the page")
    has("tests/report/page.py", "the page asks for something")


@promise("CSV from the explorer page and from hsel report contains no formulas: a text that begins with =, +, -, @, a tab or a line break gets a single quote in front.")
def saved_tables_hold_no_formulas():
    has("tests/browser/run.py", "def test_csv_holds_no_formulas")
    pathlib.Path("formulas.yaml").write_text("name: f\ndatasets:\n  - {name: '=1+1', path: hostile.csv}\nselectors: [none]\nclassifiers: [nb]\nfolds: {count: 4}\n")
    hsel("run", "-q", "formulas.yaml", "--store", "formulas.db")
    hsel("report", "-q", "formulas.db", "-o", "formulas.csv")
    cells = [cell for row in csv.reader(open("formulas.csv", encoding="utf-8")) for cell in row]
    assert "'=1+1" in cells and "=1+1" not in cells, cells[:20]


@promise("Other commands write names unchanged, because programs read their files; --csv-safe adds the single quote there.")
def commands_keep_names():
    pathlib.Path("formula.csv").write_text("id,=1+1,class\n" + "".join(f"-i{i},{i % 2},{'@a' if i % 2 else 'b'}\n" for i in range(20)))
    for more, quote in (([], ""), (["--csv-safe"], "'")):
        assert f"{quote}=1+1," in hsel("rank", "-q", "formula.csv", "--csv", *more).stdout.decode()
        hsel("eval", "-q", "formula.csv", "--folds", "2", "--predictions", "p.csv", *more)
        assert f",{quote}-i1,{quote}@a," in pathlib.Path("p.csv").read_text()


@promise("Nothing listens on a network, and nothing is fetched.")
def there_is_no_network():
    for file in sources("*.[ch]"):
        assert not re.search(r"sys/socket\.h|netdb\.h|netinet/|\b(socket|connect|listen|getaddrinfo)\(|curl", file.read_text()), file


@promise("A study file names data files, not programs.")
def study_runs_no_program():
    for path in ("$(touch ran)", "|touch ran", "`touch ran`", "touch ran|"):
        pathlib.Path("evil.yaml").write_text(f"name: evil\ndatasets:\n  - path: \"{path}\"\nselectors: [none]\nclassifiers: [nb]\n")
        hsel("run", "-q", "evil.yaml", "--store", "evil.db", status=(0, 1, 2, 3, 4, 5))
        assert not pathlib.Path("ran").exists(), path


@promise("docs/reliability.md has the details, and tests/docs/security.py a test for each sentence of this page.")
def details_are_there():
    assert (ROOT / "docs/reliability.md").is_file()


@promise("hsel trusts the programs that it runs (Graphviz; a shell and R with irace for hsel tune), the libraries that it loads, and the environment.")
def these_are_the_programs():
    """Without any program in reach all else works."""
    pathlib.Path("nothing").mkdir(exist_ok=True)
    pathlib.Path("alone.csv").write_text("a,b,class\n" + "".join(f"{i % 2},{i // 2 % 2},{'xy'[i % 2]}\n" for i in range(40)))
    hsel("eval", "-q", "alone.csv", env={"PATH": str(pathlib.Path("nothing").resolve())} | {k: v for k, v in os.environ.items() if "SAN" in k or k == "LD_LIBRARY_PATH"})
    code = "\n".join(file.read_text() for file in sources("*.c"))
    run = set(re.findall(r'arguments(?:\[\d*\])? = (?:\(const char \*const\[\]\))?\{"(\w+)"', code))
    assert run == {"dot", "sh"} and not re.search(r"\b(popen|system)\(", code), run


@promise("Dependencies and their licences are in docs/dependencies.md, with versions, as CycloneDX, by packaging/sbom.")
def dependencies_are_listed():
    named = set(re.findall(r"^\| (\S+) \|", (ROOT / "docs/dependencies.md").read_text(), re.M))
    wanted = {line for line in (ROOT / "packages.txt").read_text().split("\n") if line and not line.startswith("#")}
    subprocess.run([ROOT / "packaging/sbom", "sbom"], check=True, capture_output=True)
    made = json.loads(next(pathlib.Path("sbom").glob("*.json")).read_text())
    assert made["bomFormat"] == "CycloneDX" and all(part["version"] for part in made["components"])
    parts = {part["name"] for part in made["components"]}
    assert wanted <= named and wanted <= parts, f"not listed: {wanted - named} {wanted - parts}"


def main():
    wrong = []
    found = list(sentences())
    for sentence in found:
        if sentence not in PROMISES and sentence not in PEOPLE:
            wrong.append(f"SECURITY.md has a sentence without a test: {sentence}")
    for sentence in [*PROMISES, *PEOPLE]:
        if sentence not in found:
            wrong.append(f"SECURITY.md no longer has the sentence: {sentence}")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for check in dict.fromkeys(PROMISES.values()):
            try:
                check()
            except AssertionError as error:
                wrong.append(f"{check.__name__}: {error}")
        os.chdir("/")
    print("\n".join(wrong) or f"{len(found)} sentences, {len(PROMISES)} tested")
    sys.exit(bool(wrong))


main()
