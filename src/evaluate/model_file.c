/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model files: a header with version, length and checksum, then one stream of numbers and texts.
 * Version 1 has binary features only; version 2 says what type each is, and nominal values.
 * The checksum finds damage; since it does not find malice, every number is checked before it is
 * used.
 */
#include <string.h>
#include <xxhash.h>

#include "classify/classify.h"
#include "core/mem.h"
#include "data/builder.h"
#include "data/transform.h"
#include "evaluate/crossval.h"
#include "evaluate/model.h"

#define MAGIC           "\x89HSELM\r\n" /* 8 bytes */
#define BYTE_ORDER_MARK UINT32_C(0x01020304)
#define VERSION_BINARY  UINT32_C(1)
#define VERSION_TYPED   UINT32_C(2)

struct header {
    char magic[8];
    uint32_t byte_order, version;
    uint64_t length; /* of what follows the header */
    uint64_t checksum;
};

/* ---- writing ---- */

static void put_u32(hs_writer *out, uint32_t value) { hs_writer_put(out, &value, sizeof value); }

static void put_text(hs_writer *out, const char *text)
{
    uint32_t length = text ? (uint32_t)strlen(text) : 0;
    put_u32(out, length);
    hs_writer_put(out, text ? text : "", length);
}

static void put_names(hs_writer *out, const hs_names *names)
{
    put_u32(out, names->count);
    for (uint32_t i = 0; i < names->count; i++)
        put_text(out, hs_names_get(names, i));
}

static void put_hierarchy(hs_writer *out, const hsel_dag *dag)
{
    put_u32(out, dag ? dag->edges : HSEL_NONE);
    for (uint32_t v = 0; dag && v < dag->nodes; v++) {
        size_t count;
        const uint32_t *parents = hs_parents(dag, v, &count);
        for (size_t i = 0; i < count; i++) {
            put_u32(out, v);
            put_u32(out, parents[i]);
        }
    }
}

static void put_types(hs_writer *out, const hsel_dataset *shape)
{
    hs_writer_put(out, shape->types, shape->features * sizeof *shape->types);
    for (uint32_t i = 0; i < shape->nominal_count; i++) /* in the order of their features */
        put_names(out, &shape->nominal[i].values);
}

static void put_counts(hs_writer *out, const hs_counts *counts)
{
    hs_writer_put(out, counts->class_size, counts->classes * sizeof *counts->class_size);
    hs_writer_put(out, counts->positive,
                  (size_t)counts->features * counts->classes * sizeof *counts->positive);
}

static int put_model(const hs_model *model, hs_writer *out, hsel_error *error)
{
    const hsel_dataset *shape = model->shape;
    HS_OWNS(hs_buf_clear) hs_buf selector = {0}, classifier = {0};
    hs_chosen_format(&model->selector, &selector);
    hs_chosen_format(&model->classifier, &classifier);
    HS_NEED(!selector.failed && !classifier.failed);
    put_text(out, selector.text);
    put_text(out, classifier.text);
    put_text(out, shape->name);
    put_text(out, shape->class_attribute);
    put_text(out, shape->id_attribute);
    put_names(out, &shape->feature_names);
    put_names(out, &shape->class_names);
    put_u32(out, shape->positive_class);
    if (!hs_dataset_all_binary(shape))
        put_types(out, shape);
    put_hierarchy(out, shape->dag);
    put_counts(out, &model->counts);
    put_u32(out, model->mask != NULL);
    if (model->mask)
        hs_writer_put(out, model->mask, hs_bit_words(shape->features) * sizeof *model->mask);
    put_u32(out, model->scores != NULL);
    if (model->scores)
        hs_writer_put(out, model->scores, shape->features * sizeof *model->scores);
    return model->classifier.method->classifier->write(model->classifier_model, out, error);
}

/* The header has the length and checksum of what follows it, so its place is kept and filled last.
 */
int hs_model_to_bytes(const hs_model *model, hs_buf *out, hsel_error *error)
{
    struct header header = {.byte_order = BYTE_ORDER_MARK,
                            .version = hs_dataset_all_binary(model->shape) ? VERSION_BINARY
                                                                           : VERSION_TYPED};
    HS_OWNS(hs_writer_release) hs_writer *memory = NULL;
    if (!model->classifier.method->classifier->write)
        return hs_fail(error, HSEL_EUNSUPPORTED, "%s cannot be kept in a file",
                       model->classifier.method->name);
    HS_TRY(hs_writer_open_memory(out, &memory, error));
    hs_writer_put(memory, &header, sizeof header);
    HS_TRY(put_model(model, memory, error));
    HS_TRY(hs_writer_commit(hs_take(&memory), error));
    header.length = out->length - sizeof header;
    header.checksum = XXH3_64bits(out->text + sizeof header, header.length);
    memcpy(header.magic, MAGIC, sizeof header.magic);
    memcpy(out->text, &header, sizeof header);
    return HSEL_OK;
}

