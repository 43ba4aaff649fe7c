/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel select: shows what a selector keeps. Eager: the list of features, or the reduced data set.
 * Lazy: a line for each instance. Or a table of the features.
 */
#include "cli/cli.h"
#include "data/checks.h"
#include "data/summary.h"
#include "data/transform.h"
#include "learn/crossval.h"
#include "rank/rank.h"

struct options {
    hs_load_options load;
    hs_output_options output;
    hs_predict_options other;
    hs_picture_options pictures;
    hsel_request request;
    const char *for_data;
    uint32_t folds;
    int names;
    bool scores, table, csv, json, allow_violations;
};

#define USUAL_FOLDS 10

static const hs_option select_table[] = {
    HS_TEXT(struct options, request.selector, "select", "METHOD", NULL,
            "selector, e.g. rpv or shsel:threshold=0.99"),
    HS_FILE(struct options, for_data, "for", "OTHER", HS_READS,
            "with a lazy selector: learn from DATA, select for the instances of OTHER (default: "
            "those of DATA)"),
    HS_FLAG(struct options, scores, "scores",
            "with an eager selector: also print the score (relevance to the class) of each "
            "selected feature"),
    HS_FLAG(struct options, table, "table",
            "print a table of the selected features (lazy: for any instance), highest score first; "
            "with -o to that file"),
    HS_OPTION(struct options, folds, "folds", "N", NULL, 2, 1000000,
              "with --table and an eager selector: count in how many of N folds each feature is "
              "selected again (default: 10; none with a search such as ga)"),
    HS_FLAG(struct options, csv, "csv", "with --table: print CSV, with all digits"),
    HS_FLAG(struct options, json, "json",
            "print JSON; with a lazy selector and without --table one object per line"),
    HS_NAMES(struct options),
    HS_OPTION(struct options, request.seed, "seed", "S", "1", 0, 9e15, "seed of random selectors"),
    HS_FILE(struct options, request.log, "log", "FILE", HS_WRITES,
            "with a search (ga): write a JSON line for each generation"),
    HS_FILE(struct options, request.checkpoint, "checkpoint", "FILE", HS_WRITES,
            "with a search (ga): save progress to FILE about once a second, and resume from it if "
            "it exists"),
    HS_ALLOW_VIOLATIONS(struct options),
    HS_OPTION_END};

/* The values of a feature in one class; the mean of a binary feature is its share of positive
 * values. */
struct within {
    long double sum; /* of large numbers, beyond any double */
    uint32_t known;
};

struct job {
    const hs_call *call;
    const struct options *options;
    hs_chosen selector;
    bool lazy;
    hsel_dataset *data;
    hsel_model *model; /* of the selector alone */
    /* What was selected: */
    uint64_t *mask;        /* the features */
    uint32_t *times;       /* [features]: in how many … */
    uint32_t of;           /* … of so many … */
    const char *units;     /* … folds or instances; NULL: not counted */
    double *scores;        /* [features]; NULL: the selector has none */
    double *ranked;        /* [features]: the scores, or those of a ranker; NULL: not known yet */
    uint32_t *order;       /* [features]: those selected, the highest score first */
    double *values;        /* [instances]: of the current feature */
    struct within *within; /* [classes]: of the current feature */
    uint32_t *class_size;  /* [classes] */
};

static void job_clear(struct job *job)
{
    hsel_model_free(job->model);
    hs_dataset_free(job->data);
    hs_chosen_clear(&job->selector);
}

/* ---- the table: a line for each feature selected ---- */

static double mean(const struct within *within)
{
    return within->known ? (double)(within->sum / within->known) : (double)NAN;
}

/* Computes the values of a feature in each class, and returns the class that it indicates: where
 * its mean exceeds its mean in all other classes together the most. HSEL_NONE: all means are equal,
 * or the feature is nominal. */
