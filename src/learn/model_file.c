/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model files: a header with version, length and checksum, then one stream of numbers and texts,
 * which one pass over the same fields writes and reads.
 * It has no instances, but all that prediction needs: the methods, how the values of the training
 * data were made from those that were read and what that learned (data/recipe.h), their features
 * and hierarchy before and after it, the counts, the selection and what the classifier learned. The
 * checksum finds damage; since it does not find malice, every number is checked before it is used.
 */
#include <xxhash.h>

#include "classify/classify.h"
#include "learn/crossval.h"
#include "learn/model.h"
#include "load/load.h"

#define MAGIC           "\x89HSELM\r\n" /* 8 bytes */
#define BYTE_ORDER_MARK UINT32_C(0x01020304)
#define VERSION         UINT32_C(6)

struct header {
    char magic[8];
    uint32_t byte_order, version;
    uint64_t length; /* of what follows the header */
    uint64_t checksum;
};

/* A stream on its way to a file or from one. */
struct stream {
    hs_transfer file;
    const char *fault; /* what is wrong with the model if that of the next field is */
};

/* Length and characters, which stay where they are when they are read. */
static int characters(struct stream *s, const char **text, uint32_t *length, uint32_t limit,
                      hsel_error *error)
{
    HS_FIELDS(&s->file, HS_VALUE(*length, 0, limit));
    if (!hs_reads(&s->file)) {
        hs_writer_put(s->file.out, *text, *length);
        return HSEL_OK;
    }
    *text = s->file.at;
    if (*length > s->file.left || memchr(*text, '\0', *length))
        return HSEL_EFORMAT;
    s->file.at += *length;
    s->file.left -= *length;
    return HSEL_OK;
}

/* NULL: none, or an empty one. */
static int text_field(struct stream *s, char **text, uint32_t limit, hsel_error *error)
{
    const char *at = *text ? *text : "";
    uint32_t length = (uint32_t)strlen(at);
    HS_TRY(characters(s, &at, &length, limit, error));
    if (hs_reads(&s->file) && length)
        HS_NEED(*text = hs_strndup(at, length));
    return HSEL_OK;
}

/* distinct: no name stands there twice. */
static int names_field(struct stream *s, hs_names *names, uint32_t limit, bool distinct,
                       hsel_error *error)
{
    const bool reads = hs_reads(&s->file);
    uint32_t count = names->count, id;
    bool added = true;
    s->fault = "it has too many names";
    HS_FIELDS(&s->file, HS_VALUE(count, 0, limit));
    for (uint32_t i = 0; i < count; i++) {
        const char *name = reads ? NULL : hs_names_get(names, i);
        uint32_t length = reads ? 0 : (uint32_t)hs_names_length(names, i);
        s->fault = "a name is truncated";
        HS_TRY(characters(s, &name, &length, UINT32_MAX, error));
        if (reads)
            HS_TRY(distinct ? hs_names_intern(names, name, length, &id, &added, error)
                            : hs_names_append(names, name, length, error));
        s->fault = "a name occurs twice";
        if (!added)
            return HSEL_EFORMAT;
    }
    return reads && distinct ? hs_names_index(names, error) : HSEL_OK;
}

/* The types of all features and the values of the nominal ones, in the order of their features. */
static int type_fields(struct stream *s, hsel_dataset *shape, hsel_error *error)
{
    s->fault = "the types of its features are truncated";
    HS_FIELDS(&s->file, HS_LIST(shape->types, shape->features, HS_ANY));
    s->fault = "a feature has no type";
    for (uint32_t f = 0; f < shape->features; f++)
        if (shape->types[f] > HSEL_NOMINAL)
            return HSEL_EFORMAT;
    if (hs_reads(&s->file)) {
        HS_OWNED uint32_t *values = HS_NEW_ZERO(uint32_t, shape->features);
        HS_NEED(values);
        HS_TRY(hs_dataset_make_columns(shape, values, error));
        HS_TRY(hs_sparse_init(&shape->rows, 0, 0, error));
        HS_TRY(hs_sparse_init(&shape->columns, shape->features, 0, error));
    }
    for (uint32_t f = 0; f < shape->features; f++)
        if (shape->types[f] == HSEL_NOMINAL)
            HS_TRY(names_field(s, &shape->nominal[shape->slot[f]].values, HS_INSTANCES_LIMIT, true,
                               error));
    return HSEL_OK;
}

