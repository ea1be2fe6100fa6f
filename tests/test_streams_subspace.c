/* SPDX-License-Identifier: Apache-2.0 */
/* No block of a stream is used twice (streams.h), for every method of subspace clustering. */
#include "streams_family.h"

#include "test_replay_subspace.c"
