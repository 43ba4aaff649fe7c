/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preparation of amounts when data are built or loaded.
 */
#include "load/amounts.h"

#include "load/folder.h"

static const char *const change_names[] = {[HS_RELATIVE] = "relative",
                                           [HS_CLR] = "clr",
                                           [HS_RCLR] = "rclr",
                                           [HS_LOG1P] = "log1p",
                                           [HS_PRESENCE] = "presence"};
#define CHANGES (sizeof change_names / sizeof change_names[0])

/* "presence:0.5" */
static int parse_change(const char *text, hs_change *change, double *threshold, hsel_error *error)
{
    size_t name = strcspn(text, ":"), c = 0;
    *threshold = 0;
    while (c < CHANGES &&
           !(strlen(change_names[c]) == name && memcmp(text, change_names[c], name) == 0))
        c++;
    *change = (hs_change)c;
    if (c == CHANGES || (text[name] && c != HS_PRESENCE) ||
        (text[name] && (!hs_parse_double(text + name + 1, strlen(text) - name - 1, threshold) ||
                        !isfinite(*threshold))))
        return hs_fail(error, HSEL_EUSAGE,
                       "{transform} takes relative, clr, rclr, log1p, presence or "
                       "presence:THRESHOLD, not '%.200s'",
                       text);
    return HSEL_OK;
}

int hs_amounts_check(const hs_amount_options *options, hsel_error *error)
{
    bool clr = false;
    hs_change change;
    double threshold;
    for (size_t i = 0; i < options->transform.count; i++) {
        HS_TRY(parse_change(options->transform.items[i], &change, &threshold, error));
        clr |= change == HS_CLR;
        if (i + 1 < options->transform.count &&
            (change == HS_PRESENCE || change == HS_CLR || change == HS_RCLR))
            return hs_fail(error, HSEL_EUSAGE, "{transform=%s} must be the last one",
                           change_names[change]);
    }
    if (options->pseudo_count > 0 && !clr)
        return hs_fail(error, HSEL_EUSAGE, "{pseudo-count} is for {transform=clr}");
    if (options->order == HS_ORDER_BEFORE &&
        (!options->transform.count || options->aggregate == HS_AGGREGATE_NONE))
        return hs_fail(error, HSEL_EUSAGE,
                       "{transform-order=before} needs {transform} and {aggregate}");
    return HSEL_OK;
}

bool hs_amounts_learn(const hs_amount_options *options)
{
    const hs_list *chain = &options->transform;
    const char *last = chain->count ? chain->items[chain->count - 1] : "";
    return strcmp(last, change_names[HS_RCLR]) == 0 ||
           (strcmp(last, change_names[HS_CLR]) == 0 && !(options->pseudo_count > 0));
}

/* The number used by clr and rclr: given, as it was learned elsewhere, or learned here from the
 * instances that have a label. */
static int learn_number(const hs_amount_options *options, hs_change change,
                        const hsel_dataset *data, const uint32_t *of_level, hs_recipe *recipe,
                        double *learned, double *number, hsel_error *error)
{
    HS_OWNED double *least = HS_NEW(double, data->instances);
    HS_OWNED uint32_t *rows = NULL;
    hs_view view;
    HS_NEED(least);
    *number = change == HS_CLR && options->pseudo_count > 0 ? options->pseudo_count : *learned;
    if (!isnan(*number) || recipe->how)
        return HSEL_OK;
    HS_TRY(hs_change_least(data, change, of_level, least, error));
    recipe->least = hs_take(&least);
    recipe->change = change;
    HS_TRY(hs_view_labelled(data, &rows, &view, error));
    *number = hs_recipe_learn(recipe, view.rows, view.row_count);
    if (isnan(*number))
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "{transform=%s} needs values above 0, but there are none",
                       change_names[change]);
    *learned = *number;
    return HSEL_OK;
}

