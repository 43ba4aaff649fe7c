/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel build: a data set from a hierarchy, annotations and labels, or from a table of amounts and
 * metadata, with a report of what was met on the way. The report goes to standard output, or to
 * standard error if the data go there.
 */
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "build/profile_set.h"
#include "load/folder.h"

struct options {
    const char *hierarchy, *hierarchy_format;
    const char *abundance, *abundance_format, *taxonomy, *tree;
    hs_load_options roles; /* of which metadata and the roles of columns are given */
    hs_profile_options profile;
    hs_amount_options amounts;
    hs_list annotations;
    const char *annotations_format;
    const char *mapping;
    int ambiguous; /* hs_ambiguous */
    bool ignore_case;
    hs_list labels;
    const char *like;
    hs_graph_options graph;
    int cycles; /* hs_cycles */
    hs_annotation_options annotation;
    hs_label_options label;
    hs_assemble_options assemble;
    hs_output_options output;
    bool json;
};

static const hs_option input_table[] = {
    HS_FILE(struct options, hierarchy, "hierarchy", "FILE", HS_READS,
            "hierarchy file, such as go.obo"),
    HS_FILE(struct options, annotations, "annotations", "FILE", HS_READS,
            "annotation file: which object has which term; may be given several times"),
    HS_FILE(struct options, labels, "labels", "FILE", HS_READS,
            "label table: the class of each object; or a list of objects to predict; may be given "
            "several times"),
    HS_FILE(struct options, like, "like", "MODEL|DATA", HS_READS,
            "make exactly the features and classes of a model or data set, for hsel predict; "
            "without --labels every annotated object is an instance"),
    HS_TEXT(struct options, hierarchy_format, "hierarchy-format", "NAME", NULL,
            "format of the hierarchy file (default: detected from content and name)"),
    HS_TEXT(struct options, annotations_format, "annotations-format", "NAME", NULL,
            "format of the annotation file (default: detected from content and name)"),
    HS_FLAG(struct options, json, "json", "print the report as JSON"),
    HS_OPTION_END};

static const hs_option abundance_table[] = {
    HS_FILE(struct options, abundance, "abundance", "FILE", HS_READS,
            "abundance table: how much of each feature is in each sample; instead of "
            "--annotations"),
    HS_FILE(struct options, taxonomy, "taxonomy", "FILE", HS_READS,
            "table of features and their lineages, if the abundance table has none"),
    HS_FILE(struct options, tree, "tree", "FILE", HS_READS,
            "tree or other hierarchy whose tips are features of the table, instead of lineages; "
            "same as --hierarchy"),
    HS_TEXT(struct options, abundance_format, "abundance-format", "NAME", NULL,
            "format of the abundance table (default: detected from content and name)"),
    HS_AMOUNT_OPTIONS(struct options, "sum"),
    HS_OPTION_END};

static const hs_option hierarchy_table[] = {
    HS_EDGE_OPTIONS(struct options),
    HS_TEXT(struct options, annotation.taxon, "taxon", "ID,…", NULL,
            "species to take from the annotations, such as 9606 (default: all)"),
    HS_CHOICE(struct options, annotation.object_key, "object", "id|symbol", "id",
              "how the labels name objects: by identifier or by symbol"),
    HS_FILE(struct options, mapping, "mapping", "FILE|auto|none", HS_READS,
            "other names of the objects: a GPI file, a GAF file or an org.db database; auto "
            "(default): those in the annotation file; none: identifiers only"),
    HS_CHOICE(struct options, ambiguous, "ambiguous", "drop|first|error", "drop",
              "what to do with a label that matches several annotated objects"),
    HS_FLAG(struct options, ignore_case, "ignore-case", "match names of objects in any case"),
    HS_TEXT(struct options, annotation.separators, "term-separators", "CHARS", ";|,",
            "characters that separate several terms of one object in a table of pairs"),
    HS_OPTION_END};

/* What was read, and the formats it was in. */
typedef struct input {
    hs_graph graph;
    hs_annotations annotations;
    hs_labels labels;
    hs_profile profile, taxonomy;
    hs_model *model;    /* to be like, or … */
    hsel_dataset *like; /* … */
    const hs_method *graph_format, *annotations_format, *profile_format;
} input;

static void clear_input(input *in)
{
    hs_graph_clear(&in->graph);
    hs_annotations_clear(&in->annotations);
    hs_labels_clear(&in->labels);
    hs_profile_clear(&in->profile);
    hs_profile_clear(&in->taxonomy);
    hs_model_free(in->model);
    hs_dataset_free(in->like);
}

