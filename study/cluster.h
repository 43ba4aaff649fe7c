/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A group of processes that exchange messages, numbered (ranked) from 0. The runner hands out its
 * units over this table of functions; MPI provides one (mpi/), tests another. Each function returns
 * 0, or -1 when the group is broken.
 */
#ifndef HS_STUDY_CLUSTER_H
#define HS_STUDY_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>

#define HS_CLUSTER_VERSION 1 /* of this table: a module of another version is not used */

typedef struct hs_cluster {
    int version;
    int (*start)(void);
    int (*rank)(void);
    int (*size)(void);
    /* May wait until the other one receives it. One thread at a time. */
    int (*send)(int to, const void *bytes, size_t length);
    /* 1 if a message has come, with its sender and length; 0 if none; -1. Never waits. */
    int (*poll)(int *from, size_t *length);
    /* Takes the next message of that sender. */
    int (*receive)(int from, void *bytes, size_t length);
    /* Leaves the group; with `failed` all of it is brought down. */
    void (*stop)(bool failed);
    size_t message_limit; /* longest message */
} hs_cluster;

#endif
