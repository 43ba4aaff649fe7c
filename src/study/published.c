/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading tables of published figures. A figure is found by one text made of its four words; rows
 * that a line of misprints.csv covers (an empty field there covers everything) never get in.
 */
#include "study/published.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/text.h"
#include "format/table.h"

#define MISPRINTS     "misprints.csv"
#define FIGURES_LIMIT 10000000u
#define KEY_ROOM      512

/* The columns that say which figure it is; the rest of a row is the figure. */
enum { PAPER, TABLE, DATASET, SELECTOR, CLASSIFIER, METRIC, WORDS };
static const char *const word_names[WORDS] = {"paper",    "table",      "dataset",
                                              "selector", "classifier", "metric"};

typedef struct columns {
    uint32_t word[WORDS]; /* HSEL_NONE: the table has no such column */
    uint32_t value, se;
    double unit; /* 0.01 for percentages */
} columns;

typedef struct misprints { /* patterns, one after the other */
    const char **word;     /* [count * WORDS], in the arena */
    size_t count, capacity;
} misprints;

static uint32_t find_column(const hs_table *table, const char *name)
{
    return hs_names_find(&table->header, name, strlen(name));
}

static void find_words(const hs_table *table, columns *out)
{
    for (int i = 0; i < WORDS; i++)
        out->word[i] = find_column(table, word_names[i]);
    if (out->word[SELECTOR] == HSEL_NONE)
        out->word[SELECTOR] = find_column(table, "filter");
}

static const char *word_of(const columns *c, const hs_field *fields, int word)
{
    return c->word[word] == HSEL_NONE ? "" : fields[c->word[word]].text;
}

/* Opens a table, calls `row` for each record, closes it. */
typedef int (*row_function)(void *context, const hs_table *table, const columns *c,
                            const hs_field *fields, hsel_error *error);

static int read_table(const char *path, int (*check)(const hs_table *, columns *, hsel_error *),
                      row_function row, void *context, hsel_error *error)
{
    hs_reader *reader = NULL;
    hs_table table = {0};
    columns c = {0};
    const hs_field *fields;
    int status = hs_reader_open(path, &reader, error);
    if (status == HSEL_OK)
        status = hs_table_open(reader, ',', &table, error);
    if (status == HSEL_OK) {
        find_words(&table, &c);
        status = check(&table, &c, error);
    }
    while (status == HSEL_OK && (status = hs_table_next(&table, &fields, error)) > 0)
        status = row(context, &table, &c, fields, error);
    hs_table_clear(&table);
    hs_reader_close(reader);
    return status;
}

/* ---- misprints ---- */

static int check_misprints(const hs_table *table, columns *c, hsel_error *error)
{
    for (int i = 0; i < WORDS; i++)
        if (c->word[i] == HSEL_NONE)
            return hs_table_fail(table, error, "there is no column '%s'", word_names[i]);
    return HSEL_OK;
}

typedef struct reading {
    hs_figures *figures;
    misprints misprints;
} reading;

static int add_misprint(void *context, const hs_table *table, const columns *c,
                        const hs_field *fields, hsel_error *error)
{
    reading *r = context;
    misprints *m = &r->misprints;
    (void)table;
    if (m->count + WORDS > m->capacity && !HS_GROW(&m->word, &m->capacity, m->count + WORDS))
        return hs_fail_memory(error);
    for (int i = 0; i < WORDS; i++) {
        const hs_field *field = &fields[c->word[i]];
        if (!(m->word[m->count + (size_t)i] =
                  hs_arena_text(&r->figures->arena, field->text, field->length)))
            return hs_fail_memory(error);
    }
    m->count += WORDS;
    return HSEL_OK;
}

static int read_misprints(const char *path, reading *r, hsel_error *error)
{
    const char *slash = strrchr(path, '/');
    hs_buf file = {0};
    int status = HSEL_OK;
    hs_buf_add(&file, path, slash ? (size_t)(slash - path) + 1 : 0);
    hs_buf_text(&file, MISPRINTS);
    if (file.failed)
        status = hs_fail_memory(error);
    else if (access(file.text, F_OK) == 0)
        status = read_table(file.text, check_misprints, add_misprint, r, error);
    hs_buf_clear(&file);
    return status;
}

static bool is_misprint(const misprints *m, const columns *c, const hs_field *fields)
{
    for (size_t p = 0; p < m->count; p += WORDS) {
        bool covers = true;
        for (int i = 0; i < WORDS && covers; i++)
            covers = !m->word[p + (size_t)i][0] ||
                     strcmp(m->word[p + (size_t)i], word_of(c, fields, i)) == 0;
        if (covers)
            return true;
    }
    return false;
}

/* ---- figures ---- */

static int check_figures(const hs_table *table, columns *c, hsel_error *error)
{
    static const int needed[] = {DATASET, METRIC};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (c->word[needed[i]] == HSEL_NONE)
            return hs_table_fail(table, error, "there is no column '%s'", word_names[needed[i]]);
    c->value = find_column(table, "percent");
    c->unit = 0.01;
    if (c->value == HSEL_NONE) {
        c->value = find_column(table, "value");
        c->unit = 1;
    }
    c->se = find_column(table, "se");
    return c->value == HSEL_NONE
               ? hs_table_fail(table, error, "there is no column 'percent' or 'value'")
               : HSEL_OK;
}