/* The relations that make edges, if the file has relations. */
static void write_relations(const hs_graph *graph, bool by_default, hs_json *json, bool as_json)
{
    bool first = true;
    if (!graph->relation)
        return;
    if (as_json)
        hs_json_put(json, "relations:[");
    else
        hs_writer_text(json->out, "  edges: ");
    for (uint32_t r = 0; r < graph->relations.count; r++) {
        size_t e = 0;
        while (e < graph->edges && graph->relation[e] != r)
            e++;
        if (e == graph->edges)
            continue;
        if (as_json)
            hs_json_text(json, hs_names_get(&graph->relations, r));
        else
            hs_writer_printf(json->out, "%s%s", first ? "" : ", ",
                             hs_names_get(&graph->relations, r));
        first = false;
    }
    if (as_json)
        hs_json_end_array(json);
    else
        hs_writer_text(json->out, first        ? "none\n"
                                  : by_default ? " only; --relations is_a,part_of takes more\n"
                                               : "\n");
}

/* The next kind after `last` by name ("": the first), and its number; NULL: none. */
static const char *next_kind(const hs_finding *finding, const char *last, uint64_t *times)
{
    const char *next = NULL;
    for (uint32_t i = 0; finding->times && i < finding->examples.count; i++) {
        const char *kind = hs_names_get(&finding->examples, i);
        if (strcmp(kind, last) > 0 && (!next || strcmp(kind, next) < 0)) {
            next = kind;
            *times = finding->times[i];
        }
    }
    return next;
}

/* {"IEA": 12, …} as a member. */
static void put_kinds(hs_json *json, const char *key, const hs_finding *finding)
{
    uint64_t times = 0;
    hs_json_put(json, "%s:{", key);
    for (const char *kind = ""; (kind = next_kind(finding, kind, &times));)
        hs_json_put(json, "%s:%ju", kind, times);
    hs_json_end_object(json);
}

static void write_report(const hs_assemble_report *report, const input *in, bool is_a_only,
                         bool as_json, hs_writer *out)
{
    const struct {
        const char *part, *file, *format;
    } sources[] = {
        {"hierarchy", in->graph.source, in->graph_format ? in->graph_format->name : NULL},
        {"annotations", in->annotations.source,
         in->annotations_format ? in->annotations_format->name : NULL},
        {"objects", in->labels.source, NULL},
        {"abundances", in->profile.source, in->profile_format ? in->profile_format->name : NULL},
        {"lineages", in->taxonomy.source ? in->taxonomy.source : in->graph.source,
         in->graph_format ? in->graph_format->name : NULL},
        {"samples", in->labels.source, NULL}};
    /* Findings on annotations come first, then those on amounts. */
    int first = in->profile_format ? HS_FOUND_TABLE_FEATURES : 0,
        end = in->profile_format ? HS_FOUND_KINDS : HS_FOUND_TABLE_FEATURES;
    hs_json json = {.out = out};
    uint64_t renamed = 0;
    for (int kind = HS_FOUND_BY_SYMBOL; kind <= HS_FOUND_AMBIGUOUS; kind++)
        renamed += report->found[kind].count;
    if (as_json)
        hs_json_object(&json);
    else
        hs_writer_for_people(out);
    for (int kind = first; kind < end; kind++) {
        const hs_found_info *info = &hs_found_table[kind];
        const hs_finding *finding = &report->found[kind];
        const hs_names *examples = &finding->examples;
        const char *file = NULL, *format = NULL;
        bool starts_part = kind == first || strcmp(info->part, info[-1].part) != 0;
        char number[32], words[128];
        uint64_t times = 0;
        for (int i = 0; i < 6; i++)
            if (strcmp(info->part, sources[i].part) == 0) {
                file = sources[i].file;
                format = sources[i].format;
            }
        if (starts_part && as_json) {
            if (kind > first)
                hs_json_end_object(&json);
            hs_json_put(&json, "%s:{", info->part);
            if (file)
                hs_json_put(&json, "file:%s", file);
            if (format)
                hs_json_put(&json, "format:%s", format);
        } else if (starts_part) {
            hs_writer_printf(out, "%s%s%s", info->part, file ? ": " : "", file ? file : "");
            if (format)
                hs_writer_printf(out, " (%s)", format);
            hs_writer_char(out, '\n');
        }
        if (kind == 0)
            write_relations(&in->graph, is_a_only, &json, as_json);
        if (as_json && !info->has_examples) {
            hs_json_put(&json, "%s:%ju", info->key, finding->count);
            if (finding->times)
                put_kinds(&json, kind == HS_FOUND_LATER ? "later_by_year" : "evidence_by_code",
                          finding);
        } else if (as_json) {
            hs_json_put(&json, "%s:{count:%ju", info->key, finding->count);
            if (strcmp(info->part, "annotations") == 0)
                hs_json_put(&json, "terms:%ju", finding->distinct);
            hs_json_put(&json, "examples:[");
            for (uint32_t i = 0; i < examples->count; i++)
                hs_json_text(&json, hs_names_get(examples, i));
            hs_json_put(&json, "]}");
        } else if (kind == HS_FOUND_BY_ID && !renamed) {
            continue; /* nothing worth telling */
        } else if (finding->count || info->always) {
            hs_format_grouped(finding->count, number);
            hs_writer_printf(out, "  %-40s %11s%s",
                             hs_words(info->text, words, sizeof words, NULL, 0), number,
                             examples->count ? "  (" : "");
            if (examples->count && finding->distinct)
                hs_writer_printf(out, "%llu term%s: ", (unsigned long long)finding->distinct,
                                 finding->distinct == 1 ? "" : "s");
            for (uint32_t i = 0; i < examples->count && !finding->times; i++)
                hs_writer_printf(out, "%s%s", i ? ", " : "", hs_names_get(examples, i));
            const char *between = "";
            for (const char *k = ""; (k = next_kind(finding, k, &times)); between = ", ") {
                hs_format_grouped(times, number);
                hs_writer_printf(out, "%s%s: %s", between, k, number);
            }
            uint64_t things = finding->distinct ? finding->distinct : finding->count;
            hs_writer_text(out, !examples->count                              ? "\n"
                                : things > examples->count && !finding->times ? ", …)\n"
                                                                              : ")\n");
        }
    }
    if (as_json)
        hs_json_put(&json, "}}");
}