int hs_model_write(const hs_model *model, const char *path, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf bytes = {0};
    hs_writer *file = NULL;
    HS_TRY(hs_model_to_bytes(model, &bytes, error));
    HS_TRY(hs_writer_open(path, &file, error));
    hs_writer_put(file, bytes.text, bytes.length);
    return hs_writer_commit(file, error);
}

/* ---- reading ---- */

struct source {
    const char *path, *at;
    size_t left;
    uint32_t version;
};

static int damaged(const struct source *source, const char *what, hsel_error *error)
{
    return hs_fail_at(error, HSEL_EFORMAT, source->path, 0, "the model is damaged: %s", what);
}

/* What a lower layer found wrong, with the name of the file in front. */
static int passed_on(const struct source *source, int status, const hsel_error *inner,
                     hsel_error *error)
{
    if (status == HSEL_OK)
        return HSEL_OK;
    if (status == HSEL_ENOMEM)
        return hs_fail_memory(error);
    return hs_fail_at(error, HSEL_EFORMAT, source->path, 0, "the model cannot be used: %s",
                      inner->message);
}

static bool get(struct source *source, void *into, size_t length)
{
    if (length > source->left)
        return false;
    memcpy(into, source->at, length);
    source->at += length;
    source->left -= length;
    return true;
}

/* A text of the stream, borrowed from it (not NUL-terminated). */
static bool get_text(struct source *source, const char **text, uint32_t *length)
{
    if (!get(source, length, sizeof *length) || *length > source->left)
        return false;
    *text = source->at;
    source->at += *length;
    source->left -= *length;
    return !memchr(*text, '\0', *length);
}

static int get_names(struct source *source, uint32_t limit, hs_names *out, hsel_error *error)
{
    uint32_t count, length, id;
    const char *text;
    bool added = true;
    if (!get(source, &count, sizeof count) || count > limit)
        return damaged(source, "it names too many things", error);
    for (uint32_t i = 0; i < count; i++) {
        if (!get_text(source, &text, &length))
            return damaged(source, "a name is cut off", error);
        HS_TRY(hs_names_intern(out, text, length, &id, &added, error));
        if (!added)
            return damaged(source, "a name stands twice", error);
    }
    return HSEL_OK;
}

/* A text of the stream as one of our own. */
static int get_copy(struct source *source, uint32_t limit, const char *fault, hs_buf *out,
                    hsel_error *error)
{
    const char *text;
    uint32_t length;
    if (!get_text(source, &text, &length) || length > limit)
        return damaged(source, fault, error);
    hs_buf_add(out, text, length);
    HS_NEED(!out->failed);
    return HSEL_OK;
}

static int get_hierarchy(struct source *source, hsel_dataset *shape, hsel_error *error)
{
    uint32_t edges, pair[2];
    hsel_error inner = {0};
    HS_OWNS(hs_dag_release) hsel_dag *dag = NULL;
    if (!get(source, &edges, sizeof edges))
        return damaged(source, "it is cut off", error);
    if (edges == HSEL_NONE)
        return HSEL_OK;
    if (edges > source->left / sizeof pair)
        return damaged(source, "the hierarchy is cut off", error);
    HS_OWNED uint32_t *child = HS_NEW(uint32_t, edges), *parent = HS_NEW(uint32_t, edges);
    HS_NEED(child && parent);
    for (uint32_t e = 0; e < edges; e++) {
        if (!get(source, pair, sizeof pair) || pair[0] >= shape->features ||
            pair[1] >= shape->features)
            return damaged(source, "an edge leads nowhere", error);
        child[e] = pair[0];
        parent[e] = pair[1];
    }
    HS_TRY(passed_on(source, hs_dag_new(shape->features, child, parent, edges, &dag, &inner),
                     &inner, error));
    HS_TRY(hs_dataset_attach(shape, dag, error));
    hs_take(&dag);
    return HSEL_OK;
}

