/* SPDX-License-Identifier: Apache-2.0 */
/* What a method tells of itself, whatever family it is of. */
#ifndef TAC_METHOD_H
#define TAC_METHOD_H

#include "core/core.h"

/* As much of `told` as the caller's struct has room for. */
tacit_status tac_method_tell(const tacit_method *told, tacit_method *out);

#endif
