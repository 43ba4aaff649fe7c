/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * error_rates DATA REPEATS THREADS [FOLDER]: do the procedures of stats/procedures.c keep what they
 * promise on the hierarchy of DATA? Terms are planted, p-values drawn, and what is rejected at the
 * level 0.05 is compared with the truth. CSV on standard output; charts go into FOLDER. For
 * bench/error_rates.py and the test study.error_rates; it is no test by itself.
 *
 *     independent  20 random leaves and all their ancestors are relevant: p = P(Z >= z), z normal
 *                  around the effect if relevant, around 0 if not, each for itself
 *     genes        20 random terms with 10 to 200 instances are planted; an instance of any of them
 *                  has odds of the class that are exp(effect) times those of others (0.2). p is
 *                  Fisher's, one-sided. A term is relevant if its share of such instances is above
 *                  that of all. p-values depend on each other as instances are shared.
 *
 * False: of what is rejected (for Focused BH, of what its filter leaves), the share that is not
 * relevant; for procedures against any false rejection, whether there is one. Found: the share of
 * the planted terms that is rejected.
 */
#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "core/random.h"
#include "format/load.h"
#include "report/chart.h"
#include "stats/procedures.h"
#include "stats/tests.h"

enum { PLANTED = 20, EFFECTS = 5 };
#define LEVEL 0.05

static const struct setting {
    const char *name;
    const char *axis;
    double effect[EFFECTS];
} settings[] = {{"independent", "effect, in standard deviations", {2, 3, 4, 5, 6}},
                {"genes", "effect: log of the ratio of odds", {0, 0.5, 1, 1.5, 2}}};

static const struct method {
    const char *name, *procedure;
    bool similar, genes; /* filter by similarity; also for p-values of genes */
} methods[] = {{"bh", "bh", false, true},
               {"by", "by", false, true},
               {"focused-bh", "focused-bh", false, true},
               {"focused-bh, lin", "focused-bh", true, true},
               {"dagger", "dagger", false, true},
               {"dagger-dependent", "dagger-dependent", false, true},
               {"holm", "holm", false, true},
               {"structured-holm", "structured-holm", false, false}};
enum {
    SETTINGS = sizeof settings / sizeof settings[0],
    METHODS = sizeof methods / sizeof methods[0]
};

struct outcome {
    double wrong, found, rejected;
};

struct simulation {
    const hsel_dataset *data;
    hs_similarity similarity;
    uint32_t repeats;
    struct outcome *outcome; /* [settings][effects][repeats][methods] */
};

static uint32_t draw(hs_stream *stream, uint32_t below)
{
    return (uint32_t)hs_random_below(stream, below);
}

static double normal(hs_stream *stream)
{
    return qnorm((hs_random_double(stream) * 9007199254740991 + 0.5) / 9007199254740992, 0, 1, 1,
                 0);
}

/* p-values of independent tests; the planted leaves, what is relevant. */
static int draw_independent(const hsel_dag *dag, double effect, hs_stream *stream,
                            uint32_t *planted, bool *relevant, double *p, hsel_error *error)
{
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    uint32_t above;
    HS_TRY(hs_reach_init(&reach, dag, error));
    for (uint32_t i = 0; i < PLANTED; i++) {
        do
            planted[i] = draw(stream, dag->nodes);
        while (!hs_is_leaf(dag, planted[i]));
        relevant[planted[i]] = true;
        for (hs_reach_start(&reach, planted[i]); (above = hs_reach_next(&reach)) != HSEL_NONE;)
            relevant[above] = true;
    }
    for (uint32_t v = 0; v < dag->nodes; v++)
        p[v] = pnorm(normal(stream) + (relevant[v] ? effect : 0), 0, 1, 0, 0);
    return HSEL_OK;
}