static int get_types(struct source *source, uint32_t features, hs_builder *builder,
                     hsel_error *error)
{
    const char *types = source->at;
    uint32_t code;
    if (features > source->left)
        return damaged(source, "the types of its features are cut off", error);
    source->at += features;
    source->left -= features;
    for (uint32_t f = 0; f < features; f++) {
        if (types[f] == HSEL_BINARY)
            continue;
        if (types[f] != HSEL_NUMERIC && types[f] != HSEL_NOMINAL)
            return damaged(source, "a feature has no type", error);
        HS_TRY(hs_builder_retype(builder, f, (hsel_feature_type)types[f], error));
        if (types[f] == HSEL_NUMERIC)
            continue;
        HS_OWNS(hs_names_clear) hs_names values = {0};
        HS_TRY(get_names(source, HS_INSTANCES_LIMIT, &values, error));
        for (uint32_t v = 0; v < values.count; v++)
            HS_TRY(hs_builder_value(builder, f, hs_names_get(&values, v),
                                    hs_names_length(&values, v), &code, error));
    }
    return HSEL_OK;
}

static int get_shape(struct source *source, hs_model *model, hsel_error *error)
{
    HS_OWNS(hs_names_clear) hs_names features = {0}, classes = {0};
    HS_OWNS(hs_builder_release) hs_builder *builder = NULL;
    HS_OWNS(hs_buf_clear) hs_buf name = {0}, class_name = {0}, id_name = {0};
    uint32_t positive = HSEL_NONE;
    HS_TRY(get_copy(source, UINT32_MAX, "a text is cut off", &name, error));
    HS_TRY(get_copy(source, UINT32_MAX, "a text is cut off", &class_name, error));
    HS_TRY(get_copy(source, UINT32_MAX, "a text is cut off", &id_name, error));
    HS_TRY(get_names(source, HS_FEATURES_LIMIT, &features, error));
    HS_TRY(get_names(source, HS_CLASSES_LIMIT, &classes, error));
    if (!get(source, &positive, sizeof positive) ||
        (positive != HSEL_NONE && positive >= classes.count) || classes.count < 1)
        return damaged(source, "the classes are wrong", error);
    HS_TRY(hs_builder_new(&builder, error));
    HS_TRY(hs_builder_declare(builder, &features, &classes, error));
    if (source->version == VERSION_TYPED)
        HS_TRY(get_types(source, features.count, builder, error));
    HS_TRY(hs_builder_describe(builder, name.length ? name.text : NULL,
                               class_name.length ? class_name.text : NULL,
                               id_name.length ? id_name.text : NULL, error));
    HS_TRY(hs_builder_finish(builder, &model->shape, error));
    model->shape->positive_class = positive;
    return get_hierarchy(source, model->shape, error);
}

static int get_counts(struct source *source, hs_model *model, hsel_error *error)
{
    hs_counts *counts = &model->counts;
    uint32_t classes = model->shape->class_names.count;
    uint64_t total = 0;
    size_t cells = (size_t)model->shape->features * classes;
    if (cells + classes > source->left / sizeof(uint32_t)) /* before asking for that much memory */
        return damaged(source, "the counts are cut off", error);
    HS_TRY(hs_counts_init(model->shape->features, classes, counts, error));
    if (!get(source, counts->class_size, classes * sizeof *counts->class_size) ||
        !get(source, counts->positive, cells * sizeof *counts->positive))
        return damaged(source, "the counts are cut off", error);
    for (uint32_t c = 0; c < classes; c++)
        total += counts->class_size[c];
    if (total > HS_INSTANCES_LIMIT)
        return damaged(source, "the counts are out of range", error);
    counts->instances = (uint32_t)total;
    for (size_t i = 0; i < cells; i++)
        if (counts->positive[i] > counts->class_size[i % classes])
            return damaged(source, "the counts are out of range", error);
    return HSEL_OK;
}

static int get_methods(struct source *source, hs_model **out, hsel_error *error)
{
    static const char fault[] = "it does not name its methods";
    HS_OWNS(hs_buf_clear) hs_buf selector = {0}, classifier = {0};
    hsel_error inner = {0};
    HS_TRY(get_copy(source, 4096, fault, &selector, error));
    HS_TRY(get_copy(source, 4096, fault, &classifier, error));
    int status = hs_model_new(selector.text, classifier.text, out, &inner);
    if (status == HSEL_OK)
        status = hs_check_pair((*out)->selector.method, (*out)->classifier.method, &inner);
    return passed_on(source, status, &inner, error);
}

static int get_mask(struct source *source, hs_model *model, hsel_error *error)
{
    uint32_t has_mask;
    size_t words = hs_bit_words(model->shape->features);
    bool lazy = model->selector.method->flags & HS_LAZY;
    if (!get(source, &has_mask, sizeof has_mask) || (has_mask != 0) == lazy)
        return damaged(source, "its selection is missing", error);
    if (!has_mask) {
        hsel_error inner = {0};
        return passed_on(source, hs_model_prepare_lazy(model, &inner), &inner, error);
    }
    HS_NEED(model->mask = HS_NEW(uint64_t, words));
    if (!get(source, model->mask, words * sizeof *model->mask))
        return damaged(source, "its selection is cut off", error);
    if (model->shape->features % 64 && model->mask[words - 1] >> model->shape->features % 64)
        return damaged(source, "its selection has features that do not exist", error);
    return HSEL_OK;
}

