/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libhsel for R: every function that R code calls with .Call, registered at the end.
 *
 * Objects of the library are external pointers with finalizers. What the library gives away, and
 * the notes of a call, go into external pointers as well before anything of R is called that may
 * not return, so that nothing is lost when R jumps away. While the library runs, R is called in
 * `report` only, inside R_ToplevelExec. Failures end in fail(), which raises a condition.
 */
#define R_NO_REMAP
#define STRICT_R_HEADERS
#include <R.h>
#include <R_ext/Rdynload.h>
#include <R_ext/Utils.h>
#include <R_ext/Visibility.h>
#include <Rinternals.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hsel/hsel.h"

/* ---- R's values ---- */

static SEXP member(SEXP list, const char *name)
{
    SEXP names = Rf_getAttrib(list, R_NamesSymbol);
    for (R_xlen_t i = 0; i < Rf_xlength(names); i++)
        if (strcmp(CHAR(STRING_ELT(names, i)), name) == 0)
            return VECTOR_ELT(list, i);
    return R_NilValue;
}

/* A single text in UTF-8, or NULL. */
static const char *text_of(SEXP value)
{
    return Rf_isString(value) && Rf_xlength(value) == 1 ? Rf_translateCharUTF8(STRING_ELT(value, 0))
                                                        : NULL;
}

/* The name of a file, as the system writes it. */
static const char *path_of(SEXP value)
{
    return R_ExpandFileName(Rf_translateChar(STRING_ELT(value, 0)));
}

/* A list of names, each followed by a NUL, in memory that R frees after the call; NULL: there is
 * none. */
static const char *names_of(SEXP names)
{
    if (!Rf_isString(names))
        return NULL;
    size_t length = 1;
    for (R_xlen_t i = 0; i < Rf_xlength(names); i++)
        length += strlen(Rf_translateCharUTF8(STRING_ELT(names, i))) + 1;
    char *list = R_alloc(length, 1), *to = list;
    for (R_xlen_t i = 0; i < Rf_xlength(names); i++) {
        const char *name = Rf_translateCharUTF8(STRING_ELT(names, i));
        memcpy(to, name, strlen(name) + 1);
        to += strlen(name) + 1;
    }
    *to = 0;
    return list;
}

static SEXP utf8(const char *text) { return text ? Rf_mkCharCE(text, CE_UTF8) : NA_STRING; }

static SEXP split_names(const char *list, uint32_t count)
{
    SEXP names = PROTECT(Rf_allocVector(STRSXP, count));
    for (uint32_t i = 0; i < count; i++, list += strlen(list) + 1)
        SET_STRING_ELT(names, i, utf8(list));
    UNPROTECT(1);
    return names;
}

/* Numbers of the library that count from 0 as R's that count from 1; HSEL_NONE is NA. */
static SEXP from_one(const uint32_t *numbers, size_t count)
{
    SEXP out = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)count));
    for (size_t i = 0; i < count; i++)
        INTEGER(out)[i] = numbers[i] == HSEL_NONE ? NA_INTEGER : (int)numbers[i] + 1;
    UNPROTECT(1);
    return out;
}

/* The other way. */
static const uint32_t *from_zero(SEXP numbers)
{
    if (!Rf_isInteger(numbers))
        return NULL;
    uint32_t *out = (uint32_t *)R_alloc((size_t)Rf_xlength(numbers), sizeof *out);
    for (R_xlen_t i = 0; i < Rf_xlength(numbers); i++)
        out[i] = INTEGER(numbers)[i] == NA_INTEGER ? HSEL_NONE : (uint32_t)INTEGER(numbers)[i] - 1;
    return out;
}

static const uint8_t *bytes_of(SEXP flags)
{
    if (!Rf_isLogical(flags) && !Rf_isInteger(flags))
        return NULL;
    uint8_t *out = (uint8_t *)R_alloc((size_t)Rf_xlength(flags), 1);
    const int *from = Rf_isLogical(flags) ? LOGICAL(flags) : INTEGER(flags);
    for (R_xlen_t i = 0; i < Rf_xlength(flags); i++)
        out[i] = (uint8_t)from[i];
    return out;
}

static SEXP flags_of(const uint8_t *bytes, size_t count)
{
    SEXP out = PROTECT(Rf_allocVector(LGLSXP, (R_xlen_t)count));
    for (size_t i = 0; i < count; i++)
        LOGICAL(out)[i] = bytes[i] != 0;
    UNPROTECT(1);
    return out;
}

/* A list with names; its members are protected by it as soon as they are in it. */
static SEXP new_list(const char *const *names, int count)
{
    SEXP list = PROTECT(Rf_allocVector(VECSXP, count)),
         words = PROTECT(Rf_allocVector(STRSXP, count));
    for (int i = 0; i < count; i++)
        SET_STRING_ELT(words, i, Rf_mkChar(names[i]));
    Rf_setAttrib(list, R_NamesSymbol, words);
    UNPROTECT(2);
    return list;
}

/* ---- the library's objects ---- */

static void release(SEXP pointer, void (*free_it)(void *))
{
    void *object = R_ExternalPtrAddr(pointer);
    R_ClearExternalPtr(pointer);
    free_it(object);
}

static void free_dataset(void *object) { hsel_dataset_free(object); }
static void free_model(void *object) { hsel_model_free(object); }
static void free_evaluation(void *object) { hsel_evaluation_free(object); }
static void finish_dataset(SEXP pointer) { release(pointer, free_dataset); }
static void finish_model(SEXP pointer) { release(pointer, free_model); }
static void finish_evaluation(SEXP pointer) { release(pointer, free_evaluation); }
static void finish_memory(SEXP pointer) { release(pointer, hsel_free); }

/* An empty place for an object, which frees it. */
static SEXP place_for(R_CFinalizer_t finish, const char *kind)
{
    SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, Rf_install(kind), R_NilValue));
    R_RegisterCFinalizerEx(pointer, finish, TRUE);
    UNPROTECT(1);
    return pointer;
}

static void *object_of(SEXP pointer, const char *kind)
{
    if (TYPEOF(pointer) != EXTPTRSXP || R_ExternalPtrTag(pointer) != Rf_install(kind) ||
        !R_ExternalPtrAddr(pointer))
        Rf_error("this is not a live %s of hsel", kind);
    return R_ExternalPtrAddr(pointer);
}
static hsel_dataset *dataset_of(SEXP pointer) { return object_of(pointer, "dataset"); }
static hsel_model *model_of(SEXP pointer) { return object_of(pointer, "model"); }