static int transform_amounts(const hs_amount_options *options, bool own, hsel_dataset **data,
                             hs_recipe *recipe, double *learned, hs_amount_report *report,
                             hsel_error *error)
{
    hs_change change;
    double number;
    for (size_t t = 0; t < options->transform.count; t++) {
        hsel_dataset *new = NULL;
        HS_OWNED uint32_t *of_level = HS_NEW(uint32_t, (*data)->features);
        HS_NEED(of_level);
        HS_TRY(parse_change(options->transform.items[t], &change, &number, error));
        HS_TRY(hs_amount_levels(*data, of_level, error));
        for (uint32_t f = 0; f < (*data)->features; f++) {
            bool amount = of_level[f] != HSEL_NONE;
            const hs_numeric_column *c = amount ? &(*data)->numeric[(*data)->slot[f]] : NULL;
            bool any = false;
            for (uint32_t i = 0; amount && i < c->count; i++) {
                any |= c->values[i] != 0;
                if (c->values[i] < 0)
                    return hs_fail(
                        error, HSEL_EUNSUPPORTED,
                        "{transform=%s} needs abundances: feature %.200s has the value %g",
                        change_names[change], hsel_dataset_feature_name(*data, f), c->values[i]);
            }
            /* Features without an own amount are not part of the total. */
            if (own && amount)
                of_level[f] = any || !(*data)->dag || hs_is_leaf((*data)->dag, f) ? 0 : HSEL_NONE;
        }
        if (change == HS_PRESENCE && own) /* they are to be added up */
            change = HS_ONES;
        hs_aggregate rule = own ? HS_AGGREGATE_NONE : hs_amounts_state(*data).rule;
        hs_totals totals = {0};
        hs_changed found;
        /* How far rounded numbers may be off, as shares or (no more than that) logarithms. */
        if (rule && (change == HS_RELATIVE || change == HS_LOG1P))
            HS_TRY(hs_totals_check(*data, rule, report->unit, &totals, error));
        if (change == HS_CLR || change == HS_RCLR)
            HS_TRY(learn_number(options, change, *data, of_level, recipe, learned, &number, error));
        if (change == HS_CLR)
            report->pseudo_count = number;
        HS_TRY(hs_dataset_change(*data, change, number, of_level, rule == HS_AGGREGATE_SUM, &found,
                                 &new, error));
        hs_dataset_replace(data, new);
        report->unit = totals.unit / (found.least_total > 0 ? found.least_total : 1);
        report->empty = found.empty ? found.empty : report->empty;
        report->first_empty = found.empty ? found.first_empty : report->first_empty;
        report->incomplete = found.incomplete;
    }
    return HSEL_OK;
}

/* ---- what the values are ---- */

/* The member "values" of the provenance, if there is one; *all is what it is a part of. */
static json_t *values_of(const hsel_dataset *data, json_t **all)
{
    json_error_t problem;
    *all = data->provenance ? json_loads(data->provenance, 0, &problem) : NULL;
    return json_object_get(*all, "values");
}

hs_amount_state hs_amounts_state(const hsel_dataset *data)
{
    json_auto_t *all = NULL;
    const json_t *values = values_of(data, &all), *item;
    const char *kind = json_string_value(json_object_get(values, "aggregate"));
    const char *order = json_string_value(json_object_get(values, "order"));
    double unit = json_number_value(json_object_get(values, "unit"));
    size_t i;
    hs_amount_state state = {.known = values != NULL,
                             .rule = kind && strcmp(kind, "max") == 0    ? HS_AGGREGATE_MAX
                                     : kind && strcmp(kind, "mean") == 0 ? HS_AGGREGATE_NONE
                                                                         : HS_AGGREGATE_SUM,
                             .unit = unit > 0 && isfinite(unit) ? unit : 0};
    json_array_foreach(json_object_get(values, "transform"), i, item)
    {
        const char *name = json_string_value(item);
        if (!name || strcmp(name, "relative") == 0 || (order && strcmp(order, "before") == 0))
            continue;
        /* What is not less stays so in logarithms, but these do not add up. */
        state.rule = state.rule && strcmp(name, change_names[HS_LOG1P]) == 0 ? HS_AGGREGATE_MAX
                                                                             : HS_AGGREGATE_NONE;
    }
    return state;
}