static uint32_t direction(const struct job *job, uint32_t feature)
{
    const hsel_dataset *data = job->data;
    const uint32_t classes = hsel_dataset_classes(data), *labels = hsel_dataset_labels(data);
    const hsel_feature_type type = hsel_dataset_feature_type(data, feature);
    struct within *within = job->within, all = {0};
    uint32_t best = HSEL_NONE;
    size_t positives = 0;
    double most = 0;
    for (uint32_t c = 0; c < classes; c++)
        within[c] = (struct within){.known = job->class_size[c]};
    const uint32_t *column = hsel_dataset_column(data, feature, &positives);
    for (size_t i = 0; classes && i < positives; i++)
        if (labels[column[i]] != HSEL_NONE)
            within[labels[column[i]]].sum++;
    if (classes && type == HSEL_NUMERIC)
        hsel_dataset_values(data, feature, job->values);
    for (uint32_t i = 0; classes && type == HSEL_NUMERIC && i < data->instances; i++) {
        if (labels[i] == HSEL_NONE)
            continue;
        if (isnan(job->values[i]))
            within[labels[i]].known--;
        else
            within[labels[i]].sum += job->values[i];
    }
    for (uint32_t c = 0; c < classes; c++) {
        all.sum += within[c].sum;
        all.known += within[c].known;
    }
    for (uint32_t c = 0; c < classes; c++) {
        struct within others = {all.sum - within[c].sum, all.known - within[c].known};
        double lead = mean(&within[c]) - mean(&others); /* NaN: there is none */
        if (lead > fmax(most, 1e-12 * fabs(mean(&all)))) {
            most = lead;
            best = c;
        }
    }
    return best;
}

/* The scores of the selector, or else of the default ranker of hsel rank; all NaN if there are no
 * classes to rank by. */
static int score(struct job *job, hsel_error *error)
{
    const hsel_dataset *data = job->data;
    const char *name = job->selector.method->name;
    if (job->ranked || (job->ranked = job->scores))
        return HSEL_OK;
    HS_NEED(job->ranked = HS_ARENA_NEW(job->call->arena, double, data->features));
    const hsel_request request = {.size = sizeof request,
                                  .rankers = "auc",
                                  .ranker_count = 1,
                                  .seed = job->options->request.seed,
                                  .threads = job->options->load.threads};
    int status = data->class_of ? hsel_rank(data, &request, job->ranked, error) : HSEL_EUSAGE;
    HS_TRY(status == HSEL_ENOMEM ? status : HSEL_OK);
    for (uint32_t f = 0; f < data->features; f++)
        job->ranked[f] = status
                             ? (double)NAN
                             : hs_ranker_value(hs_method_find(HS_RANKER, "auc", 3), job->ranked[f]);
    hs_note(job->call,
            status ? "%s has no scores of features, and there are no classes to rank them by"
                   : "%s has no scores of features: auc is shown, as in hsel rank",
            name);
    return HSEL_OK;
}

static void table_json(const struct job *job, uint32_t count, hs_writer *out)
{
    const hsel_dataset *data = job->data;
    const uint32_t classes = hsel_dataset_classes(data);
    uint32_t space = hs_about_column(&data->about, HS_ABOUT_NAMESPACE);
    hs_json json = {.out = out};
    hs_json_put(&json, "{dataset:%s features:%u", hsel_dataset_name(data), data->features);
    hs_json_positive(&json, data);
    if (job->units)
        hs_json_put(&json, "%s:%u", job->units, job->of);
    hs_json_put(&json, "selected:[");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t f = job->order[i], speaks_for = direction(job, f);
        const bool numeric = data->types[f] == HSEL_NUMERIC;
        hs_json_put(&json, "{feature:%s", hsel_dataset_feature_name(data, f));
        hs_label_json(&json, &data->about, f);
        if (space != HSEL_NONE)
            hs_json_put(&json, "namespace:%s", hs_about_get(&data->about, f, space));
        if (data->dag)
            hs_json_put(&json, "depth:%u", data->dag->depth[f]);
        hs_json_put(&json, numeric ? "means:{" : "support:{");
        for (uint32_t c = 0; data->types[f] != HSEL_NOMINAL && c < classes; c++) {
            hs_json_put(&json, "%s:", hsel_dataset_class_name(data, c));
            if (numeric)
                hs_json_double(&json, mean(&job->within[c]));
            else
                hs_json_put(&json, "{count:%u share:%g}", (uint32_t)job->within[c].sum,
                            mean(&job->within[c]));
        }
        hs_json_put(&json, "} score:%g direction:%s", job->ranked[f],
                    hsel_dataset_class_name(data, speaks_for));
        if (job->units)
            hs_json_put(&json, "selected_in:%u", job->times[f]);
        hs_json_put(&json, "}");
    }
    hs_json_put(&json, "]}");
}