static SEXP r_is_live(SEXP pointer)
{
    return Rf_ScalarLogical(TYPEOF(pointer) == EXTPTRSXP && R_ExternalPtrAddr(pointer) != NULL);
}

/* Raises the library's error as a condition of R; code HSEL_ECANCELLED as R's interrupt. */
static void fail(int status, const hsel_error *error)
{
    SEXP name = PROTECT(Rf_mkString("hsel")), space = PROTECT(R_FindNamespace(name));
    SEXP code = PROTECT(Rf_ScalarInteger(status)),
         message = PROTECT(Rf_ScalarString(utf8(error->message)));
    SEXP file = PROTECT(Rf_mkString(error->file)),
         line = PROTECT(Rf_ScalarReal((double)error->line));
    SEXP call = PROTECT(Rf_lang5(Rf_install("raise"), code, message, file, line));
    Rf_eval(call, space);
    UNPROTECT(7);
    Rf_error("%s", error->message); /* not reached */
}

#define TRY(call)                                                                                  \
    do {                                                                                           \
        int status_ = (call);                                                                      \
        if (status_ != HSEL_OK)                                                                    \
            fail(status_, &error);                                                                 \
    } while (0)

/* The text in a place, which is freed. */
static SEXP take_text(SEXP place)
{
    SEXP text = PROTECT(Rf_ScalarString(utf8(R_ExternalPtrAddr(place))));
    finish_memory(place);
    UNPROTECT(1);
    return text;
}

/* ---- long calls: requests, interrupts, progress, notes ---- */

struct watch {
    int progress, shown;
    uint64_t done, total;
    char what[128];
    char *notes; /* each followed by a NUL */
    size_t length;
};

static void free_watch(void *object)
{
    if (object)
        free(((struct watch *)object)->notes);
    free(object);
}
static void finish_watch(SEXP pointer) { release(pointer, free_watch); }

static void look(void *context)
{
    struct watch *watch = context;
    if (watch->progress && watch->total) {
        REprintf("\r%s: %.0f of %.0f   ", watch->what, (double)watch->done, (double)watch->total);
        watch->shown = 1;
    }
    R_CheckUserInterrupt();
}

static int report(void *context, uint64_t done, uint64_t total, const char *what)
{
    struct watch *watch = context;
    watch->done = done;
    watch->total = total;
    strncpy(watch->what, what ? what : "", sizeof watch->what - 1);
    return R_ToplevelExec(look, watch) ? 0 : 1;
}

static void note(void *context, const char *text)
{
    struct watch *watch = context;
    size_t more = strlen(text) + 1;
    char *longer = realloc(watch->notes, watch->length + more);
    if (!longer)
        return;
    memcpy(longer + watch->length, text, more);
    watch->notes = longer;
    watch->length += more;
}

/* What R asks, as the library takes it. The place of the watch is to be protected by the caller. */
static SEXP make_request(SEXP asked, hsel_request *request)
{
    SEXP place = PROTECT(place_for(finish_watch, "watch")), rankers = member(asked, "rankers"),
         value;
    struct watch *watch = calloc(1, sizeof *watch);
    if (!watch)
        Rf_error("out of memory");
    R_SetExternalPtrAddr(place, watch);
    watch->progress = Rf_asLogical(member(asked, "progress")) == TRUE;
    *request = (hsel_request){
        .size = sizeof *request, .context = watch, .report = report, .note = note, .details = 1};
    request->selector = text_of(member(asked, "selector"));
    request->classifier = text_of(member(asked, "classifier"));
    request->rankers = names_of(rankers);
    request->ranker_count = request->rankers ? (uint32_t)Rf_xlength(rankers) : 0;
    request->threads = Rf_asInteger(member(asked, "threads"));
    request->seed = (uint64_t)Rf_asReal(member(asked, "seed"));
    if ((value = member(asked, "folds")) != R_NilValue)
        request->folds = (uint32_t)Rf_asInteger(value);
    if ((value = member(asked, "repeats")) != R_NilValue)
        request->repeats = (uint32_t)Rf_asInteger(value);
    request->fold_scheme = text_of(member(asked, "scheme"));
    request->fold_of = from_zero(member(asked, "fold_of"));
    request->rank_by = text_of(member(asked, "rank_by"));
    request->intervals = Rf_asLogical(member(asked, "intervals")) == TRUE;
    request->respect = text_of(member(asked, "respect"));
    if (Rf_isReal(value = member(asked, "weights")))
        request->weights = REAL(value);
    UNPROTECT(1);
    return place;
}

/* Ends the line of progress; the notes become warnings. */
static void tell(SEXP place)
{
    struct watch *watch = R_ExternalPtrAddr(place);
    if (watch->shown)
        REprintf("\n");
    for (size_t at = 0; at < watch->length; at += strlen(watch->notes + at) + 1)
        Rf_warningcall(R_NilValue, "%s", watch->notes + at);
    finish_watch(place);
}

#define TRY_LONG(place, call)                                                                      \
    do {                                                                                           \
        int status_ = (call);                                                                      \
        tell(place);                                                                               \
        if (status_ != HSEL_OK)                                                                    \
            fail(status_, &error);                                                                 \
    } while (0)

/* ---- the library itself ---- */

static SEXP r_version(void)
{
    SEXP out = PROTECT(Rf_allocVector(STRSXP, 2));
    SET_STRING_ELT(out, 0, utf8(hsel_version()));
    SET_STRING_ELT(out, 1, utf8(hsel_built_with()));
    UNPROTECT(1);
    return out;
}

static SEXP r_methods(void)
{
    hsel_error error = {0};
    char *text = NULL;
    SEXP place = PROTECT(place_for(finish_memory, "memory"));
    TRY(hsel_methods_json(&text, &error));
    R_SetExternalPtrAddr(place, text);
    SEXP out = take_text(place);
    UNPROTECT(1);
    return out;
}

/* ---- data sets ---- */

