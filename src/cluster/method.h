/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of methods, the same for every family, as a list without gaps. */
#ifndef TAC_METHOD_H
#define TAC_METHOD_H

#include "core/core.h"

/* False: no method has this number. Numbers are public and never used again, so there are gaps. */
typedef bool (*tac_describe_fn)(int32_t number, tacit_method *out);

int32_t tac_method_count(tac_describe_fn describe);
/* TACIT_E_ARGUMENT: there are not so many. */
tacit_status tac_method_at(tac_describe_fn describe, int32_t index, tacit_method *out);

#endif
