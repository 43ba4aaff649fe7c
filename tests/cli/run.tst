# hsel run: what is to do, the run itself, going on, what fails; and stores that are none.

file small.yaml
| name: small
| datasets:
|   - {name: one, generate: "ontology:instances=40,features=30,positives=6", seed: 1}
|   - {path: flat.csv}
|   - {path: gone.csv}
| selectors: [none, rpv]
| classifiers: [nb, "knn:k=3"]
| folds: {count: 4, repeats: 2}
file flat.csv
| a,b,class
| 1,0,yes
| 0,1,no
| 1,1,yes
| 0,0,no
| 1,0,yes
| 0,1,no
| 1,1,no
| 0,0,yes
$ hsel run small.yaml --dry-run
> data set  jobs  done  failed  left out  to do
> one         32     0       0         0     32
> flat        32     0       0         0     32
> all         64     0       0         0     64
! note: gone is left out: gone.csv does not exist
$ ls
> flat.csv
> small.yaml
$ hsel run small.yaml --threads 2 2>&1 || echo "exit $?"
> note: gone is left out: gone.csv does not exist
> note: knn: 8 of 24 fits had too few instances of a class to calibrate probabilities
> note: nb: 8 of 24 fits had too few instances of a class to calibrate probabilities
> small in small.db
>   done now              48  in ... per second, ...
>   done before            0
>   left out              16  because a method does not fit the data
>     flat, rpv: rpv needs a hierarchy, but flat has none: give hierarchy: FILE (16 jobs)
>   missing                1  data set
> hsel: 1 of 3 data sets is missing
> exit 4
$ ls
> flat.csv
> small.db
> small.yaml
$ hsel run small.yaml --dry-run
> data set  jobs  done  failed  left out  to do
> one         32    32       0         0      0
> flat        32    16       0        16      0
> all         64    48       0        16      0
! note: gone is left out: gone.csv does not exist
! note: one is not generated now: its finished jobs are estimated from its name
$ hsel run small.yaml --dry-run --retry-failed
> data set  jobs  done  failed  left out  to do
> one         32    32       0         0      0
> flat        32    16       0        16      0
> all         64    48       0        16      0
! note: gone is left out: gone.csv does not exist
! note: one is not generated now: its finished jobs are estimated from its name
$ hsel run small.yaml -q --threads 1 2>&1 || echo "exit $?"
> small in small.db
>   done now               0
>   done before           48
>   left out              16  because a method does not fit the data
>   missing                1  data set
> hsel: 1 of 3 data sets is missing
> exit 4
$ hsel run small.yaml -q --retry-failed --export table.csv --store again.db 2>&1 || echo "exit $?"
> small in again.db
>   done now              48  in ... per second, ...
>   done before            0
>   left out              16  because a method does not fit the data
>     flat, rpv: rpv needs a hierarchy, but flat has none: give hierarchy: FILE (16 jobs)
>   missing                1  data set
> hsel: 1 of 3 data sets is missing
> exit 4
$ cut -d, -f1-4 table.csv | sed -n '1p;2p;8p;$p'
> dataset,selector,classifier,metric
> one,none,nb,gm
> one,rpv,nb,gm
> flat,rpv,knn,auprc
$ hsel run small.yaml -q --progress json --store json.db 2>&1 >out | grep done | tail -1
> {"done": 64, "total": 64, "per_second": ..., "seconds_left": 0, "job": "..."}

# Taking over another store.
$ hsel run small.yaml -q --import again.db --store third.db 2>&1 || echo "exit $?"
> small in third.db
>   done now               0
>   done before           48
>   left out              16  because a method does not fit the data
>   missing                1  data set
> hsel: 1 of 3 data sets is missing
> exit 4
$ hsel run small.yaml -q --import third.db --store third.db
! hsel: third.db: a store cannot be merged with itself
= 2
$ hsel run small.yaml -q --import flat.csv --store third.db
! hsel: flat.csv: this is not a store of results
= 1
$ hsel run small.yaml -q --import nowhere.db --store third.db
! hsel: nowhere.db: cannot open: No such file or directory
= 1

