package transcript

import (
	"path"
	"strings"
)

const (
	grepValued = "-e -f -m -A -B -C -D -d --regexp --file --max-count --after-context --before-context --context " +
		"--include --exclude --exclude-dir --color --label"
	rgValued = "-e -f -g -t -T -m -M -A -B -C -j -r -E --regexp --file --glob --iglob --type --type-not --max-count " +
		"--max-columns --max-depth --threads --replace --sort --sortr --after-context --before-context --context"
)

// grep reads the files that it names, unless it goes through folders.
func (w *walk) grep(c command, args []word) {
	w.search(c, args, grepValued, func(name string) bool {
		return name == "--recursive" || name == "--dereference-recursive" ||
			!strings.HasPrefix(name, "--") && strings.ContainsAny(name, "rR")
	}, false)
}

// rg goes through folders by itself.
func (w *walk) rg(c command, args []word) { w.search(c, args, rgValued, nil, true) }

// search notes what is searched for, and the files in which alone it is.
func (w *walk) search(c command, args []word, valued string, recurses func(option string) bool, folders bool) {
	query, given := "", false
	rest := operands(args, valued, func(name string, v word) {
		switch {
		case takes(name, "-e --regexp"):
			query, given = v.text, true
		case takes(name, "-f --file --files"):
			given = true
		case recurses != nil && recurses(name):
			folders = true
		}
	})
	if !given && len(rest) > 0 {
		query, rest = rest[0].text, rest[1:]
	}
	if query == "" || c.fed && len(rest) == 0 { // it sifts what another command prints
		return
	}
	for _, f := range rest {
		if !folders || fileLike(f.text) {
			w.add(f, touch{Did: didRead, Part: true})
		}
	}
	w.searched(query, rest)
}

// searched notes a search, and where it is if that is one place.
func (w *walk) searched(query string, in []word) {
	where := ""
	if len(in) == 1 {
		if where = in[0].text; !path.IsAbs(where) {
			where = path.Join(w.dir(), where)
		}
	}
	if len(w.searches) < maxTouches {
		w.searches = append(w.searches, Search{Kind: "code", Query: query, Where: where})
	}
}

// git shows a file as it once was, or greps.
func (w *walk) git(c command, args []word) {
	dir := w.dir()
	for len(args) > 1 && strings.HasPrefix(args[0].text, "-") {
		if args[0].text == "-C" && args[1].plain {
			w.cd(args[1:2])
		}
		if takes(args[0].text, "-C -c --git-dir --work-tree --namespace") {
			args = args[1:]
		}
		args = args[1:]
	}
	if len(args) > 0 {
		switch args[0].text {
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
func (w *walk) show(args []word) {
	for _, a := range operands(args, "", ignore) {
		_, file, ok := strings.Cut(a.text, ":")
		if !ok || file == "" || !a.plain || !w.root.holds(w.dir()) { // of another repository
			continue
		}
		if file[0] != '.' {
			file = w.root.names[0] + "/" + file
		}
		w.add(word{file, true}, touch{Did: didSee})
	}
}
