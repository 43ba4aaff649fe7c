/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trials of AODE. Everything comes from the caller's stream.
 */
#include "support/aode_trial.h"

#include <stdio.h>

#include "support/random_data.h"

const char *const hs_aode_form_names[3] = {"aode", "hie-aode", "hie-aode-lite"};

static bool chance(hs_stream *stream, double p) { return hs_random_double(stream) < p; }
static uint32_t below(hs_stream *stream, uint32_t limit)
{
    return (uint32_t)hs_random_below(stream, limit);
}

static void choose_options(hs_aode_trial *t, hs_stream *stream)
{
    static const uint32_t limits[] = {0, 1, 1, 2, 5, 30};
    t->form = (hs_aode_form)below(stream, 3);
    t->options = (hs_aode_options){.frequency = limits[below(stream, 6)],
                                   .smoothing = (int)below(stream, 2),
                                   .weight = chance(stream, 0.5) ? 1 : 2.5,
                                   .memory = 1024};
    snprintf(t->text, sizeof t->text, "%s:frequency=%u,smoothing=%s,weight=%g",
             hs_aode_form_names[t->form], t->options.frequency,
             t->options.smoothing ? "m-estimate" : "laplace", t->options.weight);
}

void hs_aode_trial_new(hs_aode_trial *t, hs_stream *stream)
{
    hs_random_shape shape = {.instances = 1 + below(stream, 24),
                             .features = 1 + below(stream, 13),
                             .classes = 2 + below(stream, TRIAL_CLASSES - 1),
                             .density = 0.05 + 0.9 * hs_random_double(stream),
                             .parents = 0.3 + 2 * hs_random_double(stream),
                             .true_path = chance(stream, 0.7),
                             .unlabelled = chance(stream, 0.2) ? 0.3 : 0};
    hs_problem_new(&t->p, stream, hs_random_dataset(stream, &shape),
                   &(hs_problem_chances){.trained = 0.8, .masked = 0.4, .used = 0.6});
    choose_options(t, stream);
}