static SEXP r_read(SEXP path, SEXP options)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    SEXP place = PROTECT(place_for(finish_dataset, "dataset"));
    TRY(hsel_dataset_read(path_of(path), text_of(options), &data, &error));
    R_SetExternalPtrAddr(place, data);
    UNPROTECT(1);
    return place;
}

static SEXP r_generate(SEXP generator, SEXP seed)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    SEXP place = PROTECT(place_for(finish_dataset, "dataset"));
    TRY(hsel_dataset_generate(text_of(generator), (uint64_t)Rf_asReal(seed), &data, &error));
    R_SetExternalPtrAddr(place, data);
    UNPROTECT(1);
    return place;
}

static SEXP r_write(SEXP pointer, SEXP path)
{
    hsel_error error = {0};
    TRY(hsel_dataset_write(dataset_of(pointer), path_of(path), &error));
    return R_NilValue;
}

/* From a list with dim, p and i (compressed columns) or neither (a dense matrix), values, labels,
 * classes, positive, features, ids, name, strata, groups, time, test_set,
 * weights, types, word_counts, words, and
 * like, a model. */
static SEXP r_from_arrays(SEXP given)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    SEXP p = member(given, "p"), values = member(given, "values"),
         classes = member(given, "classes"), like = member(given, "like");
    const int *dim = INTEGER(member(given, "dim"));
    int number = Rf_isReal(values) ? HSEL_F64 : HSEL_I32, size = Rf_isReal(values) ? 8 : 4;
    hsel_arrays arrays = {.size = sizeof arrays,
                          .instances = (uint32_t)dim[0],
                          .features = (uint32_t)dim[1],
                          .number = number};
    SEXP place = PROTECT(place_for(finish_dataset, "dataset"));
    if (Rf_isInteger(p)) {
        arrays.layout = HSEL_COLUMNS;
        arrays.start = INTEGER(p);
        arrays.index = INTEGER(member(given, "i"));
        arrays.entries = (uint64_t)Rf_xlength(member(given, "i"));
    } else {
        arrays.layout = HSEL_DENSE;
        arrays.row_stride = size;
        arrays.column_stride = (int64_t)size * dim[0];
    }
    if (Rf_isReal(values))
        arrays.values = REAL(values);
    else if (values != R_NilValue)
        arrays.values = Rf_isLogical(values) ? LOGICAL(values) : INTEGER(values);
    arrays.types = bytes_of(member(given, "types"));
    arrays.labels = from_zero(member(given, "labels"));
    arrays.class_names = names_of(classes);
    arrays.classes = arrays.class_names ? (uint32_t)Rf_xlength(classes) : 0;
    arrays.feature_names = names_of(member(given, "features"));
    arrays.ids = names_of(member(given, "ids"));
    arrays.name = text_of(member(given, "name"));
    arrays.strata = names_of(member(given, "strata"));
    arrays.groups = names_of(member(given, "groups"));
    if (Rf_isReal(member(given, "time")))
        arrays.time = REAL(member(given, "time"));
    arrays.test_set = bytes_of(member(given, "test_set"));
    if (Rf_isReal(member(given, "weights")))
        arrays.weights = REAL(member(given, "weights"));
    arrays.positive_class = text_of(member(given, "positive"));
    if (Rf_isReal(member(given, "target")))
        arrays.target = REAL(member(given, "target"));
    arrays.covariates = bytes_of(member(given, "covariates"));
    if (Rf_isInteger(member(given, "word_counts"))) {
        arrays.word_counts = (const uint32_t *)INTEGER(member(given, "word_counts"));
        arrays.words = names_of(member(given, "words"));
    }
    arrays.like = like == R_NilValue ? NULL : model_of(like);
    TRY(hsel_dataset_from_arrays(&arrays, &data, &error));
    R_SetExternalPtrAddr(place, data);
    UNPROTECT(1);
    return place;
}

static SEXP r_set_hierarchy(SEXP pointer, SEXP terms, SEXP child, SEXP parent, SEXP labels)
{
    hsel_error error = {0};
    uint32_t matched = 0;
    hsel_edges edges = {.size = sizeof edges,
                        .terms = names_of(terms),
                        .child = from_zero(child),
                        .parent = from_zero(parent),
                        .count = (size_t)Rf_xlength(child),
                        .term_count = (uint32_t)Rf_xlength(terms),
                        .labels = names_of(labels)};
    TRY(hsel_dataset_set_hierarchy(dataset_of(pointer), &edges, &matched, &error));
    return Rf_ScalarInteger((int)matched);
}

static SEXP r_propagate(SEXP pointer)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    uint64_t added = 0;
    SEXP place = PROTECT(place_for(finish_dataset, "dataset"));
    TRY(hsel_dataset_propagate(dataset_of(pointer), &data, &added, &error));
    R_SetExternalPtrAddr(place, data);
    UNPROTECT(1);
    return place;
}

