# The texts that lead a newcomer, and the answers to misspelt names.

$ hsel version
> hsel @VERSION@
> built with: ...
> ...
> licence:    GPL-3.0-or-later

$ hsel --version
> hsel @VERSION@
> ...

$ hsel help
> hsel: ...
> ...
> usage: hsel COMMAND [options] ...
> ...
>   info       show the contents of a data set or hierarchy
> ...
>   hsel info first/ ...
> ...

# The same text without a command.
$ hsel help >one.txt; hsel --help | cmp - one.txt; hsel | cmp - one.txt

$ hsel help info
> hsel info: show the contents of a data set or hierarchy
>
> usage: hsel info [options] DATA...
> ...
>   --json  ...
> ...

# --help shows ten options, --help-all every one, in groups.
$ hsel eval --help >ten.txt; grep -c '^  -' ten.txt; grep -E '^(Data|Most used options):' ten.txt
> 11
> Most used options:

$ hsel eval --help-all >all.txt; grep -E '^[A-Z][a-z -]*:$' all.txt; hsel help eval --all | cmp - all.txt
> Methods:
> Folds and design:
> Output:
> Data:
> Hierarchy:
> Preparation:
> Computing:
> Common options:
> Examples:

# The same options in the same words.
$ sed -n '/^Most/,/--help-all/p' ten.txt | grep -oE '^  [^ ]+' | sort -u >some.txt; grep -oE '^  [^ ]+' all.txt | sort -u | comm -23 some.txt -

$ hsel info -h
> hsel info: show the contents of a data set or hierarchy
> ...

$ hsel help arff
> arff (format): ARFF, dense and sparse (WEKA)
>
> ...
> Reference:
> ...

$ hsel methods
> ...
> Formats
>   arff ...
> ...
> Generators
> ...

# Metrics are methods.
$ hsel methods --kind metric
> Metrics
>   gm               geometric mean of the recalls of the classes
>   auroc            area under the ROC curve
> ...
>   compression      share of features that were not selected
> ...
$ hsel help compression
> compression (metric): share of features that were not selected
>
> ...
>
> Compression: higher is better; from predicted classes and numbers of selected features.
>
> Reference:
> ...

# So are statistics.
$ hsel methods --kind statistics
> Statistics
>   ranks            mean ranks and wins of each method
>   friedman         Friedman's test that all methods are alike
> ...

# Every command and every method can be explained.
$ for c in $(hsel help | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -v '^hsel$'); do hsel help $c --all | grep -E '[{][a-z-]+[}]'; done; true
$ for c in $(hsel help | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -v '^hsel$'); do hsel help $c >one.txt && test $(wc -l <one.txt) -gt 5 && hsel $c -h | cmp - one.txt || echo $c; done
$ hsel methods | sed -n 's/^  \([a-z0-9.-]*\) .*/\1/p' | while read m; do hsel help $m >one.txt && test $(wc -l <one.txt) -gt 3 || echo $m; done

# ---- wrong usage: exit code 2 ----
$ hsel inof x.csv
! hsel: there is no command 'inof'; did you mean 'info'?
= 2
$ hsel zzzzzzzz
! hsel: there is no command 'zzzzzzzz'; see hsel help
= 2
$ hsel help inof
! hsel: there is no command, method or format 'inof'; did you mean 'info'?
= 2
$ hsel help zzzzzzzz
! hsel: there is no command, method or format 'zzzzzzzz'; see hsel help and hsel methods
= 2
$ hsel info
! hsel: info needs DATA…; usage: hsel info [options] DATA…
= 2
$ hsel info --jsno x.csv
! hsel: info has no option --jsno; did you mean --json?
= 2
$ hsel info --threads=many x.csv
! hsel: option threads takes a whole number from 0 to 4096, not 'many'
= 2
$ hsel info --threads
! hsel: option --threads needs a value: N
= 2
$ hsel info --cycles=dorp x.csv
! hsel: option cycles takes error|merge|drop, not 'dorp'
= 2
$ hsel convert a.csv b.csv -o c.csv
! hsel: unexpected argument 'b.csv'; usage: hsel convert [options] DATA
= 2
$ hsel info --quiet=maybe x.csv
! hsel: info has no option --quiet=maybe; see hsel help info
= 2

# Completion: names of methods, also the last of a list.
file complete.sh
| eval "$(hsel help --completion)"
| COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hsel; echo "${COMPREPLY[@]}"
$ bash complete.sh hsel select x --select hip
> hip hip-plus hip-mr
$ bash complete.sh hsel eval x --select none,sh; bash complete.sh hsel eval x --classify = kn
> none,shsel
> knn
$ bash complete.sh hsel rank x --by su,relief; bash complete.sh hsel eval x --metrics au
> su,relieff su,relieff-w
> auroc auprc
