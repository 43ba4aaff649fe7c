/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Middle steps of making a data set: which annotations count, and which terms each object gets from
 * them. Propagation walks upwards from an object's terms and visits each ancestor once (a stamp for
 * each object), so the cost is the number of values it makes and the edges above them.
 */
#include <string.h>

#include "core/mem.h"
#include "format/assemble_parts.h"
#include "format/evidence.h"

/* What sifting needs beside the assembly. */
typedef struct sieve {
    bool *evidence;   /* wanted codes */
    uint8_t *told;    /* of each identifier of a term: bit k when it was counted as of fate k */
    uint32_t *row_of; /* of each object: its labelled object or HSEL_NONE */
    uint32_t *object; /* of each annotation that counts … */
    hs_mark *marks;   /* … what it says */
    size_t count;
} sieve;

static int find_rows(hs_assembly *a, sieve *s, hsel_error *error)
{
    const hs_names *objects = &a->annotations->objects;
    hs_finding *found = a->report->found;
    int status = hs_names_index(&a->labels->ids, error);
    for (uint32_t o = 0; !status && o < objects->count; o++) {
        const char *name = hs_names_get(objects, o);
        uint32_t row = hs_names_find(&a->labels->ids, name, hs_names_length(objects, o));
        found[HS_FOUND_OBJECTS].count++;
        if (row == HSEL_NONE)
            status = hs_finding_add(&found[HS_FOUND_OBJECTS_UNKNOWN], name, error);
        else
            a->annotated[row] = true;
        s->row_of[o] = row != HSEL_NONE && a->labels->class_of[row] != HSEL_NONE ? row : HSEL_NONE;
    }
    return status;
}

/* Counts an annotation under a finding about its term; each term is an example once. */
static int tell(hs_assembly *a, sieve *s, hs_found kind, uint32_t id, hsel_error *error)
{
    hs_finding *finding = &a->report->found[kind];
    const hs_names *names = &a->annotations->terms;
    uint8_t bit = (uint8_t)(1u << a->fate[id]);
    finding->count++;
    if (s->told[id] & bit)
        return HSEL_OK;
    s->told[id] |= bit;
    finding->distinct++;
    if (finding->examples.count >= HS_EXAMPLES_LIMIT)
        return HSEL_OK;
    hs_buf text = {0};
    hs_buf_text(&text, hs_names_get(names, id));
    if (a->term_of[id] != HSEL_NONE)
        hs_buf_printf(&text, " -> %s", hs_names_get(&a->graph->terms, a->term_of[id]));
    int status = text.failed ? hs_fail_memory(error)
                             : hs_names_append(&finding->examples, text.text, text.length, error);
    hs_buf_clear(&text);
    return status;
}

static int fail_unknown(const hs_assembly *a, uint32_t id, hsel_error *error)
{
    const hs_annotations *annotations = a->annotations;
    return hs_fail_at(error, HSEL_EFORMAT,
                      annotations->source ? annotations->source : "annotations",
                      annotations->first_line[id], "term %s is not in the hierarchy",
                      hs_names_get(&annotations->terms, id));
}

/* *usable: the annotation's term can be used. */
static int sift_term(hs_assembly *a, sieve *s, uint32_t id, bool *usable, hsel_error *error)
{
    *usable = false;
    switch ((hs_fate)a->fate[id]) {
    case HS_FATE_UNKNOWN:
        return a->options->unknown == HS_UNKNOWN_ERROR ? fail_unknown(a, id, error)
                                                       : tell(a, s, HS_FOUND_UNKNOWN, id, error);
    case HS_FATE_OBSOLETE:
        return tell(a, s, HS_FOUND_OBSOLETE, id, error);
    case HS_FATE_NAMESPACE:
        return tell(a, s, HS_FOUND_NAMESPACE, id, error);
    case HS_FATE_ALTERNATE:
        *usable = true;
        return tell(a, s, HS_FOUND_ALTERNATE, id, error);
    case HS_FATE_REPLACED:
        *usable = true;
        return tell(a, s, HS_FOUND_REPLACED, id, error);
    case HS_FATE_TERM:
        *usable = true;
        break;
    }
    return HSEL_OK;
}

static bool evidence_wanted(const hs_assembly *a, const sieve *s, uint32_t code)
{
    return code == HSEL_NONE ? a->options->evidence.count == 0 : s->evidence[code];
}

