/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sum over everything that exists at the same time: for each task a selector and all
 * classifiers, models that are kept, predictions. The estimate is for all features, which a
 * selector may keep.
 */
#include "learn/memory.h"

#include "stats/metrics.h"

#define SMALL (64 * HS_MEGABYTE) /* so much is always there */

/* Of a method: its own estimate, and the memory of every method for features, rows and values. */
static double taken_by(const hs_chosen *chosen, const hs_size *size)
{
    double all = size->features * size->classes * 16 + size->rows * 16;
    return all + (chosen->method->memory ? chosen->method->memory(size, chosen->options) : 0);
}

/* Additional bytes; *most: the method that needs most. */
static double needed_by(const hs_memory_plan *plan, const hs_chosen **most)
{
    const hsel_dataset *data = plan->data;
    const double part = plan->folds > 1 ? 1 - 1.0 / plan->folds : 1,
                 values = data->rows.start ? (double)data->rows.start[data->instances] : 0;
    const hs_size size = {.rows = part * data->instances,
                          .features = data->features,
                          .classes = data->class_names.count,
                          .values = part * values,
                          .columns = (double)data->numeric_count + data->nominal_count,
                          .threads = plan->threads > 1 ? plan->threads : 1};
    double selecting = 0, learning = 0, highest = -1;
    for (size_t i = 0; i < plan->selector_count + plan->classifier_count; i++) {
        bool selects = i < plan->selector_count;
        const hs_chosen *chosen =
            selects ? &plan->selectors[i] : &plan->classifiers[i - plan->selector_count];
        double bytes = taken_by(chosen, &size);
        if (selects)
            selecting = fmax(selecting, bytes);
        else
            learning += bytes;
        if (bytes > highest)
            *most = chosen;
        highest = fmax(highest, bytes);
    }
    /* A fold that prepares the data again copies the numbers, twice while it does so. */
    const double copies =
        hs_recipe_learns(data->recipe) ? 16.0 * data->numeric_count * data->instances : 0;
    return (selecting + learning + copies) * (plan->tasks + plan->kept) +
           plan->predicted * (double)(plan->selector_count * plan->classifier_count) *
               (size.classes + hs_score_width(data->class_names.count)) * sizeof(double);
}

int hs_memory_check(const hs_memory_plan *plan, hs_notes *notes, hsel_error *error)
{
    const hs_chosen *most = NULL;
    const double needed = needed_by(plan, &most);
    const double there = needed > SMALL || hs_memory_is_limited() ? hs_memory_there() : needed * 4;
    const double megabytes[] = {ceil(needed / HS_MEGABYTE), floor(there / HS_MEGABYTE)};
    HS_NEED(!isnan(needed));
    if (needed <= there / 2)
        return HSEL_OK;
    if (needed <= there) {
        char text[160];
        snprintf(text, sizeof text, "runs may take about %.0f MB, and %.0f MB is available",
                 megabytes[0], megabytes[1]);
        return hs_notes_count(notes, most ? most->method->name : "memory", text, true, error);
    }
    static const char *const limits[] = {"memory", "cache", "trees"};
    const char *option = NULL;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0] && !option; i++)
        option = most && hs_option_find(most->method->options, limits[i], strlen(limits[i]))
                     ? limits[i]
                     : NULL;
#define NEEDS                                                                                      \
    "%s needs about %.0f MB, most of it for %s, and only %.0f MB is available; it needs less "     \
    "with "                                                                                        \
    "%s%s%s"
#define FEWER "fewer features ({select}, {min-support}); {memory=any} tries anyway"
    return hs_fail(
        error, HSEL_ELIMIT,
        plan->tasks > 1 || plan->threads > 1 ? NEEDS "fewer {threads}, " FEWER : NEEDS FEWER,
        hsel_dataset_name(plan->data), megabytes[0], most ? most->method->name : "data",
        megabytes[1], option ? "a lower " : "", option ? option : "", option ? "=, " : "");
#undef NEEDS
#undef FEWER
}

int hs_memory_check_pair(const hsel_dataset *data, const hs_chosen *selector,
                         const hs_chosen *classifier, uint32_t folds, int tasks, hsel_error *error)
{
    return hs_memory_check(&(hs_memory_plan){.data = data,
                                             .selectors = selector,
                                             .classifiers = classifier,
                                             .selector_count = 1,
                                             .classifier_count = 1,
                                             .folds = folds,
                                             .tasks = tasks},
                           NULL, error);
}