int hs_amounts_chain(const hsel_dataset *data, hs_buf *out, hsel_error *error)
{
    json_auto_t *all = NULL;
    const json_t *values = values_of(data, &all), *item;
    const char *order = json_string_value(json_object_get(values, "order"));
    double number = json_number_value(json_object_get(values, "pseudo_count"));
    size_t i;
    json_array_foreach(json_object_get(values, "transform"), i, item)
        hs_buf_printf(out, "%s%s", i ? "," : "", json_string_value(item));
    if (order && strcmp(order, "before") == 0)
        hs_buf_text(out, " before aggregation");
    if (number > 0)
        hs_buf_printf(out, " (pseudo-count %.9g)", number);
    hs_buf_text(out, "");
    HS_NEED(!out->failed);
    return HSEL_OK;
}

static int note_values(const hs_amount_options *options, const hs_amount_report *report,
                       hsel_dataset *data, hsel_error *error)
{
    static const char *const kinds[] = {NULL, "sum", "max", "mean"};
    json_auto_t *all = NULL;
    json_t *values = values_of(data, &all);
    if (!all)
        HS_NEED(all = json_object());
    if (!values) {
        HS_NEED(values = json_object());
        HS_NEED(json_object_set_new(all, "values", values) == 0);
    }
    int bad = 0;
    json_object_del(values, "unit");
    if (options->aggregate)
        bad |= json_object_set_new(values, "aggregate", json_string(kinds[options->aggregate]));
    if (options->transform.count) {
        json_t *list = json_object_get(values, "transform");
        if (!json_is_array(list)) {
            HS_NEED(list = json_array());
            HS_NEED(json_object_set_new(values, "transform", list) == 0);
        }
        for (size_t i = 0; i < options->transform.count; i++)
            bad |= json_array_append_new(list, json_string(options->transform.items[i]));
        bad |= json_object_set_new(
            values, "order", json_string(options->order == HS_ORDER_BEFORE ? "before" : "after"));
    }
    const struct {
        const char *key;
        double value;
    } numbers[] = {{"pseudo_count", report->pseudo_count},
                   {"unit", report->unit},
                   {"min_prevalence", options->min_prevalence},
                   {"min_abundance", options->min_abundance}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i].value > 0)
            bad |= json_object_set_new(values, numbers[i].key, json_real(numbers[i].value));
    if (options->level)
        bad |= json_object_set_new(values, "level", json_string(options->level));
    HS_NEED(!bad);
    return hs_provenance_set(&data->provenance, all, error);
}

/* ---- all of it ---- */

static int keep_level(const char *level, hsel_dataset **data, uint32_t *dropped, hsel_error *error)
{
    const hsel_dag *dag = (*data)->dag;
    uint32_t features = (*data)->features, rank = hs_about_column(&(*data)->about, HS_ABOUT_RANK);
    uint32_t kept = 0;
    uint64_t depth = 0;
    HS_OWNED bool *keep = HS_NEW(bool, features);
    HS_OWNS(hs_names_clear) hs_names ranks = {0};
    HS_NEED(keep);
    bool tips = strcmp(level, "tips") == 0, number = hs_parse_u64(level, strlen(level), &depth);
    if ((tips || number) && !dag)
        return hs_fail(error, HSEL_EUSAGE, "{level=%s} needs a hierarchy: give {hierarchy=FILE}",
                       level);
    /* By the provenance, binary features may be amounts that are present or not. */
    for (uint32_t f = 0; f < features; f++) {
        const char *name = hs_about_get(&(*data)->about, f, rank);
        bool other = hs_is_covariate(*data, f);
        if (name)
            HS_TRY(hs_names_intern(&ranks, name, strlen(name), &(uint32_t){0}, NULL, error));
        keep[f] = other || (tips     ? hs_is_leaf(dag, f)
                            : number ? dag->depth[f] + 1 == depth
                                     : name && hs_equal_nocase(level, strlen(level), name));
        kept += keep[f] && !other;
    }
    if (!kept) {
        HS_OWNS(hs_buf_clear) hs_buf list = {0};
        for (uint32_t r = 0; r < ranks.count; r++)
            hs_buf_printf(&list, "%s%s", r ? ", " : "", hs_names_get(&ranks, r));
        HS_NEED(!list.failed);
        return hs_fail(error, HSEL_EUSAGE, "no feature is of level %.100s; there are %s%.400s",
                       level,
                       list.length ? "the ranks " : "only depths, because no ranks are known",
                       list.length ? list.text : "");
    }
    HS_TRY(hs_dataset_keep(data, keep, error));
    *dropped = features - (*data)->features;
    return HSEL_OK;
}

