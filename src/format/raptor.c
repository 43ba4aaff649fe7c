/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding raptor2 and its functions. It is never unloaded, because the libraries behind it do not
 * expect that.
 */
#ifdef HS_WITH_RAPTOR

#include "format/raptor.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/* POSIX gives functions as data pointers; copying the bytes is the way C allows. */
static bool find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

int hs_raptor_load(const char *file, hs_raptor *out, hsel_error *error)
{
    void *library = dlopen(HS_RAPTOR_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool complete = library != NULL;
#define X(name) complete = complete && find(library, "raptor_" #name, &out->name);
    HS_RAPTOR_FUNCTIONS(X)
#undef X
    if (complete)
        return HSEL_OK;
    return hs_fail_at(error, HSEL_EUNSUPPORTED, file, 0,
                      "reading RDF needs the library %s (Debian: libraptor2-0)", HS_RAPTOR_LIBRARY);
}

#endif
