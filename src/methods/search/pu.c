/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pu: learns from positive and unlabelled instances with any selector and classifier, its base. The
 * class that is not the positive one is unlabelled: some of its instances are positive.
 *
 *     bagging    Mordelet and Vert (2014): in each round the base learns to tell the positives from
 *                a bootstrap sample of the unlabelled, size times as many as there are positives;
 *                an instance drawn twice counts once. Score: the mean over the rounds.
 *
 * With held-out=F a round leaves out one of F parts of the training instances, positives too, so
 * that all have out-of-bag scores: means over the rounds that learned neither from the instance nor
 * from its group. Scores are the base's (log-odds, margins, differences of votes), all on the same
 * scale, and do not saturate. Probabilities are means, calibrated: of being labelled.
 *
 * Time: rounds x the base on a few instances; memory: the fitted bases.
 */
#include "pipeline/pipeline.h"
#include "search/objective.h"

enum by { BAGGING };
#define BY_WORDS "bagging"
#define LARGEST  1e100 /* score of a base, so that means are numbers */

struct options {
    hs_adjust_options adjust; /* must come first */
    const char *base;
    int by;
    uint32_t rounds, held_out;
    double size;
};

static const hs_option table[] = {
    HS_ADJUST_AUTO,
    HS_TEXT(struct options, base, "base", "CLASSIFIER|SELECTOR+CLASSIFIER", "nb",
            "what learns to tell positives from others; separate its options by ;"),
    HS_CHOICE(struct options, by, "by", BY_WORDS, "bagging",
              "positives against samples of the unlabelled"),
    HS_OPTION(struct options, rounds, "rounds", "N", "30", 1, 100000, "rounds of bagging"),
    HS_OPTION(struct options, size, "size", "X", "1", 1e-6, 1e6,
              "bagging: unlabelled instances drawn in a round, for each positive one"),
    HS_OPTION(struct options, held_out, "held-out", "N", "5", 0, 1000,
              "bagging: parts of the instances, one of which each round leaves out, so that "
              "positives have out-of-bag scores, too; 0: none"),
    HS_OPTION_END};

struct round {
    hs_pipeline pipeline;
    hs_counts counts; /* lazy selectors learn from them */
};

struct pu {
    const hsel_dataset *shape;
    char *text; /* of the base */
    uint32_t features, classes, positive;
    hs_chosen selector, classifier;
    struct round *rounds;
    uint32_t count;
    uint32_t positives, unlabelled; /* training instances */
    uint64_t *mask;                 /* features that the base may use; NULL: all */
};

static void pu_free(void *pointer)
{
    struct pu *m = pointer;
    if (!m)
        return;
    for (uint32_t r = 0; m->rounds && r < m->count; r++) {
        hs_pipeline_clear(&m->rounds[r].pipeline);
        hs_counts_clear(&m->rounds[r].counts);
    }
    hs_chosen_clear(&m->selector);
    hs_chosen_clear(&m->classifier);
    HS_FREE(m->rounds, m->mask, m->text);
    hs_free(m);
}
HS_RELEASE(pu_release, struct pu, pu_free)

static int parse_base(const char *text, hs_chosen *selector, hs_chosen *classifier,
                      hsel_error *error)
{
    return hs_member_parse("pu", "base", "a classifier, or a selector and a classifier, hip+nb",
                           text, strlen(text), selector, classifier, error);
}

static int pu_check(const void *options, hsel_error *error)
{
    const struct options *o = options;
    HS_OWNS(hs_chosen_clear) hs_chosen selector = {0}, classifier = {0};
    HS_TRY(hs_adjust_check(options, error));
    return parse_base(o->base, &selector, &classifier, error);
}

/* Room for the rounds, whose pipelines have the base. */
static int make_rounds(struct pu *m, const char *text, hsel_error *error)
{
    HS_NEED(m->text = hs_strdup(text));
    HS_TRY(parse_base(text, &m->selector, &m->classifier, error));
    HS_NEED(m->rounds = HS_NEW_ZERO(struct round, m->count));
    for (uint32_t r = 0; r < m->count; r++)
        m->rounds[r].pipeline = (hs_pipeline){.selector = &m->selector,
                                              .classifiers = &m->classifier,
                                              .count = 1,
                                              .plain = true,
                                              .prepared = true};
    return HSEL_OK;
}