/* Renames labelled objects as the annotations name them. */
static int map_objects(const struct options *options, input *in, hs_assemble_report *report,
                       hsel_error *error)
{
    const hs_format *format = in->annotations_format->format;
    const char *file =
        options->mapping && strcmp(options->mapping, "auto") != 0 ? options->mapping : NULL;
    hs_map_options map = {.ambiguous = options->ambiguous,
                          .conflicts = options->label.conflicts,
                          .ignore_case = options->ignore_case};
    hs_mapping *mapping = &in->annotations.mapping;
    map.none = file && strcmp(file, "none") == 0;
    /* Text formats contain all names. A database has most of them in separate tables, which are
     * read only if an object is not found without them. */
    bool by_id = true;
    for (uint32_t i = 0; i < in->labels.ids.count && by_id; i++)
        by_id = hs_names_find(&in->annotations.objects, HS_NAME(&in->labels.ids, i)) != HSEL_NONE;
    bool more = format->needs_path && format->read_mapping && !by_id && !map.none;
    for (size_t i = 0; more && i < options->annotations.count; i++)
        HS_TRY(hs_mapping_load(options->annotations.items[i], options->annotations_format,
                               &options->annotation, mapping, error));
    if (file && !map.none)
        HS_TRY(hs_mapping_load(file, NULL, &options->annotation, mapping, error));
    return hs_map_objects(&in->annotations, &in->labels, &map, report, error);
}

static void put_list(hs_json *json, const char *key, const hs_list *list)
{
    hs_json_put(json, "%s:[", key);
    for (size_t i = 0; i < list->count; i++)
        hs_json_text(json, list->items[i]);
    hs_json_end_array(json);
}

/* A file by its base name, with size and hash unless it is a stream; path NULL: none. */
static int put_source(hs_json *json, const char *part, const char *path, const hs_method *format,
                      hsel_error *error)
{
    char hash[HS_HASH];
    struct stat about;
    if (!path)
        return HSEL_OK;
    hs_json_put(json, "{part:%s file:%s", part, hs_last_part(path));
    if (format)
        hs_json_put(json, "format:%s", format->name);
    if (stat(path, &about) == 0 && S_ISREG(about.st_mode)) {
        HS_TRY(hs_file_hash(path, hash, error));
        hs_json_put(json, "bytes:%ju xxh3:%s", (uint64_t)about.st_size, hash);
    }
    hs_json_end_object(json);
    return HSEL_OK;
}

static int put_sources(hs_json *json, const char *part, const hs_list *files,
                       const hs_method *format, hsel_error *error)
{
    for (size_t i = 0; i < files->count; i++)
        HS_TRY(put_source(json, part, files->items[i], format, error));
    return HSEL_OK;
}