/* p-values of terms whose instances have classes. */
static int draw_genes(const hsel_dataset *data, double effect, hs_stream *stream, uint32_t *planted,
                      bool *relevant, double *p, hsel_error *error)
{
    HS_OWNED bool *affected = HS_NEW_ZERO(bool, data->instances);
    HS_OWNED bool *marked = HS_NEW(bool, data->instances);
    uint32_t all_affected = 0, all_marked = 0;
    size_t count;
    HS_NEED(affected && marked);
    for (uint32_t i = 0; i < PLANTED; i++) {
        do
            hs_column(data, planted[i] = draw(stream, data->features), &count);
        while (count < 10 || count > 200);
        const uint32_t *column = hs_column(data, planted[i], &count);
        for (size_t j = 0; j < count; j++)
            affected[column[j]] = true;
    }
    for (uint32_t i = 0; i < data->instances; i++) {
        double odds = 0.2 * (affected[i] ? exp(effect) : 1);
        marked[i] = hs_random_double(stream) < odds / (1 + odds);
        all_marked += marked[i];
        all_affected += affected[i];
    }
    for (uint32_t v = 0; v < data->features; v++) {
        const uint32_t *column = hs_column(data, v, &count);
        uint32_t of_marked = 0, of_affected = 0;
        for (size_t j = 0; j < count; j++) {
            of_marked += marked[column[j]];
            of_affected += affected[column[j]];
        }
        relevant[v] =
            effect > 0 && (uint64_t)of_affected * data->instances > (uint64_t)all_affected * count;
        p[v] = hs_p_fisher(data->instances, all_marked, (uint32_t)count, of_marked, HS_TAIL_MORE,
                           false);
    }
    return HSEL_OK;
}

static int simulate(void *context, size_t index, int worker, hsel_error *error)
{
    struct simulation *s = context;
    const size_t setting = index / s->repeats / EFFECTS, at = index / s->repeats % EFFECTS;
    const double effect = settings[setting].effect[at];
    const uint32_t count = s->data->features;
    HS_OWNED bool *relevant = HS_NEW_ZERO(bool, count), *rejected = HS_NEW(bool, count),
                  *left = HS_NEW(bool, count);
    HS_OWNED double *p = HS_NEW(double, count), *adjusted = HS_NEW(double, count);
    uint32_t planted[PLANTED], number;
    hs_stream stream;
    (void)worker;
    HS_NEED(relevant && rejected && left && p && adjusted);
    hs_stream_init(&stream, 1, "error rates", index, 0);
    HS_TRY((setting == 0
                ? draw_independent(s->data->dag, effect, &stream, planted, relevant, p, error)
                : draw_genes(s->data, effect, &stream, planted, relevant, p, error)));
    for (size_t m = 0; m < METHODS; m++) {
        struct outcome *out = &s->outcome[index * METHODS + m];
        const hs_procedure *procedure = hs_procedure_find(methods[m].procedure, error);
        const hs_hypotheses h = {
            p, count, s->data->dag, LEVEL, NULL, methods[m].similar ? &s->similarity : NULL, 0.7};
        uint32_t wrong = 0;
        if (setting && !methods[m].genes)
            continue;
        HS_TRY(procedure ? hs_procedure_run(procedure, &h, rejected, adjusted, error)
                         : HSEL_EUSAGE);
        for (uint32_t i = 0; i < PLANTED; i++)
            out->found += rejected[planted[i]] / (double)PLANTED;
        for (uint32_t v = 0; v < count; v++)
            out->rejected += rejected[v];
        number = (uint32_t)out->rejected;
        if (strcmp(methods[m].procedure, "focused-bh") == 0)
            HS_TRY(hs_filter_rejected(&h, rejected, left, &number, error));
        else
            memcpy(left, rejected, count);
        for (uint32_t v = 0; v < count; v++)
            wrong += left[v] && !relevant[v];
        out->wrong = strcmp(procedure->controls, "FWER") == 0 ? wrong > 0
                     : number                                 ? (double)wrong / number
                                                              : 0;
    }
    return HSEL_OK;
}

/* Mean and half of the 95 % interval over the repeats. */
static void mean_of(const struct simulation *s, size_t point, size_t method, size_t field,
                    double *mean, double *half)
{
    double sum = 0, squares = 0;
    for (uint32_t r = 0; r < s->repeats; r++) {
        const struct outcome *o = &s->outcome[(point * s->repeats + r) * METHODS + method];
        const double value = field == 0 ? o->wrong : field == 1 ? o->found : o->rejected;
        sum += value;
        squares += value * value;
    }
    *mean = sum / s->repeats;
    *half = 1.96 * sqrt(fmax(0, squares / s->repeats - *mean * *mean) / s->repeats);
}

