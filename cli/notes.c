/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Notes on standard error: what was found in the files and what was done about it. No change is
 * silent.
 */
#include "cli/cli.h"
#include "data/checks.h"
#include "data/classes.h"
#include "data/recipe.h"
#include "data/summary.h"

void hs_note(const hs_call *call, const char *format, ...)
{
    va_list arguments;
    char text[4096], line[sizeof text * HS_SHOWN_ROOM + 8], *end = stpcpy(line, "note: ");
    if (call->quiet)
        return;
    hs_progress_hide(call->show);
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t length = strlen(text), taken;
    for (const char *at = text; *at; at += taken, length -= taken)
        end += hs_show_character(at, length, end, &taken);
    *end++ = '\n';
    fwrite(line, 1, (size_t)(end - line), stderr); /* at once: standard error has no buffer */
}

static void note_line(void *call, const char *line) { hs_note(call, "%s", line); }

void hs_note_all(const hs_call *call, hs_notes *notes)
{
    hs_notes_tell(notes, note_line, (void *)call);
    hs_notes_clear(notes);
}

const char *hs_some(const hs_call *call, uint64_t count, const char *what)
{
    return hs_say(call->doc, "%ju %s%s", (uintmax_t)count, what, count == 1 ? "" : "s");
}

static void note_count(const hs_call *call, uint64_t count, const char *what, const char *rest)
{
    if (count)
        hs_note(call, "%s %s", hs_plural(call->doc, count, what), rest);
}

void hs_note_direction(const hs_call *call, const hs_graph_ends *ends, int direction)
{
    if (hs_ends_look_reversed(ends))
        hs_note(call,
                "the hierarchy has more roots (%u) than leaves (%u): are its edges reversed? "
                "--direction %s reads them the other way round",
                ends->roots, ends->leaves,
                direction == HS_CHILD_PARENT ? "parent-child" : "child-parent");
}

static void note_totals(const hs_call *call, const hsel_dataset *data, const hs_totals *totals)
{
    /* If most numbers do not add up, they were not meant to, unless the data declare abundances;
     * `check` reports them anyway. */
    if (!totals->cells || (totals->cells > totals->covered / 2 && !hs_amounts_state(data).known))
        return;
    hs_note(call,
            "numbers do not add up: %s of %s less than what is below, first %s in instance %u: "
            "%g, and %g below it; --aggregate sum repairs it",
            hs_plural(call->doc, totals->cells, "total"),
            hs_plural(call->doc, totals->features, "feature is"),
            hsel_dataset_feature_name(data, totals->feature), totals->instance + 1, totals->value,
            totals->below);
}

/* Whether the command uses strata: for p-values, or by a selector, also within another. The default
 * candidates of auto include one. */
static bool looks_at_strata(const hs_call *call)
{
    const char *name = call->command->name;
    bool selects = false;
    for (const hs_given *g = call->given; g->option; g++) {
        const bool list = g->option->type == HS_OPT_LIST;
        const hs_list one = {.items = (const char **)(uintptr_t)g->field, .count = 1},
                      *methods = list ? g->field : &one;
        if (strcmp(g->option->name, "p-values") == 0 && !hs_option_is_default(g->option, g->field))
            return true;
        if (strcmp(g->option->name, "select") != 0)
            continue;
        selects = true;
        for (size_t i = 0; i < methods->count; i++)
            if (hs_method_within(HS_SELECTOR, methods->items[i], HS_WITHIN_STRATA))
                return true;
    }
    return hs_is_word(selects ? "convert check info" : "convert check info auto", name);
}

static bool cross_validates(const hs_call *call)
{
    return hs_is_word("eval auto explore", call->command->name);
}

const char *hs_sizes(const hs_call *call, const hs_role_report *found)
{
    return found->smallest == found->largest
               ? hs_say(call->doc, " of %s", hs_some(call, found->largest, "instance"))
               : hs_say(call->doc, " of %u to %u instances", found->smallest, found->largest);
}

static void note_role(const hs_call *call, const hsel_dataset *data, int role,
                      const hs_role_report *found)
{
    static const char *const names[HS_ROLES][2] = {{"stratum", "strata"},
                                                   {"group", "groups"},
                                                   {"time", "times"},
                                                   {"set", "sets"},
                                                   {"weight", "weights"}};
    if (found->different)
        hs_note(call, "%u %s%s; %u of %u instances have none", found->different,
                names[role][found->different != 1],
                role == HS_ROLE_GROUPS ? hs_sizes(call, found) : "", found->without,
                data->instances);
}

