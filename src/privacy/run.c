/* SPDX-License-Identifier: Apache-2.0 */
/* The order of a run: check, reserve, read, ask. What comes before the first row is read can
   still give the reservation back; nothing after it can. */
#include "privacy/run.h"

#include "privacy/backend_disk.h"
#include "privacy/shards/remote.h"

#include <math.h>
#include <sodium.h>
#include <string.h>

#define SHARE 0.1 /* of the budget, for bounds that are estimated */

static bool estimates(const tac_domain *domain, int32_t dims)
{
    for (int32_t j = 0; domain->estimate != NULL && j < dims; j++)
        if (domain->estimate[j]) return true;
    return false;
}

bool tac_data_estimates(const tacit_data *data)
{
    return estimates(&data->domain, data->selection.dims);
}

bool tac_data_apart(const tacit_data *data)
{
    return data->elsewhere;
}

/* Bounds that are estimated: for dense rows of not too many columns, from a share of the budget. */
static tacit_status check_estimates(tacit_ctx *ctx, const tacit_data *data, tacit_budget *known)
{
    const bool private = tac_data_estimates(data);
    double *share = &known->bounds_share;

    if (!private && *share != 0)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "bounds share is for private bounds, and every column has declared ones; "
                        "leave it out");
    if (!private) return TACIT_OK;
    if (*share != 0 && !(*share >= 0.001 && *share <= 0.9))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "bounds share must be a part of the budget, from 0.001 to 0.9, or 0 for %g",
                        SHARE);
    if (*share == 0) *share = SHARE;
    if (tac_data_sparse(data))
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "private bounds are for dense rows, and these stay sparse; declare bounds, "
                        "or a ball about the origin (radius)");
    if (tac_data_dims(data) > TAC_WIDE)
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "private bounds are for at most %d columns: every column takes its share "
                        "of the budget; declare bounds, or use fewer columns",
                        TAC_WIDE);
    return TACIT_OK;
}

bool tac_run_adds(const tacit_data *data, bool counts, const tacit_budget *budget)
{
    return counts && data->has_units && budget->max_rows_per_unit == 0;
}

/* Options, domain and declaration against each other: public facts alone, so every refusal is
   free. The order of checks is the order in which a user would fix them. */
tacit_status tac_run_check(tacit_ctx *ctx, const tacit_data *data, bool counts,
                           const tacit_budget *given, tacit_budget *known)
{
    tacit_status status = TACIT_OK;

    tacit_budget_init(known, sizeof *known);
    TAC_TRY(tac_read_opts(ctx, "tacit_budget", given, known, sizeof *known));
    TAC_TRY(tac_budget_check(ctx, known->epsilon, known->delta));
    if (known->neighbors != TACIT_ADD_REMOVE && known->neighbors != TACIT_REPLACE &&
        known->neighbors != TACIT_ENTRY)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "neighbors is neither add-remove, nor replace, nor entry");
    if (known->neighbors == TACIT_ENTRY && !counts)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "neighbors entry is for co-clustering tables of counts; take add-remove or "
                        "replace");
    if (known->neighbors == TACIT_ENTRY && data->has_units)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "neighbors entry protects single counts, and a unit column names persons; "
                        "leave one of them out");
    if (known->neighbors == TACIT_ENTRY && ctx->memory > 0)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "with neighbors entry the counts themselves are asked, and they stay in "
                        "memory; leave the limit of memory out, or protect whole rows");
    if (tac_run_adds(data, counts, known) && ctx->memory > 0)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "a person's rows are added up in memory; leave the limit of memory out, or "
                        "say how many rows of one person may count (max rows per person)");
    if (known->use_insecure_test_seed && known->ledger != NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "a data set with a ledger takes no insecure test seed: noise that can be "
                        "repeated protects nobody; use a copy of the data or synthetic rows for "
                        "tests");
    /* counts are >= 0, and a row of them fills the ball */
    if (data->domain.kind == TAC_DOMAIN_NONE && !counts)
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "no bounds were declared; give the smallest and largest possible value of "
                        "every column (bounds) or a ball (radius): they are never read from the "
                        "data, because that would leak");
    if (!counts) TAC_TRY(check_estimates(ctx, data, known));
    if (tac_data_sparse(data) && !counts) TAC_TRY(tac_data_check_sparse(ctx, data));
    if (data->has_units && known->max_rows_per_unit < 1 && !tac_run_adds(data, counts, known))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "with a unit column, say how many rows of one person may count: max rows "
                        "per person, from 1 to %d; noise grows with it",
                        TAC_ROWS_PER_UNIT_MOST);
    if (data->has_units && known->max_rows_per_unit > TAC_ROWS_PER_UNIT_MOST)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "max rows per person must be at most %d",
                        TAC_ROWS_PER_UNIT_MOST);
    if (!data->has_units && known->max_rows_per_unit != 0)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "max rows per person needs a unit column that names the person of each "
                        "row");
    if (data->elsewhere) TAC_TRY(tac_remote_check(ctx, data, known));
    tac_selection selection = data->selection;
    selection.counts = counts;
    TAC_TRY(tac_rules_check(ctx, data->reader, &selection));
    if (data->declaration != NULL)
        TAC_TRY(tac_declaration_agrees(ctx, data->declaration, data, counts, known));
    if (known->ledger != NULL)
        TAC_TRY(
            tac_declaration_agrees(ctx, tac_ledger_declared(known->ledger), data, counts, known));