/* Each annotation is left out under one finding, or kept. */
static int sift(hs_assembly *a, sieve *s, const hs_annotation *entry, hsel_error *error)
{
    hs_finding *found = a->report->found;
    bool negated = entry->negated && a->options->negated != HS_NOT_IGNORE, usable;
    found[HS_FOUND_ANNOTATIONS].count++;
    if (!evidence_wanted(a, s, entry->evidence)) {
        found[HS_FOUND_EVIDENCE].count++;
        return HSEL_OK;
    }
    if (negated) {
        found[HS_FOUND_NEGATED].count++;
        if (a->options->negated == HS_NOT_DROP || a->term_of[entry->term] == HSEL_NONE)
            return HSEL_OK;
    } else {
        int status = sift_term(a, s, entry->term, &usable, error);
        if (status || !usable)
            return status;
    }
    uint32_t row = s->row_of[entry->object];
    if (row == HSEL_NONE) {
        found[HS_FOUND_UNLABELLED].count += !negated;
        return HSEL_OK;
    }
    s->object[s->count] = row;
    s->marks[s->count++] = (hs_mark){a->term_of[entry->term], negated};
    a->mark_start[row + 1]++;
    return HSEL_OK;
}

/* Groups the marks by row, in the order of the file. */
static int group_marks(hs_assembly *a, const sieve *s, hsel_error *error)
{
    uint32_t rows = a->labels->ids.count;
    uint64_t *start = a->mark_start;
    if (!(a->marks = HS_NEW(hs_mark, s->count)))
        return hs_fail_memory(error);
    for (uint32_t r = 0; r < rows; r++)
        start[r + 1] += start[r];
    for (size_t m = 0; m < s->count; m++)
        a->marks[start[s->object[m]]++] = s->marks[m];
    memmove(start + 1, start, rows * sizeof *start);
    start[0] = 0;
    return HSEL_OK;
}

/* Keeping chosen codes makes no sense for a file that has none. */
static int select_evidence(hs_assembly *a, sieve *s, hsel_error *error)
{
    const hs_annotations *annotations = a->annotations;
    if (a->options->evidence.count && annotations->count && !annotations->evidence.count)
        return hs_fail_at(error, HSEL_EUSAGE,
                          annotations->source ? annotations->source : "annotations", 0,
                          "no evidence codes in it, so none can be chosen");
    return hs_evidence_select(&a->options->evidence, &a->options->no_evidence,
                              &annotations->evidence, s->evidence, error);
}

static int sift_all(hs_assembly *a, sieve *s, hsel_error *error)
{
    const hs_annotations *annotations = a->annotations;
    int status = select_evidence(a, s, error);
    if (!status)
        status = find_rows(a, s, error);
    a->report->found[HS_FOUND_OTHER_TAXON].count = annotations->other_taxon;
    for (size_t i = 0; !status && i < annotations->count; i++)
        status = sift(a, s, &annotations->entries[i], error);
    return status ? status : group_marks(a, s, error);
}

int hs_assembly_marks(hs_assembly *a, hsel_error *error)
{
    const hs_annotations *annotations = a->annotations;
    sieve s = {.evidence = HS_NEW_ZERO(bool, annotations->evidence.count),
               .told = HS_NEW_ZERO(uint8_t, annotations->terms.count),
               .row_of = HS_NEW(uint32_t, annotations->objects.count),
               .object = HS_NEW(uint32_t, annotations->count),
               .marks = HS_NEW(hs_mark, annotations->count)};
    a->mark_start = HS_NEW_ZERO(uint64_t, (size_t)a->labels->ids.count + 1);
    a->annotated = HS_NEW_ZERO(bool, a->labels->ids.count);
    int status = HSEL_OK;
    if (!s.evidence || !s.told || !s.row_of || !s.object || !s.marks || !a->mark_start ||
        !a->annotated)
        status = hs_fail_memory(error);
    else
        status = sift_all(a, &s, error);
    hs_free(s.evidence);
    hs_free(s.told);
    hs_free(s.row_of);
    hs_free(s.object);
    hs_free(s.marks);
    return status;
}

/* Walking upwards: stamp[t] is the round in which t was met; each round meets a term once. */
typedef struct walk {
    uint32_t *stamp, *stack;
    uint32_t round, top;
} walk;

static bool walk_new(walk *w, uint32_t terms)
{
    w->stamp = HS_NEW_ZERO(uint32_t, terms);
    w->stack = HS_NEW(uint32_t, terms);
    return w->stamp && w->stack;
}

