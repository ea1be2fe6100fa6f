# SPDX-License-Identifier: Apache-2.0
"""What the shells complete, from the command's tables: bash is really asked; zsh and fish have
their syntax checked where they are."""
import os
import shutil
import subprocess
import sys

import harness

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import make_completions  # noqa: E402

# What stands behind "tacit" with the word to complete last, and what must be offered: all of it, or
# (a set) that among others.
CASES = [
    ("k", ["kmeans", "kmedian"]),
    ("", {"kmeans", "ledger", "generate", "help", "--version"}),
    ("kmeans --meth", ["--method"]),
    ("kmeans --method l", ["lloyd", "lsh-tree"]),
    ("kmeans --method = ll", ["lloyd"]),
    ("kmeans --method =", {"auto", "balcan"}),
    ("kmeans people.csv --k", ["--k-max"]),
    ("kmeans -k a", ["auto"]),
    ("subspace -q ", ["auto"]),
    ("subspace --solver t", ["tsc", "tsc-simple"]),
    ("subspace --qui", ["--quiet"]),
    ("cocluster --unit e", ["entry"]),
    ("cocluster --method dp", ["dp-taucc"]),
    ("plan ", ["kmeans", "kmedian", "subspace", "cocluster"]),
    ("plan subspace --dimension", ["--dimension", "--dimensions"]),
    ("plan --epsilon 1 subspace --subs", ["--subspaces"]),
    ("plan kmeans --dimension", ["--dimensions"]),
    ("generate subspaces --truth", ["--truth-out"]),
    ("generate mixture --truth", []),
    ("ledger h", ["history"]),
    ("audit kmeans --method al", ["all"]),
    ("audit kmeans --neighbors e", ["entry"]),
    ("kmeans --neighbors e", []),
    ("kmeans --epsilon ", []),
    ("kmeans peo", ["people two.csv", "people.csv"]),
    ("kmeans people.csv -o peo", ["people two.csv", "people.csv"]),
    ("ledger show peo", ["people two.csv", "people.csv"]),
    ("kmeans --labels ", {"people.csv"}),
    ("evaluate --labels peo", ["people two.csv", "people.csv"]),
    ("help pl", ["plan"]),
]
ASK = """source "$1"; shift
complete -p tacit || exit 1
while IFS= read -r line; do
    read -r -a COMP_WORDS <<< "tacit $line"
    [[ $line == *' ' || $line == '' ]] && COMP_WORDS+=('')
    COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
    _tacit
    (IFS='|'; echo "${COMPREPLY[*]}")
done
"""


def script(folder, binary, shell):
    text = "\n".join(getattr(make_completions, shell)(make_completions.Tables(binary))) + "\n"
    folder.write({shell + ".completion": text.encode()})
    return folder.name(shell + ".completion")


def asked(folder, path, lines):
    done = subprocess.run(["bash", "--norc", "-c", ASK, "bash", path], cwd=folder.path,
                          input="".join(line + "\n" for line in lines).encode(),
                          capture_output=True, check=True, env=folder.environment())
    first, *offers = done.stdout.decode().splitlines()
    if first != "complete -F _tacit tacit" or done.stderr or len(offers) != len(lines):
        raise AssertionError(f"{first}, {len(offers)} answers: {done.stderr.decode()[:500]}")
    return [sorted(filter(None, offer.split("|"))) for offer in offers]


def bash(binary):
    wrong, tables = [], make_completions.Tables(os.path.abspath(binary))
    with harness.Folder(binary) as folder:
        folder.write({"people.csv": b"x\n1\n", "people two.csv": b"x\n1\n"})
        path = script(folder, folder.binary, "bash")
        for (line, wanted), got in zip(CASES, asked(folder, path, [line for line, _ in CASES])):
            if not wanted <= set(got) if isinstance(wanted, set) else sorted(wanted) != got:
                wrong.append(f"tacit {line}: {got}")
        # Every option of every command, and no other.
        commands = list(tables.options)
        for command, got in zip(commands,
                                asked(folder, path, [command + " --" for command in commands])):
            if got != sorted(f"--{option['name']}"
                             for option, _, _ in tables.options[command]) or len(got) < 3:
                wrong.append(f"tacit {command} --: {got}")
    return "bash completes commands, options, methods and files", wrong


def syntax(binary):
    wrong = []
    with harness.Folder(binary) as folder:
        for shell in ("bash", "zsh", "fish"):
            path = script(folder, folder.binary, shell)
            if shutil.which(shell) is None:
                print(f"# {shell} is not installed: its completions were made and not read")
            else:
                done = subprocess.run([shell, "-n", path], capture_output=True, check=False)
                if done.returncode != 0:
                    wrong.append(f"{shell}: {done.stderr.decode()[:300]}")
    return "completions are what the shells read", wrong
