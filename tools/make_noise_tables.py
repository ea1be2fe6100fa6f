#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Make (or check) the integer tables of the noise samplers, src/privacy/noise/noise_tables.h.

Everything is an integer computed between two bounds: exp and log are enclosed in intervals of
2^-400, and a table entry is written only if both ends round to the same integer. No floating point,
nothing but Python itself.

    make_noise_tables.py            print the header
    make_noise_tables.py --check F  exit 1 if F differs from what would be printed
    make_noise_tables.py --oracle   print tests/noise_oracle.h: probabilities to 544 bits, by the
                                    decimal module
"""
import decimal
import random
import sys

BITS = 400          # working precision: a real y is held as integers lo <= y * 2^BITS <= hi
ONE = 1 << BITS


def exp_minus(num, den):
    """Bounds of exp(-num/den) * 2^BITS, num/den >= 0, by Taylor of exp(-num/(den * 2^s)) and s
    squarings."""
    s = 0
    while num >= den << s:
        s += 1
    s += 4
    low = high = 0           # alternating terms, each rounded outwards
    term_low = term_high = ONE
    i = 0
    while term_high > 1:
        if i % 2 == 0:
            low, high = low + term_low, high + term_high
        else:
            low, high = low - term_high, high - term_low
        i += 1
        term_low = term_low * num // ((den << s) * i)
        term_high = -(-term_high * num // ((den << s) * i))
        if i > 400:
            raise SystemExit('the series does not end')
    low, high = low - term_high - 1, high + term_high + 1  # the rest is smaller than its first term
    for _ in range(s):
        low, high = low * low >> BITS, -(-high * high >> BITS)
    return low, high


def log_ratio(p, q):
    """Bounds of log(p/q) * 2^BITS for p >= q > 0 with p/q <= 2, as 2 atanh((p-q)/(p+q))."""
    num, den = p - q, p + q
    low = high = 0
    power_low = power_high = None
    i = 1
    while True:
        if power_low is None:
            power_low, power_high = num * ONE // den, -(-num * ONE // den)
        else:
            power_low = power_low * num * num // (den * den)
            power_high = -(-power_high * num * num // (den * den))
        low, high = low + power_low // i, high + -(-power_high // i)
        if power_high <= 1:
            break
        i += 2
    return 2 * low, 2 * (high + 2)  # num/den <= 1/3: the rest of the series is below the last power


def floor_of(low, high, scale_bits):
    """floor(y * 2^scale_bits), refused unless the enclosure decides it."""
    a, b = low << scale_bits >> BITS, high << scale_bits >> BITS
    if a != b:
        raise SystemExit('not decided at %d bits' % BITS)
    return a


def ceil_times(integer, low, high):
    """ceil(integer * y), decided."""
    a, b = -(-integer * low >> BITS), -(-integer * high >> BITS)
    if a != b:
        raise SystemExit('not decided at %d bits' % BITS)
    return a


CELL_BITS = 31


def cells(count, exponent, tail_least):
    """The largest top such that the shares ceil(top * exp(-exponent(k))), k < count, leave
    tail_least of 2^31."""
    bounds = [exp_minus(*exponent(k)) if k > 0 else (ONE, ONE) for k in range(count)]

    def shares(top):
        return [ceil_times(top, *bound) for bound in bounds]
    low, high = 1, 1 << CELL_BITS
    while high - low > 1:
        middle = (low + high) // 2
        if sum(shares(middle)) <= (1 << CELL_BITS) - tail_least:
            low = middle
        else:
            high = middle
    share = shares(low)
    edges, total = [], 0
    for s in share:
        total += s
        edges.append(total)
    # log(share / (top e^-x)) = log(share / q) - log(top e^-x / q) with q = floor(top e^-x * 2^200):
    # both near 1.
    excess = []
    for k in range(count):
        if k == 0:
            excess.append(0)
            continue
        lo, hi = bounds[k]
        p_lo, p_hi = low * lo, low * hi
        a = log_ratio(share[k] << BITS, p_hi)[0]
        b = log_ratio(share[k] << BITS, p_lo)[1]
        if a << 60 >> BITS != b << 60 >> BITS:
            raise SystemExit('excess not decided')
        excess.append(a << 60 >> BITS)
    return low, share, edges, (1 << CELL_BITS) - total, excess


def gaussian():
    return cells(7, lambda k: (k * k, 2), 1)


def laplace():
    least = ceil_times(1 << CELL_BITS, *exp_minus(16, 1))
    return cells(16, lambda k: (k, 1), least)


def rows(values, form, width):
    texts = [form % v for v in values]
    return '\n'.join('    ' + ' '.join(t + ',' for t in texts[i:i + width])
                     for i in range(0, len(texts), width))


def header():
    out = ['/* SPDX-License-Identifier: Apache-2.0 */',
           '/* Tables of the noise samplers, written by tools/make_noise_tables.py: do not edit.',
           '   noise.proof.md says what they are, and two tests recompute them. */',
           '#ifndef TAC_NOISE_TABLES_H', '#define TAC_NOISE_TABLES_H', '', '#include <stdint.h>',
           '', '/* clang-format off */']
    for name, (top, share, edges, tail, excess), distribution in (
            ('GAUSSIAN', gaussian(), 'k^2 / 2'), ('LAPLACE', laplace(), 'k')):
        low = name.lower()
        out += ['/* %s: share[k] = ceil(TOP exp(-%s)) of 2^31, edge[k] their running sum, TAIL '
                'the rest;' % (name.capitalize(), distribution),
                '   excess[k] = floor(2^60 log(share[k] / (TOP exp(-%s)))). */' % distribution,
                '#define %s_CELLS %d' % (name, len(share)),
                '#define %s_TOP UINT32_C(%d)' % (name, top),
                '#define %s_TAIL UINT32_C(%d)' % (name, tail),
                'static const uint32_t %s_share[%s_CELLS] = {' % (low, name), rows(share, '%d', 8),
                '};',
                'static const uint32_t %s_edge[%s_CELLS] = {' % (low, name), rows(edges, '%d', 8),
                '};',
                'static const uint64_t %s_excess[%s_CELLS] = {' % (low, name),
                rows(excess, '0x%016xu', 4), '};', '']
    out += ['/* floor(2^64 exp(-i/16)), i < 128, and floor(2^64 exp(-i/1024)), i < 64, but 2^64 - '
            '1 for i = 0. */']
    for name, count, den in (('coarse', 128, 16), ('fine', 64, 1024)):
        values = [(1 << 64) - 1] + [floor_of(*exp_minus(i, den), 64) for i in range(1, count)]
        out += ['static const uint64_t exp_%s[%d] = {' % (name, count), rows(values, '0x%016xu', 4),
                '};']
    out += ['/* clang-format on */', '', '#endif', '']
    return '\n'.join(out)


def oracle():
    """Rows of (sigma, k, j, the first 32 bits of p, eight more words) with p the Gaussian's
    acceptance."""
    decimal.getcontext().prec = 400
    top, share, _, tail, _ = gaussian()
    choose = random.Random(20240611)
    out = ['/* SPDX-License-Identifier: Apache-2.0 */',
           '/* Acceptance probabilities of the Gaussian to 544 bits, by Python decimal with '
           '400 digits:',
           '   tools/make_noise_tables.py --oracle. Columns: sigma, k, j, floor(2^32 p), eight '
           'further words. */',
           'static const struct { uint64_t sigma, k, j; uint32_t head; uint64_t words[8]; } '
           'oracle[] = {']
    cases = [(1, 0, 0), (1, 1, 0), (1, 6, 0), (2, 0, 1), (3, 2, 2), (10, 5, 9), (1 << 54, 0, 1),
             (1 << 54, 6, (1 << 54) - 1), ((1 << 54) - 1, 3, 1 << 53), (1000000, 0, 999999),
             (1000000, 7, 123456), (12345, 9, 1), (7, 12, 6)]
    for _ in range(51):
        sigma = choose.randrange(1, 1 << choose.randrange(1, 55))
        cases.append((sigma, choose.randrange(0, 8), choose.randrange(0, sigma)))
    for sigma, k, j in cases:
        x = k * sigma + j
        e = (-(decimal.Decimal(x * x) / decimal.Decimal(2 * sigma * sigma))).exp()
        if k < len(share):
            p = e * top / share[k]
        else:
            p = e * top * (1 << (k - len(share) + 1)) / tail
        digits = int(p * (1 << 544))
        if digits >> 544:        # p = 1: no digits to compare
            continue
        words = [digits >> 64 * (7 - i) & (1 << 64) - 1 for i in range(8)]
        out.append('    {%du, %du, %du, %du,' % (sigma, k, j, digits >> 512))
        out.append('     {' + ', '.join('0x%016xu' % w for w in words[:4]) + ',')
        out.append('      ' + ', '.join('0x%016xu' % w for w in words[4:]) + '}},')
    out += ['};', '']
    return '\n'.join(out)


def main(args):
    if args == ['--oracle']:
        sys.stdout.write(oracle())
    elif len(args) == 2 and args[0] == '--check':
        with open(args[1], encoding='ascii') as file:
            if file.read() != header():
                raise SystemExit('%s is not what tools/make_noise_tables.py writes' % args[1])
    elif not args:
        sys.stdout.write(header())
    else:
        raise SystemExit(__doc__)


main(sys.argv[1:])
