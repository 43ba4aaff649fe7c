
# irace gives: configuration, instance, seed, instance, then name=value …
# It minimises, so a metric of which more is better is printed with its sign turned; options that
# hsel refuses (exit code 2) are as bad as can be.
instance=$4
shift 4
options=$(IFS=,; printf %s "$*")
if [ "$instance" -lt 1 ] || [ "$instance" -gt $((sets * repeats)) ]; then
    echo "no instance $instance" >&2
    exit 1
fi
# Data set after data set for the first seed, then for the next … so that races begin with
# different data.
data=data/$(((instance - 1) % sets + 1)).hsel
seed=$((first_seed + (instance - 1) / sets))
[ "$scheme" ] || scheme=file:${data%.hsel}.folds
# shellcheck disable=SC2086 # flags are words
table=$("$program" eval -q "$data" --threads 1 --csv --seed "$seed" --select "$selector$options" \
    --classify "$classifier" --folds "$folds" --metrics "$metric" --fold-scheme "$scheme" $flags)
code=$?
printf . >>runs.txt # hsel tune counts them
[ $code -eq 2 ] && { echo Inf; exit 0; }
[ $code -eq 0 ] || exit 1
printf '%s\n' "$table" |
    awk -F, -v sign="$sign" -v metric="$metric" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == metric) column = i; from_end = NF - column }
        END { v = column ? $(NF - from_end) : ""; if (v ~ /^[0-9.]+$/) print sign v; else print "Inf" }'
