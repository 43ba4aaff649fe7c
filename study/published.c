/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads tables of published figures. A figure is found by a text made of its four words. Rows that
 * a line of misprints.csv covers (an empty field there covers everything) are left out.
 */
#include "study/published.h"

#include <limits.h>
#include <unistd.h>

#include "format/table.h"

#define MISPRINTS     "misprints.csv"
#define FIGURES_LIMIT 10000000u
#define KEY_BYTES     512

/* Columns that identify a figure. */
enum { PAPER, TABLE, DATASET, SELECTOR, CLASSIFIER, METRIC, WORDS };
static const char *const word_names[WORDS] = {"paper",    "table",      "dataset",
                                              "selector", "classifier", "metric"};

/* What is read, and the columns of the current table. */
typedef struct reading {
    hs_figures *figures;
    const char *(*misprints)[WORDS]; /* patterns, in the arena */
    size_t misprint_count, capacity;
    uint32_t word[WORDS]; /* HSEL_NONE: the table has no such column */
    uint32_t value, se;
    double unit; /* 100 for percentages */
} reading;

static uint32_t find_column(const hs_table *table, const char *name)
{
    return hs_names_find(&table->header, name, strlen(name));
}

static const char *word_of(const reading *r, const hs_field *fields, int word)
{
    return r->word[word] == HSEL_NONE ? "" : fields[r->word[word]].text;
}

/* A table of figures or of misprints: calls `row` for each record. */
static int read_table(const char *path, bool figures,
                      int (*row)(reading *r, const hs_table *table, const hs_field *fields,
                                 hsel_error *error),
                      reading *r, hsel_error *error)
{
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    HS_OWNS(hs_table_clear) hs_table table = {0};
    const hs_field *fields;
    int more;
    HS_TRY(hs_reader_open(path, &reader, error));
    HS_TRY(hs_table_open(reader, ',', &table, error));
    for (int i = 0; i < WORDS; i++) {
        r->word[i] = find_column(&table, word_names[i]);
        if (i == SELECTOR && r->word[i] == HSEL_NONE)
            r->word[i] = find_column(&table, "filter");
        if (r->word[i] == HSEL_NONE && (!figures || i == DATASET || i == METRIC))
            return hs_table_fail(&table, error, "there is no column '%s'", word_names[i]);
    }
    r->value = find_column(&table, "percent");
    r->unit = r->value == HSEL_NONE ? 1 : 100;
    if (r->value == HSEL_NONE)
        r->value = find_column(&table, "value");
    r->se = find_column(&table, "se");
    if (figures && r->value == HSEL_NONE)
        return hs_table_fail(&table, error, "there is no column 'percent' or 'value'");
    while ((more = hs_table_next(&table, &fields, error)) > 0)
        HS_TRY(row(r, &table, fields, error));
    return more;
}

static int add_misprint(reading *r, const hs_table *table, const hs_field *fields,
                        hsel_error *error)
{
    (void)table;
    HS_NEED(HS_GROW(&r->misprints, &r->capacity, r->misprint_count + 1));
    const char **words = r->misprints[r->misprint_count++];
    for (int i = 0; i < WORDS; i++)
        HS_NEED(words[i] = hs_arena_text(&r->figures->arena, fields[r->word[i]].text,
                                         fields[r->word[i]].length));
    return HSEL_OK;
}

/* ---- figures ---- */

/* "CE-BPCC<tab>rpv<tab>nb<tab>gm": 0 if it is too long. */
static size_t make_key(const char *dataset, const char *selector, const char *classifier,
                       const char *metric, char out[KEY_BYTES])
{
    size_t length = 0;
    for (const char *c = dataset; *c && length < KEY_BYTES; c++)
        if (*c != '.')
            out[length++] = *c;
    size_t room = KEY_BYTES - length;
    int rest = snprintf(out + length, room, "\t%s\t%s\t%s", selector, classifier, metric);
    return rest >= 0 && (size_t)rest < room ? length + (size_t)rest : 0;
}

static int read_number(const reading *r, const hs_table *table, const hs_field *field, double *out,
                       hsel_error *error)
{
    if (!hs_parse_double(field->text, field->length, out) || !isfinite(*out))
        return hs_table_fail(table, error, "'%.80s' is not a number", field->text);
    *out /= r->unit;
    return HSEL_OK;
}

