#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of docs/clusters.md, as they stand there but for the number of parts: their table is that of one process,
also though some jobs fail and others are left out.

Usage: clusters.py HSEL slurm|snakemake|pbs|nextflow       (exit code 77: a program is not installed)

Slurm is one machine of our own with its own munge, all in a temporary folder, without accounting and cgroups. PBS and Nextflow are not in
Debian: of PBS's file each task is run by the shell with what PBS would tell it, of Nextflow's the commands of its processes.
"""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

PARTS = 4
STUDY = """name: study
datasets:
  - {name: one, generate: "ontology:instances=60,features=80,positives=8", seed: 1}
  - {name: flat, path: flat.csv}
selectors: [none, rpv, "shsel:threshold={0.9,0.99}"]
classifiers: [nb, knn]
folds: {count: 5, repeats: 2}
simulate: {procedures: [bh, yekutieli], p-values: instances, effects: [1.5], runs: 15}
"""
# rpv and shsel are left out on data without a hierarchy; yekutieli is for trees, and fails.
FLAT = "a,b,class\n" + "1,0,yes\n0,1,no\n1,1,yes\n0,0,no\n" * 5
FAILED = 3


def check(condition, *what):
    if not condition:
        print("failed:", *what)
        sys.exit(1)


def files():
    """The named blocks of the document, with fewer parts."""
    text = (pathlib.Path(__file__).resolve().parents[2] / "docs/clusters.md").read_text()
    few = lambda block: re.sub(r"\b100\b", str(PARTS), re.sub(r"\b101\b", str(PARTS + 1), block))
    return {name: few(block) for name, block in re.findall(r"^```\w+ (\S+)\n(.*?)^```$", text, re.M | re.S)}


def run(command, code=0, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, **more)
    check(done.returncode == code, command, done.returncode, done.stdout, done.stderr)
    return done.stdout


def missing(*programs):
    gone = [program for program in programs if not shutil.which(program)]
    if gone:
        print("not installed:", *gone)
        sys.exit(77)


def slurm(folder, environment):
    missing("munged", "slurmctld", "slurmd", "sbatch")
    ports = []
    for _ in range(2):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            ports.append(taken.getsockname()[1])
    place = folder / "slurm"
    for name in ("state", "spool"):
        (place / name).mkdir(parents=True)
    (place / "key").write_bytes(os.urandom(1024))
    (place / "key").chmod(0o600)
    place.chmod(0o755)
    user = subprocess.run(["id", "-un"], capture_output=True, text=True).stdout.strip()
    (place / "slurm.conf").write_text(f"""ClusterName=test
