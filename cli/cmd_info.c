/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel info: the numbers of a data set, as the papers' data tables give them.
 */
#include <jansson.h>

#include "cli/cli.h"
#include "data/classes.h"
#include "data/summary.h"

struct options {
    hs_load_options load;
    bool json;
};

static const hs_option table[] = {HS_FLAG(struct options, json, "json", "print JSON"),
                                  HS_OPTION_END};

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static void line(const hs_call *call, hs_writer *out, const char *what, uint64_t value)
{
    hs_writer_printf(out, "  %-22s %s\n", what, hs_grouped(call->doc, value));
}

static void release_json(json_t **json) { json_decref(*json); }

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* The texts of an array, one after the other. */
static const char *join(hs_document *doc, const json_t *array, const char *between)
{
    const char *line = "";
    const json_t *word;
    size_t i;
    json_array_foreach(array, i, word)
    {
        if (json_is_string(word))
            line = hs_say(doc, "%s%s%s", line, *line ? between : "", json_string_value(word));
    }
    return line;
}

/* Skips what another program wrote in another form; JSON has all of it. */
int hs_provenance_facts(const hs_call *call, const char *text, hs_fact **facts, size_t *count,
                        hsel_error *error)
{
    hs_document *doc = call->doc;
    HS_OWNS(release_json) json_t *whole = json_loads(text, 0, NULL);
    const json_t *ontology = json_object_get(whole, "ontology"),
                 *sources = json_object_get(whole, "sources"),
                 *steps = json_object_get(whole, "steps"), *value;
    size_t i;
    hs_fact *to =
        HS_ARENA_NEW(call->arena, hs_fact, json_array_size(sources) + json_array_size(steps) + 2);
    HS_NEED(*facts = to);
    json_array_foreach(sources, i, value)
    {
        const char *part = text_of(value, "part"), *file = text_of(value, "file"),
                   *hash = text_of(value, "xxh3");
        const json_t *bytes = json_object_get(value, "bytes");
        if (part && file && bytes && hash)
            file = hs_say(doc, "%s, %s bytes, xxh3 %s", file,
                          hs_grouped(doc, (uint64_t)json_integer_value(bytes)), hash);
        if (part && file)
            *to++ = (hs_fact){hs_say(doc, "%s", part), hs_say(doc, "%s", file)};
    }
    const char *version = text_of(ontology, "version"), *date = text_of(ontology, "date");
    if (version || date)
        *to++ = (hs_fact){"ontology", hs_say(doc, "%s%s%s", version ? version : "",
                                             version && date ? ", " : "", date ? date : "")};
    const char *relations = join(doc, json_object_get(whole, "relations"), ", ");
    if (*relations)
        *to++ = (hs_fact){"relations", relations};
    json_array_foreach(steps, i, value)
    {
        const char *command = text_of(value, "command");
        if (command)
            *to++ = (hs_fact){hs_say(doc, "%s", command),
                              join(doc, json_object_get(value, "arguments"), " ")};
    }
    *count = (size_t)(to - *facts);
    return hs_document_check(doc, error);
}

/* What is shown of a data set. */
struct facts {
    const hsel_dataset *data;
    hs_summary summary;
    uint32_t *class_sizes, relation_edges[UINT8_MAX + 1];
    uint32_t positive, labelled; /* HSEL_NONE: there are not two classes; instances with a class */
    hs_positive_by why;
};