/* The cells of a class: how many of its instances have the feature and their share, or the mean.
 * `means`: CSV has a separate column for means. */
static void put_class(hs_doc_grid *grid, const struct job *job, uint32_t f, uint32_t c, bool means)
{
    const bool binary = job->data->types[f] == HSEL_BINARY;
    const double part = job->data->types[f] == HSEL_NOMINAL ? (double)NAN : mean(&job->within[c]);
    const char *count = binary ? hs_say(grid->doc, "%u", (uint32_t)job->within[c].sum) : "";
    if (job->options->csv) {
        HS_ROW(grid, count);
        hs_put_number(grid, binary ? part : (double)NAN, 0, true);
        if (means)
            hs_put_number(grid, binary ? (double)NAN : part, 0, true);
    } else if (isnan(part)) {
        HS_ROW(grid, binary ? count : HS_NOTHING);
    } else if (binary) {
        hs_putf(grid, "%s (%.1f %%)", count, 100 * part);
    } else {
        hs_putf(grid, "mean %.4g", part);
    }
}

static int table_grid(const struct job *job, uint32_t count, hs_writer *out, hsel_error *error)
{
    const hsel_dataset *data = job->data;
    const uint32_t classes = hsel_dataset_classes(data),
                   space = hs_about_column(&data->about, HS_ABOUT_NAMESPACE);
    const bool csv = job->options->csv, labels = hs_has_labels(&data->about),
               means = csv && data->numeric_count; /* a separate column */
    HS_OWNS(hs_document_clear) hs_document doc = {0};
    hs_doc_grid grid = {.doc = &doc, .columns = 1};
    HS_ROW(&grid, "feature");
    if (labels)
        HS_ROW(&grid, "label");
    if (space != HSEL_NONE)
        HS_ROW(&grid, "namespace");
    grid.left = grid.used;
    if (data->dag)
        HS_ROW(&grid, "depth");
    for (uint32_t c = 0; c < classes; c++) {
        const char *name = hsel_dataset_class_name(data, c);
        hs_putf(&grid, csv ? "count(%s)" : "%s", name);
        if (csv)
            hs_putf(&grid, "share(%s)", name);
        if (means)
            hs_putf(&grid, "mean(%s)", name);
    }
    HS_ROW(&grid, "score", "direction");
    if (job->units && csv)
        hs_putf(&grid, "selected_%s", job->units);
    if (job->units)
        HS_ROW(&grid, job->units);
    grid.columns = grid.used;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t f = job->order[i], speaks_for = direction(job, f);
        HS_ROW(&grid, hsel_dataset_feature_name(data, f));
        if (labels)
            hs_put_label(&grid, hs_about_label(&data->about, f), csv);
        if (space != HSEL_NONE)
            hs_put_label(&grid, hs_about_get(&data->about, f, space), csv);
        if (data->dag)
            hs_putf(&grid, "%u", data->dag->depth[f]);
        for (uint32_t c = 0; c < classes; c++)
            put_class(&grid, job, f, c, means);
        hs_put_number(&grid, job->ranked[f], 5, csv);
        HS_ROW(&grid, speaks_for != HSEL_NONE ? hsel_dataset_class_name(data, speaks_for)
                      : csv                   ? ""
                                              : HS_NOTHING);
        if (job->units)
            hs_putf(&grid, csv ? "%u" : "%u of %u", job->times[f], job->of);
        if (job->units && csv)
            hs_putf(&grid, "%u", job->of);
    }
    if (csv)
        return hs_grid_csv(&grid, out, error);
    hs_writer_for_people(out);
    return hs_grid_print(&grid, out, error);
}

static int print_table(struct job *job, hsel_error *error)
{
    const struct options *options = job->options;
    HS_TRY(score(job, error));
    hs_hide_names(job->data, options->names);
    uint32_t count = hs_rank_order(job->ranked, job->data->features, job->mask, job->order);
    HS_OPEN(out, options->output.output ? options->output.output : "-");
    if (options->json)
        table_json(job, count, out);
    else
        HS_TRY(table_grid(job, count, out, error));
    return hs_writer_commit(hs_take(&out), error);
}

/* ---- the picture: the selected features and their ancestors ---- */

/* `value`: the score, or the number of instances; `share`: its position between least (0) and
 * greatest (1), NaN: all are equal. */
