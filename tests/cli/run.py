#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the command and compares what it prints with what a .tst file says it prints.

Usage: run.py [--update] HSEL FILE.tst …        (--update rewrites the expected output of what differs)

A .tst file is a list of steps, done in order in one temporary folder. The first character of a line says what it is:

    # comment                           nothing; empty lines too
    file data.csv                       makes a file of the lines that follow
    | a,b,class
    | 1,0,yes
    $ hsel info data.csv                runs a shell command; a line that ends in \\ goes on in the next `$` line
    > instances  1                      expected standard output, line by line (none: nothing may be printed)
    ! hsel: …                           expected standard error
    = 1                                 expected exit code (none: 0)

In expected output `@VERSION@` is the program's version, `...` stands for any text within a line; a line that is only `...` stands for any number of lines.

Beyond that, a command that fails must keep the promises of the program: exit code 1 or 2, exactly one line on standard error (besides
notes, `note: …`), which starts with `hsel: `, and no file made, changed or left behind.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TIME_LIMIT = 120  # seconds a command
VERSION = re.search(r'#define HSEL_VERSION +"(.*)"', (pathlib.Path(__file__).resolve().parents[2] / "include/hsel/hsel.h").read_text())[1]


class Step:
    """A command with what it should do; `begin` and `end` are the lines of its expectation in the file."""

    def __init__(self, line, command):
        self.line, self.command = line, command
        self.out, self.err, self.code = [], [], 0
        self.begin = self.end = None


def parse(text, name):
    """Steps and files, in order: Step objects and (file name, lines) pairs."""
    steps, last = [], None
    for number, line in enumerate(text.split("\n"), 1):
        kind, rest = line[:2].rstrip(), line[2:]
        if not line.strip() or kind == "#" or line.startswith("#"):
            continue
        if line.startswith("file "):
            last = (line[5:].strip(), [])
            steps.append(last)
        elif kind == "|" and isinstance(last, tuple):
            last[1].append(rest)
        elif kind == "$":
            if isinstance(last, Step) and last.command.endswith("\\") and last.end is None:
                last.command = last.command[:-1] + rest
            else:
                last = Step(number, rest)
                steps.append(last)
            last.begin = number
        elif kind in (">", "!", "=") and isinstance(last, Step):
            last.end = number
            if kind == "=":
                last.code = int(rest)
            else:
                (last.out if kind == ">" else last.err).append(rest.replace("@VERSION@", VERSION))
        else:
            sys.exit(f"{name}:{number}: not understood: {line}")
    return steps


def matches(expected, got):
    """Do the lines fit? A regular expression does the work of the wildcards."""
    pattern = ""
    for line in expected:
        if line.strip() == "...":
            pattern += "(?:[^\n]*\n)*?"
        else:
            pattern += "[^\n]*".join(re.escape(part) for part in line.split("...")) + "\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in got)) is not None


def listing(folder):
    """Every file below the folder with what would show a change."""
    found = {}
    for path in sorted(folder.rglob("*")):
        about = path.lstat()
        found[str(path.relative_to(folder))] = (about.st_size, about.st_mtime_ns, about.st_ino)
    return found


def run(step, folder, environment):
    """Exit code, lines of standard output, lines of standard error."""
    done = subprocess.run(["/bin/sh", "-c", step.command], cwd=folder, env=environment, timeout=TIME_LIMIT,
                          stdin=subprocess.DEVNULL, capture_output=True)
    lines = [text.decode("utf-8", "replace").split("\n") for text in (done.stdout, done.stderr)]
    return done.returncode, *(part[:-1] if part[-1] == "" else part for part in lines)


def broken_promises(step, code, err, before, after):
    """What every failure owes its user. Lists of commands are left alone; of a pipeline, the last command is judged."""
    last = step.command.split("|")[-1].strip()
    if code == 0 or not re.match(r"hsel\b", last) or re.search(r"&&|;", step.command):
        return []
    found, err = [], [line for line in err if not line.startswith("note: ")]
    holes = code in (3, 4, 5) and re.match(r"hsel run\b", last)  # the study ran, and results are missing
    if code not in (1, 2) and not holes:
        found.append(f"exit code {code}: a failure is 1, wrong usage 2")
    if len(err) != 1 or not err[0].startswith("hsel: "):
        found.append(f"{len(err)} lines on standard error, where one that starts with 'hsel: ' should be")
    if before != after and not holes:
        changed = sorted(set(before.items()) ^ set(after.items()))
        found.append("files made, changed or left behind: " + ", ".join(sorted({name for name, _ in changed})))
    return found


def show(step, code, out, err):
    print(f"    $ {step.command}")
    for mark, lines in ((">", out), ("!", err)):
        for line in lines[:40]:
            print(f"    {mark} {line}")
    print(f"    = {code}")


def run_file(path, environment, update):
    text = path.read_text()
    lines, failures, count, edits = text.split("\n"), 0, 0, []
    with tempfile.TemporaryDirectory(prefix="hsel-cli-") as temporary:
        folder = pathlib.Path(temporary)
        for step in parse(text, path):
            if isinstance(step, tuple):
                (folder / step[0]).parent.mkdir(parents=True, exist_ok=True)
                (folder / step[0]).write_text("".join(line + "\n" for line in step[1]))
                continue
            count += 1
            before = listing(folder)
            code, out, err = run(step, folder, environment)
            broken = broken_promises(step, code, err, before, listing(folder))
            good = code == step.code and matches(step.out, out) and matches(step.err, err)
            if not good and update:
                edits.append((step, out, err, code))
            elif not good or broken:
                failures += 1
                print(f"{path}:{step.line}: " + ("; ".join(broken) or "not as expected; it did this:"))
                show(step, code, out, err)
    for step, out, err, code in reversed(edits):
        new = [f"> {line}".rstrip() for line in out] + [f"! {line}".rstrip() for line in err] + ([f"= {code}"] if code else [])
        lines[step.begin:step.end or step.begin] = new
    if edits:
        path.write_text("\n".join(lines))
        print(f"{path}: {len(edits)} expectations rewritten")
    print(f"{path.name}: {count} commands, {failures} failed")
    return failures


def main():
    arguments = sys.argv[1:]
    update = arguments[:1] == ["--update"]
    if update:
        arguments = arguments[1:]
    if len(arguments) < 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="hsel-bin-") as bin_folder:
        os.symlink(pathlib.Path(arguments[0]).resolve(), pathlib.Path(bin_folder) / "hsel")
        environment = {"PATH": bin_folder + ":/usr/local/bin:/usr/bin:/bin", "HSEL": arguments[0], "LC_ALL": "C.UTF-8", "HOME": "/nonexistent",
                       "TESTS": str(pathlib.Path(__file__).resolve().parent.parent)}
        environment.update({k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS") or k.startswith("GCOV")})
        failures = sum(run_file(pathlib.Path(name), environment, update) for name in arguments[1:])
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