/* Everything of a data set, or of a model's shape, but the values. */
static SEXP r_about(SEXP pointer)
{
    static const char *const names[] = {"name",
                                        "dim",
                                        "features",
                                        "classes",
                                        "ids",
                                        "feature_columns",
                                        "feature_texts",
                                        "instance_columns",
                                        "instance_texts",
                                        "types",
                                        "labels",
                                        "positive",
                                        "child",
                                        "parent",
                                        "depth",
                                        "target",
                                        "covariates",
                                        "words"};
    const hsel_dataset *data = R_ExternalPtrTag(pointer) == Rf_install("model")
                                   ? hsel_model_shape(model_of(pointer))
                                   : dataset_of(pointer);
    const hsel_dag *dag = hsel_dataset_hierarchy(data);
    uint32_t n = hsel_dataset_instances(data), d = hsel_dataset_features(data), count;
    size_t bytes;
    SEXP out = PROTECT(new_list(names, 18)), types, child, target, covariates, words;
    SET_VECTOR_ELT(out, 0, Rf_ScalarString(utf8(hsel_dataset_name(data))));
    SET_VECTOR_ELT(out, 1, Rf_allocVector(INTSXP, 2));
    INTEGER(VECTOR_ELT(out, 1))[0] = (int)n;
    INTEGER(VECTOR_ELT(out, 1))[1] = (int)d;
    for (int list = HSEL_FEATURE_NAMES; list <= HSEL_INSTANCE_TEXTS; list++) {
        const char *found = hsel_dataset_names(data, list, &count, &bytes);
        SET_VECTOR_ELT(out, 2 + list, split_names(found, count));
    }
    SET_VECTOR_ELT(out, 9, types = Rf_allocVector(INTSXP, d));
    for (uint32_t f = 0; f < d; f++)
        INTEGER(types)[f] = hsel_dataset_types(data)[f];
    if (hsel_dataset_labels(data))
        SET_VECTOR_ELT(out, 10, from_one(hsel_dataset_labels(data), n));
    if (hsel_dataset_target(data)) {
        SET_VECTOR_ELT(out, 15, target = Rf_allocVector(REALSXP, n));
        for (uint32_t i = 0; i < n; i++)
            REAL(target)[i] = hsel_dataset_target(data)[i];
    }
    SET_VECTOR_ELT(out, 16, covariates = Rf_allocVector(LGLSXP, d));
    for (uint32_t f = 0; f < d; f++)
        LOGICAL(covariates)[f] = hsel_dataset_is_covariate(data, f);
    SET_VECTOR_ELT(out, 17, words = Rf_allocVector(VECSXP, d)); /* of nominal features */
    for (uint32_t f = 0; f < d; f++) {
        const char *found = hsel_dataset_value_names(data, f, &count, &bytes);
        if (found)
            SET_VECTOR_ELT(words, f, split_names(found, count));
    }
    uint32_t positive = hsel_dataset_positive_class(data);
    SET_VECTOR_ELT(out, 11, from_one(&positive, 1));
    if (dag) {
        const uint32_t *parents, *start = hsel_dag_parent_lists(dag, &parents);
        uint32_t nodes = hsel_dag_nodes(dag);
        size_t edges = nodes ? start[nodes] : 0;
        SET_VECTOR_ELT(out, 12, child = Rf_allocVector(INTSXP, (R_xlen_t)edges));
        for (uint32_t v = 0; v < nodes; v++)
            for (uint32_t e = start[v]; e < start[v + 1]; e++)
                INTEGER(child)[e] = (int)v + 1;
        SET_VECTOR_ELT(out, 13, from_one(parents, edges));
        SET_VECTOR_ELT(
            out, 14,
            from_one(hsel_dag_depths(dag), nodes)); /* one too much, which R code takes off */
    }
    UNPROTECT(1);
    return out;
}

/* The positive values of binary features as compressed columns. */
static SEXP r_columns(SEXP pointer)
{
    static const char *const names[] = {"p", "i"};
    const hsel_dataset *data = dataset_of(pointer);
    uint32_t d = hsel_dataset_features(data);
    size_t total = 0, count;
    SEXP out = PROTECT(new_list(names, 2)), p, i;
    SET_VECTOR_ELT(out, 0, p = Rf_allocVector(INTSXP, (R_xlen_t)d + 1));
    INTEGER(p)[0] = 0;
    for (uint32_t f = 0; f < d; f++) {
        hsel_dataset_column(data, f, &count);
        total += count;
        if (total > INT_MAX)
            Rf_error("the data set has more positive values than a sparse matrix of R can hold");
        INTEGER(p)[f + 1] = (int)total;
    }
    SET_VECTOR_ELT(out, 1, i = Rf_allocVector(INTSXP, (R_xlen_t)total));
    for (uint32_t f = 0; f < d; f++) {
        const uint32_t *rows = hsel_dataset_column(data, f, &count);
        for (size_t k = 0; k < count; k++)
            INTEGER(i)[(size_t)INTEGER(p)[f] + k] = (int)rows[k];
    }
    UNPROTECT(1);
    return out;
}

/* One feature: numbers, with the words of a nominal one as attribute. */
static SEXP r_values(SEXP pointer, SEXP feature)
{
    const hsel_dataset *data = dataset_of(pointer);
    uint32_t f = (uint32_t)Rf_asInteger(feature) - 1, count;
    size_t bytes;
    SEXP out = PROTECT(Rf_allocVector(REALSXP, hsel_dataset_instances(data)));
    hsel_dataset_values(data, f, REAL(out));
    const char *words = hsel_dataset_value_names(data, f, &count, &bytes);
    if (words)
        Rf_setAttrib(out, Rf_install("words"), split_names(words, count));
    UNPROTECT(1);
    return out;
}

static SEXP r_dataset_draw(SEXP pointer, SEXP form, SEXP title, SEXP legend, SEXP keep, SEXP value,
                           SEXP nodes)
{
    hsel_error error = {0};
    char *text = NULL;
    hsel_draw_request request = {.size = sizeof request,
                                 .form = text_of(form),
                                 .title = text_of(title),
                                 .legend = text_of(legend),
                                 .keep = bytes_of(keep),
                                 .value = Rf_isReal(value) ? REAL(value) : NULL,
                                 .nodes = (uint32_t)Rf_asInteger(nodes)};
    SEXP place = PROTECT(place_for(finish_memory, "memory"));
    TRY(hsel_dataset_draw(dataset_of(pointer), &request, &text, &error));
    R_SetExternalPtrAddr(place, text);
    SEXP out = take_text(place);
    UNPROTECT(1);
    return out;
}

/* ---- learning ---- */

static SEXP r_select(SEXP pointer, SEXP asked)
{
    static const char *const names[] = {"keep", "scores"};
    hsel_error error = {0};
    hsel_request request;
    const hsel_dataset *data = dataset_of(pointer);
    uint32_t d = hsel_dataset_features(data);
    SEXP out = PROTECT(new_list(names, 2)), watch = PROTECT(make_request(asked, &request));
    uint8_t *keep = (uint8_t *)R_alloc(d, 1);
    SET_VECTOR_ELT(out, 1, Rf_allocVector(REALSXP, d));
    TRY_LONG(watch, hsel_select(data, &request, keep, REAL(VECTOR_ELT(out, 1)), &error));
    SET_VECTOR_ELT(out, 0, flags_of(keep, d));
    UNPROTECT(2);
    return out;
}

static SEXP r_rank(SEXP pointer, SEXP asked)
{
    hsel_error error = {0};
    hsel_request request;
    const hsel_dataset *data = dataset_of(pointer);
    SEXP watch = PROTECT(make_request(asked, &request));
    SEXP out = PROTECT(
        Rf_allocMatrix(REALSXP, (int)hsel_dataset_features(data), (int)request.ranker_count));
    TRY_LONG(watch, hsel_rank(data, &request, REAL(out), &error));
    UNPROTECT(2);
    return out;
}

