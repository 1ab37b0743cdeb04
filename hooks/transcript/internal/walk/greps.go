package walk

import (
	"path"
	"strings"

	"github.com/git-sage/git-sage/hooks/transcript/internal/files"
	"github.com/git-sage/git-sage/hooks/transcript/internal/shell"
)

const (
	grepValued = "-e -f -m -A -B -C -D -d --regexp --file --max-count --after-context --before-context --context " +
		"--include --exclude --exclude-dir --color --label"
	rgValued = "-e -f -g -t -T -m -M -A -B -C -j -r -E --regexp --file --glob --iglob --type --type-not --max-count " +
		"--max-columns --max-depth --threads --replace --sort --sortr --after-context --before-context --context"
)

// grep reads the files that it names, unless it goes through folders.
func (w *walk) grep(c shell.Command, args []shell.Word) {
	w.search(c, args, grepValued, func(name string) bool {
		return name == "--recursive" || name == "--dereference-recursive" ||
			!strings.HasPrefix(name, "--") && strings.ContainsAny(name, "rR")
	}, false)
}

// rg goes through folders by itself.
func (w *walk) rg(c shell.Command, args []shell.Word) { w.search(c, args, rgValued, nil, true) }

// search notes what is searched for, and the files in which alone it is.
func (w *walk) search(c shell.Command, args []shell.Word, valued string, recurses func(option string) bool, folders bool) {
	query, given := "", false
	rest := shell.Operands(args, valued, func(name string, v shell.Word) {
		switch {
		case shell.TakesValue(name, "-e --regexp"):
			query, given = v.Text, true
		case shell.TakesValue(name, "-f --file --files"):
			given = true
		case recurses != nil && recurses(name):
			folders = true
		}
	})
	if !given && len(rest) > 0 {
		query, rest = rest[0].Text, rest[1:]
	}
	if query == "" || c.Fed && len(rest) == 0 { // it sifts what another command prints
		return
	}
	for _, f := range rest {
		if !folders || files.LooksLikeFile(f.Text) {
			w.add(f, files.Touch{Did: files.Read, Part: true})
		}
	}
	w.searched(query, rest)
}

// searched notes a search, and where it is if that is one place.
func (w *walk) searched(query string, in []shell.Word) {
	where := ""
	if len(in) == 1 {
		if where = in[0].Text; !path.IsAbs(where) {
			where = path.Join(w.dir(), where)
		}
	}
	if len(w.searches) < maxTouches {
		w.searches = append(w.searches, Search{Kind: "code", Query: query, Where: where})
	}
}

// git shows a file as it once was, or greps.
func (w *walk) git(c shell.Command, args []shell.Word) {
	dir := w.dir()
	for len(args) > 1 && strings.HasPrefix(args[0].Text, "-") {
		if args[0].Text == "-C" && args[1].Plain {
			w.cd(args[1:2])
		}
		if shell.TakesValue(args[0].Text, "-C -c --git-dir --work-tree --namespace") {
			args = args[1:]
		}
		args = args[1:]
	}
	if len(args) > 0 {
		switch args[0].Text {
		case "show":
			w.show(args[1:])
		case "grep":
			w.search(c, args[1:], grepValued, nil, true)
		}
	}
	w.dirs[len(w.dirs)-1] = dir
}

// show sees files of the form <rev>:<path>, which is meant from the top of the
// repository, or from here with a dot in front.
func (w *walk) show(args []shell.Word) {
	for _, a := range shell.Operands(args, "", shell.IgnoreOption) {
		_, file, ok := strings.Cut(a.Text, ":")
		if !ok || file == "" || !a.Plain || !w.root.Holds(w.dir()) { // of another repository
			continue
		}
		if file[0] != '.' {
			file = w.root.Names[0] + "/" + file
		}
		w.add(shell.Word{Text: file, Plain: true}, files.Touch{Did: files.Saw})
	}
}
