/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel check: does the data set hold what it promises? Structure, true-path rule, totals,
 * identifiers, classes. And is a store of results what was put into it?
 */
#include "cli/cli.h"
#include "data/leaks.h"
#include "data/summary.h"
#include "study/store.h"

struct options {
    hs_load_options load;
    bool json;
    const char *backup;
    int names;
    uint32_t show;
    double leak;
};

static const hs_option table[] = {HS_FLAG(struct options, json, "json", "print JSON"),
                                  HS_OPTION(struct options, show, "show", "N", "10", 0, 1000000,
                                            "list at most N violations of the true-path rule and N "
                                            "features that leak"),
                                  HS_OPTION(struct options, leak, "leak", "SHARE", "0.95", 0.5, 1,
                                            "a feature leaks a class if it is positive in this "
                                            "share of the class, negative in this share of the "
                                            "others, and at least this share of its positives "
                                            "belong to the class"),
                                  HS_FILE(struct options, backup, "backup", "FILE", HS_WRITES,
                                          "copy a store to FILE, also while a run writes to it"),
                                  HS_NAMES(struct options),
                                  HS_OPTION_END};

/* Lists the first violations of the true-path rule. */
static int list_violations(const hs_call *call, const hsel_dataset *data, hs_json *json,
                           hsel_error *error)
{
    const struct options *options = call->values;
    uint32_t left = options->show;
    bool labels = hs_has_labels(&data->about);
    HS_OWNED uint32_t *seen = HS_NEW_ZERO(uint32_t, data->features);
    HS_NEED(seen);
    for (uint32_t r = 0; r < data->instances; r++) {
        size_t positives, parents;
        const uint32_t *row = hs_row(data, r, &positives);
        for (size_t i = 0; i < positives; i++)
            seen[row[i]] = r + 1;
        for (size_t i = 0; i < positives; i++) {
            const uint32_t *above = hs_parents(data->dag, row[i], &parents);
            for (size_t j = 0; j < parents; j++) {
                if (seen[above[j]] == r + 1)
                    continue;
                if (left-- == 0)
                    return HSEL_OK;
                const char *id = hsel_dataset_id(data, r);
                const char *child = hsel_dataset_feature_name(data, row[i]);
                const char *parent = hsel_dataset_feature_name(data, above[j]);
                if (options->json) {
                    hs_json_instance(json, data, r);
                    hs_json_put(json, "positive:%s", child);
                    if (labels)
                        hs_json_put(json, "positive_label:%s",
                                    hs_about_label(&data->about, row[i]));
                    hs_json_put(json, "negative_parent:%s", parent);
                    if (labels)
                        hs_json_put(json, "negative_parent_label:%s",
                                    hs_about_label(&data->about, above[j]));
                    hs_json_end_object(json);
                    continue;
                }
                char own[HS_LABEL_ROOM], below[HS_LABEL_ROOM], over[HS_LABEL_ROOM];
                hs_writer_printf(
                    json->out, "  instance %u%s%s%s%s: %s%s is positive, its parent %s%s is not\n",
                    r + 1, id ? " (" : "", id ? hs_shown(id, call->arena) : "",
                    hs_label_after(&data->instance_about, r, own), id ? ")" : "",
                    hs_shown(child, call->arena), hs_label_after(&data->about, row[i], below),
                    hs_shown(parent, call->arena), hs_label_after(&data->about, above[j], over));
            }
        }
    }
    return HSEL_OK;
}

#define SHOWN_TOPS 10u /* branches to leave out, named in one line */

/* ---- leakage: features that (nearly) equal a class ---- */

/* "GO:1 cell cycle": the label is cut if it is long. */
static const char *titled(const hs_call *call, const hsel_dataset *data, uint32_t feature)
{
    const char *label = hs_about_label(&data->about, feature);
    size_t length = 0, letters = 0;
    for (; label && label[length] && letters < 60; letters++) {
        size_t bytes = hs_utf8_length(label + length, 4);
        length += bytes ? bytes : 1;
    }
    return hs_shown(hs_say(call->doc, "%s%s%.*s%s", hsel_dataset_feature_name(data, feature),
                           label ? " " : "", (int)length, label ? label : "",
                           label && label[length] ? "…" : ""),
                    call->arena);
}