static void walk_clear(walk *w)
{
    hs_free(w->stamp);
    hs_free(w->stack);
}

static void walk_round(walk *w, uint32_t terms)
{
    w->top = 0;
    if (++w->round == 0) { /* stamps of four thousand million rounds ago would look like new ones */
        memset(w->stamp, 0, terms * sizeof *w->stamp);
        w->round = 1;
    }
}

/* False: met before in this round. */
static bool walk_meet(walk *w, uint32_t term)
{
    if (w->stamp[term] == w->round)
        return false;
    w->stamp[term] = w->round;
    w->stack[w->top++] = term;
    return true;
}

static void walk_parents(const hs_assembly *a, walk *w, uint32_t term)
{
    for (uint32_t e = a->parent_start[term]; e < a->parent_start[term + 1]; e++)
        walk_meet(w, a->parent[e]);
}

typedef struct closing {
    walk up;      /* of the row */
    walk probe;   /* from one term to see what lies above it */
    walk blocked; /* its stamps mark the terms that are NOT the row's */
    uint32_t terms;
} closing;

/* Is the term, or one above it, marked as NOT? */
static bool is_blocked(const hs_assembly *a, closing *c, uint32_t term)
{
    walk_round(&c->probe, c->terms);
    walk_meet(&c->probe, term);
    while (c->probe.top) {
        uint32_t t = c->probe.stack[--c->probe.top];
        if (c->blocked.stamp[t] == c->blocked.round)
            return true;
        walk_parents(a, &c->probe, t);
    }
    return false;
}

static bool mark_blocked(closing *c, const hs_mark *marks, size_t count)
{
    bool any = false;
    for (size_t m = 0; m < count; m++)
        any = any || marks[m].negated;
    if (!any)
        return false;
    walk_round(&c->blocked, c->terms);
    for (size_t m = 0; m < count; m++)
        if (marks[m].negated)
            walk_meet(&c->blocked, marks[m].term);
    return true;
}

static int add_row_term(hs_assembly *a, uint32_t term, hsel_error *error)
{
    if (!HS_GROW(&a->terms, &a->term_capacity, a->term_count + 1))
        return hs_fail_memory(error);
    a->terms[a->term_count++] = term;
    a->support[term]++;
    return HSEL_OK;
}

/* The terms of one object: those that are annotated, then what lies above them. */
static int close_row(hs_assembly *a, closing *c, const hs_mark *marks, size_t count,
                     hsel_error *error)
{
    hs_finding *found = a->report->found;
    bool has_blocked = mark_blocked(c, marks, count);
    int status = HSEL_OK;
    walk_round(&c->up, c->terms);
    for (size_t m = 0; m < count; m++) {
        if (marks[m].negated)
            continue;
        if (has_blocked && is_blocked(a, c, marks[m].term))
            found[HS_FOUND_BLOCKED].count++;
        else if (walk_meet(&c->up, marks[m].term))
            found[HS_FOUND_USED].count++;
        else
            found[HS_FOUND_REPEATED].count++;
    }
    found[HS_FOUND_DIRECT].count += c->up.top;
    size_t direct = c->up.top, before = a->term_count;
    while (!status && c->up.top) {
        uint32_t term = c->up.stack[--c->up.top];
        if (!a->options->no_propagate)
            walk_parents(a, &c->up, term);
        status = add_row_term(a, term, error);
    }
    if (!status)
        found[HS_FOUND_PROPAGATED].count += a->term_count - before - direct;
    return status;
}

int hs_assembly_rows(hs_assembly *a, hsel_error *error)
{
    uint32_t rows = a->labels->ids.count;
    closing c = {.terms = a->graph->terms.count};
    a->row_start = HS_NEW_ZERO(uint64_t, (size_t)rows + 1);
    a->support = HS_NEW_ZERO(uint32_t, c.terms);
    int status = HSEL_OK;
    if (!a->row_start || !a->support || !walk_new(&c.up, c.terms) || !walk_new(&c.probe, c.terms) ||
        !walk_new(&c.blocked, c.terms))
        status = hs_fail_memory(error);
    for (uint32_t r = 0; !status && r < rows; r++) {
        size_t count = (size_t)(a->mark_start[r + 1] - a->mark_start[r]);
        status = close_row(a, &c, a->marks + a->mark_start[r], count, error);
        a->row_start[r + 1] = a->term_count;
    }
    walk_clear(&c.up);
    walk_clear(&c.probe);
    walk_clear(&c.blocked);
    return status;
}
