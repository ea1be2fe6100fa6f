/* SPDX-License-Identifier: Apache-2.0 */
/* A layer between SQLite and the real file system in which every call passes. A test puts calls of
   its own in their places, in `layer` and `layer_methods`, and goes on to layer_read and so on. */
#ifndef TAC_SQLITE_LAYER_H
#define TAC_SQLITE_LAYER_H

#include "tap.h"

#include <sqlite3.h>

typedef struct layer_file {
    sqlite3_file base;
    void *own; /* what the test's xOpen knows of this file */
    sqlite3_file real[];
} layer_file;

typedef sqlite3_file *handle;

static sqlite3_vfs *real, layer;

#define LAYER(file) ((layer_file *)(void *)(file))

/* A method of a file that goes on to the same method below. */
#define PASSES(name, method, parameters, ...)                                                      \
    static int name parameters                                                                     \
    {                                                                                              \
        return LAYER(f)->real->pMethods->method(LAYER(f)->real, ##__VA_ARGS__);                    \
    }

PASSES(layer_close, xClose, (handle f))
PASSES(layer_read, xRead, (handle f, void *to, int n, sqlite3_int64 at), to, n, at)
PASSES(layer_write, xWrite, (handle f, const void *from, int n, sqlite3_int64 at), from, n, at)
PASSES(layer_truncate, xTruncate, (handle f, sqlite3_int64 n), n)
PASSES(layer_sync, xSync, (handle f, int flags), flags)
PASSES(layer_size, xFileSize, (handle f, sqlite3_int64 *n), n)
PASSES(layer_lock, xLock, (handle f, int lock), lock)
PASSES(layer_unlock, xUnlock, (handle f, int lock), lock)
PASSES(layer_reserved, xCheckReservedLock, (handle f, int *out), out)
PASSES(layer_control, xFileControl, (handle f, int op, void *arg), op, arg)
PASSES(layer_sector, xSectorSize, (handle f))
PASSES(layer_traits, xDeviceCharacteristics, (handle f))

/* Version 1: SQLite then neither maps files into memory nor shares any, past the layer. */
static sqlite3_io_methods layer_methods = {
    .iVersion = 1,
    .xClose = layer_close,
    .xRead = layer_read,
    .xWrite = layer_write,
    .xTruncate = layer_truncate,
    .xSync = layer_sync,
    .xFileSize = layer_size,
    .xLock = layer_lock,
    .xUnlock = layer_unlock,
    .xCheckReservedLock = layer_reserved,
    .xFileControl = layer_control,
    .xSectorSize = layer_sector,
    .xDeviceCharacteristics = layer_traits,
};

static int layer_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags,
                      int *given)
{
    (void)vfs;
    file->pMethods = NULL;
    const int code = real->xOpen(real, name, LAYER(file)->real, flags, given);
    if (LAYER(file)->real->pMethods != NULL) file->pMethods = &layer_methods;
    return code;
}

/* Before the layer is registered. */
static void layer_make(const char *name)
{
    real = sqlite3_vfs_find(NULL);
    MUST(real != NULL);
    layer = *real;
    layer.zName = name;
    layer.szOsFile = (int)sizeof(layer_file) + real->szOsFile;
    layer.xOpen = layer_open;
}

#endif
