/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies as texts: see study_text.h.
 */
#include "support/study_text.h"

#include <inttypes.h>
#include <string.h>

#include "support/cmocka.h"

static void dump_methods(const char *what, const hs_study_method *methods, size_t count,
                         hs_buf *out)
{
    for (size_t i = 0; i < count; i++) {
        const hs_study_method *m = &methods[i];
        hs_buf_printf(out, "%s %s", what, m->text);
        if (strcmp(m->label, m->text) != 0)
            hs_buf_printf(out, " [%s]", m->label);
        if (m->sweep)
            hs_buf_printf(out, " of %s [%s]%s", m->family, m->family_label, m->best ? " best" : "");
        else
            assert_string_equal(m->family, m->text);
        hs_buf_char(out, '\n');
    }
}

void hs_study_dump(const hs_study *s, hs_buf *out)
{
    hs_buf_printf(out, "%s: %s\n", s->name, s->title);
    for (size_t i = 0; i < s->dataset_count; i++) {
        const hs_study_dataset *d = &s->datasets[i];
        hs_buf_printf(out, "data %s = %s%s (%s) seed %" PRIu64 "%s\n", d->name,
                      d->path ? d->path : "generate ", d->path ? "" : d->generate, d->prepare,
                      d->seed, d->missing ? " missing" : "");
        assert_true(!d->path != !d->generate);
    }
    dump_methods("selector", s->selectors, s->selector_count, out);
    dump_methods("classifier", s->classifiers, s->classifier_count, out);
    hs_buf_printf(out, "folds %s %u x %u seed %" PRIu64 "\nmetrics", s->scheme, s->folds,
                  s->repeats, s->seed);
    for (size_t i = 0; i < s->metric_count; i++)
        hs_buf_printf(out, " %s", hs_metric_name(s->metrics[i]));
    hs_buf_printf(out, "%s\ncontrol %s alpha %g%s%s\n", s->pooled ? " pooled" : "",
                  s->control ? s->control : "-", s->alpha, s->one_sided ? " one-sided" : "",
                  s->allow_violations ? " allow-violations" : "");
    dump_methods("ranker", s->rankers, s->ranker_count, out);
    if (s->ranker_count)
        hs_buf_printf(out, "tau %d\n", (int)s->tau);
    if (s->best_of)
        hs_buf_printf(out, "best of %s by %s\n", s->best_of, hs_metric_name(s->best_metric));
    if (s->published.file)
        hs_buf_printf(out, "published %s\n", s->published.file);
    for (size_t i = 0; i < s->published.count; i++)
        hs_buf_printf(out, "  %s -> %s\n", s->published.from[i], s->published.to[i]);
}

void hs_study_refuse_code(const char *yaml, int code, const char *message)
{
    hs_study study = {0};
    hsel_error error = {0};
    int status = hs_study_parse("s.yaml", yaml, strlen(yaml), &study, &error);
    assert_string_equal(error.message, message);
    assert_int_equal(status, code);
    assert_null(study.arena.first); /* nothing is left */
}

void hs_study_refuse(const char *yaml, const char *message)
{
    hs_study_refuse_code(yaml, HSEL_EFORMAT, message);
}
