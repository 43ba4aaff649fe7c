/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads bytes as a study in a folder that does not exist, and holds the result to its own rules.
 */
#include "support/study_trip.h"

#include <ctype.h>
#include <string.h>

#include "core/method.h"
#include "study/study.h"

#define NAME "no/such/folder/fuzz.yaml"

/* Globs beyond the study's own folder would look through this machine: those need a slash that no
 * name stands before ("/", "../"), a variable or an escape. */
static bool looks_around(const char *bytes, size_t length)
{
    bool glob = false, away = false;
    for (size_t i = 0; i < length; i++) {
        bool follows_name = i > 0 && isalnum((unsigned char)bytes[i - 1]);
        glob |= bytes[i] == '*' || bytes[i] == '?' || bytes[i] == '[';
        away |= bytes[i] == '$' || bytes[i] == '\\' || (bytes[i] == '/' && !follows_name);
    }
    return glob && away;
}

static bool is_canonical(hs_kind kind, const char *text)
{
    hs_chosen chosen = {0};
    if (hs_chosen_parse(kind, text, &chosen, NULL))
        return false;
    bool same = strcmp(chosen.text, text) == 0;
    hs_chosen_clear(&chosen);
    return same;
}

static const char *check_methods(hs_kind kind, const hs_study_method *methods, size_t count)
{
    if (count == 0)
        return "no methods";
    for (size_t i = 0; i < count; i++) {
        if (!is_canonical(kind, methods[i].text))
            return "a method's text is not canonical";
        if (!methods[i].label[0] || !methods[i].family[0] || (methods[i].best && !methods[i].sweep))
            return "a method without label or family";
    }
    return NULL;
}

static const char *check(const hs_study *s)
{
    const char *why = check_methods(HS_SELECTOR, s->selectors, s->selector_count);
    if (!why)
        why = check_methods(HS_CLASSIFIER, s->classifiers, s->classifier_count);
    if (!why && (s->dataset_count == 0 || s->metric_count == 0 || s->metric_count > HS_METRICS ||
                 s->folds < 2 || s->repeats < 1))
        why = "numbers out of bounds";
    for (size_t i = 0; i < s->dataset_count && !why; i++) {
        const hs_study_dataset *d = &s->datasets[i];
        if (!d->name[0] || !d->prepare || !d->path == !d->generate)
            why = "a data set that is neither";
        else if (d->generate && !is_canonical(HS_GENERATOR, d->generate))
            why = "a generator's text is not canonical";
    }
    return why;
}

const char *hs_exercise_study(const void *bytes, size_t length)
{
    hs_study study = {0}, again = {0};
    hsel_error error = {0};
    const char *why = NULL;
    if (looks_around(bytes, length))
        return NULL;
    int status = hs_study_parse(NAME, bytes, length, &study, &error);
    if (status)
        return strncmp(error.message, NAME ":", strlen(NAME) + 1) == 0
                   ? NULL
                   : "a message without the file";
    why = check(&study);
    if (!why && (hs_study_parse(NAME, study.text, strlen(study.text), &again, &error) ||
                 hs_study_jobs(&again) != hs_study_jobs(&study) ||
                 again.selector_count != study.selector_count))
        why = "its own text reads differently";
    hs_study_clear(&study);
    hs_study_clear(&again);
    return why;
}