/* Labels of features, and provenance of the training data. */
static int table_fields(struct stream *s, hsel_dataset *shape, hsel_error *error)
{
    hs_about *about = &shape->about;
    HS_TRY(names_field(s, &about->columns, HSEL_NONE / 2, true, error));
    HS_TRY(names_field(s, &about->cells, HSEL_NONE / 2, false, error));
    s->fault = "its labels are not one per feature";
    if (about->cells.count != (uint64_t)about->columns.count * shape->features)
        return HSEL_EFORMAT;
    s->fault = "its provenance is truncated";
    return text_field(s, &shape->provenance, UINT32_MAX, error);
}

/* What each edge is: the names of relations, and one of them per edge, by ascending child and
 * parent. */
static int relation_fields(struct stream *s, hsel_dag *dag, hsel_error *error)
{
    HS_TRY(names_field(s, &dag->relations, UINT8_MAX + 1, true, error));
    if (!dag->relations.count)
        return HSEL_OK;
    s->fault = "the relations of its hierarchy are wrong";
    HS_FIELDS(&s->file, HS_LIST(dag->relation, dag->edges, HS_BELOW(dag->relations.count)));
    return hs_reads(&s->file) ? hs_dag_check(dag, error) : HSEL_OK;
}

/* The number of edges (HSEL_NONE: there is no hierarchy), and of each child and parent. */
static int hierarchy_fields(struct stream *s, hsel_dataset *shape, hsel_error *error)
{
    HS_OWNS(hs_dag_release) hsel_dag *dag = NULL;
    uint32_t edges = shape->dag ? shape->dag->edges : HSEL_NONE;
    s->fault = "it is truncated";
    HS_FIELDS(&s->file, HS_VALUE(edges, HS_ANY));
    if (edges == HSEL_NONE)
        return HSEL_OK;
    if (!hs_reads(&s->file)) {
        for (uint32_t v = 0; v < shape->features; v++) {
            size_t count;
            const uint32_t *parents = hs_parents(shape->dag, v, &count);
            for (size_t i = 0; i < count; i++)
                hs_writer_put(s->file.out, (uint32_t[]){v, parents[i]}, 2 * sizeof v);
        }
        return relation_fields(s, shape->dag, error);
    }
    s->fault = "the hierarchy is truncated";
    if (edges > s->file.left / (2 * sizeof edges))
        return HSEL_EFORMAT;
    HS_OWNED uint32_t *child = HS_NEW(uint32_t, edges), *parent = HS_NEW(uint32_t, edges);
    HS_NEED(child && parent);
    s->fault = "an edge leads nowhere";
    for (uint32_t e = 0; e < edges; e++) {
        HS_FIELDS(&s->file, HS_VALUE(child[e], HS_BELOW(shape->features)),
                  HS_VALUE(parent[e], HS_BELOW(shape->features)));
    }
    HS_TRY(hs_dag_new(shape->features, child, parent, edges, &dag, error));
    HS_TRY(relation_fields(s, dag, error));
    HS_TRY(hs_dataset_attach(shape, dag, error));
    hs_take(&dag);
    return HSEL_OK;
}

/* Features, classes, hierarchy. A shape as it was read need not have classes. */
static int shape_fields(struct stream *s, hsel_dataset **whole, bool classless, hsel_error *error)
{
    if (hs_reads(&s->file))
        HS_NEED(*whole = HS_NEW_ZERO(hsel_dataset, 1));
    hsel_dataset *shape = *whole;
    s->fault = "a text is truncated";
    HS_TRY(text_field(s, &shape->name, UINT32_MAX, error));
    HS_TRY(text_field(s, &shape->class_attribute, UINT32_MAX, error));
    HS_TRY(text_field(s, &shape->id_attribute, UINT32_MAX, error));
    HS_TRY(names_field(s, &shape->feature_names, HS_FEATURES_LIMIT, true, error));
    HS_TRY(names_field(s, &shape->class_names, HS_CLASSES_LIMIT, true, error));
    const uint32_t features = shape->feature_names.count, classes = shape->class_names.count;
    uint32_t has_target = shape->target != NULL, has_covariates = shape->covariates != NULL;
    s->fault = "the classes are wrong";
    HS_FIELDS(&s->file, HS_VALUE(shape->positive_class, HS_ANY), HS_VALUE(has_target, 0, 1),
              HS_VALUE(has_covariates, 0, 1));
    s->fault = "its covariates are wrong";
    if (has_covariates && hs_reads(&s->file))
        HS_NEED(shape->covariates = HS_NEW_ZERO(uint64_t, hs_bit_words(features)));
    if (has_covariates)
        HS_FIELDS(&s->file, HS_BIT_SET(shape->covariates, features));
    s->fault = "the classes are wrong";
    if ((shape->positive_class != HSEL_NONE && shape->positive_class >= classes) ||
        (has_target ? classes > 0 : classes < 1 && !classless))
        return HSEL_EFORMAT;
    shape->features = features;
    if (hs_reads(&s->file)) {
        shape->positive_named = true;
        if (has_target)
            HS_NEED(shape->target = HS_NEW(double, 0));
    }
    HS_TRY(type_fields(s, shape, error));
    HS_TRY(table_fields(s, shape, error));
    HS_TRY(hierarchy_fields(s, shape, error));
    s->fault = "its covariates are wrong";
    for (uint32_t f = 0; f < features && shape->dag; f++)
        if (hs_is_covariate(shape, f) && !(hs_is_root(shape->dag, f) && hs_is_leaf(shape->dag, f)))
            return HSEL_EFORMAT;
    return HSEL_OK;
}

