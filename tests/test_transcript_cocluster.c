/* SPDX-License-Identifier: Apache-2.0 */
/* Releases rebuilt from their transcripts (transcript.h), for every method of co-clustering there
   is. */
#define TRANSCRIPT
#include "test_replay_cocluster.c"
