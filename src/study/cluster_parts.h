/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What both sides of a cluster share: sending, and waiting for a message without keeping a
 * processor busy.
 */
#ifndef HS_STUDY_CLUSTER_PARTS_H
#define HS_STUDY_CLUSTER_PARTS_H

#include "study/runner_parts.h"

typedef struct hs_inbox { /* zero-initialise; hs_inbox_clear frees */
    char *bytes;
    size_t capacity, length;
    int from;
    unsigned idle; /* times in a row that nothing had come */
} hs_inbox;

void hs_inbox_clear(hs_inbox *inbox);
/* 1: a message is in the inbox; 0: none came after a short sleep, longer from time to time;
 * negative. */
HSEL_CHECKED int hs_inbox_wait(hs_inbox *inbox, const hs_cluster *cluster, hsel_error *error);
HSEL_CHECKED int hs_cluster_send(const hs_cluster *cluster, int to, const hs_buf *message,
                                 hsel_error *error);

#endif