/* A set of features; NULL: all. */
static int features_field(struct stream *s, bool **set, uint32_t features, hsel_error *error)
{
    uint32_t there = *set != NULL;
    HS_FIELDS(&s->file, HS_VALUE(there, 0, 1));
    if (there)
        HS_FIELDS(&s->file, HS_LIST(*set, features, 0, 1));
    return HSEL_OK;
}

/* How the values were made, and what that learned. */
static int recipe_fields(struct stream *s, hsel_dataset *shape, hsel_error *error)
{
    const bool reads = hs_reads(&s->file);
    HS_OWNS(hs_recipe_release) hs_recipe *made = NULL;
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    hs_load_options options = {0};
    hs_recipe *recipe = shape->recipe;
    uint32_t there = recipe != NULL, chosen = 0;
    s->fault = "its preparation is damaged";
    HS_FIELDS(&s->file, HS_VALUE(there, 0, 1));
    if (!there)
        return HSEL_OK;
    if (reads) {
        HS_TRY(hs_recipe_new(&made, error));
        recipe = made;
    }
    HS_TRY(text_field(s, &recipe->how, UINT32_MAX, error));
    HS_TRY(shape_fields(s, &recipe->raw, true, error));
    s->fault = "its preparation is damaged";
    const uint32_t features = recipe->raw->features;
    HS_FIELDS(&s->file, HS_VALUE(shape->learned, HS_ANY),
              HS_VALUE(recipe->kept_of, 0, (double)features));
    HS_TRY(features_field(s, &recipe->chosen, features, error));
    HS_TRY(features_field(s, &recipe->kept, recipe->kept_of, error));
    if (!reads)
        return HSEL_OK;
    HS_TRY(hs_recipe_options(recipe->how ? recipe->how : "", &arena, &options, error));
    for (uint32_t f = 0; f < features; f++)
        chosen += !recipe->chosen || recipe->chosen[f];
    const bool filters = options.amounts.min_prevalence > 0 || options.amounts.min_abundance > 0;
    const bool by_terms = hs_chooses_terms(&options.choose);
    const hs_list *chain = &options.amounts.transform;
    const bool logs = chain->count && strcmp(chain->items[chain->count - 1], "clr") == 0;
    if (!recipe->how || filters != (recipe->kept != NULL) || by_terms != (recipe->chosen != NULL) ||
        (filters ? recipe->kept_of != chosen : recipe->kept_of != 0) || isinf(shape->learned) ||
        (hs_amounts_learn(&options.amounts) && !(shape->learned > (logs ? 0 : -INFINITY))))
        return HSEL_EFORMAT;
    shape->recipe = hs_take(&made);
    return HSEL_OK;
}

static int count_fields(struct stream *s, hs_model *model, hsel_error *error)
{
    hs_counts *counts = &model->counts;
    const uint32_t features = model->shape->features, classes = model->shape->class_names.count;
    s->fault = ((size_t)features + 1) * classes > s->file.left / sizeof(uint32_t)
                   ? "the counts are truncated"
                   : "the counts are out of range";
    HS_TRY(hs_counts_fields(counts, features, classes, &s->file, error));
    if (model->shape->target)
        HS_FIELDS(&s->file, HS_VALUE(counts->instances, 0, HS_INSTANCES_LIMIT));
    return HSEL_OK;
}

