/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding libsvm and its functions: written once, by the first thread that asks, and never changed
 * again.
 */
#include "classify/libsvm.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static hs_libsvm loaded; /* all NULL: it could not be loaded */

/* POSIX gives functions as data pointers; copying the bytes is the way C allows. */
static bool find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void say_nothing(const char *text) { (void)text; }

static void load(void)
{
    __typeof__(svm_set_print_string_function) *print_with;
    hs_libsvm found;
    void *library = dlopen(HS_LIBSVM_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library || !find(library, "svm_train", &found.train) ||
        !find(library, "svm_free_and_destroy_model", &found.destroy) ||
        !find(library, "svm_set_print_string_function", &print_with))
        return;
    print_with(say_nothing);
    loaded = found;
}

int hs_libsvm_load(const hs_libsvm **out, hsel_error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    *out = &loaded;
    if (loaded.train)
        return HSEL_OK;
    return hs_fail(error, HSEL_EUNSUPPORTED, "svm needs the library %s (Debian: libsvm3)",
                   HS_LIBSVM_LIBRARY);
}