static SEXP r_train(SEXP pointer, SEXP asked)
{
    hsel_error error = {0};
    hsel_request request;
    hsel_model *model = NULL;
    const hsel_dataset *data = dataset_of(pointer);
    SEXP place = PROTECT(place_for(finish_model, "model")),
         watch = PROTECT(make_request(asked, &request));
    int status = hsel_train(data, &request, &model, &error);
    R_SetExternalPtrAddr(place, model);
    TRY_LONG(watch, status);
    UNPROTECT(2);
    return place;
}

static SEXP r_model_read(SEXP path)
{
    hsel_error error = {0};
    hsel_model *model = NULL;
    SEXP place = PROTECT(place_for(finish_model, "model"));
    TRY(hsel_model_read(path_of(path), &model, &error));
    R_SetExternalPtrAddr(place, model);
    UNPROTECT(1);
    return place;
}

static SEXP r_model_write(SEXP pointer, SEXP path)
{
    hsel_error error = {0};
    TRY(hsel_model_write(model_of(pointer), path_of(path), &error));
    return R_NilValue;
}

static SEXP r_model_to_raw(SEXP pointer)
{
    hsel_error error = {0};
    void *bytes = NULL;
    size_t length = 0;
    SEXP place = PROTECT(place_for(finish_memory, "memory"));
    TRY(hsel_model_to_bytes(model_of(pointer), &bytes, &length, &error));
    R_SetExternalPtrAddr(place, bytes);
    SEXP out = PROTECT(Rf_allocVector(RAWSXP, (R_xlen_t)length));
    if (length)
        memcpy(RAW(out), bytes, length);
    finish_memory(place);
    UNPROTECT(2);
    return out;
}

static SEXP r_model_from_raw(SEXP bytes)
{
    hsel_error error = {0};
    hsel_model *model = NULL;
    SEXP place = PROTECT(place_for(finish_model, "model"));
    TRY(hsel_model_from_bytes(RAW(bytes), (size_t)Rf_xlength(bytes), &model, &error));
    R_SetExternalPtrAddr(place, model);
    UNPROTECT(1);
    return place;
}

/* Selector and classifier. */
static SEXP r_model_methods(SEXP pointer)
{
    hsel_error error = {0};
    char *selector = NULL, *classifier = NULL;
    SEXP first = PROTECT(place_for(finish_memory, "memory"));
    SEXP second = PROTECT(place_for(finish_memory, "memory")),
         out = PROTECT(Rf_allocVector(STRSXP, 2));
    TRY(hsel_model_methods(model_of(pointer), &selector, &classifier, &error));
    R_SetExternalPtrAddr(first, selector);
    R_SetExternalPtrAddr(second, classifier);
    SET_STRING_ELT(out, 0, utf8(selector));
    SET_STRING_ELT(out, 1, utf8(classifier));
    finish_memory(first);
    finish_memory(second);
    UNPROTECT(3);
    return out;
}

/* Which features an eager selector kept, and the relevance of features; NULL where the model has
 * none. */
static SEXP r_model_features(SEXP pointer, SEXP features)
{
    static const char *const names[] = {"keep", "scores"};
    hsel_error error = {0};
    const hsel_model *model = model_of(pointer);
    size_t d = (size_t)Rf_asInteger(features);
    uint8_t *keep = (uint8_t *)R_alloc(d, 1);
    SEXP out = PROTECT(new_list(names, 2)), scores = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)d));
    int status = hsel_model_support(model, keep, &error);
    if (status == HSEL_OK)
        SET_VECTOR_ELT(out, 0, flags_of(keep, d));
    else if (status != HSEL_EUNSUPPORTED)
        fail(status, &error);
    status = hsel_model_relevance(model, REAL(scores), &error);
    if (status == HSEL_OK)
        SET_VECTOR_ELT(out, 1, scores);
    else if (status != HSEL_EUNSUPPORTED)
        fail(status, &error);
    UNPROTECT(2);
    return out;
}

/* Matrices of the library go row by row: a row per instance. */
static SEXP by_rows(const double *from, uint32_t rows, uint32_t columns)
{
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)rows, (int)columns));
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < columns; c++)
            REAL(out)[r + (size_t)c * rows] = from[(size_t)r * columns + c];
    UNPROTECT(1);
    return out;
}

static SEXP r_predict(SEXP pointer, SEXP on, SEXP asked)
{
    static const char *const names[] = {"probability", "score", "selected"};
    hsel_error error = {0};
    hsel_request request;
    const hsel_model *model = model_of(pointer);
    const hsel_dataset *data = dataset_of(on);
    uint32_t n = hsel_dataset_instances(data), k = hsel_model_classes(model),
             answers = k ? k : 1; /* without classes a number */
    SEXP out = PROTECT(new_list(names, 3)), watch = PROTECT(make_request(asked, &request));
    double *probability = (double *)R_alloc((size_t)n * answers, sizeof *probability);
    double *score = (double *)R_alloc((size_t)n * answers, sizeof *score);
    SET_VECTOR_ELT(out, 2, Rf_allocVector(INTSXP, n));
    TRY_LONG(watch, hsel_predict(model, data, &request, probability, score,
                                 (uint32_t *)INTEGER(VECTOR_ELT(out, 2)), &error));
    SET_VECTOR_ELT(out, 0, by_rows(probability, n, k));
    SET_VECTOR_ELT(out, 1, by_rows(score, n, answers));
    UNPROTECT(2);
    return out;
}

