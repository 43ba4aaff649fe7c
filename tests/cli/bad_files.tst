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
! hsel: folder: the folder contains no data.* file
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
>     yes                  1 (50.0 %), positive: its name says so
$ head -c 30 data.csv.gz >cut.csv.gz
$ hsel info cut.csv.gz
! hsel: cut.csv.gz: the gzip data ends too early: the file is truncated
= 1
$ head -c 5 data.csv.gz >cut.csv.gz
$ hsel info cut.csv.gz
! hsel: cut.csv.gz: the gzip data ends too early: the file is truncated
= 1
$ (head -c 25 data.csv.gz; printf 'XXXX'; tail -c +30 data.csv.gz) >bad.csv.gz
$ hsel info bad.csv.gz
! hsel: bad.csv.gz: the gzip data is damaged
= 1
$ (cat data.csv.gz; echo more) >tail.csv.gz
$ hsel info tail.csv.gz
! hsel: tail.csv.gz: unexpected data after the end of the gzip data
= 1

# Binary junk, by ending and without.
$ head -c 5000 /bin/sh >junk.csv; cp junk.csv junk; cp junk.csv junk.arff; cp junk.csv junk.hsel; cp junk.csv junk.obo
$ hsel info junk.csv
! hsel: junk.csv:1: NUL byte: this is not a text file
= 1
$ hsel info junk
! hsel: junk: unknown format of data or a hierarchy; known formats: arff, csv, tsv, svmlight, mtx, pack, edges, ancestors, obo, rdf, go.db, newick
= 1
$ hsel info junk.arff
! hsel: junk.arff:1: NUL byte: this is not a text file
= 1
$ hsel info junk.hsel
! hsel: junk.hsel: not a pack
= 1
$ hsel info junk.obo
! hsel: junk.obo:1: NUL byte: this is not a text file
= 1
$ hsel info --format nothing data.csv
! hsel: there is no format 'nothing'; there are: arff, csv, tsv, svmlight, mtx, pack, edges, ancestors, obo, rdf, go.db, newick, gaf, gpad, gene2go, pairs, org.db, hpoa, phenopackets, gpi, abundance, biom, biom-hdf5
= 2

# A line of a gigabyte.
$ head -c 1100000000 /dev/zero | tr '\0' 0 | hsel info -
! hsel: standard input:1: the line is longer than 256 MiB; --max-line allows more
= 1
$ head -c 1100000000 /dev/zero | tr '\0' 0 | hsel info --format csv -
! hsel: standard input:1: the line is longer than 256 MiB; --max-line allows more
= 1
$ head -c 1100000000 /dev/zero | hsel info --format csv -
! hsel: standard input:1: NUL byte: this is not a text file
= 1

# 200 KB that unpack to 200 MB: refused before they are unpacked, whatever they are given as; each limit has its option.
$ head -c 200000000 /dev/zero | gzip >zeros.gz && for e in nt csv; do cp zeros.gz zeros.$e.gz; done
$ hsel info zeros.nt.gz
! hsel: zeros.nt.gz: NUL byte: this is not a text file
= 1
$ hsel info zeros.csv.gz
! hsel: zeros.csv.gz:1: NUL byte: this is not a text file
= 1
# The rest of it is damaged, which is not looked at.
$ head -c 100000 zeros.gz >zeros.model.gz && hsel explain --model zeros.model.gz
! hsel: zeros.model.gz: this is not a model: hsel train makes one
= 1
$ head -c 200000000 /dev/zero | tr '\0' '\n' | gzip >lines.csv.gz
$ hsel info lines.csv.gz
! hsel: lines.csv.gz: unpacks to more than 500 times its size; --max-ratio allows more
= 1
$ hsel info lines.csv.gz --max-ratio 2000 --max-size 100
! hsel: lines.csv.gz: more than 100 MiB when unpacked; --max-size allows more
= 1
$ head -c 3000000 /dev/zero | tr '\0' 0 | hsel info --format csv - --max-line 2
! hsel: standard input:1: the line is longer than 2 MiB; --max-line allows more
= 1
$ hsel generate ontology --max-line 2 -o x
! hsel: generate has no option --max-line; see hsel help generate
= 2
$ hsel info data.csv --max-depth 0
! hsel: option max-depth takes a whole number from 1 to 1000000, not '0'
= 2
$ hsel select data.csv --select ga --checkpoint /dev/zero
! note: data: the positive class is yes, 1 of 2 instances (50.0 %)
! hsel: /dev/zero: a checkpoint must be a regular file
= 1

# Several files: the one that fails is named, and nothing is printed as if it were whole.
$ hsel check data.csv none.csv
! hsel: unexpected argument 'none.csv'; usage: hsel check [options] DATA|STORE
= 2