# Rankings.
file ranked.yaml
| name: ranked
| datasets: [flat.csv, numbers.csv]
| selectors: [none]
| classifiers: [nb]
| folds: {count: 2}
| rankings: [auc, r]
file numbers.csv
| a,b,class
| 1.5,0,yes
| 0.5,1,no
| 1.25,1,yes
| 0,0.5,no
$ hsel run ranked.yaml --dry-run
> data set  jobs  done  failed  left out  to do
> flat         2     0       0         0      2
> numbers      2     0       0         0      2
> all          4     0       0         0      4
! note: also, 4 of 4 rankings of features remain
$ hsel run ranked.yaml 2>&1 || echo "exit $?"
> note: nb: 4 of 4 fits had too few instances of a class to calibrate probabilities
> ranked in ranked.db
>   done now               4  in ... per second, ...
>   done before            0
>   rankings               3  of 4, 3 of them now, 1 left out
>     numbers, r: r needs binary features, but feature a of numbers is numeric: 'prepare: ignore' leaves features out (1 job)
$ hsel run ranked.yaml 2>&1 || echo "exit $?"
> ranked in ranked.db
>   done now               0
>   done before            4
>   rankings               3  of 4, 0 of them now, 1 left out
$ hsel run ranked.yaml -q --dry-run --retry-failed | tail -1
> all          4     4       0         0      0
$ hsel report ranked.db --format text | sed -n '/^Agreement/,/^Run times/p'
> Agreement of rankers
> --------------------
> r on numbers: r needs binary features, but feature a of numbers is numeric: 'prepare: ignore' leaves
> features out
>
> ...
> the opposite way; 0: as expected by chance.
>
> flat, 2 features
> ranker   auc     r
> ...
> r          –  1.00
>
> Run times

# What is no study, no store, or too much.
$ hsel run nowhere.yaml
! hsel: nowhere.yaml: cannot open: No such file or directory
= 1
$ hsel run
! hsel: run needs STUDY; usage: hsel run [options] STUDY
= 2
$ hsel run small.yaml --store flat.csv
! hsel: flat.csv: this is not a store of results
= 1
$ hsel run small.yaml --store .
! hsel: .: this is a folder, not a store of results
= 1
$ hsel run small.yaml --store nowhere/x.db
! hsel: nowhere/x.db: cannot lock the store: No such file or directory
= 1
$ hsel run small.yaml --dry-run --store flat.csv
! hsel: flat.csv: this is not a store of results
= 1
$ hsel run small.yaml --progress fast
! hsel: option progress takes auto|bar|json|none, not 'fast'
= 2
file large.yaml
| name: large
| datasets: [flat.csv]
| selectors: ["shsel:threshold=0..1/0.001"]
| classifiers: ["knn:k=1..30/1"]
| folds: {count: 4, repeats: 2}
$ hsel run large.yaml
! hsel: large.yaml: these are 240,240 jobs (data sets 1 x selectors 1001 x classifiers 30 x folds 4 x repeats 2); give --yes if you mean it
= 2
file nothing.yaml
| name: nothing
| datasets: [gone.csv, lost.csv]
| selectors: [none]
| classifiers: [nb]
$ hsel run nothing.yaml
! hsel: nothing.yaml: all of its 2 data sets are missing, e.g. gone.csv
= 1
file broken.csv
| a,b,class
| 1,0
file partly.yaml
| name: partly
| datasets: [flat.csv, broken.csv]
| selectors: [none]
| classifiers: [nb]
| folds: {count: 4}
$ hsel run partly.yaml 2>&1 | cat
> note: broken is left out: broken.csv:2: 2 fields, but the header has 3
> note: nb: 4 of 4 fits had too few instances of a class to calibrate probabilities
> partly in partly.db
>   done now               4  in ... per second, ...
>   done before            0
>   unreadable             1  data set
> hsel: 1 of the data sets could not be read; see the notes
file misspelt.yaml
| name: misspelt
| datasets: [flat.csv]
| selectors: [rvp]
| classifiers: [nb]
$ hsel run misspelt.yaml
! hsel: misspelt.yaml:3: there is no selector 'rvp'; did you mean 'rpv'?
= 2