/* Roles of the instances, and further columns of their metadata. */
static int put_roles(const hs_call *call, hs_writer *out, hs_json *json, const hsel_dataset *data,
                     hsel_error *error)
{
    static const char *const names[HS_ROLES] = {"strata", "groups", "times", "test set", "weights"};
    static const char *const keys[HS_ROLES] = {"strata", "groups", "time", "test_set", "weights"};
    const hs_about *about = &data->instance_about;
    const char *others = "";
    bool any = false;
    for (int r = 0; r < HS_ROLES; r++) {
        hs_role_report found;
        HS_TRY(hs_role_count(data, r, &found, error));
        if (!found.different)
            continue;
        if (json && !any)
            hs_json_put(json, "roles:{");
        any = true;
        if (json && r == HS_ROLE_TEST)
            hs_json_put(json, "%s:{instances:%u}", keys[r], found.tested);
        else if (json)
            hs_json_put(json, "%s:{values:%u smallest:%u largest:%u without:%u}", keys[r],
                        found.different, found.smallest, found.largest, found.without);
        else if (r == HS_ROLE_TEST)
            line(call, out, names[r], found.tested);
        else
            hs_writer_printf(
                out, "  %-22s %u%s%s\n", names[r], found.different,
                r == HS_ROLE_TIME || r == HS_ROLE_WEIGHTS ? "" : hs_sizes(call, &found),
                found.without ? hs_say(call->doc, "; %u instances have none", found.without) : "");
    }
    if (json && any)
        hs_json_end_object(json);
    any = false;
    for (uint32_t c = 0; c < about->columns.count; c++) {
        const char *name = hs_names_get(&about->columns, c);
        const char *further = hs_class_of_column(about, c);
        const char *shown = further ? further : name;
        if (hs_role_of_column(name) < HS_ROLES || strcmp(name, HS_ABOUT_LABEL) == 0 ||
            (data->class_attribute && strcmp(shown, data->class_attribute) == 0))
            continue;
        if (json && !any)
            hs_json_put(json, "metadata:[");
        any = true;
        others = hs_say_more(call->doc, others, hs_shown(shown, call->arena));
        if (json)
            hs_json_text(json, shown);
    }
    if (json && any)
        hs_json_end_array(json);
    else if (any)
        hs_writer_printf(out, "  %-22s %s\n", "other columns", others);
    return hs_document_check(call->doc, error);
}

static int put_json(const hs_call *call, hs_json *json, const struct facts *facts,
                    hsel_error *error)
{
    static const char *const words[] = {"named", "label", "smaller", "order"};
    const hsel_dataset *data = facts->data;
    const hs_summary *s = &facts->summary;
    hs_json_put(
        json,
        "{name:%s instances:%u features:%u binary:%u numeric:%u nominal:%u positives:%ju "
        "missing:%ju unlabelled:%u min_support:%u max_support:%u constant:%u aode_edges:%ju",
        hsel_dataset_name(data), s->instances, s->features, s->binary, s->numeric, s->nominal,
        s->positives, s->missing, s->unlabelled, s->min_support, s->max_support, s->constant,
        hs_aode_edges(s, 0));
    if (s->has_target)
        hs_json_put(json, "target:{name:%s min:%g max:%g mean:%g sd:%g}",
                    data->class_attribute ? data->class_attribute : "", s->target_min,
                    s->target_max, s->target_mean, s->target_sd);
    if (s->covariates)
        hs_json_put(json, "covariates:%u", s->covariates);
    HS_TRY(put_roles(call, NULL, json, data, error));
    hs_json_put(json, "feature_labels:%u instance_labels:%u positive_share:%g classes:[",
                hs_about_labels(&data->about), hs_about_labels(&data->instance_about),
                s->positive_share);
    for (uint32_t c = 0; c < data->class_names.count; c++)
        hs_json_put(json, "{label:%s instances:%u share:%g positive:%d}",
                    hsel_dataset_class_name(data, c), facts->class_sizes[c],
                    share(facts->class_sizes[c], facts->labelled), c == facts->positive);
    hs_json_put(json, "] positive_by:%s", facts->positive == HSEL_NONE ? NULL : words[facts->why]);
    if (s->has_hierarchy)
        hs_json_put(json,
                    "edges:%ju ancestors:%ju hie_aode_edges:%ju hie_aode_lite_edges:%ju depth:%u "
                    "roots:%u leaves:%u isolated:%u max_parents:%u max_children:%u paths:",
                    s->edges, s->ancestors, hs_aode_edges(s, 1), hs_aode_edges(s, 2),
                    s->shape.depth, s->shape.roots, s->shape.leaves, s->shape.isolated,
                    s->shape.max_parents, s->shape.max_children);
    if (!s->has_hierarchy)
        hs_json_put(json, "edges:null ancestors:null hie_aode_edges:null hie_aode_lite_edges:null "
                          "depth:null roots:null leaves:null isolated:null max_parents:null "
                          "max_children:null paths:null");
    else if (s->shape.paths == UINT64_MAX)
        hs_json_double(json, s->shape.paths_real);
    else
        hs_json_u64(json, s->shape.paths);
    if (data->dag && data->dag->relations.count) {
        hs_json_put(json, "relations:{");
        for (uint32_t r = 0; r < data->dag->relations.count; r++)
            hs_json_put(json, "%s:%u", hs_names_get(&data->dag->relations, r),
                        facts->relation_edges[r]);
        hs_json_end_object(json);
    }
    hs_json_put(json, "bytes:%ju", (uint64_t)(hs_dataset_bytes(data) + data->mapping.length));
    if (data->provenance) {
        hs_json_key(json, "provenance");
        hs_json_raw(json, data->provenance);
    }
    hs_json_end_object(json);
    return HSEL_OK;
}