/* The whole of it; *out NULL: it is read. */
static int model_fields(struct stream *s, hs_model **out, hsel_error *error)
{
    HS_OWNS(hs_model_release) hs_model *made = NULL;
    const bool reads = hs_reads(&s->file);
    HS_OWNED char *selector = reads ? NULL : hs_strdup((*out)->selector.text),
                  *classifier = reads ? NULL : hs_strdup((*out)->classifier.text);
    HS_NEED(reads || (selector && classifier));
    s->fault = "it does not name its methods";
    HS_TRY(text_field(s, &selector, 4096, error));
    HS_TRY(text_field(s, &classifier, 4096, error));
    if (reads) {
        HS_TRY(hs_model_new(selector ? selector : "", classifier ? classifier : "", &made, error));
        HS_TRY(hs_check_pair(made->selector.method, made->classifier.method, error));
    }
    hs_model *model = reads ? made : *out;
    const hs_method *selects = model->selector.method, *classifies = model->classifier.method;
    HS_TRY(shape_fields(s, &model->shape, false, error));
    const uint32_t features = model->shape->features;
    s->fault = "its hierarchy is missing";
    if (reads && (selects->flags & HS_NEEDS_HIERARCHY) && !model->shape->dag)
        return HSEL_EFORMAT;
    s->fault = "its methods are for binary features, and it has others";
    if (reads && !(selects->flags & classifies->flags & HS_ANY_FEATURES) &&
        !hs_dataset_all_binary(model->shape))
        return HSEL_EFORMAT;
    HS_TRY(recipe_fields(s, model->shape, error));
    HS_TRY(count_fields(s, model, error));

    hs_pipeline *pipeline = &model->pipeline;
    if (reads)
        HS_NEED(pipeline->fitted = HS_NEW_ZERO(hs_trained, 1));
    uint32_t has_mask = pipeline->mask != NULL, has_scores = model->scores != NULL;
    s->fault = "its selection is missing";
    HS_FIELDS(&s->file, HS_VALUE(has_mask, HS_ANY));
    if ((has_mask != 0) == ((selects->flags & HS_LAZY) != 0))
        return HSEL_EFORMAT;
    if (has_mask) {
        s->fault = s->file.left < hs_bit_words(features) * sizeof *pipeline->mask
                       ? "its selection is truncated"
                       : "its selection has features that do not exist";
        if (reads)
            HS_NEED(pipeline->mask = HS_NEW(uint64_t, hs_bit_words(features)));
        HS_FIELDS(&s->file, HS_BIT_SET(pipeline->mask, features));
    } else if (reads) {
        HS_TRY(selects->selector->prepare(&(hs_training){.view = hs_view_all(model->shape),
                                                         .counts = &model->counts,
                                                         .threads = 1},
                                          model->selector.options, &pipeline->state, error));
    }
    s->fault = "its relevances are truncated";
    HS_FIELDS(&s->file, HS_VALUE(has_scores, HS_ANY));
    if (has_scores && !has_mask)
        return HSEL_EFORMAT;
    if (has_scores) /* any number: they are only shown */
        HS_FIELDS(&s->file, HS_LIST(model->scores, features, HS_ANY));
    s->fault = "its calibration is damaged";
    if (hs_adjust_asked(&model->classifier))
        HS_TRY(hs_adjust_fields(&pipeline->fitted->adjust, model->shape->class_names.count,
                                &s->file, error));
    if (!reads)
        return hs_classifier_write(classifies->classifier, pipeline->fitted->model, s->file.out,
                                   error);
    s->fault = "its classifier cannot be saved to a file";
    if (!classifies->classifier->fields)
        return HSEL_EFORMAT;
    HS_TRY(hs_classifier_take(classifies->classifier, &s->file, model->shape,
                              &pipeline->fitted->model, error));
    *out = hs_take(&made);
    return HSEL_OK;
}

/* ---- files ---- */

/* The header has the length and checksum of what follows it, so the model is gone through twice,
 * and is not in memory once more as bytes. */
static int write_model(const hs_model *model, hs_writer *out, hsel_error *error)
{
    struct header header = {.byte_order = BYTE_ORDER_MARK, .version = VERSION};
    HS_OWNS(hs_writer_release) hs_writer *sum = NULL;
    hs_model *written = (hs_model *)(uintptr_t)model;
    if (!model->classifier.method->classifier->fields)
        return hs_fail(error, HSEL_EUNSUPPORTED, "%s cannot be saved to a file",
                       model->classifier.method->name);
    HS_TRY(hs_writer_open_sum(&sum, error));
    HS_TRY(model_fields(&(struct stream){.file.out = sum}, &written, error));
    hs_writer_sum(sum, &header.length, &header.checksum);
    memcpy(header.magic, MAGIC, sizeof header.magic);
    hs_writer_put(out, &header, sizeof header);
    return model_fields(&(struct stream){.file.out = out}, &written, error);
}

