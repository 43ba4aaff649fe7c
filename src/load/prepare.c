/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preparation: applies the options to data that were read, and makes the recipe by which other data
 * are prepared in the same way.
 */
#include "load/load.h"

static double positive_share(const hsel_dataset *data)
{
    uint32_t binary = data->features - data->numeric_count - data->nominal_count;
    double cells = (double)binary * data->instances;
    return cells > 0 ? (double)data->rows.start[data->instances] / cells : 0;
}

static const hs_option recipe_table[] = {HS_BRANCH_OPTIONS(hs_load_options), HS_PREPARE_OPTIONS,
                                         HS_OPTION_END};

int hs_recipe_options(const char *how, hs_arena *arena, hs_load_options *out, hsel_error *error)
{
    HS_TRY(hs_options_defaults(hs_load_table, out, arena, error));
    HS_TRY(hs_options_parse(recipe_table, out, how, "recipe", arena, error));
    return hs_load_check(out, error);
}

int hs_recipe_conflict(const char *how, const hs_load_options *given, hsel_error *error)
{
    hs_load_options kept;
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    HS_TRY(hs_recipe_options(how, &arena, &kept, error));
    for (const hs_option *o = recipe_table; o->type != HS_OPT_END; o++) {
        const hs_option one[2] = {*o, HS_OPTION_END};
        HS_OWNS(hs_buf_clear) hs_buf asked = {0}, had = {0};
        hs_options_format(one, given, &asked);
        hs_options_format(one, &kept, &had);
        HS_NEED(!asked.failed && !had.failed);
        if (asked.length && strcmp(asked.text, had.text) != 0)
            return hs_about_option(
                o->name, error,
                hs_fail(error, HSEL_EUSAGE,
                        "%s contradicts the training data, which were prepared by %.200s: omit it, "
                        "because these data are prepared in the same way",
                        HS_OPTION_WORD(o->name), how));
    }
    return HSEL_OK;
}

/* What changes values, of data as read or of the branches chosen from them. */
static int change_values(hsel_dataset **data, const hs_load_options *options, hs_recipe *recipe,
                         double *learned, hs_load_report *report, hsel_error *error)
{
    if (options->edges == HS_EDGES_REDUCE) {
        hsel_dag *reduced = NULL;
        HS_TRY(hs_dag_reduce((*data)->dag, &reduced, error));
        report->edges_reduced = (*data)->dag->edges - reduced->edges;
        HS_TRY(hs_dataset_attach(*data, reduced, error));
    }
    if (options->propagate) {
        hsel_dataset *full = NULL;
        HS_TRY(hs_dataset_propagate(*data, &full, &report->values_propagated, error));
        report->share_before = positive_share(*data);
        report->share_after = positive_share(full);
        hs_dataset_replace(data, full);
    }
    return hs_amounts_apply(&options->amounts, data, recipe, learned, &report->amounts, error);
}

int hs_recipe_apply(const hs_recipe *recipe, double learned, const hsel_dataset *raw,
                    hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(hs_load_report_clear) hs_load_report report = {0};
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    hs_load_options options;
    HS_TRY(hs_recipe_options(recipe->how, &arena, &options, error));
    if (options.propagate && !raw->dag)
        return hs_fail(error, HSEL_EFORMAT, "the recipe needs a hierarchy, but there is none");
    /* Edges count for means alone: paths stay. */
    if (options.amounts.aggregate != HS_AGGREGATE_MEAN || !raw->dag)
        options.edges = HS_EDGES_AS_GIVEN;
    options.threads = 1;
    HS_TRY(hs_dataset_subset(raw, recipe->chosen, &data, error));
    HS_TRY(
        change_values(&data, &options, (hs_recipe *)(uintptr_t)recipe, &learned, &report, error));
    data->learned = learned;
    *out = hs_take(&data);
    return HSEL_OK;
}

int hs_recipe_again(const hsel_dataset *data, double learned, hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *made = NULL, *values = NULL;
    HS_TRY(hs_recipe_apply(data->recipe, learned, data->recipe->raw, &values, error));
    HS_TRY(hs_dataset_subset(data, NULL, &made, error));
    HS_TRY(hs_names_index(&values->feature_names, error));
    for (uint32_t f = 0; f < data->features; f++) {
        const char *name = hsel_dataset_feature_name(data, f);
        uint32_t from = hs_names_find(&values->feature_names, name, strlen(name));
        if (data->types[f] != HSEL_NUMERIC || from == HSEL_NONE ||
            values->types[from] != HSEL_NUMERIC)
            continue;
        hs_numeric_column *a = &made->numeric[made->slot[f]],
                          *b = &values->numeric[values->slot[from]], old = *a;
        *a = *b;
        *b = old;
    }
    made->learned = learned;
    *out = hs_take(&made);
    return HSEL_OK;
}

