/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * No selection: keeps every feature that may be used, of whatever type, to compare others with. da
 * Silva, Plastino, Freitas (2020), baseline No FS. Eager, so that it goes with every classifier.
 *
 * Time and memory O(features / 64). There are no ties and no relevance.
 */
#include <string.h>

#include "core/mem.h"
#include "select/select.h"

typedef struct none {
    uint32_t features;
    uint64_t *mask; /* those that may be used; NULL: all */
} none;

static void none_free(void *state)
{
    none *n = state;
    if (n)
        hs_free(n->mask);
    hs_free(n);
}

static int prepare(const hs_training *training, const void *options, void **state,
                   hsel_error *error)
{
    uint32_t features = training->view.data->features;
    size_t words = hs_bit_words(features);
    none *n = HS_NEW_ZERO(none, 1);
    (void)options;
    *state = NULL;
    if (n && training->view.features && (n->mask = HS_NEW_ZERO(uint64_t, words)))
        memcpy(n->mask, training->view.features, words * sizeof *n->mask);
    if (!n || (training->view.features && !n->mask)) {
        none_free(n);
        return hs_fail_memory(error);
    }
    n->features = features;
    *state = n;
    return HSEL_OK;
}

static int select_features(const void *state, uint64_t *mask, hsel_error *error)
{
    const none *n = state;
    (void)error;
    if (n->mask)
        memcpy(mask, n->mask, hs_bit_words(n->features) * sizeof *mask);
    for (uint32_t f = 0; !n->mask && f < n->features; f++)
        hs_bit_set(mask, f);
    return HSEL_OK;
}

static const hs_selector functions = {
    .prepare = prepare, .select_features = select_features, .free = none_free};

const hs_method hs_method_none = {.kind = HS_SELECTOR,
                                  .name = "none",
                                  .title = "no selection",
                                  .help = "Keeps all features, for comparison.",
                                  .citation = "da Silva, Plastino, Freitas (2020), baseline No FS",
                                  .flags = HS_ANY_FEATURES,
                                  .selector = &functions};