int hs_note_roles(const hs_call *call, const hsel_dataset *data, hsel_error *error)
{
    for (int r = 0; r < HS_ROLES; r++) {
        hs_role_report found;
        HS_TRY(hs_role_count(data, r, &found, error));
        if (found.tested)
            hs_note(call, "a test set of %u of %u instances", found.tested, data->instances);
        else
            note_role(call, data, r, &found);
    }
    return HSEL_OK;
}

/* Options of cross-validation that have no effect with a test set or times. */
static void note_fixed_folds(const hs_call *call, const hsel_dataset *data)
{
    const bool tested = hs_role_known(data, HS_ROLE_TEST),
               fixed = tested || hs_role_known(data, HS_ROLE_TIME);
    for (const hs_given *g = call->given; g->option && fixed; g++) {
        const char *name = g->option->name;
        const bool scheme = strcmp(name, "fold-scheme") == 0;
        if (tested && (scheme || strcmp(name, "folds") == 0))
            hs_note(call, "--%s has no effect here: the test set is the only fold", name);
        else if (strcmp(name, "repeats") == 0 && strcmp(call->command->name, "eval") == 0)
            hs_note(call, "repeats differ only in random methods: the %s the same in all of them",
                    tested ? "test set is" : "folds in time are");
    }
}

