/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Deep comparison of two data sets, value by value, with what differs in words.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_data.h"

static const char *differ(const char *format, ...) HS_PRINTF(1, 2);

static const char *differ(const char *format, ...)
{
    static char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return text;
}

static const char *same_names(const char *what, const hs_names *a, const hs_names *b)
{
    if (a->count != b->count)
        return differ("%u %s, not %u", b->count, what, a->count);
    for (uint32_t i = 0; i < a->count; i++)
        if (strcmp(hs_names_get(a, i), hs_names_get(b, i)) != 0)
            return differ("%s %u is '%s', not '%s'", what, i, hs_names_get(b, i),
                          hs_names_get(a, i));
    return NULL;
}

static const char *same_texts(const char *what, const char *a, const char *b)
{
    if (!a != !b || (a && strcmp(a, b) != 0))
        return differ("%s is %s, not %s", what, b ? b : "none", a ? a : "none");
    return NULL;
}

static const char *same_sparse(const char *what, const hs_sparse *a, const hs_sparse *b)
{
    for (uint32_t i = 0; i < a->lists; i++) {
        size_t m, n;
        const uint32_t *x = hs_sparse_list(a, i, &m), *y = hs_sparse_list(b, i, &n);
        if (m != n || (m && memcmp(x, y, m * sizeof *x) != 0))
            return differ("%s %u: positive values differ (%zu, not %zu)", what, i, n, m);
    }
    return NULL;
}

static const char *same_classes(const hsel_dataset *a, const hsel_dataset *b, unsigned what)
{
    const char *why = NULL;
    if (a->class_names.count != b->class_names.count)
        return differ("%u classes, not %u", b->class_names.count, a->class_names.count);
    if (what & HS_SAME_CLASS_ORDER && (why = same_names("class", &a->class_names, &b->class_names)))
        return why;
    if (!a->target != !b->target)
        return differ("one has a numeric target");
    for (uint32_t i = 0; a->target && i < a->instances; i++)
        if (a->target[i] != b->target[i] && !(isnan(a->target[i]) && isnan(b->target[i])))
            return differ("target of instance %u is %g, not %g", i, b->target[i], a->target[i]);
    for (uint32_t f = 0; f < a->features; f++)
        if (hs_is_covariate(a, f) != hs_is_covariate(b, f))
            return differ("feature %u is a covariate of one", f);
    for (uint32_t i = 0; i < a->instances; i++) {
        uint32_t x = hsel_dataset_class_of(a, i), y = hsel_dataset_class_of(b, i);
        const char *s = x == HSEL_NONE ? NULL : hs_names_get(&a->class_names, x);
        const char *t = y == HSEL_NONE ? NULL : hs_names_get(&b->class_names, y);
        if (same_texts("", s, t))
            return differ("class of instance %u is '%s', not '%s'", i, t ? t : "none",
                          s ? s : "none");
    }
    return NULL;
}

static const char *same_numeric(const hsel_dataset *a, const hsel_dataset *b, uint32_t feature)
{
    const char *why = NULL;
    double *p = malloc((a->instances + 1) * sizeof *p), *q = malloc((a->instances + 1) * sizeof *q);
    if (!p || !q)
        abort();
    const double *x = hs_dataset_numeric(a, feature, p), *y = hs_dataset_numeric(b, feature, q);
    for (uint32_t i = 0; !why && i < a->instances; i++)
        if (!(isnan(x[i]) && isnan(y[i])) && x[i] != y[i])
            why = differ("numeric feature %u of instance %u is %.17g, not %.17g", feature, i, y[i],
                         x[i]);
    free(p);
    free(q);
    return why;
}

static const char *same_nominal(const hsel_dataset *a, const hsel_dataset *b, uint32_t feature,
                                unsigned what)
{
    const hs_nominal_column *x = &a->nominal[a->slot[feature]], *y = &b->nominal[b->slot[feature]];
    const char *why = NULL;
    if (what & HS_SAME_VALUE_ORDER && (why = same_names("value", &x->values, &y->values)))
        return why;
    for (uint32_t i = 0; i < a->instances; i++) {
        const char *s =
            x->codes[i] == HS_MISSING_CODE ? NULL : hs_names_get(&x->values, x->codes[i]);
        const char *t =
            y->codes[i] == HS_MISSING_CODE ? NULL : hs_names_get(&y->values, y->codes[i]);
        if (same_texts("", s, t))
            return differ("nominal feature %u of instance %u is '%s', not '%s'", feature, i,
                          t ? t : "none", s ? s : "none");
    }
    return NULL;
}

