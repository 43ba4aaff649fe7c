# Hierarchies that are one long chain: nothing takes time or room by the square of their length.

$ awk 'BEGIN { for (i = 0; i < 10; i++) { printf "%d", i % 2; for (j = 1; j <= (i % 2 ? 20000 : 10000); j++) printf " %d:1", j; print "" } }' >chain.svm
$ awk 'BEGIN { for (j = 1; j < 20000; j++) print "f" j + 1 "\tf" j }' >chain.tsv
$ hsel info chain.svm --hierarchy chain.tsv | grep ancestors
>   ancestors in total     199,990,000
$ hsel explain -q chain.svm --hierarchy chain.tsv --instance 1 --top 2
> instance   number 1 of chain
> class      0
> predicted  0, P = 1.0000 (1 0.0000)
> methods    none, nb
> selected   20,000 of 20,000 features
> log-odds   for 0, nb's own; with the prior they add up to those of the prediction
>
>   -0.182       ▐               (prior)
>   +1.764        ██████  lacks  f10001 ‹ f10000 ‹ f9999 ‹ f9998 ‹ f9997 ‹ f9996 ‹ … 9994 terms … ‹ f1
>                                in 0 of 4 0, 5 of 5 1
>   +1.764        ██████  lacks  f10002 ‹ f10001 ‹ f10000 ‹ f9999 ‹ f9998 ‹ … 9996 terms … ‹ f1
>                                in 0 of 4 0, 5 of 5 1
> and 19,998 more, +17350.650 in all: it has 10,000 (-281.709) and lacks 9,998 (+17632.359)
> +17353.995  log-odds for 0, with the prior
$ hsel explain -q chain.svm --hierarchy chain.tsv --instance 1 --top 20000 --dot drawn.dot | tail -n 1; grep -c label=  drawn.dot; sed -n '/^  label=/s/.*term<BR/term<BR/p' drawn.dot
> +17353.995  log-odds for 0, with the prior
> 61
> term<BR/>the 59 most important of 20000 terms<BR/>>;
$ head -n 29 chain.tsv >short.tsv; cut -d ' ' -f 1-31 chain.svm | sed '1s/ 20:1.*//;2s/ 30:1//' >short.svm
$ hsel explain -q short.svm --hierarchy short.tsv --instance 1 | wc -l
> 30
$ hsel explain -q short.svm --hierarchy short.tsv --instance 1 --whole | sed -n '/^hierarchy/,$p' | sed -n '1,3p;$p'
> hierarchy (* selected)
> * f1 = 1  -0.028
>   * f2 = 1  -0.028
>                                                           * f30 = 0  -0.539
$ hsel explain chain.svm --hierarchy chain.tsv --instance 1 --whole --json
! hsel: --whole cannot be combined with --json: JSON is always complete, and --nodes 0 makes pictures complete
= 2

# Diamonds below each other: no chains, and yet as deep.
$ awk 'BEGIN { for (j = 1; j < 19999; j += 3) { print "f" j + 1 "\tf" j; print "f" j + 2 "\tf" j; print "f" j + 3 "\tf" j + 1; print "f" j + 3 "\tf" j + 2 } }' >diamonds.tsv
$ hsel explain -q chain.svm --hierarchy diamonds.tsv --instance 1 --top 1 --svg drawn.svg | tail -n 3; grep -c 'class="node"' drawn.svg
>                                in 0 of 4 0, 5 of 5 1
> and 19,999 more, +17352.414 in all: it has 10,000 (-281.709) and lacks 9,999 (+17634.122)
> +17353.995  log-odds for 0, with the prior
> 2
