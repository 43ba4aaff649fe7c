/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Everything in data and core: what every layer above them starts from.
 */
#pragma once

#include "core/core.h"
#include "data/about.h"
#include "data/amounts.h"
#include "data/bits.h"
#include "data/builder.h"
#include "data/checks.h"
#include "data/classes.h"
#include "data/counts.h"
#include "data/dag.h"
#include "data/dataset.h"
#include "data/design.h"
#include "data/folds.h"
#include "data/graph.h"
#include "data/leaks.h"
#include "data/recipe.h"
#include "data/similarity.h"
#include "data/summary.h"
#include "data/tally.h"
#include "data/training.h"
#include "data/transform.h"