/* ---- learning ---- */

struct fitting {
    struct pu *model;
    const struct options *o;
    const hs_training *training;
    hs_folds parts; /* that rounds leave out in turn; no folds: none */
    hs_units units; /* groups */
    double *scores; /* [rounds * rows]: out of bag, NaN: not; NULL: not wanted */
    hs_progress_parts progress;
};

static void fitting_clear(struct fitting *f)
{
    hs_folds_clear(&f->parts);
    hs_units_clear(&f->units);
    hs_free(f->scores);
}

static bool is_positive(const struct fitting *f, uint32_t position)
{
    const hs_view *view = &f->training->view;
    return view->data->class_of[hs_view_row(view, position)] == f->model->positive;
}

/* Marks the positions that a round learns from: positives, and unlabelled ones at random. A part
 * with all instances of a class is not left out. */
static int draw(const struct fitting *f, uint32_t round, bool *learns, hsel_error *error)
{
    const uint32_t rows = f->training->view.row_count, parts = f->parts.count;
    HS_OWNED uint32_t *others = HS_NEW(uint32_t, rows);
    uint32_t count = 0, positives = 0;
    hs_stream stream;
    HS_NEED(others);
    for (int whole = !parts; whole < 2 && !(count && positives); whole++) {
        count = positives = 0;
        for (uint32_t i = 0; i < rows; i++) {
            const bool in = whole || f->parts.fold_of[i] != round % parts;
            positives += learns[i] = in && is_positive(f, i);
            if (in && !learns[i])
                others[count++] = i;
        }
    }
    hs_stream_init(&stream, f->training->seed, "pu", round, 0);
    for (uint32_t i = 0; i < rows && !(count && positives); i++) /* one class only */
        learns[i] = true;
    const double wanted = fmin(fmax(1, f->o->size * positives + 0.5), 20.0 * count);
    for (double drawn = 1; drawn <= wanted; drawn++)
        learns[others[hs_random_below(&stream, count)]] = true;
    return HSEL_OK;
}

/* Scores of the instances that are not of a unit that the round learned from. */
static int score_rest(const struct fitting *f, uint32_t round, const bool *learns,
                      hsel_error *error)
{
    const uint32_t rows = f->training->view.row_count;
    double *score = f->scores + (size_t)round * rows;
    HS_OWNS(hs_predictor_clear) hs_predictor predictor = {0};
    HS_OWNED bool *met = HS_NEW_ZERO(bool, rows);
    HS_OWNED uint32_t *instances = HS_NEW(uint32_t, rows), *place = HS_NEW(uint32_t, rows);
    uint32_t count = 0;
    HS_NEED(met && instances && place);
    for (uint32_t i = 0; i < rows; i++)
        met[f->units.of ? f->units.of[i] : i] |= learns[i];
    for (uint32_t i = 0; i < rows; i++) {
        score[i] = (double)NAN;
        if (met[f->units.of ? f->units.of[i] : i])
            continue;
        instances[count] = hs_view_row(&f->training->view, i);
        place[count++] = i;
    }
    const hsel_dataset *data = f->training->view.data;
    HS_TRY(hs_predictor_begin(&predictor, &f->model->rounds[round].pipeline, data, error));
    return hs_predictor_run(&predictor,
                            &(hs_predict_request){.data = data,
                                                  .instances = instances,
                                                  .count = count,
                                                  .place = place,
                                                  .to = &(struct hs_answer_lists){.score = score},
                                                  .width = 1,
                                                  .progress = f->training->progress},
                            error);
}