static void fill_selected(const struct job *job, double value, double share, hs_document *doc,
                          hs_box *box)
{
    const uint32_t f = box->feature, speaks_for = job->lazy ? HSEL_NONE : direction(job, f);
    box->chosen = true;
    box->value = value;
    box->shade = isnan(share) ? 0.5 : 0.1 + 0.9 * share;
    if (speaks_for != HSEL_NONE && job->data->class_names.count == 2 &&
        speaks_for != job->data->positive_class)
        box->shade = -box->shade;
    if (job->lazy)
        box->text = hs_say(doc, "in %u of %u", job->times[f], job->of);
    else if (!isnan(value))
        box->text = hs_say(doc, "%.4g", value);
}

static int draw(struct job *job, hsel_error *error)
{
    const hsel_dataset *data = job->data;
    const hs_picture_options *pictures = &job->options->pictures;
    HS_OWNS(hs_drawing_clear)
    hs_drawing drawing = {.value_name = job->lazy ? "instances" : "score"};
    HS_OWNED double *value = HS_NEW(double, data->features);
    double least = INFINITY, most = -INFINITY;
    if (!hs_pictures_wanted(pictures))
        return HSEL_OK;
    HS_NEED(value);
    if (!job->lazy)
        HS_TRY(score(job, error));
    for (uint32_t f = 0; f < data->features; f++) {
        value[f] = job->lazy ? job->times[f] : job->ranked[f];
        if (hs_bit_get(job->mask, f)) {
            least = fmin(least, value[f]);
            most = fmax(most, value[f]);
        }
    }
    uint32_t count = hs_rank_order(value, data->features, job->mask, job->order);
    HS_TRY(hs_draw_features(
        &drawing,
        &(hs_drawn_features){
            .data = data, .ranked = job->order, .count = count, .limit = pictures->nodes},
        error));
    for (hs_box *box = drawing.boxes; box < drawing.boxes + drawing.box_count; box++) {
        if (box->feature == HSEL_NONE || !hs_bit_get(job->mask, box->feature))
            continue;
        const double own = value[box->feature],
                     share = most > least ? (own - least) / (most - least) : (double)NAN;
        fill_selected(job, own, share, &drawing.doc, box);
    }
    for (size_t i = 0; i < drawing.box_count && job->options->names; i++)
        drawing.boxes[i].label = NULL; /* the data may still be written, with them */
    drawing.title =
        hs_say(&drawing.doc, "%s: %u of %u features of %s selected", job->options->request.selector,
               count, data->features, hs_drawing_name(&drawing, hsel_dataset_name(data)));
    drawing.legend = "the deeper the blue, the higher the score";
    if (job->lazy)
        drawing.legend = "the deeper the blue, the more instances the term is selected for";
    else if (data->class_names.count == 2)
        drawing.legend = hs_say(
            &drawing.doc,
            "the deeper the colour, the higher the score; blue: evidence for %s, orange: for %s",
            hs_drawing_class(&drawing, data, true), hs_drawing_class(&drawing, data, false));
    HS_TRY(hs_document_check(&drawing.doc, error));
    return hs_write_pictures(job->call, &drawing, pictures, error);
}

/* Counts in how many folds each feature is selected, as hsel eval selects, among instances with a
 * class or target. */
static int count_folds(struct job *job, hsel_error *error)
{
    const hsel_dataset *data = job->data;
    const uint32_t asked = job->options->folds;
    HS_OWNS(hs_folds_clear) hs_folds folds = {0};
    HS_OWNS(hs_crossval_clear) hs_crossval done = {0};
    HS_OWNED uint32_t *rows = HS_NEW(uint32_t, data->instances);
    hs_view view = {.data = data, .rows = rows};
    HS_NEED(rows);
    if (!asked && job->selector.method->flags & HS_REPORTS)
        return HSEL_OK;
    for (uint32_t i = 0; i < data->instances; i++)
        if (hs_has_label(data, i))
            rows[view.row_count++] = i;
    HS_REFUSE(asked > view.row_count, "%u folds are more than the %u instances with a %s of %s",
              asked, view.row_count, data->target ? "target" : "class", hsel_dataset_name(data));
    if (view.row_count < USUAL_FOLDS && !asked) {
        hs_note(job->call,
                "too few instances with a class or target to count in how many folds features "
                "are selected");
        return HSEL_OK;
    }
    HS_TRY(hs_folds_within(&view, asked ? asked : USUAL_FOLDS, job->options->request.seed, &folds,
                           error));
    const hs_crossval_request request = {.data = data,
                                         .folds = &folds,
                                         .selectors = &job->selector,
                                         .selector_count = 1,
                                         .seed = job->options->request.seed,
                                         .threads = job->options->load.threads,
                                         .progress = hs_progress_begin(job->call, NULL)};
    HS_TRY(hs_crossval_run(&request, &done, error));
    hs_progress_end(job->call->show);
    for (uint32_t i = 0; i < folds.count; i++)
        for (uint32_t f = 0; f < data->features; f++)
            job->times[f] += hs_bit_get(done.selectors->masks + i * done.mask_words, f);
    job->units = "folds";
    job->of = folds.count;
    return HSEL_OK;
}

