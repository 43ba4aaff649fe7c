/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all generators share: the last step, from builder and hierarchy to a data set.
 */
#include "generate/generate.h"

int hs_generate_finish(hs_builder *builder, hsel_dag **dag, hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_TRY(hs_builder_finish(builder, &data, error));
    HS_TRY(hs_dataset_attach(data, *dag, error));
    hs_take(dag);
    *out = hs_take(&data);
    return HSEL_OK;
}
