#!/bin/sh
# Installs bin/git-sage with its manual page and completions beneath $PREFIX, or
# removes them with --remove, and all that 'git sage uninstall' finds. Every file is named.
set -eu
cd "$(dirname "$0")/.."
bin=${DESTDIR:-}$PREFIX/bin/git-sage
man=${DESTDIR:-}$DATA/man/man1/git-sage.1
bash=${DESTDIR:-}$DATA/bash-completion/completions/git-sage
zsh=${DESTDIR:-}$DATA/zsh/site-functions/_git-sage
fish=${DESTDIR:-}$DATA/fish/vendor_completions.d/git-sage.fish

if [ "${1:-}" = --remove ]; then
	if [ -z "${DESTDIR:-}" ] && [ -x "$bin" ]; then # clients would call what is gone, at every prompt
		(cd / && "$bin" uninstall --yes) </dev/null || echo "what calls $bin may be left: take it out by hand"
	fi
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
