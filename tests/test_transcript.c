/* SPDX-License-Identifier: Apache-2.0 */
/* Releases rebuilt from their transcripts (transcript.h), for every method of k-means and k-median
   there is. */
#define TRANSCRIPT
#include "test_replay.c"
