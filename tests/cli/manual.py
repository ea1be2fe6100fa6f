# SPDX-License-Identifier: Apache-2.0
"""The pages tacit-COMMAND(1): every option of the command and no other, examples that run, and
roff that formatters take without a word. And what --version says of the libraries."""
import os
import re
import shlex
import shutil
import subprocess
import sys

import harness
from golden import COMMANDS

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import make_man  # noqa: E402

NAMES = list(dict.fromkeys(command.split()[0] for command in COMMANDS))
# scdoc begins paragraphs where none is needed; nobody sees that.
HARMLESS = "skipping paragraph macro"
FORMATTERS = (["groff", "-man", "-Tutf8", "-ww", "-z"], ["mandoc", "-Tlint", "-Wwarning"])


def text_of(binary, root, name):
    paths = [os.path.join(root, "man", file)
             for file in ("tacit.1.scd", "option_notes.scd", "command_examples.scd")]
    if name == "mpi":
        with open(os.path.join(root, "man", "tacit-mpi.1.scd"), encoding="utf-8") as file:
            return file.read()
    return (make_man.page(binary, *paths[:2]) if name == "tacit"
            else make_man.page_of(binary, *paths, name))


def options(binary, root):
    """The options on a command's page are those in its help, with the letter if it has one."""
    def one(name):
        page = text_of(os.path.abspath(binary), root, name)
        listed = page[page.index("# OPTIONS"):page.index("# EXAMPLES")]
        there = {option: letter for letter, option in
                 re.findall(r"^(?:[*](-\w)[*], )?[*](--[\w-]+)[*].*\n\t", listed, re.M)}
        wanted = {}
        with harness.Folder(binary) as folder:
            for command in COMMANDS:
                if command.split()[0] != name:
                    continue
                text = folder.run([*command.split(), "--help"], check=0).stdout.decode()
                for letter, option in re.findall(r"^  (?:(-\w), |    )(--[\w-]+)", text, re.M):
                    wanted[option] = wanted.get(option) or letter
        wrong = [f"{option} {letter}: {there.get(option, 'not there')}"
                 for option, letter in wanted.items() if there.get(option) != letter]
        wrong += [f"{option} is none of its options" for option in there if option not in wanted]
        return f"options of tacit-{name}(1)", wrong if len(wanted) > 2 else ["too few options"]
    return one


def pages_are_installed(root):
    """meson's list of commands is the table's, and the page of all leads to every other."""
    with open(os.path.join(root, "man", "meson.build"), encoding="utf-8") as file:
        listed = re.findall(r"'([a-z]+)'", re.search(r"^commands = \[(.*?)\]", file.read(),
                                                     re.M | re.S).group(1))
    with open(os.path.join(root, "man", "tacit.1.scd"), encoding="utf-8") as file:
        told = re.findall(r"\*tacit-([a-z]+)\*\(1\)", file.read())
    return ("every command has a page", [f"{what}: {got}" for what, got in
                                         (("installed", listed), ("told", told)) if got != NAMES])


def formatted(binary, root):
    """Formatters have nothing to say about the page."""
    def one(name):
        title = "tacit(1)" if name == "tacit" else f"tacit-{name}(1)"
        if shutil.which("scdoc") is None:
            return f"roff of {title} # SKIP scdoc is not installed", []
        page = subprocess.run(["scdoc"], input=text_of(os.path.abspath(binary), root,
                                                       name).encode(),
                              capture_output=True, check=True).stdout
        wrong = [] if page.count(b"\n.SH ") > 5 else ["too few sections"]
        for argv in FORMATTERS:
            if shutil.which(argv[0]) is None:
                print(f"# {argv[0]} is not installed")
                continue
            done = subprocess.run(argv, input=page, capture_output=True, check=False)
            wrong += [f"{argv[0]}: {line}"
                      for line in (done.stdout + done.stderr).decode().splitlines()
                      if HARMLESS not in line]
        return f"roff of {title}", wrong
    return one


def examples(binary, root):
    """The examples of a page run as they stand. An audit that is said to find something does."""
    def one(name):
        text = make_man.examples_of(os.path.join(root, "man", "command_examples.scd"), name)
        lines = [line for line in text.splitlines() if line.startswith("tacit ")]
        wrong = [] if any(line.startswith(f"tacit {name}") for line in lines) else ["no example"]
        with harness.Folder(binary) as folder:
            os.symlink(os.path.join(os.path.abspath(root), "examples"), folder.name("examples"))
            for line in lines:
                done = folder.run(shlex.split(line)[1:])
                found = "--noise-factor" in line or "broken" in line
                if done.returncode != (80 if found else 0):
                    wrong.append(f"{line}: exit {done.returncode}: {done.stderr.decode()[:300]}")
        return f"examples of tacit-{name}(1)", wrong
    return one


ASK = """import ctypes, sys
ask = getattr(ctypes.CDLL(sys.argv[1]), sys.argv[2])
ask.restype = ctypes.c_char_p
print(ask().decode())"""


def versions(binary):
    """--version says the versions of the very libraries that the command loads."""
    with harness.Folder(binary) as folder:
        said = dict(line.split(None, 1) for line in
                    folder.run(["--version"], check=0).stdout.decode().splitlines())
        environment = folder.environment()  # OpenBLAS's answer depends on it
        loaded = subprocess.run(["ldd", folder.binary], capture_output=True, check=True,
                                env=environment).stdout.decode()
    wrong = []
    for name, file, function in (("libsodium", "libsodium", "sodium_version_string"),
                                 ("SQLite", "libsqlite3", "sqlite3_libversion"),
                                 ("zlib", "libz", "zlibVersion"),
                                 ("BLAS", "libopenblas", "openblas_get_config")):
        path = re.search(rf"=> (\S*/{file}\.so\S*)", loaded)
        if path is None:
            print(f"# {file} is not loaded from a file")
            continue
        asked = subprocess.run([sys.executable, "-c", ASK, path.group(1), function], check=True,
                               capture_output=True, env=environment).stdout.decode()
        if said.get(name, "").split() != asked.split():
            wrong.append(f"{name}: {said.get(name)}, not {asked}")
    return "--version knows the libraries", wrong if len(said) == 5 else [str(said)]
