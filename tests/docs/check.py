#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the documents to what the program does.

Usage: check.py [--update] HSEL [FILE.md …]       (--update rewrites shown output and docs/methods.md instead of complaining)
       check.py --extract FOLDER FILE.md …         (writes the files of pages that add methods, with the registry that has their lines)

Without names: README.md, CONTRIBUTING.md and docs/*.md, without those that need something (below) unless to update. In each document

    ```console          `$ ` lines are run in order, in one temporary folder per document, in which data/ and studies/ are those of the
                        repository; what follows must be what they print, and none may fail
    ```console error    the same; commands that fail are meant to, with one line that starts with `hsel: `, and at least one does
    ```sh               is run in the same folder, and must succeed; what it prints is not looked at
    ```sh not run: WHY  is not run, but every `hsel` command and option in it must exist; so must those in `inline code`
    ```csv genes.csv    a block with a file name is written to that folder first
    ```c src/x.c        must compile against the sources without a warning (compiler: $CC, else cc, with $CFLAGS); one with a `main` is
                        linked with the libhsel.so beside HSEL, so that the console blocks after it can run it as ./x
    ```def src/methods/methods.def   lines of the registry: the page's commands run in documented/hsel beside HSEL, built with the lines and files
                        of all such pages
    ```diff src/x.c     changes the sources: HSEL must be built with it, so such a document is only run when it is named
    <!-- needs: … -->   files of R packages (GO.db/extdata/GO.sqlite) and programs without which a document is skipped (exit code 77 if it is
                        the only one). Packages are looked for in $HSEL_BIOCONDUCTOR, else where Debian and R keep them; commands
                        find the files by their last name
    [text](file)        must lead to a file of the repository, and so must <img src="file"> and <source srcset="file">
    `hs_name`           must be a name of the sources (`hs_reader_line`, `HS_GROW`), `src/x.c` a file

In shown output `...` stands for any text within a line (--update writes it for seconds), a line that is only `...` for any number of lines. docs/methods.md must be what `hsel methods --markdown` prints."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
findings, skipped = [], []


def complain(path, line, text):
    findings.append(f"{os.path.relpath(path, root)}:{line}: {text}")


class Block:
    """A fenced block: language, file name or None, what is said of running it, its lines, and the index of the first of them."""

    def __init__(self, info, begin):
        self.language, _, rest = info.strip().partition(" ")
        self.error = self.language == "console" and rest == "error"
        self.not_run = self.language == "sh" and bool(re.match("not run: .", rest))
        self.file = rest.split()[0] if rest and not self.error and not self.not_run else None
        self.begin, self.lines = begin, []


def split(lines):
    """The blocks of a document, and its prose as (index, line) pairs."""
    blocks, prose, block = [], [], None
    for i, line in enumerate(lines):
        if line.startswith("```"):
            if block is None:
                block = Block(line[3:], i + 1)
            else:
                blocks.append(block)
                block = None
        elif block is None:
            prose.append((i, line))
        else:
            block.lines.append(line)
    return blocks, prose


# ---- commands and options ----

class Program:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.commands = self.list_commands()
        self.options = {c: self.list_options(c) for c in self.commands}
        self.every_option = set().union(*self.options.values())

    def run(self, *arguments):
        return subprocess.run([self.path, *arguments], capture_output=True, text=True).stdout

    def list_commands(self):
        lines = self.run("help").split("\n\n")
        table = next(part for part in lines if part.startswith("  "))
        return [line.split()[0] for line in table.splitlines()]

    def list_options(self, command):
        return set(re.findall(r"^  (?:-\w, )?(--[a-z][a-z-]*)", self.run("help", command, "--all"), re.M)) | {
            "-" + letter for letter in re.findall(r"^  -(\w), --", self.run("help", command, "--all"), re.M)}


def check_command(program, words, path, line):
    """words: what follows `hsel` in a command line."""
    if not words or words[0] in ("COMMAND", "…", "..."):
        return
    name = words[0]
    if name in ("--help", "-h", "--version", "-V"):
        return
    if name not in program.commands:
        complain(path, line, f"there is no command hsel {name}")
        return
    for word in words[1:]:
        option = word.split("=")[0]
        if option.startswith("--") and len(option) > 2 or re.fullmatch("-[a-z]", option):
            if option not in program.options[name]:
                complain(path, line, f"hsel {name} has no option {option}")


def check_line(program, text, path, line):
    """Every hsel command of a shell line."""
    text = re.sub(r"\s#.*", "", text)
    for part in re.split(r"\|\|?|&&|;|\$\(", text):
        try:
            words = shlex.split(part)
        except ValueError:
            words = part.split()
        while words and re.fullmatch(r"\w+=.*|\$|sudo|time", words[0]):
            words.pop(0)
        if words and os.path.basename(words[0]) == "hsel":
            check_command(program, words[1:], path, line)


def join_continued(lines):
    """Lines that end in a backslash with the next: (index, text)."""
    start, text = None, ""
    for i, line in enumerate(lines):
        start = i if start is None else start
        text += line
        if text.endswith("\\"):
            text = text[:-1]
            continue
        yield start, text
        start, text = None, ""


def check_prose(program, prose, path):
    for i, line in prose:
        for span in re.findall(r"`([^`]+)`", line):
            if span.startswith("hsel "):
                check_line(program, span, path, i + 1)
            elif re.match(r"--[a-z]", span) and re.split(r"[ =]", span)[0] not in program.every_option:
                complain(path, i + 1, f"no command has an option {span}")
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", line) + re.findall(r'<(?:img|source) [^>]*src(?:set)?="([^":]+)"', line):
            if not (path.parent / target).exists():
                complain(path, i + 1, f"there is no file {target}")


def sources_words():
    """Every name that the sources declare."""
    words = set()
    for path in [*(path for folder in ("src", "cli", "study", "explore") for path in root.glob(folder + "/**/*.[ch]")), *root.glob("include/**/*.h"), *root.glob("tests/support/*.h"),
                 *root.glob("r/hsel/R/*.R"), root / "r/hsel/configure", root / "r/hsel/man/hsel-package.Rd"]:
        words.update(re.findall(r"\b(?:hs|hsel|HS|HSEL)_\w+", path.read_text()))
    return words


def check_names(words, prose, shown_files, path):
    for i, line in prose:
        for span in re.findall(r"`([^`]+)`", line):
            if re.fullmatch(r"(hs|hsel|HS|HSEL)_(?!noun_verb)\w+(\(\))?", span) and span.rstrip("()") not in words:
                complain(path, i + 1, f"the sources have no {span}")
            if re.fullmatch(r"(src|tests|scripts|include|cmake|docs)/[\w./-]+", span) and "NAME" not in span and "LAYER" not in span:
                if not (root / span).exists() and not any(span.startswith(name) for name in shown_files):
                    complain(path, i + 1, f"there is no {span}")


# ---- sessions ----

def matches(shown, printed):
    """Whether the lines printed are the lines shown, with `...` for anything."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(matches(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    pattern = ".*".join(re.escape(part) for part in shown[0].split("..."))
    return bool(printed) and bool(re.fullmatch(pattern, printed[0])) and matches(shown[1:], printed[1:])


def steps_of(block):
    """(index of the first shown line, command, shown lines) for each `$ ` line."""
    steps, going_on = [], False
    for i, line in enumerate(block.lines):
        if line.startswith("$ ") or going_on:
            if going_on:
                steps[-1][1] += "\n" + line
                steps[-1][0] = i + 1
            else:
                steps.append([i + 1, line[2:], []])
            going_on = line.endswith("\\")
        elif steps:
            steps[-1][2].append(line)
    return steps


def run_step(program, command, folder):
    environment = {"PATH": os.path.dirname(program.path) + ":/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder}
    environment.update({k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")})
    done = subprocess.run(["/bin/sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    printed = done.stdout.split("\n")
    if printed[-1] == "":
        printed.pop()
    return done.returncode, printed


def run_session(program, block, path, folder, update):
    """Runs a block; returns its lines as they are or, to update, as they should be."""
    lines, grown, failed = list(block.lines), 0, False
    for index, command, shown in steps_of(block):
        line = block.begin + index
        code, printed = run_step(program, command, folder)
        if code == 0:
            check_line(program, command.replace("\\\n", " "), path, line)
        wrong = code != 0 or any(text.startswith("hsel: ") for text in printed)
        if wrong and not block.error:
            complain(path, line, f"exit code {code} and an error that is not marked (```console error): {command}\n" + "\n".join("    " + p for p in printed))
        elif code and not any(text.startswith("hsel: ") for text in printed):
            complain(path, line, f"exit code {code} and no message: {command}")
        failed = failed or wrong
        if matches(shown, printed):
            continue
        if update:
            head = next((i for i, text in enumerate(printed) if text.endswith("  seconds")), len(printed))
            printed[head + 1:] = [re.sub(r" +\d+(\.\d+)?$", "  ...", text) for text in printed[head + 1:]]
            lines[index + grown:index + grown + len(shown)] = printed
            grown += len(printed) - len(shown)
        else:
            complain(path, line, f"shown is not what is printed by: {command}\n" + "\n".join("    " + p for p in printed))
    if block.error and not failed:
        complain(path, block.begin, "no command fails in this block of errors")
    return lines


def compile_block(program, block, path, folder):
    source, libraries = pathlib.Path(folder, block.file), os.path.dirname(program.path)
    is_program = any(line.startswith("int main(") for line in block.lines)
    if is_program:
        how = ["-o", str(source.with_suffix("")), f"-L{libraries}", f"-Wl,-rpath,{libraries}"]
    else:
        how = ["-fsyntax-only", f"-I{root}/src", f"-I{root}/src/methods", f"-I{root}"]
    done = subprocess.run([os.environ.get("CC", "cc"), "-std=gnu17", *os.environ.get("CFLAGS", "").split(), "-Wall", "-Wextra", "-Werror",
                           f"-I{root}/include", str(source), *how, *(["-lhsel"] if is_program else [])], capture_output=True, text=True)
    if done.returncode:
        complain(path, block.begin, f"{block.file} does not compile\n{done.stderr}")


def extract(folder, paths):
    """The files of pages below FOLDER; the registry is ours with the lines of the pages after it."""
    files = {name: (root / name).read_text() for name in ("src/methods/methods.c", "src/methods/methods.def")}
    for path in paths:
        for block in split(path.read_text().split("\n"))[0]:
            if block.file and block.language in ("c", "def"):
                files[block.file] = files.get(block.file, "") + "\n".join(block.lines) + "\n"
    for name, text in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_text() != text:
            target.write_text(text)
    for path in folder.rglob("*.[ch]"):
        if str(path.relative_to(folder)) not in files:
            path.unlink()
    return 0


def link_needs(lines, folder):
    """Links what a document needs into its folder; returns what is not there."""
    places = [pathlib.Path(p) for p in ([os.environ["HSEL_BIOCONDUCTOR"]] if "HSEL_BIOCONDUCTOR" in os.environ else
                                        ["/usr/lib/R/site-library", "/usr/local/lib/R/site-library", "/usr/lib/R/library"])]
    missing = []
    for need in " ".join(re.findall(r"^<!-- needs: (.*) -->$", "\n".join(lines), re.M)).split():
        found = next((p / need for p in places if (p / need).exists()), None) if "/" in need else shutil.which(need, path="/usr/bin:/bin")
        if not found:
            missing.append(need)
        elif "/" in need:
            os.symlink(found, os.path.join(folder, os.path.basename(need)))
    return missing


def check_document(program, words, path, update):
    lines = path.read_text().split("\n")
    blocks, prose = split(lines)
    if any(block.language == "def" for block in blocks):
        program = Program(os.path.join(os.path.dirname(program.path), "documented", "hsel"))
    check_prose(program, prose, path)
    # Files that a page shows how to make need not be there.
    made = [pathlib.Path(block.file).stem for block in blocks if block.file]
    check_names(words, prose, [f"tests/unit/test_{m}" for m in made] + [f"tests/fuzz/corpus/{m}" for m in made], path)
    changed = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("data", "studies"):
            os.symlink(root / name, os.path.join(folder, name))
        missing = link_needs(lines, folder)
        if missing:
            skipped.append(path)
            print(f"docs: {path.relative_to(root)} is not run: there is no {', no '.join(missing)}")
            return
        for block in blocks:
            if block.file and block.language != "diff":
                target = pathlib.Path(folder, block.file)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text("\n".join(block.lines) + "\n")
                if block.language == "c":
                    compile_block(program, block, path, folder)
            elif block.language == "console":
                changed.append((block, run_session(program, block, path, folder, update)))
            elif block.language == "sh":
                for i, text in join_continued(block.lines):
                    check_line(program, text, path, block.begin + i + 1)
                    if not block.not_run:
                        code, printed = run_step(program, text, folder)
                        if code:
                            complain(path, block.begin + i + 1, f"exit code {code}: {text}\n" + "\n".join("    " + p for p in printed))
    if update:
        for block, now in reversed(changed):
            lines[block.begin:block.begin + len(block.lines)] = now
        path.write_text("\n".join(lines))


def check_methods(program, update):
    path, text = root / "docs" / "methods.md", program.run("methods", "--markdown")
    if update:
        path.write_text(text)
    elif not path.exists() or path.read_text() != text:
        complain(path, 1, "is not what `hsel methods --markdown` prints; scripts/docs renews it")


def main(arguments):
    if arguments[0] == "--extract":
        return extract(pathlib.Path(arguments[1]), [pathlib.Path(a) for a in arguments[2:]])
    update = "--update" in arguments
    arguments = [a for a in arguments if a != "--update"]
    program = Program(arguments[0])
    documents = [pathlib.Path(a).resolve() for a in arguments[1:]]
    if not documents:
        check_methods(program, update)
        documents = [p for p in (root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md")))
                     if p.exists() and "\n```diff " not in p.read_text() and (update or "\n<!-- needs: " not in p.read_text())]
    words = sources_words()
    for path in documents:
        check_document(program, words, path, update)
    print("\n".join(findings) if findings else f"docs: {len(documents) - len(skipped)} documents agree with the program")
    return 1 if findings else 77 if skipped == documents else 0


sys.exit(main(sys.argv[1:]))