static int report(const struct simulation *s, const char *folder, hsel_error *error)
{
    HS_OWNS(hs_document_clear) hs_document doc = {0};
    puts("setting,effect,procedure,controls,false,false_half,found,found_half,rejected");
    for (size_t k = 0; k < SETTINGS; k++) {
        static double y[2][METHODS][EFFECTS], low[2][METHODS][EFFECTS], high[2][METHODS][EFFECTS];
        const double level_x[] = {settings[k].effect[0], settings[k].effect[EFFECTS - 1]},
                     level_y[] = {LEVEL, LEVEL};
        for (size_t e = 0; e < EFFECTS; e++)
            for (size_t m = 0; m < METHODS; m++) {
                double mean[3], half[3];
                if (k && !methods[m].genes)
                    continue;
                for (size_t field = 0; field < 3; field++)
                    mean_of(s, k * EFFECTS + e, m, field, &mean[field], &half[field]);
                for (size_t field = 0; field < 2; field++) {
                    y[field][m][e] = mean[field];
                    low[field][m][e] = fmax(0, mean[field] - half[field]);
                    high[field][m][e] = fmin(1, mean[field] + half[field]);
                }
                const hs_procedure *procedure = hs_procedure_find(methods[m].procedure, error);
                printf("%s,%g,\"%s\",%s,%.5f,%.5f,%.5f,%.5f,%.1f\n", settings[k].name,
                       settings[k].effect[e], methods[m].name, procedure->controls, mean[0],
                       half[0], mean[1], half[1], mean[2]);
            }
        for (size_t field = 0; folder && field < 2; field++) {
            hs_series series[METHODS + 1];
            size_t count = 0;
            for (size_t m = 0; m < METHODS; m++)
                if (!k || methods[m].genes)
                    series[count++] = (hs_series){.label = methods[m].name,
                                                  .look = HS_DOTS | HS_SMALL | HS_LINE | HS_LEAD,
                                                  .colour = m,
                                                  .count = EFFECTS,
                                                  .x = settings[k].effect,
                                                  .y = y[field][m],
                                                  .low = low[field][m],
                                                  .high = high[field][m]};
            if (!field)
                series[count++] = (hs_series){.label = "level",
                                              .look = HS_LINE | HS_DASHED,
                                              .colour = SIZE_MAX,
                                              .count = 2,
                                              .x = level_x,
                                              .y = level_y};
            HS_TRY(hs_chart_add(
                &(hs_chart){.name =
                                hs_say(&doc, "%s-%s", field ? "power" : "errors", settings[k].name),
                            .alt = field ? "planted terms that are found, by effect"
                                         : "observed error rates by effect, and the level",
                            .x = {.label = settings[k].axis},
                            .y = {.label = field ? "planted terms found" : "observed error rate",
                                  .from = 0,
                                  .to = field ? 1 : 0.08,
                                  .shares = true},
                            .series = series,
                            .count = count,
                            .width = 460,
                            .height = 260},
                folder, &doc, error));
        }
    }
    return HSEL_OK;
}

static int run(char **arguments, int count, hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    struct simulation s = {.repeats = (uint32_t)atoi(arguments[2])};
    const size_t tasks = (size_t)SETTINGS * EFFECTS * s.repeats;
    HS_TRY(hs_load_with(arguments[1], "drop-roots", &data, error));
    HS_OWNED uint32_t *support = HS_NEW(uint32_t, data->features);
    HS_OWNED struct outcome *outcome = HS_NEW_ZERO(struct outcome, tasks * METHODS);
    HS_NEED(support && outcome);
    hs_supports(data, support);
    HS_TRY(hs_similarity_init(&s.similarity, data->dag, data->features, support, data->instances,
                              HS_LIN, error));
    s.data = data;
    s.outcome = outcome;
    int status = hs_parallel_for(tasks, atoi(arguments[3]), simulate, &s, error);
    if (!status)
        status = report(&s, count > 4 ? arguments[4] : NULL, error);
    hs_similarity_clear(&s.similarity);
    return status;
}

int main(int count, char **arguments)
{
    hsel_error error = {0};
    if (count < 4 || atoi(arguments[2]) < 2) {
        fputs("usage: error_rates DATA REPEATS THREADS [FOLDER]\n", stderr);
        return 2;
    }
    if (run(arguments, count, &error)) {
        fprintf(stderr, "error_rates: %s\n", error.message);
        return 1;
    }
    return 0;
}