static int fit_round(void *context, size_t index, int worker, hsel_error *error)
{
    struct fitting *f = context;
    struct round *own = &f->model->rounds[index];
    hs_training training = *f->training;
    const uint32_t rows = training.view.row_count;
    HS_OWNED bool *learns = HS_NEW(bool, rows);
    HS_OWNED uint32_t *chosen = HS_NEW(uint32_t, rows);
    hs_progress_part part;
    hs_stream stream;
    (void)worker;
    HS_NEED(learns && chosen);
    hs_progress_part_begin(&part, &f->progress, "rounds");
    HS_TRY(draw(f, (uint32_t)index, learns, error));
    training.view.rows = chosen;
    training.view.row_count = 0;
    for (uint32_t i = 0; i < rows; i++)
        if (learns[i])
            chosen[training.view.row_count++] = hs_view_row(&f->training->view, i);
    hs_stream_init(&stream, f->training->seed, "pu", index, 1);
    training.seed = hs_random_u64(&stream);
    training.progress = &part.progress;
    training.threads = f->model->count > 1 ? 1 : training.threads;
    training.folds = NULL;
    training.own_score = NULL;
    HS_TRY(hs_counts_of(&training.view, &own->counts, error));
    training.counts = &own->counts;
    HS_TRY(hs_pipeline_fit(&own->pipeline, &training, error));
    if (f->scores)
        HS_TRY(score_rest(f, (uint32_t)index, learns, error));
    return hs_progress_part_end(&part, error);
}

static double bounded(double score) { return fmin(fmax(score, -LARGEST), LARGEST); }

/* Out-of-bag scores: of instances that no round left out, which are few, that of none. */
static void mean_scores(const struct fitting *f, double *out)
{
    const uint32_t rows = f->training->view.row_count;
    for (uint32_t i = 0; i < rows; i++) {
        double sum = 0;
        uint32_t count = 0;
        for (uint32_t r = 0; r < f->model->count; r++) {
            const double score = f->scores[(size_t)r * rows + i];
            sum += isnan(score) ? 0 : bounded(score);
            count += !isnan(score);
        }
        out[i] = count ? sum / count : 0;
    }
}

static int pu_fit(const hs_training *given, const void *options, void **model, hsel_error *error)
{
    const struct options *o = options;
    const hsel_dataset *data = given->view.data;
    const size_t words = hs_bit_words(data->features);
    hs_training training = *given;
    HS_OWNED uint32_t *rows = NULL;
    HS_OWNS(pu_release) struct pu *m = HS_NEW_ZERO(struct pu, 1);
    HS_OWNS(fitting_clear) struct fitting f = {.model = m, .o = o, .training = &training};
    HS_NEED(m);
    m->shape = data;
    m->features = data->features;
    m->classes = data->class_names.count;
    m->positive = data->positive_class;
    m->count = o->rounds;
    if (training.view.features && hs_bits_count(training.view.features, words) == data->features)
        training.view.features = NULL; /* all: the base leaves out covariates itself */
    HS_TRY(hs_training_rows(given, true, &rows, &training.view.row_count, error));
    training.view.rows = rows;
    HS_TRY(make_rounds(m, o->base, error));
    HS_TRY(hs_check_methods(data, m->selector.method, m->classifier.method, true, error));
    if (training.view.features)
        HS_NEED(m->mask = hs_copy(training.view.features, words, sizeof *m->mask));
    for (uint32_t i = 0; i < training.view.row_count; i++)
        *(is_positive(&f, i) ? &m->positives : &m->unlabelled) += 1;
    if (o->held_out > 1 && training.view.row_count > 1)
        HS_TRY(hs_folds_of_view(&training.view, o->held_out, given->seed, &f.parts, error));
    if (given->own_score) {
        HS_NEED(f.scores = HS_NEW(double, (size_t)m->count *training.view.row_count));
        if (hs_has_role(data, HS_ABOUT_GROUP))
            HS_TRY(hs_units_by_group(&training.view, &f.units, error));
    }
    f.progress = (hs_progress_parts){.whole = given->progress, .count = m->count};
    HS_TRY(hs_parallel_for(m->count, given->threads, fit_round, &f, error));
    if (given->own_score)
        mean_scores(&f, given->own_score);
    *model = hs_take(&m);
    return HSEL_OK;
}