static SEXP r_select_each(SEXP pointer, SEXP on, SEXP asked)
{
    static const char *const names[] = {"p", "j"};
    hsel_error error = {0};
    hsel_request request;
    const hsel_dataset *data = dataset_of(on);
    uint32_t n = hsel_dataset_instances(data), *index = NULL;
    SEXP out = PROTECT(new_list(names, 2)), watch = PROTECT(make_request(asked, &request));
    SEXP place = PROTECT(place_for(finish_memory, "memory")), p, j;
    uint64_t *start = (uint64_t *)R_alloc((size_t)n + 1, sizeof *start);
    SET_VECTOR_ELT(out, 0, p = Rf_allocVector(INTSXP, (R_xlen_t)n + 1));
    int status = hsel_select_each(model_of(pointer), data, &request, start, &index, &error);
    R_SetExternalPtrAddr(place, index);
    TRY_LONG(watch, status);
    if (start[n] > INT_MAX)
        Rf_error("more features are selected than a sparse matrix of R can hold");
    for (uint32_t i = 0; i <= n; i++)
        INTEGER(p)[i] = (int)start[i];
    SET_VECTOR_ELT(out, 1, j = Rf_allocVector(INTSXP, (R_xlen_t)start[n]));
    for (uint64_t i = 0; i < start[n]; i++)
        INTEGER(j)[i] = (int)index[i];
    finish_memory(place);
    UNPROTECT(3);
    return out;
}

static SEXP r_explain(SEXP pointer, SEXP on, SEXP instance, SEXP top, SEXP form)
{
    hsel_error error = {0};
    char *text = NULL;
    SEXP place = PROTECT(place_for(finish_memory, "memory"));
    TRY(hsel_model_explain(model_of(pointer), dataset_of(on), (uint32_t)Rf_asInteger(instance) - 1,
                           (uint32_t)Rf_asInteger(top), text_of(form), &text, &error));
    R_SetExternalPtrAddr(place, text);
    SEXP out = take_text(place);
    UNPROTECT(1);
    return out;
}

static SEXP r_model_draw(SEXP pointer, SEXP form, SEXP nodes)
{
    hsel_error error = {0};
    char *text = NULL;
    SEXP place = PROTECT(place_for(finish_memory, "memory"));
    TRY(hsel_model_draw(model_of(pointer), text_of(form), (uint32_t)Rf_asInteger(nodes), &text,
                        &error));
    R_SetExternalPtrAddr(place, text);
    SEXP out = take_text(place);
    UNPROTECT(1);
    return out;
}

/* ---- evaluation ---- */

/* What a cross-validation found: metrics as a matrix, and arrays as the library has them. */
static SEXP r_crossval(SEXP pointer, SEXP asked)
{
    static const char *const names[] = {"metrics",     "probability",    "score",     "seconds",
                                        "pooled_each", "fold_mean_each", "fold_of",   "selected",
                                        "frequency",   "confusion",      "by_class",  "folds",
                                        "repeats",     "share",          "stability", "pointer"};
    hsel_error error = {0};
    hsel_request request;
    hsel_evaluation *found = NULL;
    SEXP out = PROTECT(new_list(names, 16)),
         place = PROTECT(place_for(finish_evaluation, "evaluation"));
    SEXP watch = PROTECT(make_request(asked, &request)), metrics, words, both, parts;
    int status = hsel_crossval(dataset_of(pointer), &request, &found, &error),
        count = (int)hsel_metric_count();
    R_SetExternalPtrAddr(place, found);
    TRY_LONG(watch, status);
    SET_VECTOR_ELT(out, 0, metrics = Rf_allocMatrix(REALSXP, count, 4));
    both = PROTECT(Rf_allocVector(VECSXP, 2));
    SET_VECTOR_ELT(both, 0, words = Rf_allocVector(STRSXP, count));
    SET_VECTOR_ELT(both, 1, parts = Rf_allocVector(STRSXP, 4));
    for (int s = 0; s < 4; s++) {
        static const char *const statistics[] = {"pooled", "fold_mean", "pooled_sd",
                                                 "fold_mean_sd"};
        SET_STRING_ELT(parts, s, Rf_mkChar(statistics[s]));
        for (int m = 0; m < count; m++) {
            SET_STRING_ELT(words, m, Rf_mkChar(hsel_metric_name((size_t)m)));
            REAL(metrics)
            [m + s * count] = hsel_evaluation_metric(found, hsel_metric_name((size_t)m), s);
        }
    }
    Rf_setAttrib(metrics, R_DimNamesSymbol, both);
    for (int array = HSEL_PROBABILITY; array <= HSEL_BY_CLASS; array++) {
        size_t length;
        const double *numbers = hsel_evaluation_numbers(found, array, &length);
        SEXP values;
        if (numbers) {
            SET_VECTOR_ELT(out, 1 + array, values = Rf_allocVector(REALSXP, (R_xlen_t)length));
            memcpy(REAL(values), numbers, length * sizeof *numbers);
            continue;
        }
        const uint32_t *counts = hsel_evaluation_counts(found, array, &length);
        if (array == HSEL_FOLD_OF) {
            SET_VECTOR_ELT(out, 1 + array, from_one(counts, length));
        } else if (counts) {
            SET_VECTOR_ELT(out, 1 + array, values = Rf_allocVector(INTSXP, (R_xlen_t)length));
            memcpy(INTEGER(values), counts, length * sizeof *counts);
        }
    }
    SET_VECTOR_ELT(out, 11, Rf_ScalarInteger((int)hsel_evaluation_folds(found)));
    SET_VECTOR_ELT(out, 12, Rf_ScalarInteger((int)hsel_evaluation_repeats(found)));
    SET_VECTOR_ELT(out, 13, Rf_ScalarReal(hsel_evaluation_selected(found)));
    SET_VECTOR_ELT(out, 14, Rf_ScalarReal(hsel_evaluation_stability(found)));
    if (request.intervals)
        SET_VECTOR_ELT(out, 15, place);
    else
        finish_evaluation(place);
    UNPROTECT(4);
    return out;
}

/* Estimate and ends of a row per metric, and how each was made. */
static SEXP r_intervals(SEXP pointer, SEXP other, SEXP metrics, SEXP pooled)
{
    static const char *const names[] = {"values", "method"};
    const hsel_evaluation *one = object_of(pointer, "evaluation"),
                          *two = other == R_NilValue ? NULL : object_of(other, "evaluation");
    const R_xlen_t count = Rf_xlength(metrics);
    hsel_error error = {0};
    SEXP out = PROTECT(new_list(names, 2)), values, methods;
    SET_VECTOR_ELT(out, 0, values = Rf_allocMatrix(REALSXP, 3, (int)count));
    SET_VECTOR_ELT(out, 1, methods = Rf_allocVector(STRSXP, count));
    for (R_xlen_t i = 0; i < count; i++) {
        char method[HSEL_INTERVAL_ROOM];
        TRY(hsel_evaluation_interval(one, two, CHAR(STRING_ELT(metrics, i)),
                                     Rf_asLogical(pooled) == TRUE, REAL(values) + 3 * i, method,
                                     &error));
        SET_STRING_ELT(methods, i, Rf_mkChar(method));
    }
    UNPROTECT(1);
    return out;
}