static void put_hierarchy(const hs_call *call, hs_writer *out, const struct facts *facts)
{
    const hs_summary *s = &facts->summary;
    hs_writer_text(out, "hierarchy\n");
    line(call, out, "edges", s->edges);
    const hs_names *relations = &facts->data->dag->relations;
    for (uint32_t r = 0; r < relations->count; r++)
        hs_writer_printf(out, "    %-20s %s\n", hs_shown(hs_names_get(relations, r), call->arena),
                         hs_grouped(call->doc, facts->relation_edges[r]));
    line(call, out, "ancestors in total", s->ancestors);
    line(call, out, "depth", s->shape.depth);
    line(call, out, "roots", s->shape.roots);
    line(call, out, "leaves", s->shape.leaves);
    line(call, out, "isolated", s->shape.isolated);
    line(call, out, "most parents", s->shape.max_parents);
    line(call, out, "most children", s->shape.max_children);
    if (s->shape.paths == UINT64_MAX)
        hs_writer_printf(out, "  %-22s %.4g\n", "root-leaf paths", s->shape.paths_real);
    else
        line(call, out, "root-leaf paths", s->shape.paths);
    if (s->instances > 0 && s->binary == s->features) {
        hs_writer_text(out, "dependency edges\n");
        line(call, out, "aode", hs_aode_edges(s, 0));
        line(call, out, "hie-aode", hs_aode_edges(s, 1));
        line(call, out, "hie-aode-lite", hs_aode_edges(s, 2));
    }
}