/* Of annotations. */
static int put_facts(hs_json *json, const struct options *options, const input *in,
                     const hs_assemble_report *report, hsel_error *error)
{
    const hs_assemble_options *assemble = &options->assemble;
    const char *chosen = assemble->choose.instances;
    struct stat about;
    HS_TRY(put_source(json, "hierarchy", options->hierarchy, in->graph_format, error));
    HS_TRY(put_sources(json, "annotations", &options->annotations, in->annotations_format, error));
    HS_TRY(put_sources(json, "labels", &options->labels, NULL, error));
    HS_TRY(put_source(json, "metadata", options->roles.metadata, NULL, error));
    if (chosen && stat(chosen, &about) == 0) /* else a share of the instances */
        HS_TRY(put_source(json, "instances", chosen, NULL, error));
    hs_json_put(json, "] ontology:{version:%s date:%s}", in->graph.version, in->graph.date);
    write_relations(&in->graph, false, json, true);
    put_list(json, "namespaces", &assemble->namespaces);
    put_list(json, "evidence", &assemble->evidence);
    put_list(json, "no_evidence", &assemble->no_evidence);
    hs_json_put(json, "until:%s since:%s", assemble->until, assemble->since);
    if (assemble->since)
        put_list(json, "gained", &options->label.classes);
    hs_json_put(json, "left_out:{");
    put_kinds(json, "evidence", &report->found[HS_FOUND_EVIDENCE]);
    put_kinds(json, "later", &report->found[HS_FOUND_LATER]);
    hs_json_put(json, "undated:%ju}", report->found[HS_FOUND_UNDATED].count);
    put_list(json, "branch", &assemble->choose.branch);
    put_list(json, "exclude_branch", &assemble->choose.exclude_branch);
    hs_json_put(json, "min_support:%u propagated:%d", assemble->min_support,
                !assemble->no_propagate);
    return HSEL_OK;
}

/* For abundances; what the values are is added when they are prepared. */
static int put_amount_facts(hs_json *json, const struct options *options, const input *in,
                            const char *inner, hsel_error *error)
{
    bool whole = true;
    HS_TRY(put_source(json, "abundances", options->abundance, in->profile_format, error));
    HS_TRY(put_source(json, "metadata", options->roles.metadata, NULL, error));
    HS_TRY(put_source(json, "taxonomy", options->taxonomy, NULL, error));
    HS_TRY(put_source(json, "hierarchy", options->tree ? options->tree : options->hierarchy,
                      in->graph_format, error));
    for (size_t i = 0; i < in->profile.count && whole; i++)
        whole = in->profile.value[i] == rint(in->profile.value[i]);
    hs_json_put(json, "]");
    put_list(json, "covariates", &options->roles.covariates);
    hs_json_put(json, "values:{kind:%s inner:%s}", whole ? "counts" : "amounts", inner);
    return HSEL_OK;
}

/* The provenance of the data. It has no times and no folders, so that the same input gives the same
 * file. `inner`: what the abundances of inner terms are. */
static int write_provenance(const hs_call *call, const input *in, const hs_assemble_report *report,
                            const char *inner, char **to, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    HS_TRY(hs_memo_open(&memo, error));
    hs_json json = {.out = memo.out, .compact = true};
    hs_json_put(&json, "{program:%s sources:[", "hsel " HSEL_VERSION);
    HS_TRY(in->profile_format ? put_amount_facts(&json, options, in, inner, error)
                              : put_facts(&json, options, in, report, error));
    hs_json_put(&json, "steps:[");
    hs_json_step(&json, call);
    hs_json_put(&json, "]}");
    HS_TRY(hs_memo_end(&memo, error));
    HS_NEED(*to = hs_strndup(memo.text.text, memo.text.length));
    return HSEL_OK;
}

/* ---- amounts ---- */

/* What the new data shall be like. */
static int read_like(const hs_call *call, input *in, hsel_error *error)
{
    const char *path = ((const struct options *)call->values)->like;
    hs_load_options load = {0};
    if (hs_model_is(path))
        return hs_model_read(path, &in->model, error);
    HS_TRY(hs_options_defaults(hs_load_table, &load, call->arena, error));
    return hs_load_for(call, path, &load, &in->like, error);
}

/* Gives the data the features, hierarchy and classes of --like. Features that the table lacks are
 * 0. */