done:
    return status;
}

tac_privacy_params tac_run_params(const tacit_data *data, const tacit_budget *known)
{
    const bool many =
        data->has_units && known->max_rows_per_unit > 0; /* otherwise added into one */
    return (tac_privacy_params){.definition = known->delta > 0 ? TAC_GDP : TAC_PURE,
                                .neighbors = known->neighbors,
                                .rows_per_unit = many ? known->max_rows_per_unit : 1};
}

/* What the run takes from a ledger, in quanta of the ledger's privacy definition. A pure ledger
   takes pure runs only; on a Gaussian ledger a pure run counts with the mu for which it is
   mu-GDP (accountant.proof.md). */
static tacit_status claim_quanta(tacit_ctx *ctx, const tac_accountant *a, tac_definition ledger,
                                 uint64_t *quanta)
{
    *quanta = a->budget;
    if (ledger == a->definition) return TACIT_OK;
    if (ledger == TAC_PURE)
        return tac_fail(ctx, TACIT_E_LEDGER,
                        "the ledger was opened with delta 0 and takes pure runs only; run with "
                        "delta 0, or open a ledger with a delta");
    *quanta = tac_cost_pure(ledger, a->budget);
    return TACIT_OK;
}

/* The whole budget of the run, durably, before a row is read. Without a ledger nothing is
   reserved: the account alone limits the run. */
static tacit_status reserve(tac_run *run, const char *what)
{
    tacit_status status = TACIT_OK;
    tac_claim claim = {.epsilon = run->budget.epsilon,
                       .delta = run->budget.delta,
                       .unit_column = tac_data_unit_name(run->data),
                       .neighbors = run->budget.neighbors,
                       .what = what};

    if (run->budget.ledger == NULL) return TACIT_OK;
    TAC_TRY(claim_quanta(run->ctx, &run->accountant, tac_ledger_definition(run->budget.ledger),
                         &claim.quanta));
    status = tac_ledger_reserve(run->ctx, run->budget.ledger, &claim, &run->reservation);
    if (status == TACIT_E_BUDGET_SPENT && run->accountant.definition == TAC_PURE &&
        claim.quanta != run->accountant.budget)
        tac_fail(run->ctx, status,
                 "the ledger has too little left for this pure run: it adds runs up on the "
                 "Gaussian curve, where a pure run counts for much; give the run a delta, for "
                 "example 1e-6");
    run->reserved = status == TACIT_OK;
    if (run->reserved)
        sodium_bin2hex(run->ctx->run.id, sizeof run->ctx->run.id, run->reservation.run,
                       sizeof run->reservation.run);
done:
    return status;
}

/* By this process, or by shards. */
static tacit_status read_rows(tac_run *run)
{
    if (!run->data->elsewhere) return tac_data_load(run->ctx, run->data, &run->load);
    return tac_remote_open(run->ctx, run->data, &run->load, run->rows_per_unit,
                           tac_run_adds(run->data, run->load.counts, &run->budget),
                           &run->load.touched, &run->backend);
}

/* The rows of a set with a ledger are read without a word about them: a value that is no number is
   missing, and what cannot be read at all is refused in one sentence, which names neither line nor
   column. The owner may have it said where. */
static tacit_status load(tac_run *run)
{
    tacit_status status = TACIT_OK;
    const int64_t before = tac_now();

    run->load.guarded = run->budget.ledger != NULL && !run->budget.as_owner;
    /* the last moment at which nothing is spent */
    TAC_TRY(tac_data_explain(run->ctx, run->data, tac_check_cancel(run->ctx)));
    if (run->budget.ledger != NULL && run->budget.as_owner)
        TAC_TRY(tacit_ledger_note_owner(run->ctx, run->budget.ledger, "a run as owner"));
    status = read_rows(run); /* the first row is read here */
done:
    run->loaded = tac_now();
    run->ctx->run.read = run->loaded - before;
    return status;
}