static bool pu_scores_training(const void *options)
{
    const struct options *o = options;
    return o->held_out > 1 && o->rounds >= o->held_out;
}

/* ---- predicting ---- */

struct scratch {
    hs_arena arena;
    uint32_t count;
    hs_predictor *predictor;                  /* [count] */
    double *probability, *score, *mean_score; /* of a batch */
};

static void scratch_free(void *pointer)
{
    struct scratch *s = pointer;
    if (!s)
        return;
    for (uint32_t r = 0; s->predictor && r < s->count; r++)
        hs_predictor_clear(&s->predictor[r]);
    hs_arena_clear(&s->arena);
    hs_free(s);
}
HS_RELEASE(scratch_release, struct scratch, scratch_free)

static int scratch_new(const void *model, void **scratch, hsel_error *error)
{
    const struct pu *m = model;
    HS_OWNS(scratch_release) struct scratch *s = HS_NEW_ZERO(struct scratch, 1);
    HS_NEED(s);
    HS_NEED(HS_LISTS(&s->arena, s, HS_PART(s, predictor, m->count),
                     HS_PART(s, probability, 2 * HS_BATCH), HS_PART(s, score, HS_BATCH)));
    s->count = m->count;
    for (uint32_t r = 0; r < m->count; r++)
        HS_TRY(hs_predictor_begin(&s->predictor[r], &m->rounds[r].pipeline, m->shape, error));
    *scratch = hs_take(&s);
    return HSEL_OK;
}

static int pu_predict(const void *model, const hs_batch *batch, void *scratch, double *probability,
                      double *score, hsel_error *error)
{
    const struct pu *m = model;
    struct scratch *s = scratch;
    const double share = 1.0 / m->count;
    memset(probability, 0, 2 * (size_t)batch->count * sizeof *probability);
    memset(score, 0, 2 * (size_t)batch->count * sizeof *score);
    for (uint32_t r = 0; r < m->count; r++) {
        HS_TRY(hs_predictor_run(
            &s->predictor[r],
            &(hs_predict_request){.data = batch->data,
                                  .instances = batch->instances,
                                  .count = batch->count,
                                  .to = &(struct hs_answer_lists){s->probability, s->score},
                                  .width = 1},
            error));
        for (uint32_t i = 0; i < batch->count; i++) {
            score[2 * i + 1] += bounded(s->score[i]) * share;
            probability[2 * i + 1] += s->probability[2 * i + 1] * share;
        }
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        score[2 * i] = -score[2 * i + 1];
        probability[2 * i + 1] = fmin(1, probability[2 * i + 1]);
        probability[2 * i] = 1 - probability[2 * i + 1];
    }
    return HSEL_OK;
}

/* ---- showing ---- */

static int pu_describe(const void *model, const hsel_dataset *shape, hs_describe_form form,
                       hs_writer *out, hsel_error *error)
{
    const struct pu *m = model;
    (void)shape;
    (void)error;
    if (form == HS_DESCRIBE_JSON)
        hs_json_put(&(hs_json){.out = out}, "{base:%s rounds:%u positives:%u unlabelled:%u}",
                    m->text, m->count, m->positives, m->unlabelled);
    else
        hs_writer_printf(out,
                         "%s, learned in %u rounds from %u positive instances and samples of %u "
                         "unlabelled ones\n",
                         m->text, m->count, m->positives, m->unlabelled);
    return HSEL_OK;
}

/* ---- model files ---- */

static void *pu_new(const hsel_dataset *shape)
{
    struct pu *m = HS_NEW_ZERO(struct pu, 1);
    if (m) {
        m->shape = shape;
        m->features = shape->features;
        m->classes = shape->class_names.count;
    }
    return m;
}