/* ---- eager and lazy ---- */

/* Eager: the list of features, or the reduced data set. */
static int print_selected(struct job *job, hsel_error *error)
{
    const struct options *options = job->options;
    const hsel_dataset *data = job->data;
    const double *scores = job->scores;
    if (options->output.output) {
        HS_OWNS(hs_dataset_release) hsel_dataset *reduced = NULL;
        HS_OWNED bool *keep = HS_NEW(bool, data->features);
        HS_NEED(keep);
        for (uint32_t f = 0; f < data->features; f++)
            keep[f] = hs_bit_get(job->mask, f);
        HS_TRY(hs_dataset_subset(data, keep, &reduced, error));
        return hs_output_dataset(job->call, reduced, NULL, &options->output, error);
    }
    hs_hide_names(job->data, options->names);
    HS_OPEN(out, "-");
    hs_json json = {.out = out};
    if (options->json) {
        hs_json_put(&json, "{dataset:%s features:%u", hsel_dataset_name(data), data->features);
        hs_json_positive(&json, data);
        hs_json_put(&json, "selected:[");
    }
    for (uint32_t f = 0; f < data->features; f++) {
        const char *feature = hsel_dataset_feature_name(data, f);
        if (!hs_bit_get(job->mask, f))
            continue;
        if (options->json) {
            hs_json_put(&json, "{feature:%s", feature);
            hs_label_json(&json, &data->about, f);
            if (scores)
                hs_json_put(&json, "relevance:%g", scores[f]);
            hs_json_end_object(&json);
            continue;
        }
        hs_put_tsv(out, feature);
        hs_label_tsv(out, &data->about, f);
        if (options->scores)
            HS_TSV(out, scores[f]);
        hs_writer_char(out, '\n');
    }
    if (options->json)
        hs_json_put(&json, "]}");
    return hs_writer_commit(hs_take(&out), error);
}

static int select_once(struct job *job, hsel_error *error)
{
    const struct options *options = job->options;
    const char *name = job->selector.method->name;
    const hsel_dataset *data = job->data;
    HS_REFUSE(options->for_data,
              "--for is for lazy selectors, but %s selects once for all instances", name);
    HS_REFUSE(options->output.output && (options->json || options->scores) && !options->table,
              "%s is for the list of features, but -o writes the reduced data set instead",
              options->json ? "--json" : "--scores");
    HS_FAIL_IF(options->scores && !job->scores, HSEL_EUNSUPPORTED,
               "%s computes no relevance of features to show", name);
    HS_OWNED uint8_t *keep = HS_NEW(uint8_t, data->features);
    HS_NEED(keep);
    HS_TRY(hsel_model_support(job->model, keep, error));
    for (uint32_t f = 0; f < data->features; f++)
        if (keep[f])
            hs_bit_set(job->mask, f);
    hs_note(job->call, "%zu of %u feature%s selected",
            hs_bits_count(job->mask, hs_bit_words(data->features)), data->features,
            data->features == 1 ? "" : "s");
    if (options->table)
        HS_TRY(count_folds(job, error));
    HS_TRY(draw(job, error));
    return hs_pictures_printed(&options->pictures) ? HSEL_OK
           : options->table                        ? print_table(job, error)
                                                   : print_selected(job, error);
}