int hs_amounts_apply(const hs_amount_options *options, hsel_dataset **data, hs_recipe *recipe,
                     double *learned, hs_amount_report *report, hsel_error *error)
{
    const char *asked = options->aggregate            ? "aggregate"
                        : options->transform.count    ? "transform"
                        : options->min_prevalence > 0 ? "min-prevalence"
                        : options->min_abundance > 0  ? "min-abundance"
                                                      : NULL;
    bool before = options->order == HS_ORDER_BEFORE;
    hsel_dataset *new = NULL;
    hs_totals totals;
    if (!asked && !options->level)
        return HSEL_OK;
    report->asked = true;
    report->unit = hs_amounts_state(*data).unit;
    if (options->aggregate && !((*data)->dag && (*data)->dag->edges))
        return hs_because(
            HSEL_NO_HIERARCHY, error,
            hs_fail(error, HSEL_EUSAGE, "{aggregate} needs a hierarchy: give {hierarchy=FILE}"));
    HS_OWNED bool *keep = HS_NEW(bool, (*data)->features);
    HS_NEED(keep);
    if (asked && !hs_mark_amounts(*data, keep))
        return hs_fail(error, HSEL_EUSAGE,
                       "option %s is for numeric features%s, but there are none", asked,
                       (*data)->dag ? " in the hierarchy" : "");
    if (options->aggregate && !before) {
        HS_TRY(hs_dataset_aggregate(*data, (hs_aggregate)options->aggregate, NULL, &new, &totals,
                                    error));
        hs_dataset_replace(data, new);
        report->changed = totals.changed;
    }
    if (options->min_prevalence > 0 || options->min_abundance > 0) {
        uint32_t all = (*data)->features;
        hs_mark_amounts(*data, keep);
        for (uint32_t f = 0; f < all && !recipe->kept; f++) {
            double share, mean;
            hs_prevalence(*data, f, &share, &mean);
            keep[f] =
                !keep[f] || (share >= options->min_prevalence && mean >= options->min_abundance);
        }
        if (!recipe->kept && !recipe->how)
            HS_NEED(recipe->kept = hs_copy(keep, recipe->kept_of = all, sizeof *keep));
        if (!recipe->kept || recipe->kept_of != all)
            return hs_fail(error, HSEL_EFORMAT, "the filter of the recipe is for other features");
        HS_TRY(hs_dataset_keep(data, recipe->kept, error));
        report->filtered = all - (*data)->features;
    }
    if (before) {
        HS_TRY(hs_dataset_own_values(*data, &new, error));
        hs_dataset_replace(data, new);
    }
    HS_TRY(transform_amounts(options, before, data, recipe, learned, report, error));
    if (before) {
        HS_OWNED bool *own = HS_NEW(bool, (*data)->features);
        HS_NEED(own);
        memset(own, true, (*data)->features);
        HS_TRY(
            hs_dataset_aggregate(*data, (hs_aggregate)options->aggregate, own, &new, NULL, error));
        hs_dataset_replace(data, new);
    }
    if (options->level)
        HS_TRY(keep_level(options->level, data, &report->other_levels, error));
    return note_values(options, report, *data, error);
}
