/* SPDX-License-Identifier: Apache-2.0 */
/* Exit codes, after sysexits.h. The library knows statuses alone; what a process returns is up to
   the command. */
#include "cli.h"

int cli_exit_code(tacit_status status)
{
    switch (status) { /* without a default: a new status does not compile unseen */
    case TACIT_OK: return EXIT_OK;
    case TACIT_E_ARGUMENT:
    case TACIT_E_BUDGET_UNSET:
    case TACIT_E_DOMAIN: return EXIT_USAGE;
    case TACIT_E_FORMAT: return 65;
    case TACIT_E_OPEN: return EXIT_NO_INPUT;
    case TACIT_E_MEMORY:
    case TACIT_E_SYSTEM: return 71;
    case TACIT_E_WRITE: return EXIT_NO_OUTPUT;
    case TACIT_E_READ: return 74;
    case TACIT_E_BUDGET_SPENT: return 75;
    case TACIT_E_LEDGER: return 76;
    case TACIT_E_DECLARED: return 77;
    case TACIT_E_VIOLATION: return 80;
    case TACIT_E_CANCELLED: return 130;
    case TACIT_E_INTERNAL:
    case TACIT_STATUS_END_: break;
    }
    return 70;
}