static void write_leaks(const hs_call *call, const hsel_dataset *data, const hs_leaks *leaks,
                        hs_json *json)
{
    const struct options *options = call->values;
    uint32_t classes = data->class_names.count;
    bool labels = hs_about_column(&data->about, HS_ABOUT_LABEL) != HSEL_NONE;
    hs_writer *out = json->out;
    if (!options->json && leaks->count) {
        hs_writer_printf(out, "remark   %u feature%s a class: --%s", leaks->count,
                         leaks->count == 1 ? " that (nearly) equals" : "s that (nearly) equal",
                         data->dag ? "exclude-branch " : "ignore ");
        uint32_t named = 0;
        for (uint32_t i = 0; i < leaks->count; i++) {
            uint32_t top = leaks->items[i].highest;
            if (top == leaks->items[i].feature && named++ < SHOWN_TOPS)
                hs_writer_printf(out, "%s%s", named > 1 ? "," : "",
                                 hs_shown(hsel_dataset_feature_name(data, top), call->arena));
        }
        hs_writer_printf(out, "%s leaves %s out\n", named > SHOWN_TOPS ? ",…" : "",
                         leaks->count == 1 ? "it" : "them");
    }
    for (uint32_t i = 0; i < leaks->count && i < options->show; i++) {
        const hs_leak *l = &leaks->items[i];
        if (!options->json) {
            hs_writer_printf(out, "  %s:", titled(call, data, l->feature));
            for (uint32_t c = 0; c < classes; c++)
                hs_writer_printf(out, "%s %s %u of %u", c ? "," : "",
                                 hs_shown(hs_names_get(&data->class_names, c), call->arena),
                                 l->support[c], leaks->class_size[c]);
            if (l->highest != l->feature)
                hs_writer_printf(out, "; so does %s above it", titled(call, data, l->highest));
            hs_writer_char(out, '\n');
            continue;
        }
        uint32_t positives = 0;
        for (uint32_t c = 0; c < classes; c++)
            positives += l->support[c];
        hs_json_put(json, "{feature:%s", hsel_dataset_feature_name(data, l->feature));
        if (labels)
            hs_json_put(json, "label:%s", hs_about_label(&data->about, l->feature));
        hs_json_put(json, "class:%s precision:%g recall:%g support:[",
                    hs_names_get(&data->class_names, l->label),
                    l->support[l->label] / (double)positives,
                    l->support[l->label] / (double)leaks->class_size[l->label]);
        for (uint32_t c = 0; c < classes; c++)
            hs_json_put(json, "{class:%s positive:%u instances:%u}",
                        hs_names_get(&data->class_names, c), l->support[c], leaks->class_size[c]);
        hs_json_put(json, "] highest:%s}", hsel_dataset_feature_name(data, l->highest));
    }
    if (!options->json && leaks->count > options->show)
        hs_writer_printf(out, "  and %u more (--show N)\n", leaks->count - options->show);
}

/* Findings that are worth a look but break nothing. */
enum {
    REPEATED_IDS,
    ALWAYS,
    NEVER,
    UNLABELLED,
    SMALL_CLASSES,
    ISOLATED,
    UNTIMED,
    UNTESTED,
    REMARKS
};
static const struct {
    const char *key, *one, *many, *text;
} remark_table[REMARKS] = {
    {"repeated_ids", "instance", "instances", "with an identifier that occurs more than once"},
    {"always_positive", "feature", "features",
     "positive in every instance: --drop-roots leaves out roots, --ignore NAME others"},
    {"never_positive", "feature", "features",
     "positive in no instance: --min-support 1 leaves them out"},
    {"unlabelled", "instance", "instances", "without class"},
    {"small_classes", "class", "classes", "with fewer than two instances"},
    {"isolated_features", "feature", "features", "with neither parent nor child"},
    {"without_time", "instance", "instances", "without time, but hsel eval needs all times"},
    {"untested_classes", "class", "classes", "with no instance in the test set"}};

/* Whether numbers add up along the hierarchy. Nothing if it has none. */
static void write_totals(const hs_call *call, const hsel_dataset *data, const hs_totals *totals,
                         hs_json *json)
{
    const struct options *options = call->values;
    const hs_aggregate rule = hs_amounts_state(data).rule;
    if (rule == HS_AGGREGATE_NONE && data->numeric_count && data->dag && data->dag->edges &&
        !options->json)
        hs_writer_text(json->out, "remark   log-ratios and means do not add up, so there are no "
                                  "totals to check\n");
    if (!totals->checked)
        return;
    if (options->json) {
        hs_json_put(json,
                    "totals:{features:%u values_too_low:%ju features_too_low:%u own_values:%ju "
                    "negative_values:%ju}",
                    totals->checked, totals->cells, totals->features, totals->own,
                    totals->negative);
    } else if (totals->negative) {
        hs_writer_printf(json->out,
                         "remark   %s below 0 in the hierarchy, so they are not checked for adding "
                         "up\n",
                         hs_some(call, totals->negative, "number"));
    } else if (!totals->cells) {
        hs_writer_printf(json->out,
                         rule == HS_AGGREGATE_MAX
                             ? "ok       no value of %s is less than one below it"
                             : "ok       the totals of %s add up",
                         hs_some(call, totals->checked, "feature"));
        if (totals->own)
            hs_writer_printf(json->out, ", with %s of their own",
                             hs_some(call, totals->own, "value"));
        hs_writer_char(json->out, '\n');
    } else {
        hs_writer_printf(json->out,
                         "problem  %s of %s are less than what is below them\n"
                         "  the first: %s in instance %u is %g, and what is below it %g\n",
                         hs_some(call, totals->cells, "total"),
                         hs_some(call, totals->features, "feature"),
                         titled(call, data, totals->feature), totals->instance + 1, totals->value,
                         totals->below);
    }
}

