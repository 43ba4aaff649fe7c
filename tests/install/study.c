/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A user of the library for studies: writes the report of the store named on the command line. Also
 * uses the other library, which must not disturb it.
 */
#include <hsel/hsel.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    hsel_error error = {0};
    if (argc != 3)
        return 2;
    hsel_report_request request = {
        .size = sizeof request, .store = argv[1], .format = "text", .path = argv[2]};
    if (hsel_report(&request, &error)) {
        fprintf(stderr, "study: %s\n", error.message);
        return 1;
    }
    printf("hsel %s\n", hsel_version());
    return 0;
}