static int make_like(const hs_call *call, input *in, hs_finding *found, hsel_dataset **data,
                     hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(hs_names_clear) hs_names missing = {0};
    HS_OWNS(hs_dataset_release) hsel_dataset *wider = NULL, *aligned = NULL;
    uint32_t unknown, absent;
    HS_TRY(read_like(call, in, error));
    const hs_amount_options *a = &options->amounts;
    HS_REFUSE(in->model && in->model->shape->recipe &&
                  (a->transform.count || a->min_prevalence > 0 || a->min_abundance > 0),
              "--%s has no effect with --like: %s prepares the data to predict (%s)",
              a->transform.count      ? "transform"
              : a->min_prevalence > 0 ? "min-prevalence"
                                      : "min-abundance",
              options->like, in->model->shape->recipe->how);
    const hsel_dataset *like = in->model ? hs_model_form(in->model) : in->like;
    HS_OWNED uint8_t *types = HS_NEW(uint8_t, like->features);
    HS_NEED(types);
    HS_TRY(hs_names_index(&(*data)->feature_names, error));
    for (uint32_t f = 0; f < like->features; f++) {
        const char *name = hsel_dataset_feature_name(like, f);
        if (hs_names_find(&(*data)->feature_names, name, strlen(name)) != HSEL_NONE)
            continue;
        HS_REFUSE(like->types[f] == HSEL_NOMINAL || hs_is_covariate(like, f),
                  "%s has the covariate %.200s, which --covariates does not name", options->like,
                  name);
        types[missing.count] = like->types[f];
        HS_TRY(hs_names_append(&missing, name, strlen(name), error));
        HS_TRY(hs_finding_add(&found[HS_FOUND_LIKE_ZERO], name, HS_EXAMPLES_LIMIT, error));
    }
    for (uint32_t f = 0; f < (*data)->features; f++) {
        const char *name = hsel_dataset_feature_name(*data, f);
        if (hs_names_find(&like->feature_names, name, strlen(name)) == HSEL_NONE)
            HS_TRY(hs_finding_add(&found[HS_FOUND_NOT_LIKE], name, HS_EXAMPLES_LIMIT, error));
    }
    HS_FAIL_IF(missing.count == like->features, HSEL_EFORMAT,
               "no feature of the table is a feature of %s, which has names such as %.100s",
               options->like, hsel_dataset_feature_name(like, 0));
    HS_TRY(hs_dataset_add_features(*data, &missing, types, &wider, error));
    HS_TRY(hs_align(wider, like, false, &aligned, &unknown, &absent, error));
    hs_dataset_free(*data);
    *data = hs_take(&aligned);
    return HSEL_OK;
}

/* No lineage was found: the features have no hierarchy. */
static void note_flat(const hs_call *call, const input *in)
{
    const char *keys = "";
    for (uint32_t i = 0; i < in->profile.keys.count && i < 10; i++)
        keys = hs_say_more(call->doc, keys, hs_names_get(&in->profile.keys, i));
    hs_note(call,
            "%s: no lineages found%s%s%s, so the features have no hierarchy: --taxonomy FILE or "
            "--hierarchy FILE gives them one",
            in->profile.source, *keys ? " (its rows have the metadata " : "", keys,
            *keys ? ", but not taxonomy)" : "");
}

/* The HDF5 library may crash or loop on a damaged file. So a separate process with a limit of
 * processor time reads such a file first. */
#define HDF5_SECONDS(bytes) (10 + (rlim_t)((bytes) / 1000000)) /* a second for each MB */
static int try_hdf5(const struct options *options, hsel_error *error)
{
    static const char sign[] = "\x89HDF\r\n\x1a\n";
    char head[8] = "";
    int status = 0;
    FILE *file = fopen(options->abundance, "rb");
    bool is_hdf5 = file && fread(head, 1, sizeof head, file) == sizeof head &&
                   memcmp(head, sign, sizeof head) == 0;
    struct stat about = {0};
    if (file && fstat(fileno(file), &about) != 0)
        about.st_size = 0;
    if (file)
        fclose(file);
    const rlim_t seconds = HDF5_SECONDS(about.st_size);
    pid_t child = is_hdf5 ? fork() : -1;
    if (child == 0) {
        HS_OWNS(hs_profile_clear) hs_profile profile = {0};
        const hs_method *format;
        hs_reader_watch(NULL);
        setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds});
        (void)!hs_profile_load(options->abundance, options->abundance_format, &options->profile,
                               &profile, &format, NULL);
        _exit(0);
    }
    if (child > 0 && waitpid(child, &status, 0) == child && status != 0)
        return WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)
                   ? hs_fail_at(error, HSEL_EFORMAT, options->abundance, 0,
                                "it is damaged: the HDF5 library did not end within %llu s of "
                                "processor time",
                                (unsigned long long)seconds)
                   : hs_fail_at(error, HSEL_EFORMAT, options->abundance, 0,
                                "it is damaged: the HDF5 library fails on it");
    return HSEL_OK;
}

/* ---- metadata ---- */

/* Reads a label table. Columns that have a role are not classes. */
static int read_labels(const hs_call *call, const char *path, hs_labels *out, hsel_error *error)
{
    const struct options *options = call->values;
    hs_label_options label = options->label;
    HS_TRY(hs_role_names(&options->roles, NULL, &label.others, error));
    HS_OWNED const char **items = label.others.items;
    (void)items;
    label.no_class = options->roles.columns.target != NULL;
    if (label.others.count && label.header == HS_HEADER_AUTO)
        label.header = HS_HEADER_YES;
    return hs_labels_load(path, &label, out, error);
}

static bool has_roles(const hs_load_options *roles)
{
    bool has = roles->columns.target || roles->covariates.count;
    for (int r = 0; r < HS_ROLES; r++)
        has = has || roles->role[r];
    return has;
}