/* Counts instances without time, if others have one, and classes that the test set lacks. */
static int find_design(const hsel_dataset *data, uint32_t *size, uint32_t *untimed,
                       uint32_t *untested, hsel_error *error)
{
    hs_role_report time, test;
    HS_TRY(hs_role_count(data, HS_ROLE_TIME, &time, error));
    HS_TRY(hs_role_count(data, HS_ROLE_TEST, &test, error));
    *untimed = time.different ? time.without : 0;
    for (uint32_t i = 0; i < data->instances && test.tested; i++) {
        bool tested = false;
        if (data->class_of && data->class_of[i] != HSEL_NONE)
            HS_TRY(hs_test_of(data, i, &tested, error));
        if (tested)
            size[data->class_of[i]] = 0;
    }
    for (uint32_t c = 0; c < data->class_names.count && test.tested; c++)
        *untested += size[c] > 0;
    return HSEL_OK;
}

static int inspect(const hs_call *call, const hsel_dataset *data, const hs_truepath *rule,
                   const hs_totals *totals, hsel_error *error)
{
    const struct options *options = call->values;
    hs_summary summary;
    HS_OWNS(hs_names_clear) hs_names distinct = {0};
    uint32_t remarks[REMARKS] = {0}, classes = data->class_names.count, id;
    HS_OWNED uint32_t *sizes = HS_NEW_ZERO(uint32_t, classes);
    hs_leaks leaks;
    HS_NEED(sizes);
    HS_TRY(hs_dataset_check(data, error));
    HS_TRY(hs_leaks_find(data, options->leak, call->arena, &leaks, error));
    HS_TRY(hs_summarise_quickly(data, &summary, error));
    for (uint32_t i = 0; i < data->ids.count; i++) {
        bool added;
        HS_TRY(hs_names_intern(&distinct, HS_NAME(&data->ids, i), &id, &added, error));
        remarks[REPEATED_IDS] += !added;
    }
    hs_class_sizes(data, sizes);
    for (uint32_t c = 0; c < classes; c++)
        remarks[SMALL_CLASSES] += sizes[c] < 2;
    for (uint32_t f = 0; f < data->features && data->instances; f++) {
        size_t support;
        if (data->types[f] != HSEL_BINARY)
            continue;
        hs_column(data, f, &support);
        remarks[NEVER] += support == 0;
        remarks[ALWAYS] += support == data->instances;
    }
    remarks[UNLABELLED] = classes || data->target ? summary.unlabelled : 0;
    HS_TRY(find_design(data, sizes, &remarks[UNTIMED], &remarks[UNTESTED], error));
    remarks[ISOLATED] = summary.has_hierarchy ? summary.shape.isolated : 0;
    HS_OPEN(out, "-");
    hs_json json = {.out = out};
    if (options->json) {
        hs_json_put(&json,
                    "{name:%s ok:%d violating_cells:%ju violating_edges:%ju "
                    "violating_instances:%u violations:[",
                    hsel_dataset_name(data), rule->cells == 0 && totals->cells == 0, rule->cells,
                    rule->edges, rule->instances);
        if (rule->cells)
            HS_TRY(list_violations(call, data, &json, error));
        hs_json_end_array(&json);
        write_totals(call, data, totals, &json);
        for (int i = 0; i < REMARKS; i++)
            hs_json_put(&json, "%s:%u", remark_table[i].key, remarks[i]);
        hs_json_put(&json, "leaking_features:%u leaks:[", leaks.count);
        write_leaks(call, data, &leaks, &json);
        hs_json_put(&json, "]}");
        return hs_writer_commit(hs_take(&out), error);
    }
    hs_writer_for_people(out);
    hs_writer_printf(out, "ok       structure: %s, %s", hs_some(call, data->instances, "instance"),
                     hs_some(call, data->features, "feature"));
    if (data->dag)
        hs_writer_printf(out, ", %s without a cycle", hs_some(call, data->dag->edges, "edge"));
    hs_writer_char(out, '\n');
    if (!data->dag)
        hs_writer_text(out, "ok       no hierarchy, so no true-path rule to check\n");
    else if (rule->cells == 0)
        hs_writer_text(out, "ok       the true-path rule holds\n");
    else
        hs_writer_printf(out, "problem  the true-path rule is violated %s, in %s, at %s\n",
                         hs_some(call, rule->cells, "time"),
                         hs_some(call, rule->instances, "instance"),
                         hs_some(call, rule->edges, "edge"));
    if (rule->cells)
        HS_TRY(list_violations(call, data, &json, error));
    if (rule->cells > options->show)
        hs_writer_printf(out, "  and %llu more (--show N)\n",
                         (unsigned long long)(rule->cells - options->show));
    write_totals(call, data, totals, &json);
    for (int i = 0; i < REMARKS; i++)
        if (remarks[i])
            hs_writer_printf(out, "remark   %u %s %s\n", remarks[i],
                             remarks[i] == 1 ? remark_table[i].one : remark_table[i].many,
                             i == UNLABELLED && data->target ? "without target"
                                                             : remark_table[i].text);
    write_leaks(call, data, &leaks, &json);
    return hs_writer_commit(hs_take(&out), error);
}