int hs_model_to_bytes(const hs_model *model, hs_buf *out, hsel_error *error)
{
    HS_OWNS(hs_writer_release) hs_writer *memory = NULL;
    HS_TRY(hs_writer_open_memory(out, &memory, error));
    HS_TRY(write_model(model, memory, error));
    return hs_writer_commit(hs_take(&memory), error);
}

int hs_model_write(const hs_model *model, const char *path, hsel_error *error)
{
    HS_OWNS(hs_writer_release) hs_writer *file = NULL;
    HS_TRY(hs_writer_open(path, &file, error));
    HS_TRY(write_model(model, file, error));
    return hs_writer_commit(hs_take(&file), error);
}

static int not_a_model(const char *path, hsel_error *error)
{
    return hs_fail_at(error, HSEL_EFORMAT, path, 0, "this is not a model: hsel train makes one");
}

/* `spent`: the bytes themselves, if they need not stay (hs_transfer). */
static int from_bytes(const char *name, const void *bytes, size_t length, char *spent,
                      hs_model **out, hsel_error *error)
{
    struct header header;
    hs_model *model = NULL;
    hsel_error inner = {0};
    if (length < sizeof header)
        return not_a_model(name, error);
    memcpy(&header, bytes, sizeof header);
    struct stream s = {.file = {.at = (const char *)bytes + sizeof header,
                                .left = length - sizeof header,
                                .spent = spent}};
    if (memcmp(header.magic, MAGIC, sizeof header.magic) != 0)
        return not_a_model(name, error);
    if (header.byte_order != BYTE_ORDER_MARK)
        return hs_fail_at(error, HSEL_EFORMAT, name, 0,
                          "the model was written on a machine with another byte order");
    if (header.version != VERSION)
        return hs_fail_at(
            error, HSEL_EFORMAT, name, 0,
            "the model has version %u, but this program reads version %u: train it again",
            header.version, VERSION);
    if (s.file.left > header.length)
        return hs_fail_damaged(error, name, "model", "unexpected data after its end");
    if (header.length != s.file.left)
        return hs_fail_at(error, HSEL_EFORMAT, name, 0, "the model is truncated: %zu of %llu bytes",
                          s.file.left, (unsigned long long)header.length);
    if (header.checksum != XXH3_64bits(s.file.at, s.file.left))
        return hs_fail_damaged(error, name, "model", "the checksum is wrong");
    int status = model_fields(&s, &model, &inner);
    if (status == HSEL_EFORMAT && !inner.message[0])
        return hs_fail_damaged(error, name, "model", s.fault);
    if (status == HSEL_ENOMEM)
        return hs_fail_memory(error);
    if (status) /* what a lower layer found wrong, with the name of the file in front */
        return hs_fail_as(error, HSEL_EFORMAT, name, 0, "the model cannot be used: ", &inner);
    *out = model;
    return HSEL_OK;
}

int hs_model_from_bytes(const char *name, const void *bytes, size_t length, hs_model **out,
                        hsel_error *error)
{
    return from_bytes(name, bytes, length, NULL, out, error);
}

/* The magic is looked at before the rest is unpacked, and little more than the length in the header
 * is. */
bool hs_model_is(const char *path)
{
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    const char *block;
    size_t length;
    return hs_reader_open(path, &reader, NULL) == HSEL_OK &&
           hs_reader_peek(reader, sizeof MAGIC, &block, &length, NULL) == HSEL_OK &&
           length >= sizeof((struct header *)0)->magic &&
           memcmp(block, MAGIC, sizeof((struct header *)0)->magic) == 0;
}

int hs_model_read(const char *path, hs_model **out, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf bytes = {0};
    struct header header = {0};
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    const char *block;
    size_t length;
    int got = 0;
    HS_TRY(hs_reader_open(path, &reader, error));
    HS_TRY(hs_reader_peek(reader, sizeof header, &block, &length, error));
    if (length < sizeof header)
        return not_a_model(path, error);
    memcpy(&header, block, sizeof header);
    if (memcmp(header.magic, MAGIC, sizeof header.magic) != 0)
        return not_a_model(path, error);
    while ((bytes.length <= sizeof header || bytes.length - sizeof header <= header.length) &&
           (got = hs_reader_block(reader, &block, &length, error)) > 0) {
        hs_buf_add(&bytes, block, length);
        HS_NEED(!bytes.failed);
    }
    if (got < 0)
        return got;
    /* A model and its file would otherwise be in memory twice. */
    return from_bytes(path, bytes.length ? bytes.text : "", bytes.length, bytes.text, out, error);
}
