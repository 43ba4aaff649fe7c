/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Everything in core, and the standard headers that nearly every file needs.
 */
#pragma once

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/error.h"
#include "core/fields.h"
#include "core/journal.h"
#include "core/json.h"
#include "core/mem.h"
#include "core/method.h"
#include "core/names.h"
#include "core/option.h"
#include "core/order.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/random.h"
#include "core/reader.h"
#include "core/sparse.h"
#include "core/text.h"
#include "core/wide.h"
#include "core/words.h"
#include "core/writer.h"