/* Where a file is malformed depends on rows: a guarded run names neither line nor column. */
static tacit_status hide_where(const tac_run *run, tacit_status status)
{
    if (status != TACIT_E_FORMAT || !run->reserved || !run->load.guarded) return status;
    return tac_fail(run->ctx, status,
                    "%s: the rows cannot be read as they were declared; where and why is shown "
                    "to the owner only (--as-owner)",
                    tac_data_name(run->data));
}

/* The owners of the rows that count, in the order in which the lattice has them. */
static tacit_status list_owners(tac_run *run)
{
    tacit_status status = TACIT_OK;
    enum { STEP = 4096 };
    const int64_t rows = run->data->reader->rows;
    tac_person *person = NULL;
    int64_t kept = 0;

    /* with rows elsewhere nothing asks: only draws that look at all rows together want owners */
    if (!run->data->has_units || run->keep == NULL || run->backend != NULL) return TACIT_OK;
    TAC_TRY(
        tac_new(run->ctx, (size_t)run->lattice[TAC_ROWS].rows, sizeof *run->owner, &run->owner));
    TAC_TRY(tac_scratch(run->ctx, STEP, sizeof *person, &person));
    for (int64_t first = 0; first < rows; first += STEP) {
        const int64_t count = rows - first < STEP ? rows - first : STEP;
        TAC_TRY(
            tac_data_explain(run->ctx, run->data, tac_data_units(run->data, first, count, person)));
        for (int64_t i = 0; i < count; i++)
            if (tac_is_kept(run->keep, first + i)) run->owner[kept++] = person[i];
    }
    tac_door_owners(run->door, run->owner);
done:
    tac_free(person);
    return status;
}

/* Octaves of the columns that have no bounds yet. */
static tacit_status frame_of_octaves(tac_run *run)
{
    tacit_status status = TACIT_OK;
    const tac_domain *domain = &run->domain;
    const int32_t dims = tac_data_dims(run->data);
    tac_bins *bins = NULL;
    int32_t count = 0;

    TAC_TRY(tac_new(run->ctx, (size_t)dims, sizeof *bins, &bins));
    for (int32_t j = 0; j < dims; j++)
        if (domain->estimate[j])
            bins[count++] =
                (tac_bins){.column = j, .least = domain->lower[j], .most = domain->upper[j]};
    TAC_TRY(tac_frame_of_bins(run->ctx, dims, bins, count, &run->frame));
done:
    tac_free(bins);
    return status;
}

/* The first frame, from the run's domain alone. */
static tacit_status first_frame(tac_run *run)
{
    tacit_status status = TACIT_OK;
    const tac_domain *domain = &run->domain;
    const bool sparse = tac_data_sparse(run->data);
    const int32_t dims = tac_data_dims(run->data);

    if (run->origin == TAC_COUNTS) return tac_frame_of_counts(run->ctx, dims, &run->frame);
    if (tac_run_estimates(run)) return frame_of_octaves(run);
    if (sparse || run->origin == TAC_ZERO) /* 0 stays 0 */
        TAC_TRY(
            tac_frame_for_sparse(run->ctx, domain, dims, run->scale, run->sparsity, &run->frame));
    else
        TAC_TRY(tac_frame_from_domain(run->ctx, domain, dims, run->scale, &run->frame));
    if (run->origin == TAC_CONSTANT) {
        if (sparse)
            TAC_TRY(
                tac_fail(run->ctx, TACIT_E_INTERNAL, "sparse rows were asked to have a constant"));
        tac_frame_add_constant(&run->frame);
    }
done:
    return status;
}

/* What is placed: the rows, or persons. */
static tacit_data *rows_of(const tac_run *run)
{
    return run->added.data != NULL ? run->added.data : run->data;
}

/* Persons added up into rows, and which rows count: always a pass of its own, that a row lacks a
   value must not cost another one. Shards do the same (shards/shard_host.c). */
static tacit_status choose_rows(tac_run *run)
{
    tacit_status status = TACIT_OK;

    if (tac_run_adds(run->data, run->load.counts, &run->budget))
        TAC_TRY(tac_data_add_persons(run->ctx, run->data, &run->added));
    TAC_TRY(tac_data_kept(run->ctx, rows_of(run), run->rows_per_unit, &run->keep));
    if (run->backend != NULL) tac_backend_disk_rows(run->backend, rows_of(run), run->keep);
done:
    return status;
}

/* The rows as `frame` shows them become the view, here or in the backend; what it showed before is
   gone first. The door goes on with it, after a failure with a view without rows. */