# A store, a table or a study without a name would be nowhere; what cannot be taken over leaves nothing behind.
$ hsel run small.yaml --store ""
! hsel: option store takes FILE, not ''
= 2
$ hsel run small.yaml --export ""
! hsel: option export takes FILE, not ''
= 2
$ hsel run ""
! hsel: an empty argument: run takes STUDY
= 2
$ hsel report small.db -o ""
! hsel: option output takes FILE, not ''
= 2
$ hsel tune small.yaml --folder=
! hsel: option folder takes FOLDER, not ''
= 2
$ hsel run small.yaml --store fresh.db --import flat.csv; ls fresh.db
! hsel: flat.csv: this is not a store of results
! ls: cannot access 'fresh.db': No such file or directory
= 2

# A dry run does not generate.
file huge.yaml
| name: huge
| datasets: [{name: h, generate: "ontology:instances=500000000,features=200000000", seed: 1}]
| selectors: [none]
| classifiers: [nb]
| folds: {scheme: loo}
$ hsel run huge.yaml --dry-run --yes
> data set         jobs  done  failed  left out        to do
> h         500,000,000     0       0         0  500,000,000
> all       500,000,000     0       0         0  500,000,000

# A fold file is what is in it, wherever it and the study lie.
file deep/study.yaml
| name: folded
| datasets: [../flat.csv]
| selectors: [none, "top:by=ig"]
| classifiers: [nb]
| folds: {scheme: "file:folds.tsv"}
file deep/folds.tsv
| number	fold
| 1	1
| 2	1
| 3	2
| 4	2
| 5	3
| 6	3
| 7	1
| 8	2
$ hsel run deep/study.yaml -q
> folded in folded.db
>   done now               6  in ... per second, ...
>   done before            0
$ cd deep && hsel run study.yaml -q --store ../folded.db
> folded in ../folded.db
>   done now               0
>   done before            6
$ hsel report folded.db --format text | grep -E "^Jobs|^Cross"
> Jobs              6 of 6 finished
> Cross-validation  folds of folds.tsv, 1 repeat, seed 1
$ mkdir away && cp folded.db away && cd away && hsel report folded.db --format csv | grep -c ,ok,
> 6
$ printf 'number\tfold\n1\t1\n2\t2\n3\t1\n4\t2\n5\t1\n6\t2\n7\t1\n8\t2\n' > deep/folds.tsv; hsel run deep/study.yaml -q
> folded in folded.db
>   done now               4  in ... per second, ...
>   done before            0
$ rm deep/folds.tsv; hsel run deep/study.yaml
! hsel: deep/folds.tsv: cannot open: No such file or directory
= 1

# A study is called by its file if it has no name of its own, in its report too.
file unnamed.yaml
| datasets: [flat.csv]
| selectors: [none]
| classifiers: [nb]
| folds: {count: 2}
$ hsel run unnamed.yaml -q
> unnamed in unnamed.db
>   done now               2  in ... per second, ...
>   done before            0
$ hsel report unnamed.db --format text | head -n 1
> unnamed

# A store whose run was killed is a store, also while its rows stand in the log alone.
$ python3 -c "import os, sqlite3, shutil; d = sqlite3.connect('logged.db'); d.execute('PRAGMA journal_mode = wal'); d.executescript('PRAGMA wal_autocheckpoint = 0; ' + chr(10).join(sqlite3.connect('unnamed.db').iterdump()) + ' PRAGMA application_id = 1213416780; PRAGMA user_version = 8'); os._exit(0)"
$ hsel check logged.db
> ok       the store is whole: pages, checksums, numbers
$ hsel check logged.db --json | grep -c damaged
> 1

