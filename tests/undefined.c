/* SPDX-License-Identifier: Apache-2.0 */
/* In a build with the sanitizer of undefined behavior: a finding must end the program with a
   failure, whatever the environment says. This program has one on purpose, and its test passes only
   if it fails. */
#include <limits.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const int most = INT_MAX - 1 + (argc > 0);
    printf("%d\n", most + argc); /* more than an int holds */
    return argv == NULL;
}