/* "CE-BPCC<tab>rpv<tab>nb<tab>gm": 0 if it is too long. */
static size_t make_key(const char *dataset, const char *selector, const char *classifier,
                       const char *metric, char *out)
{
    const char *const words[] = {dataset, selector, classifier, metric};
    size_t length = 0;
    for (int i = 0; i < 4; i++) {
        for (const char *c = words[i]; *c; c++) {
            if (i == 0 && *c == '.')
                continue;
            if (length + 2 > KEY_ROOM)
                return 0;
            out[length++] = *c;
        }
        if (length + 2 > KEY_ROOM)
            return 0;
        out[length++] = '\t';
    }
    return length;
}

static int read_number(const hs_table *table, const hs_field *field, double unit, double *out,
                       hsel_error *error)
{
    double number;
    if (!hs_parse_double(field->text, field->length, &number) || !isfinite(number))
        return hs_table_fail(table, error, "'%.80s' is not a number", field->text);
    *out = unit == 1 ? number : number / 100;
    return HSEL_OK;
}

static int keep_figure(hs_figures *f, const char *key, size_t length, const hs_figure *figure,
                       hsel_error *error)
{
    uint32_t id;
    bool is_new;
    int status = hs_names_intern(&f->keys, key, length, &id, &is_new, error);
    if (status || !is_new)
        return status;
    if (!HS_GROW(&f->figure, &f->capacity, (size_t)id + 1))
        return hs_fail_memory(error);
    f->figure[id] = *figure;
    if (!(f->figure[id].table = hs_arena_text(&f->arena, figure->table, strlen(figure->table))))
        return hs_fail_memory(error);
    return HSEL_OK;
}

static int add_figure(void *context, const hs_table *table, const columns *c,
                      const hs_field *fields, hsel_error *error)
{
    reading *r = context;
    hs_figures *f = r->figures;
    f->no_selectors = c->word[SELECTOR] == HSEL_NONE;
    f->no_classifiers = c->word[CLASSIFIER] == HSEL_NONE;
    hs_figure figure = {.table = word_of(c, fields, TABLE), .error = NAN};
    char key[KEY_ROOM];
    size_t length = make_key(word_of(c, fields, DATASET), word_of(c, fields, SELECTOR),
                             word_of(c, fields, CLASSIFIER), word_of(c, fields, METRIC), key);
    if (length == 0)
        return hs_table_fail(table, error, "names of more than %d bytes", KEY_ROOM);
    if (f->keys.count == FIGURES_LIMIT)
        return hs_fail_at(error, HSEL_ELIMIT, hs_reader_name(table->reader), table->line,
                          "more than %u figures", FIGURES_LIMIT);
    int status = read_number(table, &fields[c->value], c->unit, &figure.value, error);
    if (status == HSEL_OK && c->se != HSEL_NONE && fields[c->se].length)
        status = read_number(table, &fields[c->se], c->unit, &figure.error, error);
    if (status == HSEL_OK && !f->paper &&
        !(f->paper = hs_arena_text(&f->arena, word_of(c, fields, PAPER),
                                   strlen(word_of(c, fields, PAPER)))))
        status = hs_fail_memory(error);
    if (status)
        return status;
    if (is_misprint(&r->misprints, c, fields)) {
        f->misprints++;
        return HSEL_OK;
    }
    return keep_figure(f, key, length, &figure, error);
}

int hs_figures_read(const char *path, hs_figures *out, hsel_error *error)
{
    reading r = {.figures = out};
    *out = (hs_figures){0};
    int status = read_misprints(path, &r, error);
    if (status == HSEL_OK)
        status = read_table(path, check_figures, add_figure, &r, error);
    if (status == HSEL_OK)
        status = hs_names_index(&out->keys, error);
    hs_free(r.misprints.word);
    if (status)
        hs_figures_clear(out);
    return status;
}

void hs_figures_clear(hs_figures *figures)
{
    hs_names_clear(&figures->keys);
    hs_free(figures->figure);
    hs_arena_clear(&figures->arena);
    *figures = (hs_figures){0};
}

/* ---- finding ---- */

const hs_figure *hs_figures_find(const hs_figures *figures, const char *dataset,
                                 const char *selector, const char *classifier, const char *metric)
{
    char key[KEY_ROOM];
    size_t length = make_key(dataset, figures->no_selectors ? "" : selector,
                             figures->no_classifiers ? "" : classifier, metric, key);
    uint32_t id =
        length && figures->keys.count ? hs_names_find(&figures->keys, key, length) : HSEL_NONE;
    return id == HSEL_NONE ? NULL : &figures->figure[id];
}

const char *hs_published_word(const hs_published *published, const char *ours)
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
    return hs_figures_find(
        figures, hs_published_word(published, dataset), hs_published_word(published, selector),
        hs_published_word(published, classifier), hs_published_word(published, metric));
}
