/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of a family as a list without gaps. */
#include "cluster/method.h"

enum { NUMBERS = 64 }; /* methods of a family have numbers below this */

int32_t tac_method_count(tac_describe_fn describe)
{
    tacit_method method;
    int32_t count = 0;

    for (int32_t number = 0; number < NUMBERS; number++) count += describe(number, &method);
    return count;
}

tacit_status tac_method_at(tac_describe_fn describe, int32_t index, tacit_method *out)
{
    tacit_method method;

    for (int32_t number = 0; number < NUMBERS; number++) {
        if (!describe(number, &method) || index-- != 0) continue;
        method.method = number;
        return tac_give_struct(NULL, "tacit_method", &method, sizeof method, out);
    }
    return TACIT_E_ARGUMENT;
}