SlurmctldHost={socket.gethostname().split('.')[0]}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={place}/munge.socket
CredType=cred/munge
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
SlurmdParameters=config_overrides
NodeName=localhost NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=main Nodes=localhost Default=YES MaxTime=INFINITE State=UP
""")
    (place / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")  # which is not used, and so need not be mounted
    environment = {**environment, "SLURM_CONF": str(place / "slurm.conf")}
    log = open(place / "log", "w")
    daemons = []
    start = lambda *command: daemons.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=place))
    try:
        start("munged", "--foreground", "--force", f"--key-file={place}/key", f"--socket={place}/munge.socket", f"--pid-file={place}/munged.pid",
              f"--seed-file={place}/seed", f"--log-file={place}/munged.log")
        for _ in range(300):
            if (place / "munge.socket").exists():
                break
            time.sleep(0.1)
        start("slurmctld", "-D")
        start("slurmd", "-D", "-N", "localhost")
        for _ in range(600):
            state = subprocess.run(["sinfo", "-h", "-o", "%t"], env=environment, capture_output=True, text=True).stdout
            if state.strip() == "idle":
                break
            time.sleep(0.1)
        check(state.strip() == "idle", "Slurm does not start:", state, (place / "log").read_text()[-3000:])
        first = run(["sbatch", "--parsable", "study.sbatch"], cwd=folder, env=environment).strip()
        run(["sbatch", "--wait", f"--dependency=afterany:{first}", "gather.sbatch"], cwd=folder, env=environment)
        told = "".join(path.read_text() for path in sorted(folder.glob("slurm-*.out")))
        check(f"{PARTS} of {PARTS} parts merged" in told and "done now               0" in told, told)
        (folder / "study.csv").rename(folder / "array.csv")
        (folder / "study.parts").rename(folder / "array.parts")
        (folder / "study.db").unlink()
        run(["sbatch", "--wait", "one.sbatch"], cwd=folder, env=environment)
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
            daemon.wait()


def snakemake(folder, environment):
    missing("snakemake")
    run(["snakemake", "--cores", "2", "--quiet"], cwd=folder, env={**environment, "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")})


def pbs(folder, environment):
    run(["sh", "-n", "study.pbs"], cwd=folder)
    directives = re.findall(r"^#PBS (-\S+) (.*)$", (folder / "study.pbs").read_text(), re.M)
    check(dict(directives)["-J"] == f"1-{PARTS}", directives)
    for task in range(1, PARTS + 1):
        run(["sh", folder / "study.pbs"], cwd="/", env={**environment, "PBS_O_WORKDIR": str(folder), "PBS_ARRAY_INDEX": str(task)})
    run(["hsel", "run", "study.yaml", "--gather", "study.parts", "--export", "study.csv", "--allow-failed"], cwd=folder, env=environment)


def nextflow(folder, environment):
    """Each task in a folder of its own, with the inputs that its process declares, as Nextflow does."""
    text = (folder / "study.nf").read_text()
    for opening, closing in ("{}", "()", "[]"):
        check(text.count(opening) == text.count(closing), "brackets", opening)
    check(text.count('"""') == 4 and text.count("'") % 2 == 0, "quotes")
    processes = dict(re.findall(r'^process (\w+) \{.*?"""\n(.*?)"""', text, re.M | re.S))
    known = {"params.study": str(folder / "study.yaml"), "params.parts": str(PARTS), "task.cpus": "1"}

    def task(name, place, **more):
        script = re.sub(r"\$\{([\w.]+)\}", lambda m: {**known, **more}[m[1]], processes[name])
        place.mkdir()
        run(["sh", "-eu", "-c", script], cwd=place, env=environment)

    for i in range(1, PARTS + 1):
        task("part", folder / f"work{i}", i=str(i))
    gathering = folder / "gather"
    processes["gather"] = f"mkdir study.parts; cp {folder}/work*/study.parts/*.db study.parts\n" + processes["gather"]
    task("gather", gathering)
    shutil.copy(gathering / "study.csv", folder)


def main():
    ways = {way.__name__: way for way in (slurm, snakemake, pbs, nextflow)}
    if len(sys.argv) != 3 or sys.argv[2] not in ways:
        sys.exit(__doc__)
    hsel = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="hsel-clusters-") as name:
        folder = pathlib.Path(name)
        for path, text in files().items():
            (folder / path).write_text(text)
        (folder / "study.yaml").write_text(STUDY)
        (folder / "flat.csv").write_text(FLAT)
        programs = folder / "bin"
        programs.mkdir()
        (programs / "hsel").symlink_to(hsel)
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}:/usr/sbin"}
        os.environ["PATH"] = environment["PATH"]
        told = run(["hsel", "run", "study.yaml", "--store", "one.db", "--export", "one.csv"], FAILED, cwd=folder, env=environment)
        check("failed now" in told and "left out" in told, told)
        ways[sys.argv[2]](folder, environment)
        check((folder / "study.csv").read_bytes() == (folder / "one.csv").read_bytes(), "another table")
        check(len(list(folder.glob("**/study.*-of-*.db"))) >= PARTS, "there are no parts")
    print("the same table")


if __name__ == "__main__":
    main()