static tacit_status place(tac_run *run, tac_view view, const tac_frame *frame)
{
    tacit_status status = TACIT_OK;
    tac_lattice *lattice = &run->lattice[view];
    const int64_t before = tac_now();
    tac_engine engine = run->engine;

    engine.nanoseconds = NULL; /* the time goes to placing */
    if (run->backend == NULL) {
        status = tac_lattice_rebuild(run->ctx, &engine, rows_of(run), frame, run->keep, 0,
                                     rows_of(run)->reader->rows, lattice);
    } else {
        tac_lattice_clear(lattice);
        status = run->backend->place(run->backend, run->ctx, view, frame);
        if (status == TACIT_OK) tac_lattice_describe(frame, tac_data_sparse(rows_of(run)), lattice);
    }
    if (run->door != NULL) tac_door_set_frame(run->door, view, lattice);
    run->ctx->run.place += tac_now() - before;
    return status;
}

/* The rows, loaded, as the door will read them: on the lattice of the first frame, or as counts. */
static tacit_status place_rows(tac_run *run)
{
    if (run->origin == TAC_COUNTS && run->budget.neighbors == TACIT_ENTRY)
        return tac_counts_build(run->ctx, &run->engine, run->data, &run->counts);
    return place(run, TAC_ROWS, &run->frame);
}

/* The key of noise and the seed of public choices: two independent draws from the system, so
   neither reveals anything about the other. */
static tacit_status draw_seeds(tac_run *run)
{
    tacit_status status = TACIT_OK;

    if (run->budget.use_insecure_test_seed) {
        tac_key_from_insecure_seed(run->budget.insecure_test_seed, &run->key);
        tac_public_seed_from_insecure_seed(run->budget.insecure_test_seed, &run->seed);
        return TACIT_OK;
    }
    TAC_TRY(tac_key_from_system(run->ctx, &run->key));
    TAC_TRY(tac_public_seed_from_system(run->ctx, &run->seed));
done:
    return status;
}

/* The eight steps of docs/architecture.md, in their order. On failure the run is closed already,
   and the ledger settled. */
tacit_status tac_run_open(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                          tacit_scale scale, tac_origin origin, int32_t sparsity, const char *what,
                          tac_run *run)
{
    tacit_status status = TACIT_OK;

    memset(run, 0, sizeof *run);
    run->ctx = ctx;
    run->data = data;
    run->load.counts = origin == TAC_COUNTS;
    run->scale = scale;
    run->origin = origin;
    run->sparsity = sparsity;
    run->began = tac_now();
    ctx->run = (tac_run_record){.any = true, .threads = ctx->threads, .rows = -1};
    TAC_TRY(tac_run_check(ctx, data, run->load.counts, budget, &run->budget));
    run->load.places = run->budget.neighbors == TACIT_ENTRY;
    const tac_privacy_params params = tac_run_params(data, &run->budget);
    run->rows_per_unit = params.rows_per_unit;
    tac_engine_threads(ctx, &run->engine);
    tac_accountant_open(params.definition, run->budget.epsilon, run->budget.delta,
                        &run->accountant);
    /* the run's own: what it learns is not written into the handle, which others may share */
    if (run->origin != TAC_COUNTS)
        TAC_TRY(tac_domain_spread(ctx, &data->domain, data->selection.dims, &data->features,
                                  &run->domain));
    TAC_TRY(first_frame(run));
    TAC_TRY(draw_seeds(run));
    if (ctx->memory > 0 && data->copies == 0 && !data->elsewhere)
        TAC_TRY(tac_backend_disk_open(ctx, &run->backend));
    TAC_TRY(reserve(run, what));
    TAC_TRY(load(run));
    if (!data->elsewhere) TAC_TRY(choose_rows(run));
    TAC_TRY(place_rows(run));
    ctx->run.place = tac_now() - run->loaded;
    run->engine.nanoseconds = &ctx->run.map; /* from here on it works for queries */
    TAC_TRY(tac_door_open(ctx, &run->engine, &run->lattice[TAC_ROWS], run->budget.neighbors,
                          run->rows_per_unit, &run->accountant, &run->key, &run->door));
    if (run->backend != NULL) tac_door_set_backend(run->door, run->backend);
    if (data->copies > 0) tac_door_copies(run->door, (uint64_t)data->copies); /* nobody's rows */
    if (run->counts.start != NULL) {
        tac_door_counts(run->door, &run->counts);
        ctx->run.rows = run->counts.rows; /* public with neighbors entry */
    }
    TAC_TRY(list_owners(run));
done:
    if (status != TACIT_OK) status = tac_run_close(run, hide_where(run, status));
    return status;
}

