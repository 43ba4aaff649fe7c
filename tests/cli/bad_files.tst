# Files that cannot be read: one plain line each.

file data.csv
| a,b,class
| 1,0,yes
| 0,1,no

file empty.csv

$ hsel info none.csv
! hsel: none.csv: cannot open: No such file or directory
= 1
$ mkdir folder
$ hsel info folder
! hsel: folder: the folder holds no data.* file
= 1
# A path below a file stands for "no permission", which root would have.
$ hsel info data.csv/x.csv
! hsel: data.csv/x.csv: cannot open: Not a directory
= 1
$ hsel info empty.csv
! hsel: empty.csv: the file is empty
= 1
$ hsel info --format csv empty.csv
! hsel: empty.csv: the file is empty: a header line is needed
= 1
$ hsel info --format arff empty.csv
! hsel: empty.csv: the file is empty
= 1
$ printf '' | hsel info -
! hsel: standard input: the file is empty
= 1

# Truncated and damaged gzip.
$ gzip -c data.csv >data.csv.gz && hsel info -q data.csv.gz
> data
>   instances              2
>   features               2
>   positive values        2 (50.00 %)
>   feature support        1 to 1 instances
>   classes                2
>     no                   1 (50.0 %)
>     yes                  1 (50.0 %), positive
$ head -c 30 data.csv.gz >cut.csv.gz
$ hsel info cut.csv.gz
! hsel: cut.csv.gz: the gzip data ends too early: the file is cut off
= 1
$ head -c 5 data.csv.gz >cut.csv.gz
$ hsel info cut.csv.gz
! hsel: cut.csv.gz: the gzip data ends too early: the file is cut off
= 1
$ (head -c 25 data.csv.gz; printf 'XXXX'; tail -c +30 data.csv.gz) >bad.csv.gz
$ hsel info bad.csv.gz
! hsel: bad.csv.gz: the gzip data is damaged
= 1
$ (cat data.csv.gz; echo more) >tail.csv.gz
$ hsel info tail.csv.gz
! hsel: tail.csv.gz: there is something else after the gzip data
= 1

# Binary junk, by ending and without.
$ head -c 5000 /bin/sh >junk.csv; cp junk.csv junk; cp junk.csv junk.arff; cp junk.csv junk.hsel; cp junk.csv junk.obo
$ hsel info junk.csv
! hsel: junk.csv:1: there is a NUL byte: this is not a text file
= 1
$ hsel info junk
! hsel: junk: the format is none that is known for data or a hierarchy; these are: arff, csv, tsv, svmlight, mtx, pack, edges, ancestors, obo, rdf, go.db
= 1
$ hsel info junk.arff
! hsel: junk.arff:1: there is a NUL byte: this is not a text file
= 1
$ hsel info junk.hsel
! hsel: junk.hsel: not a pack
= 1
$ hsel info junk.obo
! hsel: junk.obo:1: there is a NUL byte: this is not a text file
= 1
$ hsel info --format nothing data.csv
! hsel: there is no format 'nothing'; there are: arff, csv, tsv, svmlight, mtx, pack, edges, ancestors, obo, rdf, go.db, gaf, gene2go, pairs, org.db
= 2

# A line of a gigabyte.
$ head -c 1100000000 /dev/zero | tr '\0' 0 | hsel info -
! hsel: standard input:1: the line is longer than the limit of 256 MiB
= 1
$ head -c 1100000000 /dev/zero | tr '\0' 0 | hsel info --format csv -
! hsel: standard input:1: the line is longer than the limit of 256 MiB
= 1
$ head -c 1100000000 /dev/zero | hsel info --format csv -
! hsel: standard input:1: the line is longer than the limit of 256 MiB
= 1

# Several files: the one that fails is named, and nothing is printed as if it were whole.
$ hsel check data.csv none.csv
! hsel: check does not know what to do with 'none.csv'; usage: hsel check [options] DATA|STORE
= 2