static int add_figure(reading *r, const hs_table *table, const hs_field *fields, hsel_error *error)
{
    hs_figures *f = r->figures;
    const char *paper = word_of(r, fields, PAPER), *name = word_of(r, fields, TABLE);
    f->no_selectors = r->word[SELECTOR] == HSEL_NONE;
    f->no_classifiers = r->word[CLASSIFIER] == HSEL_NONE;
    hs_figure figure = {.error = NAN};
    char key[KEY_BYTES];
    uint32_t id;
    bool is_new;
    size_t length = make_key(word_of(r, fields, DATASET), word_of(r, fields, SELECTOR),
                             word_of(r, fields, CLASSIFIER), word_of(r, fields, METRIC), key);
    if (length == 0)
        return hs_table_fail(table, error, "names of more than %d bytes", KEY_BYTES);
    if (f->keys.count == FIGURES_LIMIT)
        return hs_fail_at(error, HSEL_ELIMIT, hs_reader_name(table->reader), table->line,
                          "more than %u figures", FIGURES_LIMIT);
    HS_TRY(read_number(r, table, &fields[r->value], &figure.value, error));
    if (r->se != HSEL_NONE && fields[r->se].length)
        HS_TRY(read_number(r, table, &fields[r->se], &figure.error, error));
    if (!f->paper)
        HS_NEED(f->paper = hs_arena_text(&f->arena, paper, strlen(paper)));
    for (size_t p = 0; p < r->misprint_count; p++) {
        const char **words = r->misprints[p];
        int i = 0;
        while (i < WORDS && (!words[i][0] || strcmp(words[i], word_of(r, fields, i)) == 0))
            i++;
        if (i == WORDS) { /* the pattern covers it */
            f->misprints++;
            return HSEL_OK;
        }
    }
    HS_TRY(hs_names_intern(&f->keys, key, length, &id, &is_new, error));
    if (!is_new)
        return HSEL_OK;
    HS_NEED(HS_GROW(&f->figure, &f->capacity, (size_t)id + 1) &&
            (figure.table = hs_arena_text(&f->arena, name, strlen(name))));
    f->figure[id] = figure;
    return HSEL_OK;
}

static void reading_clear(reading *r)
{
    hs_figures_clear(r->figures);
    hs_free(r->misprints);
}

int hs_figures_read(const char *path, hs_figures *out, hsel_error *error)
{
    hs_figures figures = {0};
    HS_OWNS(reading_clear) reading r = {.figures = &figures};
    const char *slash = strrchr(path, '/');
    char beside[PATH_MAX];
    *out = (hs_figures){0};
    snprintf(beside, sizeof beside, "%.*s" MISPRINTS, slash ? (int)(slash - path) + 1 : 0, path);
    if (access(beside, F_OK) == 0)
        HS_TRY(read_table(beside, false, add_misprint, &r, error));
    HS_TRY(read_table(path, true, add_figure, &r, error));
    HS_TRY(hs_names_index(&figures.keys, error));
    HS_MOVE(out, &figures);
    return HSEL_OK;
}

void hs_figures_clear(hs_figures *figures)
{
    hs_names_clear(&figures->keys);
    hs_free(figures->figure);
    hs_arena_clear(&figures->arena);
    *figures = (hs_figures){0};
}

/* ---- finding ---- */

static const char *word_in_paper(const hs_published *published, const char *ours)
{
    for (size_t i = 0; i < published->count; i++)
        if (strcmp(published->from[i], ours) == 0)
            return published->to[i];
    return ours;
}

const hs_figure *hs_published_find(const hs_figures *figures, const hs_published *published,
                                   const char *dataset, const char *selector,
                                   const char *classifier, const char *metric)
{
    char key[KEY_BYTES];
    size_t length = make_key(word_in_paper(published, dataset),
                             figures->no_selectors ? "" : word_in_paper(published, selector),
                             figures->no_classifiers ? "" : word_in_paper(published, classifier),
                             word_in_paper(published, metric), key);
    uint32_t id =
        length && figures->keys.count ? hs_names_find(&figures->keys, key, length) : HSEL_NONE;
    return id == HSEL_NONE ? NULL : &figures->figure[id];
}
