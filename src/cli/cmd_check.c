/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel check: does the data set hold what it promises? Structure, true-path rule, identifiers,
 * classes. And is a store of results what was put into it?
 */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "core/json.h"
#include "core/mem.h"
#include "data/summary.h"
#include "format/pack.h"
#include "report/text_table.h"
#include "study/store.h"

struct options {
    hs_load_options load;
    bool json;
    uint32_t show;
};

static const hs_option table[] = {HS_FLAG(struct options, json, "json", "print JSON for programs"),
                                  HS_OPTION(struct options, show, "show", "N", "10", 0, 1000000,
                                            "list at most N violations of the true-path rule"),
                                  HS_OPTION_END};

/* Findings that are worth a look but break nothing. */
struct remarks {
    uint32_t repeated_ids, always, never, unlabelled, small_classes, isolated;
};

/* ---- violations, one by one ---- */

struct violation {
    uint32_t instance, child, parent;
};

/* Calls `each` for the violations in order, until it returns false. */
static int each_violation(const hsel_dataset *data,
                          bool (*each)(void *context, const struct violation *v), void *context,
                          hsel_error *error)
{
    uint32_t *seen = HS_NEW_ZERO(uint32_t, data->features);
    bool more = true;
    if (!seen)
        return hs_fail_memory(error);
    for (uint32_t r = 0; r < data->instances && more; r++) {
        size_t positives, parents;
        const uint32_t *row = hs_row(data, r, &positives);
        for (size_t i = 0; i < positives; i++)
            seen[row[i]] = r + 1;
        for (size_t i = 0; i < positives && more; i++) {
            const uint32_t *parent = hs_parents(data->dag, row[i], &parents);
            for (size_t j = 0; j < parents && more; j++)
                if (seen[parent[j]] != r + 1)
                    more = each(context, &(struct violation){r, row[i], parent[j]});
        }
    }
    hs_free(seen);
    return HSEL_OK;
}

struct listing {
    const hsel_dataset *data;
    hs_writer *out;
    hs_json *json; /* NULL: text */
    uint32_t left;
    hs_arena *arena;
};

static bool print_violation(void *context, const struct violation *v)
{
    struct listing *list = context;
    const char *id = hsel_dataset_id(list->data, v->instance);
    const char *child = hsel_dataset_feature_name(list->data, v->child);
    const char *parent = hsel_dataset_feature_name(list->data, v->parent);
    if (list->left-- == 0)
        return false;
    if (!list->json) {
        id = id ? hs_shown(id, list->arena) : NULL;
        child = hs_shown(child, list->arena);
        parent = hs_shown(parent, list->arena);
    }
    if (list->json) {
        hs_json_object(list->json);
        hs_json_key(list->json, "instance");
        hs_json_u64(list->json, (uint64_t)v->instance + 1);
        hs_json_key(list->json, "id");
        hs_json_text(list->json, id);
        hs_json_key(list->json, "positive");
        hs_json_text(list->json, child);
        hs_json_key(list->json, "negative_parent");
        hs_json_text(list->json, parent);
        hs_json_end_object(list->json);
    } else {
        hs_writer_printf(list->out, "  instance %u%s%s%s: %s is positive, its parent %s is not\n",
                         v->instance + 1, id ? " (" : "", id ? id : "", id ? ")" : "", child,
                         parent);
    }
    return true;
}

/* ---- remarks ---- */

static int find_remarks(const hsel_dataset *data, const hs_summary *summary, struct remarks *out,
                        hsel_error *error)
{
    hs_names distinct = {0};
    uint32_t classes = data->class_names.count, id;
    uint32_t *sizes = HS_NEW_ZERO(uint32_t, classes);
    int status = sizes ? HSEL_OK : hs_fail_memory(error);
    for (uint32_t i = 0; status == HSEL_OK && i < data->ids.count; i++) {
        bool added;
        status = hs_names_intern(&distinct, hs_names_get(&data->ids, i),
                                 hs_names_length(&data->ids, i), &id, &added, error);
        out->repeated_ids += status == HSEL_OK && !added;
    }
    if (status == HSEL_OK) {
        hs_class_sizes(data, sizes);
        for (uint32_t c = 0; c < classes; c++)
            out->small_classes += sizes[c] < 2;
        for (uint32_t f = 0; f < data->features && data->instances; f++) {
            size_t support = 1; /* others are not asked */
            if (data->types[f] == HSEL_BINARY)
                hs_column(data, f, &support);
            out->never += support == 0;
            out->always += data->types[f] == HSEL_BINARY && support == data->instances;
        }
        out->unlabelled = classes ? summary->unlabelled : 0;
        out->isolated = summary->has_hierarchy ? summary->shape.isolated : 0;
    }
    hs_names_clear(&distinct);
    hs_free(sizes);
    return status;
}