/* ---- stores ---- */

static int add_line(void *context, const char *line, hsel_error *error)
{
    return hs_names_append(context, line, strlen(line), error);
}

static int check_store(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    const char *path = call->arguments[0];
    HS_OWNS(hs_store_done) hs_store *store = NULL;
    HS_OWNS(hs_names_clear) hs_names damaged = {0};
    HS_OWNS(hs_buf_clear) hs_buf given = {0};
    hs_options_format(hs_load_table, &options->load, &given);
    HS_NEED(!given.failed);
    HS_REFUSE(given.length, "%s is a store, but %s is for data", path, given.text);
    HS_REFUSE(options->leak != 0.95, "%s is a store, but --leak is for data", path);
    HS_TRY(hs_store_open(path, HS_STORE_CHECK, false, &store, error));
    HS_TRY(hs_store_check(store, add_line, &damaged, error));
    HS_OPEN(out, "-");
    uint32_t shown = damaged.count < options->show ? damaged.count : options->show;
    if (options->json) {
        hs_json json = {.out = out};
        hs_json_put(&json, "{store:%s ok:%d damaged:%u what:[", path, damaged.count == 0,
                    damaged.count);
        for (uint32_t i = 0; i < shown; i++)
            hs_json_text(&json, hs_names_get(&damaged, i));
        hs_json_put(&json, "]}");
    } else {
        if (damaged.count == 0)
            hs_writer_text(out, "ok       the store is whole: pages, checksums, numbers\n");
        for (uint32_t i = 0; i < shown; i++)
            hs_writer_printf(out, "problem  %s\n", hs_names_get(&damaged, i));
        if (damaged.count > shown)
            hs_writer_printf(out, "  and %u more (--show N)\n", damaged.count - shown);
    }
    HS_TRY(hs_writer_commit(hs_take(&out), error));
    if (options->backup && damaged.count == 0) {
        HS_TRY(hs_store_backup(store, options->backup, error));
        hs_note(call, "the copy is in %s", options->backup);
    }
    HS_FAIL_IF(damaged.count, HSEL_EFORMAT,
               "%s: %u damaged; hsel run with its study removes and recomputes them", path,
               damaged.count);
    return HSEL_OK;
}

static int check_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    const char *path = call->arguments[0];
    if (hs_store_sniff(path))
        return check_store(call, error);
    HS_REFUSE(options->backup, "%s is not a store, but --backup is for stores", path);
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNS(hs_load_report_clear) hs_load_report report = {0};
    HS_TRY(hs_load(path, &options->load, &report, &data, error));
    hs_truepath rule = report.truepath;
    hs_totals totals = report.totals;
    report.truepath.cells = report.totals.cells =
        0; /* the output shows it, so a note would repeat it */
    HS_TRY(hs_note_roles(call, data, error));
    hs_note_load(call, data, &report);
    hs_hide_names(data, options->names);
    HS_TRY(hs_note_repeats(call, data, error));
    HS_TRY(inspect(call, data, &rule, &totals, error));
    HS_FAIL_IF(rule.cells, HSEL_EFORMAT,
               "%s: the true-path rule is violated %s; --propagate repairs it", path,
               hs_some(call, rule.cells, "time"));
    HS_FAIL_IF(totals.cells, HSEL_EFORMAT,
               "%s: numbers do not add up %s; --aggregate sum repairs it", path,
               hs_some(call, totals.cells, "time"));
    return HSEL_OK;
}

const hs_command hs_command_check = {
    HS_COMMAND_IS(check, "DATA|STORE", "check a data set and its hierarchy, or a store of results",
                  struct options),
    .first = "show leak backup json hierarchy class propagate missing",
    .groups = {{"Options", table, 0}, {"Data", hs_load_table, offsetof(struct options, load)}},
    .flags = HS_WORKS,
};