static int put_text(const hs_call *call, hs_writer *out, const struct facts *facts,
                    hsel_error *error)
{
    static const char *const because[] = {
        "named by the data", "its name says so", "the smaller class; --positive CLASS changes it",
        "the second of two of the same size; --positive CLASS changes it"};
    const hsel_dataset *data = facts->data;
    const hs_summary *s = &facts->summary;
    const uint32_t classes = data->class_names.count, labels = hs_about_labels(&data->about),
                   instance_labels = hs_about_labels(&data->instance_about);
    hs_writer_for_people(out);
    hs_writer_printf(out, "%s\n", hs_shown(hsel_dataset_name(data), call->arena));
    if (s->instances > 0 || !s->has_hierarchy)
        line(call, out, "instances", s->instances);
    line(call, out, s->instances == 0 && s->has_hierarchy ? "terms" : "features", s->features);
    if (s->numeric || s->nominal)
        hs_writer_printf(out, "    %u binary, %u numeric, %u nominal\n", s->binary, s->numeric,
                         s->nominal);
    if (s->binary > 0 && s->instances > 0) {
        hs_writer_printf(out, "  %-22s %s (%.2f %%)\n", "positive values",
                         hs_grouped(call->doc, s->positives), 100 * s->positive_share);
        hs_writer_printf(out, "  %-22s %u to %u instances\n", "feature support", s->min_support,
                         s->max_support);
    }
    if (s->constant && s->instances > 0)
        hs_writer_printf(out, "  %-22s %u, positive %s\n", "constant features", s->constant,
                         s->max_support < s->instances ? "nowhere"
                         : s->min_support > 0          ? "everywhere"
                                                       : "everywhere or nowhere");
    if (s->missing)
        line(call, out, "missing values", s->missing);
    if (labels)
        line(call, out, "labelled features", labels);
    if (instance_labels)
        line(call, out, "labelled instances", instance_labels);
    if (classes)
        hs_writer_printf(out, "  %-22s %u\n", "classes", classes);
    for (uint32_t c = 0; c < classes && c < 20; c++)
        hs_writer_printf(out, "    %-20s %u (%.1f %%)%s%s\n",
                         hs_shown(hsel_dataset_class_name(data, c), call->arena),
                         facts->class_sizes[c], 100 * share(facts->class_sizes[c], facts->labelled),
                         c == facts->positive ? ", positive: " : "",
                         c == facts->positive ? because[facts->why] : "");
    if (classes > 20)
        hs_writer_printf(out, "    and %u more\n", classes - 20);
    if (s->covariates)
        line(call, out, "covariates", s->covariates);
    if (s->has_target)
        hs_writer_printf(out, "  %-22s %s, %.6g to %.6g, mean %.6g, sd %.6g\n", "numeric target",
                         hs_shown(data->class_attribute ? data->class_attribute : "", call->arena),
                         s->target_min, s->target_max, s->target_mean, s->target_sd);
    if (s->unlabelled && (classes || s->has_target))
        line(call, out, classes ? "without class" : "without target", s->unlabelled);
    HS_TRY(put_roles(call, out, NULL, data, error));
    if (data->provenance) {
        hs_fact *made;
        size_t count;
        hs_writer_text(out, "provenance\n");
        HS_TRY(hs_provenance_facts(call, data->provenance, &made, &count, error));
        for (size_t i = 0; i < count; i++)
            hs_writer_printf(out, "  %-22s %s\n", hs_shown(made[i].what, call->arena),
                             hs_shown(made[i].text, call->arena));
    }
    if (s->has_hierarchy)
        put_hierarchy(call, out, facts);
    return HSEL_OK;
}

static int info_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OPEN(out, "-");
    hs_json json = {.out = out};
    bool many = options->json && call->count > 1;
    if (many)
        hs_json_array(&json);
    for (int i = 0; i < call->count; i++) {
        if (i > 0 && !options->json)
            hs_writer_char(out, '\n');
        HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
        HS_TRY(hs_load_for(call, call->arguments[i], &options->load, &data, error));
        if (hs_load_as_it_stands(&options->load) && data->instances && !data->features)
            hs_note(call, "%s has no features; a list of objects is for hsel build --labels",
                    hsel_dataset_name(data));
        struct facts facts = {.data = data, .positive = HSEL_NONE};
        HS_NEED(facts.class_sizes =
                    hs_arena_zero(call->arena, data->class_names.count, sizeof *facts.class_sizes));
        hs_class_sizes(data, facts.class_sizes);
        hs_relation_counts(data->dag, facts.relation_edges);
        HS_TRY(hs_summarise(data, &facts.summary, error));
        facts.labelled = data->instances - facts.summary.unlabelled;
        if (data->class_names.count == 2)
            facts.positive = data->positive_class;
        facts.why = hs_positive_why(&data->class_names, facts.class_sizes, data->positive_class,
                                    data->positive_named);
        if (options->json)
            HS_TRY(put_json(call, &json, &facts, error));
        else
            HS_TRY(put_text(call, out, &facts, error));
    }
    if (many)
        hs_json_end_array(&json);
    return hs_writer_commit(hs_take(&out), error);
}

const hs_command hs_command_info = {
    HS_COMMAND_IS(info, "DATA…", "show the contents of a data set or hierarchy", struct options),
    .first = "json hierarchy class target propagate drop-roots min-support branch instances",
    .groups = {{"Options", table, 0}, {"Data", hs_load_table, offsetof(struct options, load)}},
    .flags = HS_WORKS,
};
