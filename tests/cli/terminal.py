# SPDX-License-Identifier: Apache-2.0
"""What a terminal sees beside the plain text: bars of the sizes, the curve of k as a sparkline,
color. A file or a pipe sees none of it."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

import golden
import harness

INK = re.compile(r"\x1b\[[0-9;]*m")
BLOCKS = "█▉▊▋▌▍▎▏"
CHOOSE = ["kmeans", "people.csv", "--label-column", "class", "-k", "auto", "--k-max", "9",
          "--epsilon", "4", "--delta", "1e-6", "--bounds", "0:1", "--insecure-test-seed", "3", "-q"]


def look(folder, argv, columns=100, **environment):
    """What the command writes on a terminal so wide."""
    mine, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    run = folder.start(argv, stdout=theirs, stderr=subprocess.DEVNULL,
                       **{"TERM": "xterm", **environment})
    os.close(theirs)
    seen = b""
    while True:
        try:
            more = os.read(mine, 65536)
        except OSError:
            break
        if not more:
            break
        seen += more
    os.close(mine)
    if run.wait(timeout=harness.PATIENCE) != 0:
        raise AssertionError(f"exit {run.returncode}")
    return seen.decode().replace("\r\n", "\n")


def long(bar):
    """Cells of a bar."""
    return sum(1 - BLOCKS.index(mark) / 8 for mark in bar)


def sizes_have_bars(folder):
    """Bars are as long as sizes are large, in every family"""
    wrong = []
    for make, argv in ((golden.MAKE, golden.SEEDED), (golden.UNION, golden.SEEDED_FLAT),
                       (golden.BASKETS, golden.BY_ROW)):
        folder.run(make, check=0)
        text = INK.sub("", look(folder, argv))
        bars = re.findall(rf"^\d+ +(-?\d+) ± \d+  ([{BLOCKS}]*) ", text, re.M)
        most = max([float(size) for size, _ in bars], default=0)
        if len(bars) < 2 or any(abs(long(bar) - 12 * float(size) / most) > 0.07
                                for size, bar in bars):
            wrong.append(f"{argv[0]}: {bars} {text[:600]}")
    return wrong


def curve_is_a_sparkline(folder):
    """The curve of k stands in one line, highest where k was chosen"""
    folder.run(golden.MAKE, check=0)
    text = INK.sub("", look(folder, CHOOSE))
    spark = re.findall(r"^ +1 ([▁▂▃▄▅▆▇█]+) 9$", text, re.M)
    good = len(spark) == 1 and len(spark[0]) == 9 and max(spark[0]) == spark[0][3]
    return [] if good else [f"{spark} {text}"]


def color_is_left_out(folder):
    """Color: on a terminal, not on a dumb one, nor with NO_COLOR; the text is the same"""
    folder.run(golden.MAKE, check=0)
    colored = look(folder, CHOOSE)
    wrong = [] if INK.search(colored) else ["no color"]
    for variable in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}):
        if look(folder, CHOOSE, **variable) != INK.sub("", colored):
            wrong.append(f"{variable} differs by more than color")
    if look(folder, CHOOSE, NO_COLOR="") != colored:
        wrong.append("an empty NO_COLOR is none")
    return wrong


def other_locales_get_ascii(folder):
    """A terminal that does not speak UTF-8 gets ASCII"""
    folder.run(golden.MAKE, check=0)
    folder.run(golden.BASKETS, check=0)
    wrong = []
    for argv in (CHOOSE, golden.BY_ROW):
        text = look(folder, argv, LC_ALL="C")
        if not text.isascii() or "+-" not in text or "  " + 12 * "#" not in INK.sub("", text):
            wrong.append(text)
    return wrong


def narrow_terminals_fit(folder):
    """Tables and curves fit into a narrow window, and nothing is lost"""
    wrong = []
    folder.run(golden.MAKE, check=0)
    plain = folder.run(CHOOSE, check=0).stdout.decode()
    numbers = sorted(re.findall(r"\d\.\d+ ± \d\.\d+", plain))
    for columns in (40, 60, 80):
        text = INK.sub("", look(folder, CHOOSE, columns))
        lines = [line for line in text.split("\n")
                 if re.match(r" *(\d+  |cluster  |all rows)", line)]
        wrong += [f"{columns}: {line}" for line in lines if len(line) > columns]
        if sorted(re.findall(r"\d\.\d+ ± \d\.\d+", text)) != numbers:
            wrong.append(f"{columns}: not all numbers: {text}")
    return wrong


def files_are_plain(folder):
    """A pipe gets neither bars nor color, whatever the environment says"""
    folder.run(golden.MAKE, check=0)
    outs = [folder.run(CHOOSE, check=0, **variable).stdout
            for variable in ({}, {"TERM": "xterm", "COLUMNS": "40"}, {"LC_ALL": "C"})]
    wrong = [] if len(set(outs)) == 1 else ["it depends on the environment"]
    text = outs[0].decode()
    if "\x1b" in text or re.search(rf"[{BLOCKS}▁]|± \d+  #", text):
        wrong.append(text)
    return wrong


def help_is_colored(folder):
    """Help has color where tables have it, and its text is the same"""
    wrong = []
    for argv in (["--help"], ["help", "plan"], ["kmeans", "--help"]):
        plain, colored = folder.run(argv, check=0).stdout.decode(), look(folder, argv)
        if INK.sub("", colored) != plain or "\x1b" in plain:
            wrong.append(f"{argv}: another text: {colored}")
        titles = re.findall(r"\x1b\[1m(.*?)\x1b\[0m", colored)
        if titles[0] != "Usage:" or len(titles) < 4:
            wrong.append(f"{argv}: titles {titles}")
        if colored.count("\x1b[36m") < 10 or INK.search(look(folder, argv, NO_COLOR="1")):
            wrong.append(f"{argv}: color is not what it should be")
    return wrong


CASES = [help_is_colored, sizes_have_bars, curve_is_a_sparkline, color_is_left_out,
         other_locales_get_ascii, narrow_terminals_fit, files_are_plain]


def work(binary):
    def one(case):
        try:
            for end in pty.openpty():
                os.close(end)
        except OSError:  # a bare container has none
            return f"{case.__doc__} # SKIP no terminal can be had here", []
        with harness.Folder(binary) as folder:
            return case.__doc__, case(folder)
    return one
