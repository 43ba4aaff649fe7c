# Studies that simulate: what is to do, more runs go on from those that are there, the report, what is refused.

file few.yaml
| name: planted
| datasets: [{name: made, generate: "ontology:instances=300,features=200,positives=20"}]
| simulate:
|   - {procedures: [bh, "focused-bh:filter=lin", structured-holm], effects: [2, 4], runs: 20}
|   - {procedures: [bh, yekutieli], p-values: instances, effects: [1.5], runs: 15}
$ sed 's/20}/60}/' few.yaml > more.yaml
$ hsel run few.yaml --dry-run
> data set  jobs  done  failed  left out  to do
> made        16     0       0         0     16
> all         16     0       0         0     16
$ hsel run few.yaml --threads 1 2>&1 || echo "exit $?"
> planted in planted.db
>   done now              14  in ... per second, ...
>   done before            0
>   failed now             2
>     made, simulate:p-values=instances,effect=1.5,procedure=yekutieli,runs=10: ...
>     made, simulate:p-values=instances,effect=1.5,procedure=yekutieli,from=10,runs=5: ...
> hsel: 2 of 16 jobs failed; their results are missing
> exit 3
$ hsel report planted.db --format text | sed -n '/^Jobs/p;/^Simul/p;/^procedure/p;/^bh/p;/^yek/p;/runs/p'
> Jobs              14 of 16 finished, 2 failed
> Simulations that failed: ...
> made: independent tests, level 0.05, 20 planted terms, 20 runs
> procedure              is below the level       observed, highest  at effect  found at 2  found at 4
> bh                     share of false ones      ...
> made: p-values from instances, level 0.05, 20 planted terms, 15 runs
> procedure  is below the level   observed, highest  at effect  found at 1.5
> bh         share of false ones    ...
> yekutieli  share of false ones    ...

# More runs are added to those that are there, and are those of a run from the beginning on any number of threads.
$ hsel run -q more.yaml --store planted.db 2>&1 | sed -n 2,3p
>   done now              24  in ... per second, ...
>   done before           14
$ hsel run -q more.yaml --store anew.db --threads 3 2>&1 | sed -n 2,3p
>   done now              38  in ... per second, ...
>   done before            0
$ hsel report anew.db --format text | grep -v "^Last result" > anew.txt; hsel report planted.db --format text | grep -v "^Last result" | diff - anew.txt && echo same
> same
$ grep -c "stay below the level within the error" anew.txt
> 2
$ hsel report -q planted.db -o page.html --charts charts && ls charts | grep svg; grep -c "Observed error rates with their intervals" page.html
> errors-1-2.svg
> errors.svg
> power-1-2.svg
> power.svg
> 0
= 1
$ hsel run few.yaml --import anew.db --store third.db 2>&1 | sed -n '/taken/p;/done/p'
>   done now               0
>   done before           14

# What is refused.
$ sed 's/bh, /bhh, /' few.yaml > bad.yaml; hsel run bad.yaml
! hsel: bad.yaml:4: bhh is not a procedure; known: bh, by, ...
= 2
$ sed 's/structured-holm/holm:filter=lin/' few.yaml > bad.yaml; hsel run bad.yaml
! hsel: bad.yaml:4: holm has no options
= 2
$ sed 's/\[2, 4\]/[4, 2]/' few.yaml > bad.yaml; hsel run bad.yaml
! hsel: bad.yaml:4: 'effects' go from small to large
= 2
$ sed 's/structured-holm/bh/' few.yaml > bad.yaml; hsel run bad.yaml
! hsel: bad.yaml:4: 'bh' is given twice
= 2
$ sed 's/effects: \[1.5\], //' few.yaml > bad.yaml; hsel run bad.yaml
! hsel: bad.yaml:5: there is no key 'effects' in simulate
= 2
$ sed 's/instances, effects/genes, effects/' few.yaml > bad.yaml; hsel run bad.yaml
! hsel: bad.yaml:5: option p-values takes independent|instances, not 'genes'
= 2