/* Adds the metadata of the objects, by their names in the table, and the roles of its columns. */
static int take_roles(const hs_call *call, const char *table, const input *in, hsel_dataset **data,
                      hsel_error *error)
{
    const struct options *options = call->values;
    const hs_load_options *roles = &options->roles;
    const hs_labels *labels = &in->labels;
    HS_OWNS(hs_names_clear) hs_names ids = {0};
    hs_about_report report = {0};
    hs_about *about = &(*data)->instance_about;
    const uint32_t given = hs_about_column(about, "given");
    hs_list classes = {.items = HS_ARENA_NEW(call->arena, const char *, labels->column_count)};
    HS_NEED(classes.items);
    for (size_t k = 0; k < labels->column_count; k++)
        if (labels->columns[k].name)
            classes.items[classes.count++] = labels->columns[k].name;
    for (uint32_t i = 0; i < (*data)->instances; i++) {
        const char *name = hs_about_get(about, i, given);
        HS_TRY(hs_names_append_text(&ids, name ? name : hsel_dataset_id(*data, i), error));
    }
    HS_TRY(
        hs_metadata_load(table, options->label.id, roles, &classes, &ids, *data, &report, error));
    if (report.named < report.items)
        hs_note(call, "%u of %u instances are not in %s", report.items - report.named, report.items,
                table);
    for (size_t k = 0; k < classes.count; k++)
        HS_TRY(hs_about_drop(about, classes.items[k], error));
    HS_TRY(hs_roles_take(roles, data, error));
    if (roles->role[HS_ROLE_WEIGHTS])
        HS_TRY(hs_weights_check(*data, error));
    if (roles->columns.target)
        HS_TRY(hs_target_use(data, roles->columns.target, false, error));
    for (size_t i = 0; i < roles->covariates.count; i++)
        HS_TRY(hs_covariate_add(data, roles->covariates.items[i], error));
    return options->abundance ? HSEL_OK : hs_groups_find(roles, *data, error);
}

/* ---- data ---- */

static int build_amounts(const hs_call *call, const char *name, input *in,
                         hs_assemble_report *report, hsel_dataset **data, hsel_error *error)
{
    const struct options *options = call->values;
    const char *hierarchy = options->tree ? options->tree : options->hierarchy;
    hs_finding *found = report->found;
    hs_inner inner;
    HS_OWNS(hs_load_report_clear) hs_load_report prepared = {0};
    HS_TRY(hs_amounts_check(&options->amounts, error));
    if (options->roles.metadata)
        HS_TRY(read_labels(call, options->roles.metadata, &in->labels, error));
    if (options->taxonomy)
        HS_TRY(hs_taxonomy_load(options->taxonomy, &in->taxonomy, error));
    if (hierarchy)
        HS_TRY(hs_load_graph(hierarchy, options->hierarchy_format, &options->graph,
                             (hs_cycles)options->cycles, &in->graph, &in->graph_format, error));
    HS_TRY(try_hdf5(options, error));
    HS_TRY(hs_profile_load(options->abundance, options->abundance_format, &options->profile,
                           &in->profile, &in->profile_format, error));
    if (!options->roles.metadata)
        HS_TRY(hs_labels_list(
            options->profile.samples == HS_SAMPLES_ROWS ||
                    (options->profile.samples == HS_SAMPLES_AUTO && in->profile.is_long)
                ? &in->profile.rows
                : &in->profile.columns,
            &in->labels, error));
    hs_profile_parts parts = {.profile = &in->profile,
                              .taxonomy = options->taxonomy ? &in->taxonomy : NULL,
                              .graph = hierarchy ? &in->graph : NULL,
                              .labels = &in->labels,
                              .aggregate = options->amounts.aggregate};
    HS_TRY(hs_profile_assemble(&parts, &options->profile, name, options->assemble.positive, report,
                               &inner, data, error));
    HS_TRY(take_roles(call, options->roles.metadata, in, data, error));
    const char *totals = inner == HS_INNER_OWN ? "own" : "totals";
    HS_TRY(write_provenance(call, in, report, (*data)->dag ? totals : NULL, &(*data)->provenance,
                            error));
    hs_load_options prepare = {.choose = options->assemble.choose,
                               .drop_roots = options->assemble.drop_roots,
                               .amounts = options->amounts};
    if (!(*data)->dag)
        prepare.amounts.aggregate = HS_AGGREGATE_NONE;
    if (!options->profile.separator && (!(*data)->dag || !(*data)->dag->edges))
        note_flat(call, in);
    HS_TRY(hs_load_prepare(data, &prepare, &prepared, error));
    HS_TRY(hs_groups_find(&options->roles, *data, error));
    if (options->like)
        HS_TRY(make_like(call, in, found, data, error));
    found[HS_FOUND_SAMPLES_LEFT].count = prepared.instances.left_out;
    found[HS_FOUND_BRANCHES_LEFT].count = prepared.branch_dropped;
    found[HS_FOUND_FILTERED].count = prepared.amounts.filtered;
    found[HS_FOUND_LEVELS_LEFT].count = prepared.amounts.other_levels;
    found[HS_FOUND_TOPS_LEFT].count = prepared.roots_dropped.count;
    found[HS_FOUND_SET_INSTANCES].count = (*data)->instances;
    found[HS_FOUND_SET_FEATURES].count = (*data)->features;
    found[HS_FOUND_SET_COVARIATES].count = options->roles.covariates.count;
    found[HS_FOUND_SET_EDGES].count = (*data)->dag ? (*data)->dag->edges : 0;
    found[HS_FOUND_SET_CLASSES].count = (*data)->class_names.count;
    for (uint32_t c = 0; c < (*data)->numeric_count; c++)
        for (uint32_t i = 0; i < (*data)->numeric[c].count; i++)
            found[HS_FOUND_SET_VALUES].count += (*data)->numeric[c].values[i] != 0;
    found[HS_FOUND_SET_VALUES].count += (*data)->rows.start[(*data)->instances];
    return HSEL_OK;
}