/* `table` has a row per data set; `asked` has datasets, methods, control, lower, one_sided,
 * keep_zeros, alpha, tolerance. */
static SEXP r_compare(SEXP table, SEXP asked)
{
    hsel_error error = {0};
    char *json = NULL, *text = NULL;
    SEXP first = PROTECT(place_for(finish_memory, "memory"));
    SEXP second = PROTECT(place_for(finish_memory, "memory"));
    SEXP out = PROTECT(Rf_allocVector(STRSXP, 2));
    uint32_t rows = (uint32_t)Rf_nrows(table), columns = (uint32_t)Rf_ncols(table);
    double *value = (double *)R_alloc((size_t)rows * columns, sizeof *value);
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < columns; c++)
            value[(size_t)r * columns + c] = REAL(table)[r + (size_t)c * rows];
    hsel_compare_request request = {.size = sizeof request,
                                    .value = value,
                                    .datasets = rows,
                                    .methods = columns,
                                    .dataset_names = names_of(member(asked, "datasets")),
                                    .method_names = names_of(member(asked, "methods")),
                                    .control = text_of(member(asked, "control")),
                                    .lower_is_better = Rf_asLogical(member(asked, "lower")) == TRUE,
                                    .one_sided = Rf_asLogical(member(asked, "one_sided")) == TRUE,
                                    .keep_zeros = Rf_asLogical(member(asked, "keep_zeros")) == TRUE,
                                    .alpha = Rf_asReal(member(asked, "alpha")),
                                    .tolerance = Rf_asReal(member(asked, "tolerance"))};
    TRY(hsel_compare(&request, &json, &text, &error));
    R_SetExternalPtrAddr(first, json);
    R_SetExternalPtrAddr(second, text);
    SET_STRING_ELT(out, 0, utf8(json));
    SET_STRING_ELT(out, 1, utf8(text));
    finish_memory(first);
    finish_memory(second);
    UNPROTECT(3);
    return out;
}

/* Doubles, flags (raw), numbers of groups from 0 or NULL, one number each: JSON. */
static SEXP r_pu_metrics(SEXP scores, SEXP labelled, SEXP groups, SEXP prior, SEXP seed)
{
    hsel_error error = {0};
    char *json = NULL;
    SEXP first = PROTECT(place_for(finish_memory, "memory"));
    TRY(hsel_pu_metrics(REAL(scores), RAW(labelled),
                        groups == R_NilValue ? NULL : (const uint32_t *)INTEGER(groups),
                        (uint32_t)Rf_xlength(scores), Rf_asReal(prior), (uint64_t)Rf_asReal(seed),
                        "json", &json, &error));
    R_SetExternalPtrAddr(first, json);
    SEXP out = PROTECT(Rf_ScalarString(utf8(json)));
    finish_memory(first);
    UNPROTECT(2);
    return out;
}

/* `asked` is a request; the file and the smallest and largest sets: JSON. */
static SEXP r_discover_sets(SEXP pointer, SEXP asked, SEXP path, SEXP smallest, SEXP largest)
{
    hsel_error error = {0};
    hsel_request request;
    char *json = NULL;
    SEXP first = PROTECT(place_for(finish_memory, "memory")),
         watch = PROTECT(make_request(asked, &request));
    int status = hsel_discover_sets(dataset_of(pointer), &request, text_of(path),
                                    (uint32_t)Rf_asInteger(smallest),
                                    (uint32_t)Rf_asInteger(largest), "json", &json, &error);
    R_SetExternalPtrAddr(first, json);
    TRY_LONG(watch, status);
    SEXP out = take_text(first);
    UNPROTECT(2);
    return out;
}

/* `asked` is a request with selectors and classifiers (or NULL), metric, inner_folds,
 * inner_repeats, permutations, race, budget. A list with the model, the facts as JSON, and the
 * report. */
static SEXP r_auto(SEXP pointer, SEXP asked)
{
    static const char *const names[] = {"model", "json", "text"};
    hsel_error error = {0};
    hsel_request request;
    hsel_model *model = NULL;
    char *json = NULL, *text = NULL;
    SEXP selectors = member(asked, "selectors"), classifiers = member(asked, "classifiers");
    SEXP out = PROTECT(new_list(names, 3)), place = PROTECT(place_for(finish_model, "model")),
         first = PROTECT(place_for(finish_memory, "memory")),
         second = PROTECT(place_for(finish_memory, "memory")),
         watch = PROTECT(make_request(asked, &request));
    hsel_auto_request how = {
        .size = sizeof how,
        .selectors = names_of(selectors),
        .classifiers = names_of(classifiers),
        .selector_count = Rf_isString(selectors) ? (uint32_t)Rf_xlength(selectors) : 0,
        .classifier_count = Rf_isString(classifiers) ? (uint32_t)Rf_xlength(classifiers) : 0,
        .metric = text_of(member(asked, "metric")),
        .inner_folds = (uint32_t)Rf_asInteger(member(asked, "inner_folds")),
        .inner_repeats = (uint32_t)Rf_asInteger(member(asked, "inner_repeats")),
        .permutations = (uint32_t)Rf_asInteger(member(asked, "permutations")),
        .race = Rf_asReal(member(asked, "race")),
        .budget = Rf_asReal(member(asked, "budget"))};
    int status = hsel_auto(dataset_of(pointer), &request, &how, &model, &json, &text, &error);
    R_SetExternalPtrAddr(place, model);
    R_SetExternalPtrAddr(first, json);
    R_SetExternalPtrAddr(second, text);
    TRY_LONG(watch, status);
    SET_VECTOR_ELT(out, 0, place);
    SET_VECTOR_ELT(out, 1, take_text(first));
    SET_VECTOR_ELT(out, 2, take_text(second));
    UNPROTECT(5);
    return out;
}

