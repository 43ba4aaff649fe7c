/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel info: the numbers of a data set, as the papers' data tables give them.
 */
#include "cli/cli.h"
#include "core/json.h"
#include "core/mem.h"
#include "data/summary.h"
#include "format/folder.h"
#include "format/pack.h"
#include "report/text_table.h"

struct options {
    hs_load_options load;
    bool json;
};

static const hs_option table[] = {HS_FLAG(struct options, json, "json", "print JSON for programs"),
                                  HS_OPTION_END};

/* What is shown, wherever it comes from: a loaded data set or the summary that a pack carries. */
struct facts {
    const char *name;
    const hs_summary *summary;
    const hs_names *class_names;
    const uint32_t *class_sizes;
    uint32_t positive_class;
    uint64_t bytes;
};

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* ---- for programs ---- */

static void json_classes(hs_json *json, const struct facts *facts)
{
    hs_json_key(json, "classes");
    hs_json_array(json);
    for (uint32_t c = 0; c < facts->class_names->count; c++) {
        hs_json_object(json);
        hs_json_key(json, "label");
        hs_json_text(json, hs_names_get(facts->class_names, c));
        hs_json_key(json, "instances");
        hs_json_u64(json, facts->class_sizes[c]);
        hs_json_key(json, "share");
        hs_json_double(json, share(facts->class_sizes[c], facts->summary->instances));
        hs_json_key(json, "positive");
        hs_json_bool(json, c == facts->positive_class);
        hs_json_end_object(json);
    }
    hs_json_end_array(json);
}

static void json_hierarchy(hs_json *json, const hs_summary *s)
{
    const struct {
        const char *key;
        uint64_t value;
    } numbers[] = {{"edges", s->edges},
                   {"ancestors", s->ancestors},
                   {"hie_aode_edges", hs_aode_edges(s, 1)},
                   {"hie_aode_lite_edges", hs_aode_edges(s, 2)},
                   {"depth", s->shape.depth},
                   {"roots", s->shape.roots},
                   {"leaves", s->shape.leaves},
                   {"isolated", s->shape.isolated},
                   {"max_parents", s->shape.max_parents},
                   {"max_children", s->shape.max_children}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        hs_json_key(json, numbers[i].key);
        if (s->has_hierarchy)
            hs_json_u64(json, numbers[i].value);
        else
            hs_json_null(json);
    }
    hs_json_key(json, "paths");
    if (!s->has_hierarchy)
        hs_json_null(json);
    else if (s->shape.paths == UINT64_MAX)
        hs_json_double(json, s->shape.paths_real);
    else
        hs_json_u64(json, s->shape.paths);
}

static void print_json(hs_json *json, const struct facts *facts)
{
    const hs_summary *s = facts->summary;
    const struct {
        const char *key;
        uint64_t value;
    } numbers[] = {{"instances", s->instances},     {"features", s->features},
                   {"binary", s->binary},           {"numeric", s->numeric},
                   {"nominal", s->nominal},         {"positives", s->positives},
                   {"missing", s->missing},         {"unlabelled", s->unlabelled},
                   {"min_support", s->min_support}, {"max_support", s->max_support},
                   {"constant", s->constant}};
    hs_json_object(json);
    hs_json_key(json, "name");
    hs_json_text(json, facts->name);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        hs_json_key(json, numbers[i].key);
        hs_json_u64(json, numbers[i].value);
    }
    hs_json_key(json, "aode_edges");
    hs_json_u64(json, hs_aode_edges(s, 0));
    hs_json_key(json, "positive_share");
    hs_json_double(json, s->positive_share);
    json_classes(json, facts);
    json_hierarchy(json, s);
    hs_json_key(json, "bytes");
    hs_json_u64(json, facts->bytes);
    hs_json_end_object(json);
}

/* ---- for people ---- */

static void line(hs_writer *out, const char *what, uint64_t value)
{
    char number[32];
    hs_format_grouped(value, number);
    hs_writer_printf(out, "  %-22s %s\n", what, number);
}

static void text_classes(hs_writer *out, const struct facts *facts, hs_arena *arena)
{
    uint32_t classes = facts->class_names->count;
    if (classes == 0)
        return;
    hs_writer_printf(out, "  %-22s %u\n", "classes", classes);
    for (uint32_t c = 0; c < classes && c < 20; c++)
        hs_writer_printf(
            out, "    %-20s %u (%.1f %%)%s\n", hs_shown(hs_names_get(facts->class_names, c), arena),
            facts->class_sizes[c], 100 * share(facts->class_sizes[c], facts->summary->instances),
            c == facts->positive_class ? ", positive" : "");
    if (classes > 20)
        hs_writer_printf(out, "    and %u more\n", classes - 20);
}

static void text_hierarchy(hs_writer *out, const hs_summary *s)
{
    hs_writer_text(out, "hierarchy\n");
    line(out, "edges", s->edges);
    line(out, "ancestors in total", s->ancestors);
    line(out, "depth", s->shape.depth);
    line(out, "roots", s->shape.roots);
    line(out, "leaves", s->shape.leaves);
    line(out, "isolated", s->shape.isolated);
    line(out, "most parents", s->shape.max_parents);
    line(out, "most children", s->shape.max_children);
    if (s->shape.paths == UINT64_MAX)
        hs_writer_printf(out, "  %-22s %.4g\n", "root-leaf paths", s->shape.paths_real);
    else
        line(out, "root-leaf paths", s->shape.paths);
}

static void text_dependencies(hs_writer *out, const hs_summary *s)
{
    hs_writer_text(out, "dependency edges\n");
    line(out, "aode", hs_aode_edges(s, 0));
    line(out, "hie-aode", hs_aode_edges(s, 1));
    line(out, "hie-aode-lite", hs_aode_edges(s, 2));
}

