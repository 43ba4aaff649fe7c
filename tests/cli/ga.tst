# The genetic search from the command line: log, checkpoint, seeds, folds that stay.
$ hsel generate ontology:instances=80,features=60 -o small.hsel -q
$ hsel select small.hsel --select ga:preset=she,population=10,generations=3 --log run.jsonl --threads 1 > first.txt
! note: ontology: the positive class is 1, 40 of 80 instances (50.0 %)
! note: 15 features are positive in every instance, e.g. T0000001, and carry no information, but mr and others may still prefer them: --drop-roots leaves out roots, --ignore NAME others
! note: ... of 60 features selected
$ cat run.jsonl
> {"search":"ga","mutation":"she","mutate":"simultaneous","population":10,"generations":3,"elite":2,"tournament":5,"crossover":0.98,"sp":0.03,"bp":0.19,"seed":1,"instances":80,"features":60}
> {"generation":0,"best":...,"mean":...,"size":...,"mean_size":...}
> {"generation":1,"best":...,"mean":...,"size":...,"mean_size":...}
> {"generation":2,"best":...,"mean":...,"size":...,"mean_size":...}
> {"generation":3,"best":...,"mean":...,"size":...,"mean_size":...}
> {"end":"limit","generation":3,"best":...,"size":...}
# The same at other threads and with the general fitness; another with another seed.
$ hsel select small.hsel --select ga:preset=she,population=10,generations=3,fitness=general --threads 3 -q | cmp - first.txt && echo same
> same
$ hsel select small.hsel --select ga:preset=she,population=10,generations=3 --seed 2 -q | cmp -s - first.txt || echo other
> other
# A checkpoint is taken up again, and only by the run it belongs to; a finished run can be prolonged.
$ hsel select small.hsel --select ga:preset=she,population=10,generations=3 --checkpoint run.ga -q > again.txt; cmp again.txt first.txt && echo same
> same
$ hsel select small.hsel --select ga:preset=she,population=10,generations=5 --checkpoint run.ga -q > longer.txt
$ hsel select small.hsel --select ga:preset=she,population=10,generations=5 -q | cmp - longer.txt && echo same
> same
$ hsel select small.hsel --select ga:preset=she,population=10,generations=5 --checkpoint run.ga --seed 2
! note: ontology: the positive class is 1, 40 of 80 instances (50.0 %)
! note: 15 features are positive in every instance, e.g. T0000001, and carry no information, but mr and others may still prefer them: --drop-roots leaves out roots, --ignore NAME others
! hsel: run.ga belongs to another run (data, hierarchy, options or seed differ): give another file, or delete it to start again
= 2
$ hsel convert small.hsel -o plain.csv --hierarchy-output all.tsv -q; sed 1d all.tsv > less.tsv
$ hsel select plain.csv --hierarchy all.tsv --select ga:preset=she,population=10,generations=5 --checkpoint run.ga -q | cmp - longer.txt && echo same
> same
$ hsel select plain.csv --hierarchy less.tsv --select ga:preset=she,population=10,generations=5 --checkpoint run.ga -q
! hsel: run.ga belongs to another run (data, hierarchy, options or seed differ): give another file, or delete it to start again
= 2
$ hsel select small.hsel --select gtd --checkpoint run.ga
! note: ontology: the positive class is 1, 40 of 80 instances (50.0 %)
! note: 15 features are positive in every instance, e.g. T0000001, and carry no information, but mr and others may still prefer them: --drop-roots leaves out roots, --ignore NAME others
! hsel: --checkpoint is for searches such as ga, but gtd is not one
= 2
$ hsel select small.hsel --select ga --log no/such/folder/log
! note: ontology: the positive class is 1, 40 of 80 instances (50.0 %)
! note: 15 features are positive in every instance, e.g. T0000001, and carry no information, but mr and others may still prefer them: --drop-roots leaves out roots, --ignore NAME others
! hsel: no/such/folder/log: cannot write: No such file or directory
= 1
# A checkpoint is a file, and not one without an end.
$ timeout 20 hsel select small.hsel --select ga --checkpoint /dev/zero
! note: ontology: the positive class is 1, 40 of 80 instances (50.0 %)
! note: 15 features are positive in every instance, e.g. T0000001, and carry no information, but mr and others may still prefer them: --drop-roots leaves out roots, --ignore NAME others
! hsel: /dev/zero: a checkpoint must be a regular file
= 1
$ hsel select small.hsel --select ga --checkpoint .
! note: ontology: the positive class is 1, 40 of 80 instances (50.0 %)
! note: 15 features are positive in every instance, e.g. T0000001, and carry no information, but mr and others may still prefer them: --drop-roots leaves out roots, --ignore NAME others
! hsel: .: a checkpoint must be a regular file
= 1
# Without a hierarchy.
$ hsel convert small.hsel -o flat.arff -q && hsel select flat.arff --select ga
! note: flat: the positive class is 1, 40 of 80 instances (50.0 %)
! note: 15 features are positive in every instance, e.g. T0000001, and carry no information, but mr and others may still prefer them: --ignore NAME leaves out features
! hsel: ga with the mutation cbhe needs a hierarchy, but flat has none: give --hierarchy FILE, or use ga:preset=bitwise
= 2
$ hsel select flat.arff --select ga:preset=bitwise,population=10,generations=2 -q | wc -l
> ...
$ hsel select small.hsel --select ga:elite=200
! hsel: ga copies an elite of 200 sets of a population of 146, which leaves no place for children: elite must be below population
= 2
$ hsel select small.hsel --select ga:sp=1.2
! hsel: option sp takes a number from -1 to 1, not '1.2'
= 2
$ hsel select small.hsel --select ga:sp=-0.2
! hsel: option sp of ga takes a probability from 0 to 1 (or -1: as in the preset), not -0.2
= 2
# Folds of one seed in all repeats: what is not random comes out the same, and what is does not.
$ hsel eval small.hsel --select none,ga:preset=she,population=10,generations=3 --fold-scheme weka:1 --repeats 3 --seed 1 --metrics gm -q
> data set  selector                                   classifier            GM  selected %  seconds
> ontology  none                                       nb            75.7 ± 0.0      100.00   ...
> ontology  ga:preset=she,population=10,generations=3  nb            83.4 ± 0.1       36.17   ...
$ hsel eval small.hsel --select none --fold-scheme weka:1 --seed 9 --metrics gm --csv -q | cut -d, -f4 > fixed.txt
$ hsel eval small.hsel --select none --fold-scheme weka --seed 1 --metrics gm --csv -q | cut -d, -f4 | cmp - fixed.txt && echo same
> same
$ hsel eval small.hsel --fold-scheme loo:1
! note: ontology: the positive class is 1, 40 of 80 instances (50.0 %); by chance AUPRC is 50.0
! note: 15 features are positive in every instance, e.g. T0000001, and carry no information, but mr and others may still prefer them: --drop-roots leaves out roots, --ignore NAME others
! hsel: there is no fold scheme 'loo:1'...
= 2
