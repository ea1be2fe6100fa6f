/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds that nobody has declared, from a share of the run's own budget: every column gets the same
   part of it. */
#include "cluster/ranges/ranges.h"

#include <math.h>
#include <stdio.h>

#define NAMED 3      /* columns, in a note */
#define OCTAVES 0.25 /* of a column's share: the look at its octaves */

const char *tac_range_name(const tac_run *run, int32_t coordinate)
{
    const tac_features *f = &run->data->features;

    return f->count > 0 ? tac_feature_at(f, coordinate)->name
                        : tacit_data_column_get(run->data, coordinate);
}

double tac_range_bound(const tac_run *run, int32_t coordinate, double bound)
{
    const tac_features *f = &run->data->features;

    return f->count > 0 ? tac_untransformed(tac_feature_at(f, coordinate)->transform, bound)
                        : bound;
}

/* Bounds that noise hides are told: the run is paid for, and must not fail on them. */
static tacit_status note_unresolved(tac_run *run, const tac_range *range, int32_t count,
                                    tac_notes *notes)
{
    tacit_status status = TACIT_OK;

    for (int32_t i = 0; i < count; i++)
        if (!range[i].found)
            TAC_TRY(tac_note(run->ctx, notes,
                             "column %.100s: its bounds could not be told from noise, and %g to %g "
                             "were taken; declare bounds, spend more, or give them a larger share",
                             tac_range_name(run, range[i].column),
                             tac_range_bound(run, range[i].column, range[i].low),
                             tac_range_bound(run, range[i].column, range[i].high)));
done:
    return status;
}

/* Which bounds were estimated, and what that may do to means: no error bar covers it. */
static tacit_status note_estimated(tac_run *run, const tac_range *range, int32_t count,
                                   tac_notes *notes)
{
    char names[400] = "", more[32] = "";
    size_t used = 0;
    int32_t found = 0;

    for (int32_t i = 0; i < count; i++)
        if (range[i].found && found++ < NAMED)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.100s",
                                     found > 1 ? ", " : "", tac_range_name(run, range[i].column));
    if (found == 0) return TACIT_OK;
    if (found > NAMED) snprintf(more, sizeof more, " and %d more", found - NAMED);
    return tac_note(run->ctx, notes,
                    "bounds of %s%s were estimated from this budget; rows beyond them are moved to "
                    "them, so a long tail pulls means by more than the ±",
                    names, more);
}

/* Declared bounds stay; the others become those found. */
static tacit_status take_bounds(tac_run *run, const tac_range *range, int32_t count)
{
    tacit_status status = TACIT_OK;
    const size_t columns = (size_t)tac_data_dims(run->data);
    double *lower = NULL, *upper = NULL;

    TAC_TRY(tac_new(run->ctx, columns, sizeof *lower, &lower));
    TAC_TRY(tac_new(run->ctx, columns, sizeof *upper, &upper));
    for (size_t j = 0; j < columns; j++) {
        lower[j] = run->domain.lower[j];
        upper[j] = run->domain.upper[j];
    }
    for (int32_t i = 0; i < count; i++) {
        lower[range[i].column] = range[i].low;
        upper[range[i].column] = range[i].high;
    }
    TAC_TRY(tac_run_set_bounds(run, lower, upper, run->domain.estimate));
done:
    tac_free(lower);
    tac_free(upper);
    return status;
}

tacit_status tac_private_bounds(tac_run *run, tac_notes *notes)
{
    tacit_status status = TACIT_OK;
    const int32_t columns = tac_data_dims(run->data);
    const tac_domain *domain = &run->domain;
    tac_range *range = NULL;
    int32_t count = 0;

    TAC_TRY(tac_new(run->ctx, (size_t)columns, sizeof *range, &range));
    for (int32_t j = 0; j < columns; j++)
        if (domain->estimate[j])
            range[count++] =
                (tac_range){.column = j, .least = domain->lower[j], .most = domain->upper[j]};
    const uint64_t each =
        tac_share(tac_door_left(run->door), run->budget.bounds_share) / (uint64_t)count;
    const uint64_t quanta = tac_share(each, OCTAVES);
    tac_show_progress(run->ctx, "looking for bounds", 0);
    TAC_TRY(tac_ranges_octaves(run, range, count, quanta));
    for (int32_t i = 0; i < count; i++) range[i].quanta = each - quanta;
    TAC_TRY(tac_ranges_look(run, range, count));
    TAC_TRY(note_estimated(run, range, count, notes));
    TAC_TRY(note_unresolved(run, range, count, notes));
    TAC_TRY(take_bounds(run, range, count));
done:
    tac_free(range);
    return status;
}