void hs_note_load(const hs_call *call, const hsel_dataset *data, const hs_load_report *report)
{
    const hs_bind_report *bind = &report->bind;
    const hs_truepath *found = &report->truepath;
    const hs_names *roots = &report->roots_dropped;
    note_count(call, report->decimal_commas, "column was", "read as numbers with decimal commas");
    const char *name = call->command->name;
    const hs_about_report *metadata = &report->metadata;
    if (metadata->named < metadata->items)
        hs_note(call, "%u of %u instances are not in the metadata",
                metadata->items - metadata->named, metadata->items);
    note_count(call, metadata->unknown, "instance is", "in the metadata, but not in the data");
    for (int r = 0; r < HS_ROLES && !hs_is_word("check info", name); r++) /* they show all */
        note_role(call, data, r, &report->role[r]);
    if (report->role[HS_ROLE_STRATA].different && !looks_at_strata(call)) {
        const char *names = "";
        for (size_t i = 0; i < hs_method_count(); i++)
            if (hs_method_at(i)->flags & HS_WITHIN_STRATA)
                names = hs_say(call->doc, "%sthe selector %s, ", names, hs_method_at(i)->name);
        hs_note(call, "--strata has no effect here; strata are used by %shsel rank --p-values",
                names);
    }
    if (hs_role_known(data, HS_ROLE_TEST) && hs_is_word("train select rank", name))
        hs_note(call, "the test set has no effect here: all instances are learned from; hsel eval "
                      "and hsel auto respect it");
    if (hs_role_known(data, HS_ROLE_TIME) && hs_is_word("select rank", name))
        hs_note(call, "times have no effect here, except on folds within selectors; hsel eval and "
                      "hsel auto respect them");
    if (hs_role_known(data, HS_ROLE_WEIGHTS) && hs_is_word("select rank test", name))
        hs_note(call, "weights have no effect here: only classifiers use them");
    else if (hs_role_known(data, HS_ROLE_WEIGHTS) && !hs_is_word("check info convert build", name))
        hs_note(call, "classifiers learn from weighted instances; selectors and metrics treat all "
                      "instances alike");
    if (hs_is_word("eval auto", name))
        note_fixed_folds(call, data);
    note_count(call, report->graph.duplicate_edges, "edge is",
               "given more than once in the hierarchy");
    note_count(call, report->graph.self_loops, "edge leads", "from a term to itself: ignored");
    note_count(call, report->graph.terms_merged, "term was",
               "merged into another of the same cycle");
    note_count(call, report->graph.cycle_edges_dropped, "edge was", "dropped to break a cycle");
    note_count(call, report->features_merged, "feature was",
               "merged with another of the same cycle");
    if (bind->terms_not_features == 1)
        hs_note(call, "1 term of the hierarchy is not a feature: its children are connected with "
                      "its parents");
    else if (bind->terms_not_features)
        hs_note(call,
                "%s terms of the hierarchy are not features: their children are connected with "
                "their parents",
                hs_grouped(call->doc, bind->terms_not_features));
    if (bind->features_not_terms) {
        bool example = bind->first_missing != HSEL_NONE && bind->first_missing < data->features;
        hs_note(call, "%s not in the hierarchy and %s no parents or children%s%s",
                hs_plural(call->doc, bind->features_not_terms, "feature is"),
                bind->features_not_terms == 1 ? "has" : "have", example ? ", e.g. " : "",
                example ? hsel_dataset_feature_name(data, bind->first_missing) : "");
    }
    if (bind->features && bind->features_not_terms / (double)bind->features > 0.9)
        hs_note(call, "hardly any feature is a term of the hierarchy: is it the right one, and are "
                      "names written in the same way in both?");
    note_count(call, report->instances.left_out, "instance was", "left out by --instances");
    if (report->instances.unknown)
        hs_note(call, "%s of --instances %s not in the data, e.g. %s",
                hs_plural(call->doc, report->instances.unknown, "identifier"),
                report->instances.unknown == 1 ? "is" : "are",
                hs_names_get(&report->instances.examples, 0));
    note_count(call, report->branch_dropped, "feature was", "dropped: not in the branches chosen");
    note_count(call, report->edges_reduced, "edge was",
               "dropped: a longer path connects the same terms");
    note_count(call, report->values_propagated, "value was", "made positive by propagation");
    if (report->share_after > 0 && !report->values_propagated)
        hs_note(call,
                data->dag && data->dag->edges
                    ? "propagation changed nothing: all ancestors of positive features are already "
                      "positive"
                    : "propagation has no effect: no feature is above another, and terms that "
                      "are not features stay out; hsel build --annotations makes features of "
                      "them");
    /* Data that satisfy the rule confirm the direction. */
    if (!data->instances || report->values_propagated || found->instance != HSEL_NONE)
        hs_note_direction(call, &report->ends, report->direction);
    if (report->share_after > 0.9 && report->share_before < 0.5)
        hs_note(call,
                "propagation made %.1f %% of all values positive, %.1f %% were before: are the "
                "edges of the hierarchy reversed?",
                100 * report->share_after, 100 * report->share_before);
    note_count(call, report->features_made, "feature was", "made: terms above numeric features");
    note_count(call, report->amounts.changed, "value was", "changed by aggregation");
    note_count(call, report->amounts.filtered, "feature was", "dropped: too rare or too small");
    note_count(call, report->amounts.other_levels, "feature was", "dropped: of other levels");
    const hs_amount_report *amounts = &report->amounts;
    if (amounts->pseudo_count > 0)
        hs_note(call, "clr added %g to each abundance%s", amounts->pseudo_count,
                hs_recipe_learns(data->recipe) && cross_validates(call)
                    ? "; in cross-validation each training set has its own value"
                    : "");
    if (amounts->empty)
        hs_note(call, "%s no abundances: shares and log-ratios are missing there; first %s%.200s",
                hs_plural(call->doc, amounts->empty, "instance has"), data->ids.count ? "" : "#",
                data->ids.count ? hsel_dataset_id(data, amounts->first_empty)
                                : hs_say(call->doc, "%u", amounts->first_empty + 1));
    if (amounts->incomplete)
        hs_note(call, "%s missing values and stay%s numeric: 1, 0 or missing",
                hs_plural(call->doc, amounts->incomplete, "feature has"),
                amounts->incomplete == 1 ? "s" : "");
    note_count(call, report->rare_dropped, "feature was", "dropped: positive in too few instances");
    if (roots->count) {
        const char *list = "";
        for (uint32_t i = 0; i < roots->count && i < 10; i++)
            list = hs_say_more(call->doc, list, hs_names_get(roots, i));
        if (roots->count > 10)
            list = hs_say(call->doc, "%s and %u more", list, roots->count - 10);
        hs_note(call, "%s dropped: %s", hs_plural(call->doc, roots->count, "root"), list);
    }
    if (found->cells) {
        const char *id = hsel_dataset_id(data, found->instance);
        hs_note(call,
                "the true-path rule is violated %s (%s, %s), first in instance %u%s%s%s: %s is "
                "positive, its parent %s is not; --propagate repairs it",
                hs_plural(call->doc, found->cells, "time"),
                hs_some(call, found->instances, "instance"), hs_some(call, found->edges, "edge"),
                found->instance + 1, id ? " (" : "", id ? id : "", id ? ")" : "",
                hsel_dataset_feature_name(data, found->child),
                hsel_dataset_feature_name(data, found->parent));
    }
    note_totals(call, data, &report->totals);
}