void tac_run_probe(tac_run *run, const tac_door_probe *probe)
{
    tac_door_set_probe(run->door, probe);
    if (probe->key != NULL) probe->key(probe->payload, &run->key);
    if (probe->seed != NULL) probe->seed(probe->payload, &run->seed);
}

/* Reads the raw rows again, through the same list of kept rows: a privacy unit never has more
   rows in one view than in another. */
tacit_status tac_run_set_frame(tac_run *run, tac_view view, tac_frame *frame)
{
    tac_frame_clear(&run->look[view]);
    run->look[view] = *frame;
    memset(frame, 0, sizeof *frame);
    return place(run, view, &run->look[view]);
}

bool tac_run_estimates(const tac_run *run)
{
    return !run->known && estimates(&run->domain, tac_data_dims(run->data));
}

/* The view becomes a first one again. Which columns were estimated stays known, for the release. */
tacit_status tac_run_set_bounds(tac_run *run, const double *lower, const double *upper,
                                const bool *changed)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)tac_data_dims(run->data);
    tac_domain *domain = &run->domain;
    tac_lattice *lattice = &run->lattice[TAC_ROWS];

    if (domain->estimate == NULL)
        TAC_TRY(tac_new(run->ctx, dims, sizeof *domain->estimate, &domain->estimate));
    for (size_t j = 0; j < dims; j++) {
        if (!(isfinite(lower[j]) && isfinite(upper[j]) && lower[j] < upper[j]))
            TAC_TRY(tac_fail(run->ctx, TACIT_E_INTERNAL, "bounds were found that are none"));
        domain->lower[j] = lower[j];
        domain->upper[j] = upper[j];
        domain->estimate[j] = domain->estimate[j] || changed[j];
    }
    tac_domain_measure((int32_t)dims, domain);
    run->known = true;
    tac_lattice_clear(lattice);
    tac_frame_clear(&run->look[TAC_ROWS]);
    tac_frame_clear(&run->frame);
    tac_door_set_frame(run->door, TAC_ROWS, lattice); /* no rows, if what follows fails */
    TAC_TRY(first_frame(run));
    TAC_TRY(place(run, TAC_ROWS, &run->frame));
done:
    return status;
}

bool tac_run_sparse(const tac_run *run)
{
    const tac_frame *frame = tac_run_frame(run, TAC_ROWS);
    return frame->counts != NULL ? !tac_frame_dense(frame) : tac_data_sparse(run->data);
}

bool tac_run_made_up(const tac_run *run)
{
    return run->data->copies > 0;
}

const tac_frame *tac_run_frame(const tac_run *run, tac_view view)
{
    return run->look[view].columns == 0 ? &run->frame : &run->look[view];
}

/* A claim goes back only if no row was read: whether reading fails, and when, may depend on any
   row. */
static tacit_status settle(tac_run *run, tacit_status outcome)
{
    char sentence[sizeof run->ctx->message];

    if (!run->reserved) return outcome;
    if (outcome == TACIT_OK)
        return tac_ledger_commit(run->ctx, run->budget.ledger, &run->reservation);
    if (run->load.touched) return outcome;
    memcpy(sentence, run->ctx->message, sizeof sentence); /* the reason to show is the first one */
    if (tac_ledger_void(run->ctx, run->budget.ledger, &run->reservation) == TACIT_OK)
        run->reserved = false;
    memcpy(run->ctx->message, sentence, sizeof sentence);
    return outcome;
}

/* Settles the ledger first, wipes the key, frees everything. A release may leave only if this
   returns TACIT_OK. */
tacit_status tac_run_close(tac_run *run, tacit_status outcome)
{
    outcome = settle(run, outcome);
    if (outcome == TACIT_E_CANCELLED)
        tac_fail(run->ctx, outcome, "interrupted; nothing was released%s",
                 run->reserved ? ", but the reservation stays spent in the ledger"
                               : " and nothing was spent");
    tac_door_close(run->door);
    if (run->backend != NULL) run->backend->close(run->backend);
    for (int view = 0; view < TAC_VIEWS; view++) {
        tac_lattice_clear(&run->lattice[view]);
        tac_frame_clear(&run->look[view]);
    }
    tac_counts_clear(&run->counts);
    tac_added_clear(&run->added);
    tac_free(run->keep);
    tac_free(run->owner);
    tac_frame_clear(&run->frame);
    tac_domain_clear(&run->domain);
    tac_key_wipe(&run->key);
    run->ctx->run.all = tac_now() - run->began;
    memset(run, 0, sizeof *run);
    return outcome;
}
