/* SPDX-License-Identifier: Apache-2.0 */
/* The streams (streams.h) of every method of a family, in every variant and on the worlds of its
   replays: include this, then the family's replay. Each world is run twice, with keys from the
   system, as users run it. */
#ifndef TAC_TEST_STREAMS_FAMILY_H
#define TAC_TEST_STREAMS_FAMILY_H

#include "replay.h"
#include "streams.h"

enum { WORLDS = 40, WORLDS_LEAST = 4 };
/* of processor time for a variant's worlds, its least number excepted */
static const double streams_seconds = 1;

static void streams_of_world(const replay_family *f, int which, int variant, const world *w,
                             streams_tally *sum)
{
    for (int time = 0; time < 2; time++) {
        tacit_data *data = NULL;
        tacit_model *model = NULL;
        tacit_budget budget;
        open_side(w, time, &data, &budget);
        budget.use_insecure_test_seed = 0;
        begin_run();
        /* what is refused half-way has used its streams, too */
        (void)f->run(w, which, variant, data, &budget, &stream_probe, &model);
        end_run(sum);
        tacit_model_free(model);
        tacit_data_free(data);
    }
}

static long streams_of_variant(const replay_family *f, int which, int variant, const char *words)
{
    static world w;
    streams_tally sum = {0};
    const clock_t begun = clock();

    for (long i = 0; i < tap_times(WORLDS); i++) {
        if (i >= WORLDS_LEAST && (double)(clock() - begun) > streams_seconds * CLOCKS_PER_SEC)
            break;
        start_pair((uint64_t)(which * MOST_VARIANTS + variant), (uint64_t)i);
        f->make(which, variant, &w);
        w.options = options_of((uint64_t)i);
        streams_of_world(f, which, variant, &w, &sum);
    }
    CHECK(sum.twice == 0,
          "%s%s: %ld runs, %ld queries: no block of a stream is used twice in a run (%ld are)",
          f->method(which), words, sum.runs, sum.answers, sum.twice);
    CHECK(sum.foreign == 0,
          "... every stream but that of public choices hangs from the run's own key (%ld do not)",
          sum.foreign);
    CHECK(sum.told == 0, "... and the seed of public choices is no key of noise (%ld are)",
          sum.told);
    CHECK(sum.unheard == 0, "... every query has a stream of its own number (%ld have none)",
          sum.unheard);
    if (sum.listed > 0) printf("# %ld fillings come again for a listed reason\n", sum.listed);
    return sum.answers;
}

static int streams_family_run(const replay_family *f, int least_methods, int argc, char **argv)
{
    int methods = 0;

    MUST(f->variants <= MOST_VARIANTS && tacit_ctx_new(&ctx) == TACIT_OK);
    for (int which = 0; which < 64; which++) {
        bool wanted = argc <= 1;
        long queries = 0;
        if (f->method(which) == NULL) continue;
        for (int i = 1; i < argc; i++) wanted = wanted || strcmp(argv[i], f->method(which)) == 0;
        for (int v = 0; wanted && v < f->variants; v++) {
            char words[96];
            if (f->serves(which, v, words, sizeof words))
                queries += streams_of_variant(f, which, v, words);
        }
        CHECK(queries > 0 || !wanted, "%s asked %ld queries", f->method(which), queries);
        methods++;
    }
    const size_t all = filled;
    const long shared = shared_between_runs();
    CHECK(shared == 0,
          "%ld runs of one process, %zu fillings: no two runs share a block (%ld are shared)", runs,
          all, shared);
    CHECK(methods >= least_methods, "%d methods", methods);
    free(fillings);
    tacit_ctx_free(ctx);
    return tap_done();
}

#define replay_family_run streams_family_run

#endif
