# Writing: whole or not at all.

file data.csv
| id,a,b,c,class
| x1,1,0,1,yes
| x2,0,1,0,no
| x3,1,1,0,yes

file tree.edges
| a	c
| b	c

$ hsel convert -q data.csv --id id -o out.arff
$ cat out.arff
> @relation data
>
> @attribute id string
> @attribute a {0,1}
> @attribute b {0,1}
> @attribute c {0,1}
> @attribute class {no,yes}
>
> @data
> x1,1,0,1,yes
> x2,0,1,0,no
> x3,1,1,0,yes
$ hsel convert -q data.csv --id id --hierarchy tree.edges --hierarchy-format edges --propagate -o out.hsel
$ hsel info -q out.hsel
> data
>   instances              3
>   features               3
>   positive values        7 (77.78 %)
>   feature support        2 to 3 instances
>   constant features      1, positive everywhere
>   classes                2
>     no                   1 (33.3 %)
>     yes                  2 (66.7 %), positive: named by the data
> hierarchy
>   edges                  2
>   ancestors in total     2
>   depth                  1
>   roots                  1
>   leaves                 2
>   isolated               0
>   most parents           1
>   most children          2
>   root-leaf paths        2
> dependency edges
>   aode                   15
>   hie-aode               13
>   hie-aode-lite          11
# A pack shows the numbers it carries; loading it gives the same.
$ hsel info -q out.hsel > carried; hsel info -q out.hsel --class class > counted; cmp carried counted && rm carried counted
$ hsel info -q out.hsel --no-hierarchy --positive no
> data
>   instances              3
>   features               3
>   positive values        7 (77.78 %)
>   feature support        2 to 3 instances
>   constant features      1, positive everywhere
>   classes                2
>     no                   1 (33.3 %), positive: named by the data
>     yes                  2 (66.7 %)
$ hsel convert -q out.hsel -o - --to csv
> id,a,b,c,class
> x1,1,0,1,yes
> x2,0,1,1,no
> x3,1,1,1,yes
$ hsel convert -q out.hsel -o back.csv && hsel convert -q back.csv --id id -o - --to svmlight
> # hsel label -1 no
> # hsel label 1 yes
> 1 1:1 3:1 # x1
> -1 2:1 3:1 # x2
> 1 1:1 2:1 3:1 # x3
$ hsel convert -q out.hsel -o named.svm && hsel convert -q named.svm -o - --to csv && cat named.labels.txt && rm named.*
> id,a,b,c,class
> x1,1,0,1,yes
> x2,0,1,1,no
> x3,1,1,1,yes
> -1 no
> 1 yes

# Nothing is left behind by any of these.
$ hsel convert data.csv -o /dev/full --to csv
! hsel: /dev/full: cannot write: No space left on device
= 1
$ hsel convert data.csv -o none/out.arff
! hsel: none/out.arff: cannot create: No such file or directory
= 1
$ hsel convert data.csv -o data.csv/out.arff
! hsel: data.csv/out.arff: cannot create: Not a directory
= 1
$ hsel convert data.csv -o out.unknown
! hsel: out.unknown: the ending of the name does not determine the format of data or a hierarchy: give one (arff, csv, tsv, svmlight, mtx, pack, edges, ancestors, obo, rdf)
= 2
$ hsel convert data.csv -o out.arff --to arf
! hsel: there is no format 'arf'; did you mean 'arff'?
= 2
$ hsel convert none.csv -o new.arff
! hsel: none.csv: cannot open: No such file or directory
= 1
$ hsel convert data.csv --class colour -o new.arff
! hsel: data.csv: there is no column colour
= 2
$ hsel convert data.csv
! hsel: missing -o OUT (a file, a folder, or - for standard output)
= 2
# Before anything is read.
$ hsel convert none.csv
! hsel: missing -o OUT (a file, a folder, or - for standard output)
= 2
$ hsel convert none.csv -o new.xls
! hsel: new.xls: the ending of the name does not determine the format of data or a hierarchy: give one (arff, csv, ...)
= 2
$ hsel convert none.csv -o new.arff --hierarchy-output new.xls
! hsel: new.xls: the ending of the name does not determine the format of a hierarchy: give one (...)
= 2
$ hsel train none.csv
! hsel: missing -o MODEL or --show
= 2
$ hsel build --hierarchy none.obo --annotations none.gaf --labels none.tsv
! hsel: missing -o OUT (a file, a folder, or - for standard output)
= 2
$ hsel build --hierarchy none.obo --annotations none.gaf --labels none.tsv -o new.xls
! hsel: new.xls: the ending of the name does not determine the format of data: give one (arff, csv, tsv, svmlight, mtx, pack)
= 2
$ ls
> back.csv
> data.csv
> out.arff
> out.hsel
> tree.edges

# A full disk shows at the end, and the old file stays.
$ seq 1 40000 | awk 'BEGIN { print "v,class" } { print $1 * 7919.5 "," $1 % 2 }' >big.csv
$ trap '' XFSZ; ulimit -f 100; hsel convert -q big.csv -o out.arff
! hsel: out.arff: cannot write: File too large
= 1
$ ulimit -f 100; trap '' XFSZ; hsel convert -q big.csv -o other.csv.gz
! hsel: other.csv.gz: cannot write: File too large
= 1
$ head -c 20 out.arff; ls -A
> @relation data
>
> @attback.csv
> big.csv
> data.csv
> out.arff
> out.hsel
> tree.edges

# Standard output that goes away or is full.
$ hsel info data.csv >/dev/full
! hsel: standard output: cannot write: No space left on device
= 1
$ hsel help >/dev/full
! hsel: standard output: cannot write: No space left on device
= 1
$ hsel methods >/dev/full
! hsel: standard output: cannot write: No space left on device
= 1
$ hsel convert data.csv -o - --to csv >/dev/full
! hsel: standard output: cannot write: No space left on device
= 1

# A limit of file sizes is an error like a full disk; a reader that has seen enough is none.
$ hsel generate ontology:instances=900,features=400 -q -o large.hsel
$ (ulimit -f 8; hsel convert large.hsel -o large.csv); ls large.csv*
! hsel: large.csv: cannot write: File too large
! ls: cannot access 'large.csv*': No such file or directory
= 2
$ hsel convert large.hsel -o - --to csv | head -c 5
> T0000
$ bash -c 'hsel convert large.hsel -o - --to csv | head -c 0; echo ${PIPESTATUS[0]}'
> 141