void hs_note_classes(const hs_call *call, const hsel_dataset *data, const uint32_t *sizes,
                     bool auprc)
{
    uint32_t own[2], all, classes = data->class_names.count;
    char chance[48] = "";
    if (classes == 2 && !sizes) {
        hs_class_sizes(data, own);
        sizes = own;
    }
    if (classes == 2 && data->positive_class < 2 && (all = sizes[0] + sizes[1]) > 0) {
        uint32_t positive = sizes[data->positive_class];
        hs_positive_by why =
            hs_positive_why(&data->class_names, sizes, data->positive_class, data->positive_named);
        double share = 100.0 * positive / all;
        if (auprc)
            snprintf(chance, sizeof chance, "; by chance AUPRC is %.1f", share);
        hs_note(call, "%s: the positive class is %s%s, %u of %u instances (%.1f %%)%s%s",
                hsel_dataset_name(data), hsel_dataset_class_name(data, data->positive_class),
                why == HS_POSITIVE_SMALLER  ? ", the smaller one"
                : why == HS_POSITIVE_SECOND ? ", the second of two of the same size"
                                            : "",
                positive, all, share,
                why == HS_POSITIVE_SMALLER || why == HS_POSITIVE_SECOND
                    ? "; --positive CLASS changes it"
                    : "",
                chance);
    } else if (classes > 2 && auprc) {
        hs_note(call,
                "%s: each of %u classes is positive in turn, and metrics are means over them; by "
                "chance AUPRC is %.1f",
                hsel_dataset_name(data), classes, 100.0 / classes);
    }
}

void hs_json_positive(hs_json *json, const hsel_dataset *data)
{
    uint32_t positive = 0, all = 0;
    bool two = hs_positive_class_size(data, &positive, &all);
    hs_json_put(json, "positive_class:%s positive_share:%g",
                two ? hsel_dataset_class_name(data, data->positive_class) : NULL,
                two ? (double)positive / all : (double)NAN);
}

void hs_note_unlabelled(const hs_call *call, const hsel_dataset *data)
{
    uint32_t without = hs_unlabelled(data);
    if (without)
        hs_note(call, "%s: %u of %u instances %s no %s and %s left out", hsel_dataset_name(data),
                without, data->instances, without == 1 ? "has" : "have",
                data->target ? "target" : "class", without == 1 ? "is" : "are");
}

/* Names of the methods that have a pair in the group. */
static const char *named(const hs_call *call, const hs_chosen_list *methods, const bool *in,
                         size_t step, size_t others, size_t other_step)
{
    const char *names = "";
    for (size_t i = 0; i < methods->count; i++) {
        bool any = false;
        for (size_t j = 0; j < others; j++)
            any |= in[i * step + j * other_step];
        if (any)
            names = hs_say_more(call->doc, names, methods->items[i].text);
    }
    return names;
}

int hs_leave_out(const hs_call *call, const hsel_dataset *data, const hs_chosen_list *selectors,
                 const hs_chosen_list *classifiers, bool allow_violations, const char **why,
                 hsel_error *error)
{
    const size_t k = classifiers->count, pairs = selectors->count * k;
    bool *told = hs_arena_zero(call->arena, pairs, sizeof *told),
         *group = hs_arena_zero(call->arena, pairs, sizeof *group);
    HS_NEED(told && group);
    HS_TRY(hs_check_pairs(data, selectors->items, selectors->count, classifiers->items, k,
                          allow_violations, call->arena, why, error));
    for (size_t i = 0; i < pairs; i++) {
        if (!why[i] || told[i])
            continue;
        /* Whether the reason was noted: the same one, or another pair that cannot be combined. */
        bool apart = hs_check_pair(selectors->items[i / k].method, classifiers->items[i % k].method,
                                   NULL) != HSEL_OK;
        for (size_t j = 0; j < pairs; j++) {
            group[j] = why[j] == why[i] ||
                       (apart && hs_check_pair(selectors->items[j / k].method,
                                               classifiers->items[j % k].method, NULL) != HSEL_OK);
            told[j] |= group[j];
        }
        hs_note(call, "left out: %s with %s: %s", named(call, selectors, group, k, k, 1),
                named(call, classifiers, group, 1, selectors->count, k), why[i]);
    }
    return hs_document_check(call->doc, error);
}

static const char *instance_name(const hs_call *call, const hsel_dataset *data, uint32_t instance)
{
    const char *id = hsel_dataset_id(data, instance);
    return id ? hs_shown(id, call->arena) : hs_say(call->doc, "#%u", instance + 1);
}