int hs_recipe_of_view(hs_view *view, hsel_dataset **made, hsel_error *error)
{
    const hs_recipe *recipe = view->data->recipe;
    if (!hs_recipe_learns(recipe))
        return HSEL_OK;
    double learned = hs_recipe_learn(recipe, view->rows, view->row_count);
    if (learned == view->data->learned || (isnan(learned) && isnan(view->data->learned)))
        return HSEL_OK;
    HS_TRY(hs_recipe_again(view->data, learned, made, error));
    view->data = *made;
    return HSEL_OK;
}

/* The steps of preparation, for the provenance: NULL if there are none. */
static int start_recipe(const hsel_dataset *data, const hs_load_options *options, hs_buf *how,
                        hs_recipe *recipe, hsel_error *error)
{
    hs_options_format(recipe_table, options, how);
    HS_NEED(!how->failed);
    if (!how->length)
        return HSEL_OK;
    return hs_amounts_learn(&options->amounts) ? hs_dataset_subset(data, NULL, &recipe->raw, error)
                                               : hs_dataset_shape(data, &recipe->raw, error);
}

int hs_load_prepare(hsel_dataset **data, const hs_load_options *options, hs_load_report *report,
                    hsel_error *error)
{
    bool reduce = options->edges == HS_EDGES_REDUCE;
    const hs_choose_options *choose = &options->choose;
    const char *needs = choose->branch.count           ? "branch"
                        : choose->exclude_branch.count ? "exclude-branch"
                        : reduce                       ? "edges"
                        : options->propagate           ? "propagate"
                        : options->drop_roots          ? "drop-roots"
                                                       : NULL;
    if (needs && !(*data)->dag)
        return hs_because(HSEL_NO_HIERARCHY, error,
                          hs_about_option(needs, error,
                                          hs_fail(error, HSEL_EUSAGE,
                                                  "%s needs a hierarchy: give {hierarchy=FILE}",
                                                  HS_OPTION_WORD(needs))));
    if (options->drop_roots && options->amounts.level)
        return hs_fail(error, HSEL_EUSAGE,
                       "{drop-roots} has no effect with {level=%.100s}, which keeps only one level",
                       options->amounts.level);
    if ((*data)->instances == 0 && options->propagate)
        return hs_fail(error, HSEL_EUSAGE, "option propagate needs instances, but there are none");
    if (choose->instances) {
        hsel_dataset *fewer = NULL;
        HS_OWNED bool *keep = HS_NEW(bool, (*data)->instances);
        HS_NEED(keep);
        HS_TRY(hs_choose_instances(choose, &(*data)->ids, (*data)->instances, (*data)->class_of,
                                   (*data)->class_names.count, keep, &report->instances, error));
        HS_TRY(hs_dataset_keep_instances(*data, keep, &fewer, error));
        hs_dataset_replace(data, fewer);
    }
    HS_OWNS(hs_recipe_release) hs_recipe *recipe = NULL;
    HS_OWNS(hs_buf_clear) hs_buf how = {0};
    double learned = NAN;
    HS_TRY(hs_recipe_new(&recipe, error));
    HS_TRY(start_recipe(*data, options, &how, recipe, error));
    if (hs_chooses_terms(choose)) {
        uint32_t before = (*data)->features;
        HS_OWNED bool *keep = HS_NEW(bool, before);
        HS_NEED(keep);
        HS_TRY(hs_choose_features(choose, report->hierarchy_format ? &report->graph : NULL, *data,
                                  keep, error));
        for (uint32_t f = 0; f < before; f++) /* they are in no branch */
            keep[f] = keep[f] || hs_is_covariate(*data, f);
        HS_TRY(hs_dataset_keep(data, keep, error));
        report->branch_dropped = before - (*data)->features;
        recipe->chosen = hs_take(&keep);
        report->bind.first_missing = HSEL_NONE; /* its number was another */
    }
    HS_TRY(change_values(data, options, recipe, &learned, report, error));
    for (int roots = 0; roots < 2; roots++) { /* rare features go first */
        if (roots ? !options->drop_roots : !options->min_support)
            continue;
        const hs_names *names = &(*data)->feature_names;
        HS_OWNED bool *keep = HS_NEW(bool, (*data)->features);
        HS_NEED(keep);
        memset(keep, true, (*data)->features);
        uint32_t dropped =
            roots ? hs_mark_roots(*data, keep) : hs_mark_rare(*data, options->min_support, keep);
        for (uint32_t f = 0; roots && f < (*data)->features; f++)
            if (!keep[f])
                HS_TRY(hs_names_append(&report->roots_dropped, HS_NAME(names, f), error));
        report->rare_dropped += roots ? 0 : dropped;
        if (dropped)
            HS_TRY(hs_dataset_keep(data, keep, error));
    }
    if (how.length) {
        recipe->how = hs_take(&how.text);
        (*data)->recipe = hs_take(&recipe);
        (*data)->learned = learned;
    }
    hs_amount_state state = hs_amounts_state(*data);
    if (state.rule != HS_AGGREGATE_NONE)
        HS_TRY(hs_totals_check(*data, state.rule, state.unit, &report->totals, error));
    return hs_truepath_check(*data, &report->truepath, error);
}