static int pu_fields(void *model, const hsel_dataset *shape, hs_transfer *file, hsel_error *error)
{
    struct pu *m = model;
    const bool reads = hs_reads(file);
    uint32_t length = reads ? 0 : (uint32_t)strlen(m->text), masked = m->mask != NULL;
    HS_OWNED char *whole = NULL;
    char *text = m->text;
    HS_FIELDS(file, HS_SHAPE(m), HS_VALUE(m->classes, 2, 2), HS_VALUE(m->positive, 0, 1),
              HS_VALUE(m->positives, HS_ANY), HS_VALUE(m->unlabelled, HS_ANY),
              HS_VALUE(m->count, 1, 100000), HS_VALUE(masked, 0, 1), HS_VALUE(length, 1, 4096));
    HS_FIELDS(file, HS_LIST(text, length, HS_ANY));
    if (reads) {
        HS_OWNED char *given = text;
        HS_NEED(whole = hs_strndup(given, length));
        if (m->count > file->left)
            return HSEL_EFORMAT;
        HS_TRY(make_rounds(m, whole, error));
        HS_TRY(hs_check_within(shape, m->selector.method, error));
        HS_TRY(hs_check_within(shape, m->classifier.method, error));
        if (masked)
            HS_NEED(m->mask = HS_NEW(uint64_t, hs_bit_words(m->features)));
    }
    if (masked)
        HS_FIELDS(file, HS_BIT_SET(m->mask, m->features));
    for (uint32_t r = 0; r < m->count; r++) {
        struct round *round = &m->rounds[r];
        if (hs_pipeline_is_lazy(&round->pipeline))
            HS_TRY(hs_counts_fields(&round->counts, m->features, m->classes, file, error));
        HS_TRY(
            hs_pipeline_fields(&round->pipeline, m->shape, m->mask, &round->counts, file, error));
    }
    return HSEL_OK;
}

static const hs_classifier functions = {.fit = pu_fit,
                                        .predict = pu_predict,
                                        .scratch_new = scratch_new,
                                        .scratch_free = scratch_free,
                                        .scores_training = pu_scores_training,
                                        .describe = pu_describe,
                                        .name = "pu",
                                        .make = pu_new,
                                        .fields = pu_fields,
                                        .free = pu_free};

/* Slot `memory` of hs_method: the rounds, each of as many instances as at most half can be; the
 * counts and the state for prediction of each, and out-of-bag scores. */
static double pu_memory_needed(const hs_size *size, const void *options)
{
    const struct options *o = options;
    HS_OWNS(hs_chosen_clear) hs_chosen selector = {0}, classifier = {0};
    double base = 0;
    if (parse_base(o->base, &selector, &classifier, &(hsel_error){0}))
        return (double)NAN;
    hs_size one = *size;
    one.threads = 1;
    base += selector.method->memory ? selector.method->memory(&one, selector.options) : 0;
    base += classifier.method->memory ? classifier.method->memory(&one, classifier.options) : 0;
    return o->rounds * (base + 40 * size->features + 8 * size->rows);
}

const hs_method hs_method_pu = {
    .kind = HS_CLASSIFIER,
    .name = "pu",
    .title = "learning from positive and unlabelled instances",
    .help =
        "For two classes of which only the positive one is known for sure, as for genes with and "
        "without a known function: the other class is unlabelled, and some of it is positive, too. "
        "A base, with or without a selector, learns in many rounds to tell the positives from a "
        "random sample of the unlabelled, and scores are averaged. Scores rank candidates; "
        "probabilities are those of being labelled. Write the base as SELECTOR+CLASSIFIER with "
        "its options separated by semicolons: pu:base=hip+nb,rounds=50.",
    .citation = "Mordelet, Vert (2014), Pattern Recognit. Lett. 37:201-209",
    .flags = HS_NEEDS_CLASSES | HS_TWO_CLASSES_ONLY | HS_STOCHASTIC | HS_ANY_FEATURES |
             HS_WEIGHS_INSTANCES,
    .options = table,
    .options_size = sizeof(struct options),
    .check = pu_check,
    .memory = pu_memory_needed,
    .classifier = &functions,
};
