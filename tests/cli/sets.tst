# Outputs of several files are one: nothing of an older output is taken for a part of the new one, and parts that do not belong together are refused.

file data.csv
| id,a,b,c,class
| x1,1,0,1,yes
| x2,0,1,0,no
| x3,1,1,0,yes

file plain.csv
| a,b,c
| 1,0,1
| 0,0,1
| 1,1,1

file tree.edges
| b	a

file other.edges
| a	c

# ---- Matrix Market: labels and identifiers of an older output do not stay ----

$ hsel convert -q data.csv --id id -o m.mtx && ls
> data.csv
> m.classes.txt
> m.features.txt
> m.ids.txt
> m.mtx
> m.mtx.manifest.json
> other.edges
> plain.csv
> tree.edges
$ gzip -k m.classes.txt && hsel convert -q plain.csv --no-class -o m.mtx && ls m.*
> m.features.txt
> m.mtx
> m.mtx.manifest.json
$ hsel info -q m.mtx | grep -c classes
> 0
= 1
$ printf 'yes\nno\nyes\n' > m.classes.txt
$ hsel info m.mtx
! hsel: m.classes.txt: is not among the files of m.mtx.manifest.json; remove the wrong one
= 1
$ rm m.classes.txt && printf 'a\nb\nd\n' > m.features.txt
$ hsel info m.mtx
! hsel: m.features.txt: does not belong to m.mtx.manifest.json: writing was interrupted, or files were mixed or changed; write all of them again, or remove "parts" from it to accept them
= 1
$ rm m.features.txt
$ hsel info m.mtx
! hsel: m.features.txt: cannot read: No such file or directory
= 1
$ rm m.mtx.manifest.json && hsel info -q m.mtx | head -1
> m

# ---- a name that is not plain ASCII ----

$ hsel convert -q data.csv --id id -o "$(printf 'm\344 1%%.svm')" && hsel info -q "$(printf 'm\344 1%%.svm')" | grep "instances  "
>   instances              3
$ rm m*

# ---- a folder ----

$ hsel convert -q data.csv --id id --hierarchy tree.edges --propagate -o f/ && ls f
> data.arff.gz
> hierarchy.tsv.gz
> meta.json
$ hsel convert -q plain.csv --no-class -o f/ && ls f && hsel info -q f | grep -c hierarchy
> data.arff.gz
> meta.json
> 0
= 1
$ hsel convert -q data.csv --id id --hierarchy tree.edges --propagate -o f/
$ hsel convert -q data.csv --id id --hierarchy other.edges --propagate -o g/
$ cp g/hierarchy.tsv.gz f/
$ hsel info f
! hsel: f/hierarchy.tsv.gz: does not belong to f/meta.json: writing was interrupted, or files were mixed or changed; write all of them again, or remove "parts" from it to accept them
= 1
$ hsel info -q f --no-hierarchy | head -1
> f
$ hsel info -q f --hierarchy other.edges --propagate | grep "edges  "
>   edges                  1
$ rm f/hierarchy.tsv.gz
$ hsel info f
! hsel: f/meta.json: its hierarchy.tsv.gz is missing
= 1
$ cp data.csv f/ && hsel convert data.csv -o f/
! hsel: the folder f/ contains data.csv, which would be read as part of the output: remove it, or give another folder
= 2
$ ls f
> data.arff.gz
> data.csv
> meta.json
$ hsel convert data.csv --hierarchy tree.edges --propagate -o g/ --hierarchy-output h.tsv
! hsel: --hierarchy-output is for a data file: the folder g/ has its hierarchy in it
= 2

# ---- a file of a folder that was written by itself, then the folder ----

$ mkdir k && hsel convert -q data.csv --id id --hierarchy tree.edges --propagate -o k/data.arff.gz --hierarchy-output k/h.tsv && ls k
> data.arff.gz
> data.arff.gz.manifest.json
> h.tsv
$ hsel convert -q plain.csv --no-class -o k/ && ls k && hsel info -q k | head -1
> data.arff.gz
> h.tsv
> meta.json
> k

# ---- made by hand: without a manifest nothing is asked ----

$ mkdir hand && cp data.csv hand/data.csv && cp tree.edges hand/hierarchy.edges && hsel info -q hand --id id --propagate | grep "edges  "
>   edges                  1

# ---- a data file with its hierarchy ----

$ hsel convert -q data.csv --id id --hierarchy tree.edges --propagate -o d.csv --hierarchy-output h.tsv && ls d.* h.*
> d.csv
> d.csv.manifest.json
> h.tsv
$ hsel info -q d.csv --id id --hierarchy h.tsv | grep "edges  "
>   edges                  1
$ printf 'a\tc\n' > h.tsv
$ hsel info d.csv --id id --hierarchy h.tsv
! hsel: h.tsv: does not belong to d.csv.manifest.json: writing was interrupted, or files were mixed or changed; write all of them again, or remove "parts" from it to accept them
= 1
$ hsel info -q d.csv --id id | head -1
> d
$ hsel info -q d.csv --id id --hierarchy tree.edges | grep "edges  "
>   edges                  1
$ hsel convert -q data.csv --id id -o d.csv && ls d.*
> d.csv

# ---- the second file cannot be written: the old set stays whole ----

$ hsel convert -q data.csv --id id --hierarchy tree.edges --propagate -o d.csv --hierarchy-output h.tsv && mkdir no.tsv
$ hsel convert -q plain.csv --no-class --hierarchy other.edges --propagate -o d.csv --hierarchy-output no.tsv
! hsel: no.tsv: is a folder, not a file
= 1
$ hsel info -q d.csv --id id --hierarchy h.tsv | grep "edges  "
>   edges                  1

# ---- replaced while it is read: the pipe is opened when the data have been read ----

$ mkfifo pipe; (exec 3> pipe; echo '{}' > plain.csv.manifest.json; printf 'a\tc\n' >&3) & hsel info plain.csv --no-class --hierarchy pipe
! hsel: plain.csv: was replaced while it was read
= 1