static int build_annotations(const hs_call *call, const char *name, input *in,
                             hs_assemble_report *report, hsel_dataset **data, hsel_error *error)
{
    const struct options *options = call->values;
    hs_assemble_options assemble = options->assemble;
    hs_graph_ends ends = {0};
    assemble.name = name;
    /* Without labels, classes and objects are those of the metadata. */
    const char *metadata = options->roles.metadata;
    const hs_list labels_of = options->labels.count || options->like || assemble.since || !metadata
                                  ? options->labels
                                  : (hs_list){.items = &metadata, .count = 1};
    /* Labels first: the smallest file, and the one most likely to have a mistake. */
    for (size_t i = 0; i < labels_of.count; i++) {
        HS_OWNS(hs_labels_clear) hs_labels more = {0};
        hs_labels *read = i ? &more : &in->labels;
        HS_TRY(read_labels(call, labels_of.items[i], read, error));
        if (read->header_guessed)
            hs_note(call,
                    "the first line of %s (%s, %s) is treated as a header; --label-header no "
                    "treats it as an object",
                    read->source, read->id_column, read->columns->name);
        if (i)
            HS_TRY(hs_labels_join(&in->labels, &more, options->label.conflicts, error));
    }
    if (options->like)
        HS_TRY(read_like(call, in, error));
    const hsel_dataset *like = in->model ? in->model->shape : in->like;
    HS_OWNS(hs_dataset_release) hsel_dataset *plain = NULL, *aligned = NULL;
    if (like && like->covariates) { /* the others are annotated */
        HS_OWNED bool *keep = HS_NEW(bool, like->features);
        HS_NEED(keep);
        for (uint32_t f = 0; f < like->features; f++)
            keep[f] = !hs_is_covariate(like, f);
        HS_TRY(hs_dataset_subset(like, keep, &plain, error));
    }
    assemble.like = plain ? plain : like;
    HS_TRY(hs_load_graph(options->hierarchy, options->hierarchy_format, &options->graph,
                         (hs_cycles)options->cycles, &in->graph, &in->graph_format, error));
    for (size_t i = 0; i < options->annotations.count; i++)
        HS_TRY(hs_annotations_load(options->annotations.items[i], options->annotations_format,
                                   &options->annotation, &in->annotations,
                                   i ? NULL : &in->annotations_format, error));
    if (assemble.since)
        HS_TRY(hs_labels_gained(&assemble, &options->label.classes, &in->graph, &in->annotations,
                                &in->labels, report, error));
    else if (!labels_of.count)
        HS_TRY(hs_labels_list(&in->annotations.objects, &in->labels, error));
    HS_TRY(map_objects(options, in, report, error));
    if (in->graph_format->format->has_direction)
        HS_TRY(hs_graph_find_ends(&in->graph, &ends, error));
    /* The first line may be a header that was read as an object: nothing is annotated to it, but
     * most others are annotated. */
    const hs_labels *labels = &in->labels;
    uint32_t annotated = 0;
    bool first = false;
    for (uint32_t i = labels->ids.count; i-- > 0;) {
        first = hs_names_find(&in->annotations.objects, HS_NAME(&labels->ids, i)) != HSEL_NONE;
        annotated += first;
    }
    if (options->labels.count && options->label.header == HS_HEADER_AUTO && labels->line[0] <= 1 &&
        !first && annotated > labels->ids.count / 2)
        hs_note(
            call,
            "%s:1: nothing is annotated to %s; if the line is a header, give --label-header yes",
            labels->source, hs_names_get(&labels->ids, 0));
    hs_note_direction(call, &ends, options->graph.direction);
    HS_TRY(hs_assemble(&assemble, &in->graph, &in->annotations, &in->labels, report, data, error));
    const hs_list *list = &options->labels;
    HS_TRY(take_roles(call,
                      metadata || list->count != 1 || !has_roles(&options->roles) ? metadata
                                                                                  : list->items[0],
                      in, data, error));
    for (uint32_t f = 0; plain && f < like->features; f++)
        HS_REFUSE(hs_is_covariate(like, f) &&
                      hs_place_of(*data, hsel_dataset_feature_name(like, f)).feature == HSEL_NONE,
                  "%s has the covariate %.200s, which --covariates does not name", options->like,
                  hsel_dataset_feature_name(like, f));
    if (plain) {
        HS_TRY(hs_align(*data, like, false, &aligned, &(uint32_t){0}, &(uint32_t){0}, error));
        hs_dataset_replace(data, hs_take(&aligned));
    }
    const uint64_t empty =
        report->found[HS_FOUND_NO_ANNOTATION].count + report->found[HS_FOUND_NOTHING_LEFT].count;
    if (empty && assemble.empty == HS_EMPTY_DROP)
        hs_note(call, "%s left out for lack of a feature; --empty keep keeps %s",
                hs_plural(call->doc, empty, "labelled object is"), empty == 1 ? "it" : "them");
    return write_provenance(call, in, report, NULL, &(*data)->provenance, error);
}

