/* SPDX-License-Identifier: Apache-2.0 */
/* What the library is linked to, as it runs: a bug report without these versions is half a one. */
#include "core/core.h"

#include <sodium.h>
#include <sqlite3.h>
#include <zlib.h>

/* "OpenBLAS 0.3.21 DYNAMIC_ARCH ... Haswell ...": also which kernels it chose. Other BLASes lack
   this name, and there is no standard one. */
char *openblas_get_config(void) __attribute__((weak));

static const char *blas_version(void)
{
    return openblas_get_config != NULL ? openblas_get_config() : "of an unknown make";
}

static const struct {
    const char *name, *(*version)(void);
} libraries[] = {{"libsodium", sodium_version_string},
                 {"SQLite", sqlite3_libversion},
                 {"zlib", zlibVersion},
                 {"BLAS", blas_version}};

int tacit_library_count(void)
{
    return (int)(sizeof libraries / sizeof *libraries);
}

const char *tacit_library_get(int index, const char **version)
{
    const bool known = index >= 0 && index < tacit_library_count();

    if (version != NULL) *version = known ? libraries[index].version() : NULL;
    return known ? libraries[index].name : NULL;
}
