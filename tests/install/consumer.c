/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A user of the library in C: reads the data set named on the command line and prints what is in it.
 */
#include <hsel/hsel.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    hsel_error error;
    hsel_dataset *data = NULL;
    size_t positives = 0, count;
    if (argc != 2)
        return 2;
    if (hsel_dataset_read(argv[1], NULL, &data, &error)) {
        fprintf(stderr, "consumer: %s\n", error.message);
        return 1;
    }
    for (uint32_t i = 0; i < hsel_dataset_instances(data); i++) {
        hsel_dataset_row(data, i, &count);
        positives += count;
    }
    printf("hsel %s: %u instances, %u features, %u classes, %zu positive values\n", hsel_version(), hsel_dataset_instances(data),
           hsel_dataset_features(data), hsel_dataset_classes(data), positives);
    hsel_dataset_free(data);
    return 0;
}
