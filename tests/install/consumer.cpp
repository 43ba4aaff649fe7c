/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The same in C++, with the data set in a smart pointer.
 */
#include <hsel/hsel.h>

#include <cstdio>
#include <memory>

int main(int argc, char **argv)
{
    hsel_error error{};
    hsel_dataset *raw = nullptr;
    if (argc != 2)
        return 2;
    if (hsel_dataset_read(argv[1], nullptr, &raw, &error) != HSEL_OK) {
        std::fprintf(stderr, "consumer: %s\n", error.message);
        return 1;
    }
    std::unique_ptr<hsel_dataset, decltype(&hsel_dataset_free)> data(raw, hsel_dataset_free);
    std::size_t positives = 0, count = 0;
    for (uint32_t i = 0; i < hsel_dataset_instances(data.get()); i++) {
        hsel_dataset_row(data.get(), i, &count);
        positives += count;
    }
    std::printf("hsel %s: %u instances, %u features, %u classes, %zu positive values\n", hsel_version(),
                hsel_dataset_instances(data.get()), hsel_dataset_features(data.get()), hsel_dataset_classes(data.get()), positives);
    return 0;
}