static void print_remarks(const struct remarks *r, hs_writer *out, hs_json *json)
{
    const struct {
        const char *key, *one, *many, *text;
        uint32_t count;
    } all[] = {
        {"repeated_ids", "instance", "instances", "with an identifier that another one has",
         r->repeated_ids},
        {"always_positive", "feature", "features",
         "positive in every instance: --drop-roots leaves out roots, --ignore NAME others",
         r->always},
        {"never_positive", "feature", "features",
         "positive in no instance: --min-support 1 leaves them out", r->never},
        {"unlabelled", "instance", "instances", "without class", r->unlabelled},
        {"small_classes", "class", "classes", "with fewer than two instances", r->small_classes},
        {"isolated_features", "feature", "features", "with neither parent nor child", r->isolated}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (json) {
            hs_json_key(json, all[i].key);
            hs_json_u64(json, all[i].count);
        } else if (all[i].count) {
            hs_writer_printf(out, "remark   %u %s %s\n", all[i].count,
                             all[i].count == 1 ? all[i].one : all[i].many, all[i].text);
        }
    }
}

/* ---- the report ---- */

static const char *s_unless_one(uint64_t count) { return count == 1 ? "" : "s"; }

static int print_text(const hs_call *call, const hsel_dataset *data, const hs_truepath *rule,
                      const struct remarks *remarks, hs_writer *out, hsel_error *error)
{
    hs_writer_for_people(out);
    const struct options *options = call->values;
    hs_writer_printf(out, "ok       structure: %u instance%s, %u feature%s", data->instances,
                     s_unless_one(data->instances), data->features, s_unless_one(data->features));
    if (data->dag)
        hs_writer_printf(out, ", %u edge%s without a cycle", data->dag->edges,
                         s_unless_one(data->dag->edges));
    hs_writer_char(out, '\n');
    if (!data->dag)
        hs_writer_text(out, "ok       no hierarchy, so no true-path rule to hold\n");
    else if (rule->cells == 0)
        hs_writer_text(out, "ok       the true-path rule holds\n");
    else
        hs_writer_printf(
            out,
            "problem  the true-path rule is broken %llu time%s, in %u instance%s, at %llu edge%s\n",
            (unsigned long long)rule->cells, s_unless_one(rule->cells), rule->instances,
            s_unless_one(rule->instances), (unsigned long long)rule->edges,
            s_unless_one(rule->edges));
    struct listing list = {data, out, NULL, options->show, call->arena};
    int status = rule->cells ? each_violation(data, print_violation, &list, error) : HSEL_OK;
    if (rule->cells > options->show)
        hs_writer_printf(out, "  and %llu more (--show N)\n",
                         (unsigned long long)(rule->cells - options->show));
    print_remarks(remarks, out, NULL);
    return status;
}

static int print_json(const struct options *options, const hsel_dataset *data,
                      const hs_truepath *rule, const struct remarks *remarks, hs_writer *out,
                      hsel_error *error)
{
    hs_json json = {.out = out};
    int status = HSEL_OK;
    hs_json_object(&json);
    hs_json_key(&json, "name");
    hs_json_text(&json, hsel_dataset_name(data));
    hs_json_key(&json, "ok");
    hs_json_bool(&json, rule->cells == 0);
    hs_json_key(&json, "violating_cells");
    hs_json_u64(&json, rule->cells);
    hs_json_key(&json, "violating_edges");
    hs_json_u64(&json, rule->edges);
    hs_json_key(&json, "violating_instances");
    hs_json_u64(&json, rule->instances);
    hs_json_key(&json, "violations");
    hs_json_array(&json);
    struct listing list = {data, out, &json, options->show, NULL};
    if (rule->cells)
        status = each_violation(data, print_violation, &list, error);
    hs_json_end_array(&json);
    print_remarks(remarks, out, &json);
    hs_json_end_object(&json);
    return status;
}

static int inspect(const hs_call *call, const hsel_dataset *data, const hs_load_report *report,
                   hsel_error *error)
{
    const struct options *options = call->values;
    hs_summary summary;
    struct remarks remarks = {0};
    hs_writer *out = NULL;
    int status = hsel_dataset_check(data, error);
    if (status == HSEL_OK)
        status = hs_summarise_quickly(data, &summary, error);
    if (status == HSEL_OK)
        status = find_remarks(data, &summary, &remarks, error);
    if (status == HSEL_OK)
        status = hs_writer_open("-", &out, error);
    if (status == HSEL_OK)
        status = options->json ? print_json(options, data, &report->truepath, &remarks, out, error)
                               : print_text(call, data, &report->truepath, &remarks, out, error);
    if (status) {
        hs_writer_abandon(out);
        return status;
    }
    return hs_writer_commit(out, error);
}

