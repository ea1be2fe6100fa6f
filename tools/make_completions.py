#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Completions for a shell, from the command's own tables. Usage: make_completions.py TACIT
bash|zsh|fish"""
import json
import re
import subprocess
import sys

FAMILIES = ("kmeans", "kmedian", "subspace", "cocluster")


def ask(tacit, *words):
    return json.loads(subprocess.run([tacit, *words], check=True, capture_output=True).stdout)


class Tables:
    """What can be written where. A command is "kmeans" or "plan subspace"; "plan" is what it is
    before other first words."""

    def __init__(self, tacit):
        table = ask(tacit, "--tables")
        self.methods = {family: [method["name"]
                                 for method in ask(tacit, family, "--list-methods", "--json")]
                        for family in FAMILIES}
        self.names, self.first, self.options = {}, {}, {}
        for command in table["commands"]:
            if command["object"] is None:
                self.names[command["name"]] = command["summary"]
            if command["objects"]:
                self.first[command["name"]] = command["objects"].split("|")
            self.options[" ".join(filter(None, (command["name"], command["object"])))] = []
        for option in table["options"]:
            for use in option["uses"]:
                for command in use["commands"]:
                    letter = option["letter"] if command in use["with_letter"] else None
                    self.options[command].append((option, use, letter))

    def values(self, command, option, use):
        """Words that may follow the option; None: a file; False: it takes no value."""
        kind = option["kind"]
        if kind == "FLAG":
            return False
        if kind in ("PATH", "PAIR", "BOUNDS"):
            return None
        if kind == "METHOD":
            return self.methods[next((family for family in FAMILIES if family in command),
                                     "kmeans")]
        if kind == "TARGET":
            return ["all",
                    *dict.fromkeys(name for family in FAMILIES for name in self.methods[family])]
        return (use["words"]
                or "").split("|") if kind in ("CHOICE", "WHOLE") and use["words"] else []


def short(use):
    """The line of help up to its first pause, without what shells would take for their own."""
    return re.sub(r"[^\w ,.'/<>=+-]", "",
                  re.split(r"[;:(]", use["help"].replace("'", ""))[0]).strip()


def bash_values(tables):
    """{what to do: [patterns of command:option]}, short where all commands that take an option mean
    the same."""
    does, cases = {}, {}
    for command, options in tables.options.items():
        for option, use, letter in options:
            values = tables.values(command, option, use)
            for written in [f"--{option['name']}"] + [f"-{letter}"] * (letter is not None):
                does.setdefault(written,
                                {})[command] = ("" if values is False else "_tacit_files; return"
                                                if values is None
                                                else " ".join(["_tacit_words", *values]) +
                                                "; return")
    for written, by_command in does.items():
        if len(set(by_command.values())) == 1:
            by_command = {"*": next(iter(by_command.values()))}
        for command, what in by_command.items():
            if what:
                cases.setdefault(what, []).append(f"*:{written}" if command == "*"
                                                  else f"'{command}:{written}'")
    return cases


def bash(tables):
    first = "|".join(f"'{command} {word}'" for command, words in tables.first.items()
                     for word in words)
    lines = ["# bash completion of tacit; made from its table of options", "",
             "_tacit_words() { mapfile -t COMPREPLY < <(compgen -W \"$*\" -- \"$cur\"); }",
             "_tacit_files() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen "
             "-f -- \"$cur\"); }", "",
             "_tacit()", "{",
             "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} "
             "command=${COMP_WORDS[1]} object= i",
             "    COMPREPLY=()",
             "    if [[ $cur == = ]]; then cur=",
             "    elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi",
             "    if (( COMP_CWORD == 1 )); then",
             f"        _tacit_words {' '.join(tables.names)} help --help --version",
             "        return", "    fi",
             "    for ((i = 2; i < COMP_CWORD; i++)); do",
             f"        case \"$command ${{COMP_WORDS[i]}}\" in {first}) object=${{COMP_WORDS[i]}}; "
             "break ;; esac",
             "    done", "    case \"$command $object\" in"]
    lines += [f"        '{command}') command='{command}' ;;" for command in tables.options
              if " " in command]
    lines += ["    esac", "    case $command:$prev in"]
    lines += [f"        {'|'.join(where)}) {what} ;;"
              for what, where in bash_values(tables).items()]
    lines += ["    esac", "    if [[ $cur == -* ]]; then", "        case $command in"]
    for command, options in tables.options.items():
        names = " ".join([f"--{option['name']}" for option, _, _ in options] +
                         [f"-{letter}" for _, _, letter in options if letter])
        lines.append(f"            '{command}') _tacit_words {names} ;;")
    lines += ["        esac", "        return", "    fi", "    if [[ -z $object ]]; then",
              "        case $command in",
              f"            help) _tacit_words {' '.join(tables.names)}; return ;;"]
    lines += [f"            {command}) _tacit_words {' '.join(words)}; return ;;"
              for command, words in tables.first.items()]
    lines += ["        esac", "    fi", "    _tacit_files", "}", "", "complete -F _tacit tacit"]
    return lines


def zsh(tables):
    lines = ["#compdef tacit", "# zsh completion of tacit; made from its table of options", "",
             "_tacit() {", "  local command=$words[2] object=$words[3]",
             "  if (( CURRENT == 2 )); then", "    local -a commands=("]
    lines += [f"      '{name}:{re.sub(r'[^ -~]', '', summary).replace(':', ',')}'"
              for name, summary in tables.names.items()]
    lines += ["      'help:the help of a command'", "    )", "    _describe command commands",
              "    return", "  fi", "  case $command in"]
    lines += [f"    {command}) if (( CURRENT == 3 )) && [[ $PREFIX != -* ]]; then compadd -- "
              f"{' '.join(words)}; return; fi ;;"
              for command, words in {**tables.first, "help": list(tables.names)}.items()]
    lines += ["  esac", "  case \"$command $object\" in"]
    lines += [f"    '{command}') command='{command}' ;;" for command in tables.options
              if " " in command]
    lines += ["  esac", "  local -a specs", "  case $command in"]
    for command, options in tables.options.items():
        lines.append(f"    '{command}') specs=(")
        for option, use, letter in options:
            values, what = tables.values(command, option,
                                         use), (option["value"] or "").replace(" ", "-")
            after = ("" if values is False else f":{what}:" +
                     ("_files" if values is None else f"({' '.join(values)})" if values else " "))
            name = f"--{option['name']}"
            for written in [name] + [f"-{letter}"] * (letter is not None):
                both = f"(-{letter} {name})" if letter else ""
                lines.append(f"      '{both}{written}[{short(use)}]{after}'")
        lines.append("    ) ;;")
    lines += ["  esac", "  _arguments -S : $specs '*:file:_files'", "}", "", "_tacit \"$@\""]
    return lines


def fish(tables):
    lines = ["# fish completion of tacit; made from its table of options", "",
             "set -l commands " + " ".join(tables.names) + " help"]
    lines += [f"complete -c tacit -n \"not __fish_seen_subcommand_from $commands\" -f -a {name} -d "
              f"'{summary}'" for name, summary in tables.names.items()]
    for command, words in tables.first.items():
        lines.append(f"complete -c tacit -n '__fish_seen_subcommand_from {command}; and not "
                     "__fish_seen_subcommand_from "
                     f"{' '.join(words)}' -f -a '{' '.join(words)}'")
    wide = " ".join(tables.first)
    for command, options in tables.options.items():
        name, _, place = command.partition(" ")
        others = " ".join(other.split()[1] for other in tables.options
                          if other.startswith(name + " "))
        seen = f"__fish_seen_subcommand_from {name}"
        if place:
            seen += f"; and __fish_seen_subcommand_from {place}"
        elif others:
            seen += f"; and not __fish_seen_subcommand_from {others}"
        elif name not in tables.first:
            # tacit plan kmeans is no tacit kmeans
            seen += f"; and not __fish_seen_subcommand_from {wide}"
        for option, use, letter in options:
            values = tables.values(command, option, use)
            takes = ("" if values is False else " -r" if values is None else " -x" +
                     (f" -a '{' '.join(values)}'" if values else ""))
            lines.append(f"complete -c tacit -n '{seen}'" + (f" -s {letter}" if letter else "") +
                         f" -l {option['name']}{takes} -d '{short(use)}'")
    return lines


if __name__ == "__main__":
    print("\n".join({"bash": bash, "zsh": zsh, "fish": fish}[sys.argv[2]](Tables(sys.argv[1]))))