static SEXP r_discover(SEXP pointer, SEXP asked)
{
    static const char *const names[] = {"json", "text", "report"};
    hsel_error error = {0};
    hsel_request request;
    char *json = NULL, *text = NULL, *report = NULL;
    SEXP positives = member(asked, "positives"), negatives = member(asked, "negatives");
    SEXP out = PROTECT(new_list(names, 3)), first = PROTECT(place_for(finish_memory, "memory")),
         second = PROTECT(place_for(finish_memory, "memory")),
         third = PROTECT(place_for(finish_memory, "memory")),
         watch = PROTECT(make_request(asked, &request));
    hsel_discover_request how = {
        .size = sizeof how,
        .positives = names_of(positives),
        .negatives = names_of(negatives),
        .positive_count = Rf_isString(positives) ? (uint32_t)Rf_xlength(positives) : 0,
        .negative_count = Rf_isString(negatives) ? (uint32_t)Rf_xlength(negatives) : 0,
        .top = (uint32_t)Rf_asInteger(member(asked, "top")),
        .correct_bias = Rf_asLogical(member(asked, "correct_bias")),
        .fdr = Rf_asReal(member(asked, "fdr")),
        .report = &report};
    if (how.top == 0)
        how.top = HSEL_NONE;
    int status = hsel_discover(dataset_of(pointer), &request, &how, &json, &text, &error);
    R_SetExternalPtrAddr(first, json);
    R_SetExternalPtrAddr(second, text);
    R_SetExternalPtrAddr(third, report);
    TRY_LONG(watch, status);
    SET_VECTOR_ELT(out, 0, take_text(first));
    SET_VECTOR_ELT(out, 1, take_text(second));
    SET_VECTOR_ELT(out, 2, take_text(third));
    UNPROTECT(5);
    return out;
}

static SEXP r_p_values(SEXP pointer, SEXP asked, SEXP options)
{
    static const char *const names[] = {"p", "adjusted", "status"};
    hsel_error error = {0};
    hsel_request request;
    const hsel_dataset *data = dataset_of(pointer);
    uint32_t d = hsel_dataset_features(data);
    SEXP out = PROTECT(new_list(names, 3)), watch = PROTECT(make_request(asked, &request));
    uint8_t *status = (uint8_t *)R_alloc(d, 1);
    SET_VECTOR_ELT(out, 0, Rf_allocVector(REALSXP, d));
    SET_VECTOR_ELT(out, 1, Rf_allocVector(REALSXP, d));
    SET_VECTOR_ELT(out, 2, Rf_allocVector(INTSXP, d));
    TRY_LONG(watch, hsel_p_values(data, &request, text_of(options), REAL(VECTOR_ELT(out, 0)),
                                  REAL(VECTOR_ELT(out, 1)), status, &error));
    for (uint32_t f = 0; f < d; f++)
        INTEGER(VECTOR_ELT(out, 2))[f] = status[f];
    UNPROTECT(2);
    return out;
}

static SEXP r_terms(SEXP pointer, SEXP asked, SEXP options, SEXP form)
{
    hsel_error error = {0};
    hsel_request request;
    char *text = NULL;
    const hsel_dataset *data = dataset_of(pointer);
    SEXP place = PROTECT(place_for(finish_memory, "memory")),
         watch = PROTECT(make_request(asked, &request));
    int status = hsel_terms(data, &request, text_of(options), text_of(form), &text, &error);
    R_SetExternalPtrAddr(place, text);
    TRY_LONG(watch, status);
    SEXP out = take_text(place);
    UNPROTECT(2);
    return out;
}

static SEXP r_reject(SEXP pointer, SEXP p, SEXP procedure, SEXP alpha)
{
    static const char *const names[] = {"rejected", "adjusted", "inherited"};
    hsel_error error = {0};
    R_xlen_t d = Rf_xlength(p);
    uint8_t *rejected = (uint8_t *)R_alloc((size_t)d, 1);
    SEXP out = PROTECT(new_list(names, 3)), adjusted;
    SET_VECTOR_ELT(out, 1, adjusted = Rf_allocVector(REALSXP, d));
    TRY(hsel_reject(dataset_of(pointer), REAL(p), text_of(procedure), Rf_asReal(alpha), rejected,
                    REAL(adjusted), &error));
    SET_VECTOR_ELT(out, 0, flags_of(rejected, (size_t)d));
    for (R_xlen_t i = 0; i < d; i++)
        rejected[i] = rejected[i] == 2;
    SET_VECTOR_ELT(out, 2, flags_of(rejected, (size_t)d));
    UNPROTECT(1);
    return out;
}

/* ---- registration ---- */

#define ENTRY(name, count)                                                                         \
    {                                                                                              \
        "C_" #name, (DL_FUNC)(void (*)(void))r_##name, count                                       \
    }
static const R_CallMethodDef entries[] = {
    ENTRY(version, 0),        ENTRY(methods, 0),        ENTRY(is_live, 1),
    ENTRY(read, 2),           ENTRY(generate, 2),       ENTRY(write, 2),
    ENTRY(from_arrays, 1),    ENTRY(set_hierarchy, 5),  ENTRY(propagate, 1),
    ENTRY(about, 1),          ENTRY(columns, 1),        ENTRY(values, 2),
    ENTRY(dataset_draw, 7),   ENTRY(select, 2),         ENTRY(rank, 2),
    ENTRY(train, 2),          ENTRY(model_read, 1),     ENTRY(model_write, 2),
    ENTRY(model_to_raw, 1),   ENTRY(model_from_raw, 1), ENTRY(model_methods, 1),
    ENTRY(model_features, 2), ENTRY(predict, 3),        ENTRY(select_each, 3),
    ENTRY(explain, 5),        ENTRY(model_draw, 3),     ENTRY(crossval, 2),
    ENTRY(compare, 2),        ENTRY(pu_metrics, 5),     ENTRY(discover_sets, 5),     ENTRY(auto, 2),
    ENTRY(reject, 4),         ENTRY(intervals, 4),      ENTRY(p_values, 3),
    ENTRY(terms, 4),          ENTRY(discover, 2),       {NULL, NULL, 0}};

void attribute_visible R_init_hsel(DllInfo *library);
void attribute_visible R_init_hsel(DllInfo *library)
{
    hsel_dialect_set(HSEL_DIALECT_R);
    R_registerRoutines(library, NULL, entries, NULL, NULL);
    R_useDynamicSymbols(library, FALSE);
    R_forceSymbols(library, TRUE);
}