/* Lazy: a line for each instance, or the table. */
static int select_for_each(struct job *job, hsel_error *error)
{
    const struct options *options = job->options;
    HS_OWNS(hs_dataset_release) hsel_dataset *other = NULL;
    HS_REFUSE(options->scores,
              "--scores is for eager selectors; hsel explain shows the relevance that %s uses",
              job->selector.method->name);
    if (options->for_data)
        HS_TRY(hs_load_like(job->call, options->for_data, &options->load, &options->other,
                            job->data, &other, error));
    hsel_dataset *data = other ? other : job->data;
    HS_OWNS(hs_predicted_clear)
    hs_predicted chosen = {
        .model = job->model, .data = data, .features = true, .json = options->json};
    HS_TRY(hs_predicted_init(&chosen, job->call, options->load.threads, error));
    if (options->table || hs_pictures_wanted(&options->pictures)) {
        job->units = "instances";
        job->of = data->instances;
        for (bool more = true; more;) {
            HS_TRY(hs_predicted_next(&chosen, &more, error));
            for (uint64_t i = 0; more && i < chosen.start[chosen.request.count]; i++) {
                job->times[chosen.index[i]]++;
                hs_bit_set(job->mask, chosen.index[i]);
            }
        }
        HS_TRY(draw(job, error));
        if (hs_pictures_printed(&options->pictures))
            return HSEL_OK;
        if (options->table)
            return print_table(job, error);
    }
    hs_hide_names(data, options->names);
    HS_OPEN(out, options->output.output ? options->output.output : "-");
    HS_TRY(hs_put_predictions(&chosen, out, error));
    return hs_writer_commit(hs_take(&out), error);
}

/* A search reports progress, can be stopped, and resumes where it stopped. */
static int learn(struct job *job, hsel_error *error)
{
    const struct options *options = job->options;
    if (job->selector.method->flags & HS_REPORTS)
        job->call->show->noun = "generations";
    hsel_request request = hs_request(job->call, &options->request, options->load.threads);
    request.classifier = "";
    request.allow_violations = options->allow_violations;
    int status = hsel_train(job->data, &request, &job->model, error);
    hs_progress_end(job->call->show);
    return status == HSEL_ECANCELLED && options->request.checkpoint
               ? hs_fail(error, status, "stopped; the same command resumes from %s",
                         options->request.checkpoint)
               : status;
}

static int select_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(job_clear) struct job job = {.call = call, .options = options};
    HS_TRY(hs_chosen_parse(HS_SELECTOR, options->request.selector, &job.selector, error));
    const hs_method *method = job.selector.method;
    job.lazy = method->flags & HS_LAZY;
    HS_REFUSE(options->folds && job.lazy,
              "--folds is for eager selectors; for %s the table counts instances", method->name);
    if (!job.lazy && options->output.output && !options->table)
        HS_TRY(hs_output_check(&options->output, HS_ROLE_DATA, error));
    HS_TRY(hs_load_for(call, call->arguments[0], &options->load, &job.data, error));
    hs_note_unlabelled(call, job.data);
    HS_TRY(hs_check_methods(job.data, method, NULL, options->allow_violations, error));
    if (method->flags & HS_NEEDS_CLASSES)
        hs_note_classes(call, job.data, NULL, false);
    hs_note_always_positive(call, job.data);
    HS_TRY(learn(&job, error));
    const uint32_t features = job.data->features, classes = job.data->class_names.count;
    struct job *j = &job;
    HS_NEED(HS_LISTS(call->arena, j, HS_PART(j, mask, hs_bit_words(features)),
                     HS_PART(j, times, features), HS_PART(j, scores, features),
                     HS_PART(j, order, features), HS_PART(j, values, job.data->instances),
                     HS_PART(j, within, classes + 1), HS_PART(j, class_size, classes)));
    hs_class_sizes(job.data, job.class_size);
    if (hsel_model_relevance(job.model, job.scores, NULL))
        job.scores = NULL;
    return job.lazy ? select_for_each(&job, error) : select_once(&job, error);
}

const hs_command hs_command_select = {
    HS_COMMAND_IS(select, "DATA", "select features, once or for each instance", struct options),
    .first = "select output scores table for csv json svg hierarchy class",
    .groups = {{"Options", select_table, 0},
               {"Pictures", hs_picture_table, offsetof(struct options, pictures)},
               {"Output", hs_output_table, offsetof(struct options, output)},
               {"Features of OTHER", hs_predict_table, offsetof(struct options, other)},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .flags = HS_WORKS | HS_WRITES_CSV,
};
