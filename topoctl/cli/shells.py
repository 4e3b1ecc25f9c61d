"""Scripts that connect shells with :mod:`topoctl.cli.completion`, where click's do not do."""

from __future__ import annotations

from click.shell_completion import BashComplete, FishComplete, add_completion_class

# click's script offers either files or words, and inserts brackets and spaces without quotes.
BASH = """\
%(complete_func)s() {
    local IFS=$'\\n' response completion type value
    response=$(env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD %(complete_var)s=bash_complete $1)
    for completion in $response; do
        IFS=',' read -r type value <<< "$completion"
        case $type in
            dir) COMPREPLY+=($(compgen -d -- "$2")); compopt -o filenames ;;
            file) COMPREPLY+=($(compgen -f -- "$2")); compopt -o filenames ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done
    return 0
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""

# click's script cuts words at their commas.
FISH = """\
function %(complete_func)s;
    set -l response (env %(complete_var)s=fish_complete COMP_WORDS=(commandline -cp) \
COMP_CWORD=(commandline -t) %(prog_name)s);
    for completion in $response;
        set -l metadata (string split -m 1 "," $completion);
        switch $metadata[1];
            case dir;
                __fish_complete_directories $metadata[2];
            case file;
                __fish_complete_path $metadata[2];
            case plain;
                echo $metadata[2];
        end;
    end;
end;

complete --no-files --command %(prog_name)s --arguments "(%(complete_func)s)";
"""


@add_completion_class
class Bash(BashComplete):
    """Words and files together, quoted as they need."""

    source_template = BASH


@add_completion_class
class Fish(FishComplete):
    """Words with commas in them."""

    source_template = FISH
