/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TACIT_R_BUDGET_H
#define TACIT_R_BUDGET_H

#include "handles.h"

/* A budget and the options of every family, from lists of R. */
tacit_budget budget_of(SEXP list, SEXP ledger);
tacit_kmeans_opts kmeans_opts_of(SEXP list);
tacit_subspace_opts subspace_opts_of(SEXP list);
tacit_cocluster_opts cocluster_opts_of(SEXP list);

#endif
