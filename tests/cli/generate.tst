# hsel generate: the same seed gives the same bytes; wrong options are named.

$ hsel generate -q ontology:instances=50,features=40 --seed 3 -o a.hsel
$ hsel generate -q ontology:instances=50,features=40 --seed 3 -o b.hsel && hsel convert -q a.hsel -o a.csv && hsel convert -q b.hsel -o b.csv && cmp a.csv b.csv
$ hsel generate -q ontology:instances=50,features=40 --seed 4 -o c.csv --hierarchy-output c.tsv && cmp -s a.csv c.csv
= 1
$ hsel check -q a.hsel
> ...
$ hsel generate ontolgy -o d.hsel
! hsel: there is no generator 'ontolgy'; did you mean 'ontology'?
= 2
$ hsel generate ontology:instnaces=50 -o d.hsel
! hsel: ontology has no option 'instnaces'; did you mean 'instances'?
= 2
$ hsel generate ontology:instances=-5 -o d.hsel
! hsel: option instances takes a whole number from 1 to 1073741824, not '-5'
= 2
$ hsel generate ontology:instances=many -o d.hsel
! hsel: option instances takes a whole number from 1 to 1073741824, not 'many'
= 2
$ hsel generate ontology:features=0 -o d.hsel
! hsel: option features takes a whole number from 1 to 268435456, not '0'
= 2
$ hsel generate ontology
! hsel: missing -o OUT (a file, a folder, or - for standard output)
= 2
# before anything is made
$ hsel generate ontolgy -o d.nope
! hsel: d.nope: the ending of the name does not determine the format of data: give one (arff, csv, tsv, svmlight, mtx, pack)
= 2
$ hsel generate -o d.hsel
! hsel: generate needs GENERATOR[:OPTIONS]; usage: hsel generate [options] GENERATOR[:OPTIONS]
= 2
$ hsel generate ontology --seed x -o d.hsel
! hsel: option seed takes a whole number from 0, not 'x'
= 2
$ hsel generate ontology:instances=50,features=40 -o /dev/full --to pack
! hsel: /dev/full: cannot write: No space left on device
= 1
$ hsel generate ontology:instances=50,features=40 -o a.csv/d.hsel
! hsel: a.csv/d.hsel: cannot create: Not a directory
= 1