# One that was killed before it had written anything.
$ : > early.db; hsel check early.db
! hsel: early.db: the store is empty: a run was stopped before its first result
= 1
$ hsel check unnamed.db --backup copy.db && hsel check copy.db
> ok       the store is whole: pages, checksums, numbers
> ok       the store is whole: pages, checksums, numbers
! note: the copy is in copy.db
$ hsel check unnamed.db --backup copy.db
> ok       the store is whole: pages, checksums, numbers
! hsel: copy.db: already exists; give the copy another name
= 2
$ hsel check flat.csv --backup copy.db
! hsel: flat.csv is not a store, but --backup is for stores
= 2
$ hsel check unnamed.db --backup unnamed.db
! hsel: unnamed.db would be overwritten, but it is also read: give the output another name
= 2

# A damaged store.
$ hsel check small.db
> ok       the store is whole: pages, checksums, numbers
$ hsel check small.db --propagate
! hsel: small.db is a store, but propagate=true is for data
= 2
$ python3 -c "import sqlite3; sqlite3.connect('small.db').executescript('UPDATE job SET seconds = 7 WHERE unit = 2; UPDATE unit SET seed = 9 WHERE id = 3')"
$ hsel check small.db --show 2
> problem  data set one, selector ..., seed 9, fold ...: its checksum is wrong
> problem  data set one, selector ..., seed 1, fold ..., classifier nb: its checksum is wrong
>   and 1 more (--show N)
! hsel: small.db: 3 damaged; hsel run with its study removes and recomputes them
= 1
$ hsel report small.db --format text
! hsel: small.db: the store is damaged: data set one, selector ..., seed 9, fold ...: its checksum is wrong; hsel check lists all damage, hsel run recomputes it
= 1
$ hsel run small.yaml 2>&1 || echo "exit $?"
> note: damaged in small.db and computed again: data set one, ...
> note: damaged in small.db and computed again: data set one, ...
> note: damaged in small.db and computed again: data set one, ...
> note: damaged in small.db and computed again: unit 3, classifier nb: what it refers to is missing
> note: damaged in small.db and computed again: unit 3, classifier knn: what it refers to is missing
> note: gone is left out: gone.csv does not exist
> small in small.db
>   done now               4  in ... per second, ...
>   done before           44
>   left out              16  because a method does not fit the data
>   missing                1  data set
> hsel: 1 of 3 data sets is missing
> exit 4
$ hsel check small.db
> ok       the store is whole: pages, checksums, numbers

# The store has scores and probabilities: what areas rank by is decided when they are asked for.
file wide.yaml
| name: wide
| datasets:
|   - {name: wide, generate: "ontology:instances=100,features=1500,positives=400,depth=8,signal=0.1"}
| selectors: none
| classifiers: nb
| folds: {count: 4}
| metrics: auroc
$ sed 's/^metrics.*/&\nrank-by: probability/' wide.yaml > probable.yaml
$ hsel run -q wide.yaml --store wide.db --export - | grep auroc
> wide,none,nb,auroc,0.676,0.7067307692307692,0,100
$ hsel run -q probable.yaml --store wide.db --export - | grep "done now\|auroc"
> wide,none,nb,auroc,0.6912,0.7067307692307692,0,100
>   done now               0
$ sed -i 's/rank-by: .*/rank-by: chance/' probable.yaml && hsel run -q probable.yaml --store wide.db
! hsel: probable.yaml:8: option rank-by takes score|probability, not 'chance'
= 2

