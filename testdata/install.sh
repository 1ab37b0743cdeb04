#!/bin/sh
# Installs bin/git-sage with its manual page and completions beneath $PREFIX, or
# removes them with --remove, and what calls it for the user. Every file is named.
set -eu
cd "$(dirname "$0")/.."
bin=${DESTDIR:-}$PREFIX/bin/git-sage
man=${DESTDIR:-}$DATA/man/man1/git-sage.1
bash=${DESTDIR:-}$DATA/bash-completion/completions/git-sage
zsh=${DESTDIR:-}$DATA/zsh/site-functions/_git-sage
fish=${DESTDIR:-}$DATA/fish/vendor_completions.d/git-sage.fish

# disconnect takes the user's hooks and servers that call this program out of the clients'
# files, where they would fail at every prompt, and says where projects have theirs. What
# calls another git-sage stays.
disconnect() {
	[ -x "$bin" ] || return 0
	mine hooks | while read -r _; do out hooks; done
	mine mcp | while read -r client; do out mcp --client "$client"; done
	records=${SAGE_HOME:-$HOME/.sage}/installs
	if grep -hs '"path"' "$records"/*.json | grep -qv SKILL.md; then
		echo "entries of projects stay, and fail without the program; to find them: grep -h '\"path\"' $records/*.json"
	fi
}

mine() { # <part>: the clients that have it for the user, by this program
	(cd / && "$bin" "$1" status --json) | grep '"scope":"user"' | grep '"commands"' | grep -v '"stale"' |
		sed 's/^{"client":"\([a-z]*\)".*/\1/'
}

out() { # <part> [<option>...]: says what goes, a line for each file
	part=$1
	shift
	(cd / && "$bin" "$part" uninstall --scope user "$@") </dev/null || echo "the user's $part stays: take it out by hand"
}

if [ "${1:-}" = --remove ]; then
	[ -n "${DESTDIR:-}" ] || disconnect
	rm -fv "$bin" "$man" "$bash" "$zsh" "$fish"
	exit
fi

put() { # <command...> <file>: the command's output becomes the file
	eval "file=\${$#}"
	mkdir -p "$(dirname "$file")"
	bin/git-sage "$1" ${3:+"$2"} >"$file.new"
	mv "$file.new" "$file"
	echo "installed $file"
}

mkdir -p "$(dirname "$bin")"
cp bin/git-sage "$bin.new" # and move: a running one keeps its file
mv "$bin.new" "$bin"
echo "installed $bin"
put man "$man"
put completion bash "$bash"
put completion zsh "$zsh"
put completion fish "$fish"

case :$PATH: in
*:"$PREFIX/bin":*) ;;
*)
	echo
	echo "$PREFIX/bin is not on your PATH, so git does not find git-sage yet. Add to your shell's profile:"
	echo "    export PATH=\"$PREFIX/bin:\$PATH\""
	;;
esac
