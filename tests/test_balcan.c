/* SPDX-License-Identifier: Apache-2.0 */
#include "tap.h"
int main(void){ CHECK(true, "x"); return tap_done(); }