/* Relevance may be any number: it is only shown. */
static int get_scores(struct source *source, hs_model *model, hsel_error *error)
{
    uint32_t has_scores;
    size_t size = model->shape->features * sizeof *model->scores;
    if (!get(source, &has_scores, sizeof has_scores) ||
        (has_scores && (size > source->left || !model->mask)))
        return damaged(source, "its relevances are cut off", error);
    if (!has_scores)
        return HSEL_OK;
    HS_NEED(model->scores = HS_NEW(double, model->shape->features));
    return get(source, model->scores, size) ? HSEL_OK
                                            : damaged(source, "its relevances are cut off", error);
}

static int get_model(struct source *source, hs_model **out, hsel_error *error)
{
    HS_OWNS(hs_model_release) hs_model *model = NULL;
    hsel_error inner = {0};
    HS_TRY(get_methods(source, &model, error));
    HS_TRY(get_shape(source, model, error));
    const hs_method *selector = model->selector.method, *classifier = model->classifier.method;
    if ((selector->flags & HS_NEEDS_HIERARCHY) && !model->shape->dag)
        return damaged(source, "its hierarchy is missing", error);
    if (!(selector->flags & classifier->flags & HS_ANY_FEATURES) &&
        !hs_dataset_all_binary(model->shape))
        return damaged(source, "its methods are for binary features, and it has others", error);
    HS_TRY(get_counts(source, model, error));
    HS_TRY(get_mask(source, model, error));
    HS_TRY(get_scores(source, model, error));
    if (!classifier->classifier->read)
        return damaged(source, "its classifier is never kept in a file", error);
    HS_TRY(passed_on(source,
                     classifier->classifier->read(source->at, source->left, model->shape,
                                                  &model->classifier_model, &inner),
                     &inner, error));
    *out = hs_take(&model);
    return HSEL_OK;
}

static int not_a_model(const char *path, hsel_error *error)
{
    return hs_fail_at(error, HSEL_EFORMAT, path, 0, "this is not a model: hsel train makes one");
}

static int check_header(const struct source *source, const struct header *header, hsel_error *error)
{
    if (memcmp(header->magic, MAGIC, sizeof header->magic) != 0)
        return not_a_model(source->path, error);
    if (header->byte_order != BYTE_ORDER_MARK)
        return hs_fail_at(error, HSEL_EFORMAT, source->path, 0,
                          "the model was written on a machine of other byte order");
    if (header->version != VERSION_BINARY && header->version != VERSION_TYPED)
        return hs_fail_at(error, HSEL_EFORMAT, source->path, 0,
                          "the model is of version %u, this program reads %u and %u",
                          header->version, VERSION_BINARY, VERSION_TYPED);
    if (source->left > header->length)
        return damaged(source, "there is something after its end", error);
    if (header->length != source->left)
        return hs_fail_at(error, HSEL_EFORMAT, source->path, 0,
                          "the model is cut off: %zu of %llu bytes are there", source->left,
                          (unsigned long long)header->length);
    if (header->checksum != XXH3_64bits(source->at, source->left))
        return damaged(source, "the checksum is wrong", error);
    return HSEL_OK;
}

/* The magic is looked at before the rest is unpacked, and little more than the length in the header
 * is. */
static int slurp(const char *path, hs_buf *out, hsel_error *error)
{
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
    while ((out->length <= sizeof header || out->length - sizeof header <= header.length) &&
           (got = hs_reader_block(reader, &block, &length, error)) > 0) {
        hs_buf_add(out, block, length);
        HS_NEED(!out->failed);
    }
    return got < 0 ? got : HSEL_OK;
}

int hs_model_from_bytes(const char *name, const void *bytes, size_t length, hs_model **out,
                        hsel_error *error)
{
    struct header header;
    struct source source = {.path = name, .at = bytes, .left = length};
    if (!get(&source, &header, sizeof header))
        return not_a_model(name, error);
    HS_TRY(check_header(&source, &header, error));
    source.version = header.version;
    return get_model(&source, out, error);
}

int hs_model_read(const char *path, hs_model **out, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf bytes = {0};
    HS_TRY(slurp(path, &bytes, error));
    return hs_model_from_bytes(path, bytes.length ? bytes.text : "", bytes.length, out, error);
}