/* ---- stores ---- */

static int add_line(void *context, const char *line, hsel_error *error)
{
    return hs_names_append(context, line, strlen(line), error);
}

static void print_damage(const struct options *options, const char *path, const hs_names *damaged,
                         hs_writer *out)
{
    hs_json json = {.out = out};
    uint32_t shown = damaged->count < options->show ? damaged->count : options->show;
    if (options->json) {
        hs_json_object(&json);
        hs_json_key(&json, "store");
        hs_json_text(&json, path);
        hs_json_key(&json, "ok");
        hs_json_bool(&json, damaged->count == 0);
        hs_json_key(&json, "damaged");
        hs_json_u64(&json, damaged->count);
        hs_json_key(&json, "what");
        hs_json_array(&json);
        for (uint32_t i = 0; i < shown; i++)
            hs_json_text(&json, hs_names_get(damaged, i));
        hs_json_end_array(&json);
        hs_json_end_object(&json);
        return;
    }
    if (damaged->count == 0)
        hs_writer_text(out, "ok       the store is whole: pages, checksums, numbers\n");
    for (uint32_t i = 0; i < shown; i++)
        hs_writer_printf(out, "problem  %s\n", hs_names_get(damaged, i));
    if (damaged->count > shown)
        hs_writer_printf(out, "  and %u more (--show N)\n", damaged->count - shown);
}

static int check_store(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    const char *path = call->arguments[0];
    hs_store *store = NULL;
    hs_names damaged = {0};
    hs_buf given = {0};
    hs_writer *out = NULL;
    hs_options_format(hs_load_table, &options->load, &given);
    int status = given.failed   ? hs_fail_memory(error)
                 : given.length ? hs_fail(error, HSEL_EUSAGE, "%s is a store, and %s is for data",
                                          path, given.text)
                                : hs_store_open(path, HS_STORE_CHECK, false, &store, error);
    if (status == HSEL_OK)
        status = hs_store_check(store, add_line, &damaged, error);
    if (status == HSEL_OK)
        status = hs_writer_open("-", &out, error);
    if (status == HSEL_OK) {
        print_damage(options, path, &damaged, out);
        status = hs_writer_commit(out, error);
    }
    if (status == HSEL_OK && damaged.count)
        status = hs_fail(error, HSEL_EFORMAT,
                         "%s: %u damaged; hsel run with its study removes that and does it again",
                         path, damaged.count);
    hs_store_close(store);
    hs_names_clear(&damaged);
    hs_buf_clear(&given);
    return status;
}

static int run(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    if (hs_store_sniff(call->arguments[0]))
        return check_store(call, error);
    hsel_dataset *data = NULL;
    hs_load_report report = {0};
    int status = hs_load(call->arguments[0], &options->load, &report, &data, error);
    if (status == HSEL_OK) {
        hs_truepath shown = report.truepath;
        report.truepath.cells = 0; /* the report itself tells, a note would repeat it */
        hs_note_load(call, data, &report);
        report.truepath = shown;
        if (hs_pack_is(call->arguments[0]))
            status = hs_pack_verify(call->arguments[0], options->load.threads, error);
        if (status == HSEL_OK)
            status = inspect(call, data, &report, error);
    }
    if (status == HSEL_OK && report.truepath.cells)
        status = hs_fail(error, HSEL_EFORMAT,
                         "%s: the true-path rule is broken %llu time%s; --propagate repairs it",
                         call->arguments[0], (unsigned long long)report.truepath.cells,
                         s_unless_one(report.truepath.cells));
    hsel_dataset_free(data);
    hs_load_report_clear(&report);
    return status;
}

const hs_command hs_command_check = {
    .name = "check",
    .arguments = "DATA|STORE",
    .summary = "check a data set and its hierarchy, or a store of results",
    .help = "Reads everything, checks every structure (of a pack: every checksum, and its "
            "summary), the true-path "
            "rule (a positive "
            "feature makes its ancestors positive), identifiers and classes. Exits with 1 when the "
            "rule is broken or "
            "the data is damaged; remarks do not count as failure.\n\nOf a store of results (hsel "
            "run) it checks every page, the checksum of every row, and whether the numbers can "
            "be: probabilities from 0 to 1 with the sum 1, each instance tested once in a "
            "repeat.",
    .examples = "  hsel check genes/\n  hsel check tweets.arff --hierarchy types.tsv --show 50\n"
                "  hsel check quick.db\n",
    .at_least = 1,
    .at_most = 1,
    .groups = {{"Options", table, 0}, {"Data", hs_load_table, offsetof(struct options, load)}},
    .size = sizeof(struct options),
    .run = run,
};