int hs_note_repeats(const hs_call *call, const hsel_dataset *data, hsel_error *error)
{
    hs_repeats found;
    HS_TRY(hs_repeats_find(data, &found, error));
    if (found.many && found.grouped)
        hs_note(
            call,
            "%s: %u of %u instances are near copies of others in another group (%s and %s): the "
            "groups may be wrong or incomplete; --groups near-copies finds others",
            hsel_dataset_name(data), found.instances, data->instances,
            instance_name(call, data, found.first), instance_name(call, data, found.second));
    else if (found.many)
        hs_note(call,
                "%s: %u of %u instances %s others (%s and %s); if they come from the same patient, "
                "sample or family, estimates are too optimistic without groups: --groups %s finds "
                "them, --groups COLUMN names them",
                hsel_dataset_name(data), found.instances, data->instances,
                found.named ? "have identifiers that go with" : "are near copies of",
                instance_name(call, data, found.first), instance_name(call, data, found.second),
                found.named ? hs_say(call->doc, "'id:%c'", found.separator) : HS_NEAR_COPIES);
    return HSEL_OK;
}

void hs_note_always_positive(const hs_call *call, const hsel_dataset *data)
{
    uint32_t count = 0, roots = 0, first = 0, without = hs_unlabelled(data);
    for (uint32_t f = 0; f < data->features && data->instances; f++) {
        size_t support = 0;
        const uint32_t *list = data->types[f] == HSEL_BINARY ? hs_column(data, f, &support) : NULL;
        if (support + without < data->instances)
            continue;
        for (size_t i = support; without && i-- > 0;)
            support -= !hs_has_label(data, list[i]);
        if (support != data->instances - without)
            continue;
        first = count++ ? first : f;
        roots += data->dag && hs_is_root(data->dag, f);
    }
    if (!data->features)
        hs_note(call, "%s has no features: every prediction follows the %s alone",
                hsel_dataset_name(data), data->target ? "mean of the target" : "class sizes");
    if (count)
        hs_note(call,
                "%s positive in every instance, e.g. %s, and %s no information, but mr and others "
                "may still prefer %s: %s",
                hs_plural(call->doc, count, "feature is"), hsel_dataset_feature_name(data, first),
                count == 1 ? "carries" : "carry", count == 1 ? "it" : "them",
                roots == count ? "--drop-roots leaves out roots"
                : roots        ? "--drop-roots leaves out roots, --ignore NAME others"
                               : "--ignore NAME leaves out features");
}

void hs_note_further(const hs_call *call, const hsel_dataset *data)
{
    const hs_about *about = &data->instance_about;
    const char *kind = data->target ? "target" : "class", *now = data->class_attribute,
               *others = "";
    uint32_t more = 0; /* that are not named */
    for (uint32_t c = 0; c < about->columns.count; c++) {
        const char *name = hs_class_of_column(about, c);
        if (!name || (now && strcmp(name, now) == 0))
            continue;
        if (strlen(others) < 300)
            others = hs_say_more(call->doc, others, name);
        else
            more++;
    }
    if (*others)
        hs_note(call, "%s: the %s is %s; --%s chooses another: %.400s%s", hsel_dataset_name(data),
                kind, now, kind, others, more ? hs_say(call->doc, " and %u more", more) : "");
}

/* A class of many numbers may be meant as a numeric target: commands that would learn it as a class
 * refuse. */
static int check_numbers(const hs_call *call, const char *path, const hsel_dataset *data,
                         bool has_columns, hsel_error *error)
{
    const char *name = data->class_attribute ? data->class_attribute : "label";
    if (!hs_classes_are_numbers(data))
        return HSEL_OK;
    if (has_columns && (cross_validates(call) || strcmp(call->command->name, "train") == 0))
        return hs_fail_at(error, HSEL_EUSAGE, path, 0,
                          "the classes are %u numbers: --target %s predicts the number, --class %s "
                          "takes them as classes",
                          data->class_names.count, name, name);
    hs_note(call, "%s: %u numbers are taken as classes; --target %s predicts the number",
            hsel_dataset_name(data), data->class_names.count, name);
    return HSEL_OK;
}

int hs_load_for(const hs_call *call, const char *path, const hs_load_options *options,
                hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(hs_load_report_clear) hs_load_report report = {0};
    HS_TRY(hs_load(path, options, &report, out, error));
    hs_note_load(call, *out, &report);
    if (!options->columns.class_name)
        hs_note_further(call, *out);
    if (!options->columns.class_name && !options->columns.no_class)
        HS_TRY(check_numbers(call, path, *out, report.format->format->is_table, error));
    const hsel_dataset *data = *out;
    if (options->columns.target && data->target && !options->columns.target_optional &&
        data->features && data->types[data->features - 1] == HSEL_NOMINAL &&
        !hs_is_covariate(data, data->features - 1) && report.format->format->is_table)
        hs_note(call,
                "%s: the target is %s, and all other columns are features, the last of them %s; "
                "--ignore leaves columns out",
                hsel_dataset_name(data), data->class_attribute,
                hsel_dataset_feature_name(data, data->features - 1));
    return HSEL_OK;
}