static int build_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(clear_input) input in = {0};
    HS_OWNS(hs_assemble_report_clear) hs_assemble_report report = {0};
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNS(hs_buf_clear) hs_buf name = {0};
    HS_OWNS(hs_memo_clear) hs_memo text = {0};
    HS_TRY(hs_output_check(&options->output, HS_ROLE_DATA, error));
    HS_TRY(hs_choose_check(&options->assemble.choose, error));
    const char *named = options->assemble.name;
    if (!named) { /* named after the output, or else after its labels or abundances */
        const char *after = options->abundance        ? options->abundance
                            : options->labels.count   ? options->labels.items[0]
                            : options->roles.metadata ? options->roles.metadata
                                                      : options->like;
        hs_name_from_path(options->output.output, &name);
        if (!name.failed && !name.length && after)
            hs_name_from_path(after, &name);
        HS_NEED(!name.failed);
        named = name.length ? name.text : NULL;
    }
    int status = options->abundance ? build_amounts(call, named, &in, &report, &data, error)
                                    : build_annotations(call, named, &in, &report, &data, error);
    bool data_there = strcmp(options->output.output, "-") == 0;
    FILE *stream = data_there ? stderr : stdout;
    /* After a failure once everything is read, the report shows why, unless it would be mixed with
     * messages. */
    if (status && (data_there || !report.found[HS_FOUND_LABELS].count))
        return status;
    if (!status) {
        HS_TRY(hs_note_roles(call, data, error));
        hs_note_further(call, data);
        hs_note_classes(call, data, NULL, false);
        HS_TRY(hs_output_dataset(call, data, in.graph_format ? &in.graph : NULL, &options->output,
                                 error));
    }
    if (call->quiet && !options->json)
        return status;
    hsel_error ignored = {0}, *lost = status ? &ignored : error; /* the first failure is reported */
    int written = hs_memo_open(&text, lost);
    if (!written) {
        write_report(&report, &in, !options->graph.relations.count, options->json, text.out);
        written = hs_memo_end(&text, lost);
    }
    if (!written && (fputs(text.text.text, stream) == EOF || fflush(stream) == EOF))
        written = hs_fail_errno(lost, data_there ? "standard error" : "standard output", "write");
    return status ? status : written;
}

const hs_command hs_command_build = {
    HS_COMMAND_IS(build, "",
                  "make a data set from annotations or abundances, a hierarchy and labels",
                  struct options),
    .first =
        "hierarchy annotations labels abundance metadata output like min-support drop-roots json",
    .groups = {{"Input", input_table, 0},
               {"Metadata", hs_role_table, offsetof(struct options, roles)},
               {"Abundances", abundance_table, 0},
               {"Abundance table", hs_profile_table, offsetof(struct options, profile)},
               {"Hierarchy and annotations", hierarchy_table, 0},
               {"Labels", hs_label_table, offsetof(struct options, label)},
               {"Data set", hs_assemble_table, offsetof(struct options, assemble)},
               {"Output", hs_output_table, offsetof(struct options, output)}},
    .flags = HS_WORKS | HS_HAS_MEMORY | HS_WRITES_CSV,
};