static void print_text(hs_writer *out, const struct facts *facts, hs_arena *arena)
{
    hs_writer_for_people(out);
    const hs_summary *s = facts->summary;
    hs_writer_printf(out, "%s\n", hs_shown(facts->name, arena));
    if (s->instances > 0 || !s->has_hierarchy)
        line(out, "instances", s->instances);
    line(out, s->instances == 0 && s->has_hierarchy ? "terms" : "features", s->features);
    if (s->numeric || s->nominal)
        hs_writer_printf(out, "    %u binary, %u numeric, %u nominal\n", s->binary, s->numeric,
                         s->nominal);
    if (s->binary > 0 && s->instances > 0) {
        char number[32];
        hs_format_grouped(s->positives, number);
        hs_writer_printf(out, "  %-22s %s (%.2f %%)\n", "positive values", number,
                         100 * s->positive_share);
        hs_writer_printf(out, "  %-22s %u to %u instances\n", "feature support", s->min_support,
                         s->max_support);
    }
    if (s->constant && s->instances > 0)
        hs_writer_printf(out, "  %-22s %u, positive %s\n", "constant features", s->constant,
                         s->max_support < s->instances ? "nowhere"
                         : s->min_support > 0          ? "everywhere"
                                                       : "everywhere or nowhere");
    if (s->missing)
        line(out, "missing values", s->missing);
    text_classes(out, facts, arena);
    if (s->unlabelled && facts->class_names->count)
        line(out, "without class", s->unlabelled);
    if (s->has_hierarchy)
        text_hierarchy(out, s);
    if (s->has_hierarchy && s->instances > 0 && s->binary == s->features)
        text_dependencies(out, s);
}

/* ---- running ---- */

static void print(const hs_call *call, hs_json *json, const struct facts *facts)
{
    if (((const struct options *)call->values)->json)
        print_json(json, facts);
    else
        print_text(json->out, facts, call->arena);
}

/* A pack carries its numbers, so nothing else of it is read. */
static int describe_pack(const hs_call *call, const char *path, hs_json *json, hsel_error *error)
{
    hs_pack_facts pack = {0};
    hs_buf name = {0};
    int status = hs_pack_look(path, &pack, error);
    hs_name_from_path(path, &name); /* if it has none of its own, as in loading */
    if (status == HSEL_OK && name.failed)
        status = hs_fail_memory(error);
    if (status == HSEL_OK)
        print(call, json,
              &(struct facts){pack.name     ? pack.name
                              : name.length ? name.text
                                            : "",
                              &pack.summary, &pack.class_names, pack.class_sizes,
                              pack.positive_class, pack.bytes});
    hs_buf_clear(&name);
    hs_pack_facts_clear(&pack);
    return status;
}

static int describe(const hs_call *call, const char *path, hs_json *json, hsel_error *error)
{
    const struct options *options = call->values;
    hsel_dataset *data = NULL;
    hs_summary summary;
    uint32_t *sizes = NULL;
    if (hs_load_as_it_stands(&options->load) && hs_pack_is(path))
        return describe_pack(call, path, json, error);
    int status = hs_load_for(call, path, &options->load, &data, error);
    if (status == HSEL_OK)
        status = hs_summarise(data, options->load.threads, &summary, error);
    if (status == HSEL_OK && !(sizes = HS_NEW_ZERO(uint32_t, data->class_names.count)))
        status = hs_fail_memory(error);
    if (status == HSEL_OK) {
        hs_class_sizes(data, sizes);
        print(call, json,
              &(struct facts){hsel_dataset_name(data), &summary, &data->class_names, sizes,
                              data->positive_class, hs_dataset_bytes(data) + data->mapping.length});
    }
    hs_free(sizes);
    hsel_dataset_free(data);
    return status;
}

static int run(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    hs_writer *out = NULL;
    int status = hs_writer_open("-", &out, error);
    if (status)
        return status;
    hs_json json = {.out = out};
    bool many = options->json && call->count > 1;
    if (many)
        hs_json_array(&json);
    for (int i = 0; i < call->count && status == HSEL_OK; i++) {
        if (i > 0 && !options->json)
            hs_writer_char(out, '\n');
        status = describe(call, call->arguments[i], &json, error);
    }
    if (many)
        hs_json_end_array(&json);
    if (status == HSEL_OK)
        return hs_writer_commit(out, error);
    hs_writer_abandon(out);
    return status;
}

const hs_command hs_command_info = {
    .name = "info",
    .arguments = "DATA…",
    .summary = "show what a data set or hierarchy holds",
    .help = "Counts as in the papers' data tables: features, instances, classes with their shares, "
            "share of positive "
            "values; of the hierarchy its edges, the number of proper ancestors over all features, "
            "depth, roots, "
            "leaves, isolated features and the number of paths from a root to a leaf (counted, not "
            "enumerated); and how many "
            "dependency edges AODE, Hie-AODE and Hie-AODE-Lite have on all features, over all "
            "their estimators.\n\n"
            "A pack carries these numbers: they are shown as they were when it was written, at "
            "once, whatever its size. "
            "hsel check reads all of it.",
    .examples = "  hsel info genes/\n  hsel info data.arff.gz --hierarchy go.obo --drop-roots\n"
                "  hsel info go.obo --namespaces BP\n  hsel info --json data/*/ | jq '.[] | "
                "[.name, .features, .edges]'\n",
    .at_least = 1,
    .at_most = -1,
    .groups = {{"Options", table, 0}, {"Data", hs_load_table, offsetof(struct options, load)}},
    .size = sizeof(struct options),
    .run = run,
};