static const char *same_features(const hsel_dataset *a, const hsel_dataset *b, unsigned what)
{
    const char *why = NULL;
    for (uint32_t f = 0; !why && f < a->features; f++) {
        if (a->types[f] != b->types[f])
            return differ("feature %u has type %u, not %u", f, b->types[f], a->types[f]);
        if (a->types[f] == HSEL_NUMERIC)
            why = same_numeric(a, b, f);
        else if (a->types[f] == HSEL_NOMINAL)
            why = same_nominal(a, b, f, what);
    }
    return why;
}

static const char *same_description(const hsel_dataset *a, const hsel_dataset *b)
{
    const char *why = NULL;
    if ((why = same_texts("name", a->name, b->name)) ||
        (why = same_texts("class attribute", a->class_attribute, b->class_attribute)) ||
        (why = same_texts("id attribute", a->id_attribute, b->id_attribute)))
        return why;
    if (a->positive_class != b->positive_class)
        return differ("positive class %u, not %u", b->positive_class, a->positive_class);
    return NULL;
}

const char *hs_same_dag(const hsel_dag *a, const hsel_dag *b)
{
    if (!a || !b)
        return a || b ? differ("%s", a ? "no hierarchy" : "a hierarchy") : NULL;
    if (a->nodes != b->nodes || a->edges != b->edges)
        return differ("%u nodes and %u edges, not %u and %u", b->nodes, b->edges, a->nodes,
                      a->edges);
    for (uint32_t v = 0; v < a->nodes; v++) {
        size_t m, n;
        const uint32_t *x = hs_parents(a, v, &m), *y = hs_parents(b, v, &n);
        if (m != n || (m && memcmp(x, y, m * sizeof *x) != 0))
            return differ("node %u has other parents", v);
    }
    if (!a->relation != !b->relation)
        return differ("%s", a->relation ? "no relations" : "relations");
    for (uint32_t e = 0; e < a->edges; e++)
        if (strcmp(hs_relation(a, e), hs_relation(b, e)) != 0)
            return differ("edge %u is %s, not %s", e, hs_relation(b, e), hs_relation(a, e));
    return NULL;
}

const char *hs_same_dataset(const hsel_dataset *a, const hsel_dataset *b, unsigned what)
{
    const char *why = NULL;
    if (a->instances != b->instances || a->features != b->features)
        return differ("%u x %u, not %u x %u", b->instances, b->features, a->instances, a->features);
    if ((why = same_features(a, b, what)) || (why = same_sparse("instance", &a->rows, &b->rows)) ||
        (why = same_sparse("feature", &a->columns, &b->columns)) ||
        (why = same_classes(a, b, what)))
        return why;
    if (what & HS_SAME_FEATURE_NAMES &&
        (why = same_names("feature", &a->feature_names, &b->feature_names)))
        return why;
    if (what & HS_SAME_IDS && (why = same_names("id", &a->ids, &b->ids)))
        return why;
    if (what & HS_SAME_DESCRIPTION && (why = same_description(a, b)))
        return why;
    if (what & HS_SAME_LABELS &&
        ((why = same_names("column", &a->about.columns, &b->about.columns)) ||
         (why = same_names("label", &a->about.cells, &b->about.cells)) ||
         (why = same_names("column", &a->instance_about.columns, &b->instance_about.columns)) ||
         (why = same_names("label", &a->instance_about.cells, &b->instance_about.cells))))
        return why;
    if (what & HS_SAME_LABELS &&
        strcmp(a->provenance ? a->provenance : "", b->provenance ? b->provenance : "") != 0)
        return differ("the provenance differs");
    return what & HS_SAME_HIERARCHY ? hs_same_dag(a->dag, b->dag) : NULL;
}