# Parts.
file parts.yaml
| name: cut
| datasets:
|   - {name: one, generate: "ontology:instances=40,features=30,positives=6", seed: 1}
|   - flat.csv
| selectors: [none, top]
| classifiers: [nb, "knn:k=3"]
| folds: {count: 4, repeats: 2}
| rankings: [auc, ig]
$ hsel run parts.yaml -q --export whole.csv | head -1
> cut in cut.db
$ for i in 1 3; do hsel run parts.yaml --part $i/3 --threads 1; done
> cut, part 1 of 3, ... % of the estimated work, in cut.parts/cut.1-of-3.db
>   done now              18  in ... per second, ...
>   done before            0
>   rankings               4  of 4, 4 of them now
> cut, part 3 of 3, ... % of the estimated work, in cut.parts/cut.3-of-3.db
>   done now              22  in ... per second, ...
>   done before            0
! note: knn: 5 of 9 fits had too few instances of a class to calibrate probabilities
! note: nb: 5 of 9 fits had too few instances of a class to calibrate probabilities
! note: knn: 5 of 11 fits had too few instances of a class to calibrate probabilities
! note: nb: 5 of 11 fits had too few instances of a class to calibrate probabilities
$ ls cut.parts
> cut.1-of-3.db
> cut.3-of-3.db
$ hsel run parts.yaml --part 2/3 --dry-run
> data set  jobs  done  failed  left out  to do
> one         12     0       0         0     12
> flat        12     0       0         0     12
> all         24     0       0         0     24
$ hsel run parts.yaml --gather cut.parts --store all.db --dry-run
> data set  jobs  done  failed  left out  to do
> one         32    20       0         0     12
> flat        32    20       0         0     12
> all         64    40       0         0     24
! note: cut.parts: 2 of 3 parts merged
! note: 1 part is missing: 2
! note: one is not generated now: its finished jobs are estimated from its name
! note: also, 0 of 4 rankings of features remain
$ hsel run parts.yaml --gather cut.parts --store all.db --export all.csv --threads 1
> cut in all.db
>   done now              24  in ... per second, ...
>   done before           40
>   rankings               4  of 4, 0 of them now
! note: cut.parts: 2 of 3 parts merged
! note: 1 part is missing: 2
! note: knn: 6 of 12 fits had too few instances of a class to calibrate probabilities
! note: nb: 6 of 12 fits had too few instances of a class to calibrate probabilities
$ cmp whole.csv all.csv
$ hsel run parts.yaml --part 1/4
! hsel: cut.parts: the study was divided into 3 parts, not 4: give --part 1/3, or another folder by --store
= 2
$ hsel run parts.yaml --part 4/3
! hsel: --part: there is no part 4 of 3: parts are numbered from 1, up to 1000000
= 2
$ hsel run parts.yaml --part 0/3
! hsel: --part: there is no part 0 of 3: parts are numbered from 1, up to 1000000
= 2
$ hsel run parts.yaml --part two
! hsel: --part takes I/N, array or array/N, not 'two'
= 2
$ hsel run parts.yaml --part 1/3 --gather cut.parts
! hsel: --part cannot be combined with --gather: gather when all parts are done
= 2
$ hsel run parts.yaml --part 1/3 --export x.csv
! hsel: --part cannot be combined with --export: the table of a part would be incomplete: use --gather
= 2
$ hsel run parts.yaml --gather nowhere
! hsel: nowhere: cannot open: No such file or directory
= 1
$ mkdir empty && hsel run parts.yaml --gather empty --store new.db
! hsel: empty: there is no part of the study cut
= 1
$ ls new.db
! ls: cannot access 'new.db': No such file or directory
= 2
$ hsel run parts.yaml --part array
! hsel: --part array: not running in a job array (of Slurm, PBS, Grid Engine or LSF), nor under srun or mpirun; give the part, such as --part 1/10
= 2
# Those that srun and mpirun start together are numbered from 0; each would run all of the study without a part.
$ OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=3 hsel run parts.yaml --part array --threads 1 | head -1
> cut, part 3 of 3, ... % of the estimated work, in cut.parts/cut.3-of-3.db
$ SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=3 hsel run parts.yaml --part array --threads 1 | head -1
> cut, part 1 of 3, ... % of the estimated work, in cut.parts/cut.1-of-3.db
$ PMI_RANK=1 PMI_SIZE=3 hsel run parts.yaml
! hsel: this is one of 3 processes that were started together, and each would run the whole study: give --part array
= 2
$ PBS_ARRAY_INDEX=2 hsel run parts.yaml --part array
! hsel: --part array: the number of tasks of the job array is unknown or incomplete; give it, such as --part array/100, with tasks numbered from 1
= 2
$ PBS_ARRAY_INDEX=2 hsel run parts.yaml --part array/3 --threads 1 | head -1
> cut, part 2 of 3, ... % of the estimated work, in cut.parts/cut.2-of-3.db
! note: knn: 6 of 12 fits had too few instances of a class to calibrate probabilities
! note: nb: 6 of 12 fits had too few instances of a class to calibrate probabilities
$ export SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=4 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=3; hsel run parts.yaml --part array | head -1
> cut, part 3 of 3, ... % of the estimated work, in cut.parts/cut.3-of-3.db
$ export SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=4 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=2; hsel run parts.yaml --part array
! hsel: --part array: the number of tasks of the job array is unknown or incomplete; give it, such as --part array/100, with tasks numbered from 1
= 2
$ export SGE_TASK_ID=2 SGE_TASK_FIRST=1 SGE_TASK_LAST=3 SGE_TASK_STEPSIZE=1; hsel run parts.yaml --part array | head -1
> cut, part 2 of 3, ... % of the estimated work, in cut.parts/cut.2-of-3.db
$ export SGE_TASK_ID=undefined LSB_JOBINDEX=1 LSB_JOBINDEX_END=3; hsel run parts.yaml --part array | head -1
> cut, part 1 of 3, ... % of the estimated work, in cut.parts/cut.1-of-3.db
# What is not a part of the study is left out, whatever it is.
$ mkdir odd.parts odd.parts/cut.2-of-4.db && mkfifo odd.parts/cut.3-of-4.db && cp unnamed.db odd.parts/cut.4-of-4.db && hsel run parts.yaml --gather odd.parts --store odd.db
> cut in odd.db
>   done now              64  in ... per second, ...
>   done before            0
>   rankings               4  of 4, 4 of them now
! note: a part is left out: odd.parts/cut.2-of-4.db: this is a folder, not a store of results
! note: a part is left out: odd.parts/cut.3-of-4.db: this is not a file that could be a store of results
! note: a part is left out: odd.parts/cut.4-of-4.db: this is a part of another study
! note: odd.parts: 0 of 4 parts merged
! note: 1 part is missing: 1
! note: knn: 16 of 32 fits had too few instances of a class to calibrate probabilities
! note: nb: 16 of 32 fits had too few instances of a class to calibrate probabilities
$ cp cut.parts/cut.1-of-3.db odd.parts/cut.1-of-4.db && echo "# more" >> parts.yaml && hsel run parts.yaml --gather odd.parts --store odd.db --dry-run
> data set  jobs  done  failed  left out  to do
> one         32    32       0         0      0
> flat        32    32       0         0      0
> all         64    64       0         0      0
! note: odd.parts/cut.1-of-4.db ran an earlier version of the study: 0 jobs are merged, and used where they fit
! note: a part is left out: odd.parts/cut.2-of-4.db: this is a folder, not a store of results
! note: a part is left out: odd.parts/cut.3-of-4.db: this is not a file that could be a store of results
! note: a part is left out: odd.parts/cut.4-of-4.db: this is a part of another study
! note: odd.parts: 0 of 4 parts merged
! note: one is not generated now: its finished jobs are estimated from its name
! note: also, 0 of 4 rankings of features remain
$ cp cut.parts/cut.1-of-3.db cut.parts/cut.1-of-2.db; hsel run parts.yaml --gather cut.parts --store all.db
! hsel: cut.parts: there are stores of 2 and of 3 parts: move those of one away
= 2
