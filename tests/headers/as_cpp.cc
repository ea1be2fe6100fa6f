// SPDX-License-Identifier: Apache-2.0
// The public header is a C++17 header too: this file only has to compile.
#include <tacit/tacit.h>

int main()
{
    tacit_budget budget;
    tacit_budget_init(&budget, sizeof budget);
    return budget.size == sizeof budget ? 0 : 1;
}
