package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// A Licence is of something that is in the program: a module, Go itself, a model, a grammar.
type Licence struct {
	Name, Version string
	Kind          string // module, model, grammar, or runtime of all grammars
	ID            string // as SPDX has it
	Text          string
}

// licences are those of all that the program has in it on any system, sorted. What has no
// licence that is known here is an error: it may not go out.
func licences(source string) ([]Licence, error) {
	of := map[string]Licence{}
	dirs := map[string]map[string]bool{} // of each module, the folders of packages in the program
	for _, s := range systems {
		list, err := packagesOf(source, s)
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			if p.Module == nil || p.Module.Main {
				continue
			}
			m := *p.Module
			if m.Replace != nil {
				m = *m.Replace
			}
			if dirs[m.Dir] == nil {
				dirs[m.Dir] = map[string]bool{}
				of[m.Dir] = Licence{Name: m.Path, Version: m.Version, Kind: "module"}
			}
			for dir := p.Dir; len(dir) >= len(m.Dir); dir = filepath.Dir(dir) {
				dirs[m.Dir][dir] = true
			}
		}
	}
	root, err := output(source, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	of[root], dirs[root] = Licence{Name: "std", Version: runtime.Version(), Kind: "module"}, map[string]bool{root: true}

	var all []Licence
	for dir, l := range of {
		if l.Text, err = licenceText(slices.Sorted(maps.Keys(dirs[dir]))); err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	for _, collect := range []func(string) ([]Licence, error){models, grammars} {
		more, err := collect(source)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	var missing []error
	for i, l := range all {
		if all[i].ID = identify(l.Text); all[i].ID == "" {
			missing = append(missing, fmt.Errorf("%s %s has no licence that is known here", l.Name, l.Version))
		}
	}
	slices.SortFunc(all, func(a, b Licence) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)) })
	return all, errors.Join(missing...)
}

// A pkg is what go list says of a package.
type pkg struct {
	Dir    string
	Module *goModule
}

type goModule struct {
	Path, Version, Dir string
	Main               bool
	Replace            *goModule
}

// packagesOf are those in the program of a system.
func packagesOf(source string, s System) (list []pkg, err error) {
	env := []string{"GOWORK=off", "CGO_ENABLED=0", "GOOS=" + s.OS, "GOARCH=" + s.Arch}
	out, err := outputWith(env, source, "go", "list", "-deps", "-json=Dir,Module", "./cmd/git-sage")
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var p pkg
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// licenceText joins what the folders say of licences, each text once.
func licenceText(dirs []string) (string, error) {
	var texts []string
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return "", err
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || !licenceName.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			b, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return "", err
			}
			text := strings.TrimSpace(strings.ReplaceAll(string(b), "\r\n", "\n"))
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	return strings.Join(texts, "\n\n"), nil
}

// tableRow is a row of the table in the README of grammars: a language, where its grammar is
// from, and the licence.
var tableRow = regexp.MustCompile("(?m)^\\| `?([\\w.-]+)`? \\| (.*?) \\| (MIT|Apache-2\\.0|BSD-\\d-Clause)")

// models are those whose weights are embedded.
func models(source string) (list []Licence, err error) {
	dir := filepath.Join(source, "recall", "embed", "weights")
	files, err := filepath.Glob(filepath.Join(dir, "*.bin"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".bin")
		b, err := os.ReadFile(filepath.Join(dir, "LICENSE."+name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		list = append(list, Licence{Name: name, Kind: "model", Text: strings.TrimSpace(string(b))})
	}
	return list, nil
}

// grammars are those that are embedded: each has a row in the table, and texts in LICENSES
// under what the row calls its source: a module, and what that took it from. What else has a
// text there is in all of them.
func grammars(source string) (list []Licence, err error) {
	dir := filepath.Join(source, "codeindex", "parse", "grammars")
	table, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		return nil, err
	}
	texts, err := os.ReadFile(filepath.Join(dir, "LICENSES"))
	if err != nil {
		return nil, err
	}
	sections := noticesIn(string(texts))
	sources := map[string]string{}
	for _, m := range tableRow.FindAllStringSubmatch(string(table), -1) {
		sources[m[1]] = strings.ReplaceAll(m[2], "`", "")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.wasm.gz"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		l := Licence{Name: strings.TrimSuffix(filepath.Base(file), ".wasm.gz"), Kind: "grammar"}
		if from := sources[l.Name]; from != "" {
			l.Version = from
			if l.Text, err = take(sections, strings.Split(from, ", of ")...); err != nil {
				return nil, fmt.Errorf("grammar %s: %w", l.Name, err)
			}
		}
		list = append(list, l)
	}
	for title, n := range sections {
		if !n.taken {
			name, version, _ := strings.Cut(title, " ")
			list = append(list, Licence{Name: name, Version: version, Kind: "runtime", Text: n.text})
		}
	}
	return list, nil
}

// A notice is a text of LICENSES, and whether somebody has it.
type notice struct {
	text  string
	taken bool
}

// noticesIn are those of LICENSES, by what stands between a line of signs and the text.
func noticesIn(texts string) map[string]*notice {
	all := map[string]*notice{}
	for part := range strings.SplitSeq(texts, strings.Repeat("=", 80)+"\n") {
		if title, text, found := strings.Cut(part, "\n\n"); found {
			all[title] = &notice{text: strings.TrimSpace(text)}
		}
	}
	return all
}

// take joins the texts of several; one that is missing is an error.
func take(all map[string]*notice, titles ...string) (string, error) {
	var texts []string
	for _, title := range titles {
		n := all[title]
		if n == nil {
			return "", fmt.Errorf("LICENSES has nothing of '%s'", title)
		}
		n.taken = true
		texts = append(texts, n.text)
	}
	return strings.Join(texts, "\n\n"), nil
}

// marks tell licences by what only they say; the first whose words are all there counts.
var marks = []struct {
	id    string
	words []string
}{
	{"ICU", []string{"ICU 58 and later", "Unicode, Inc."}},
	{"CC0-1.0", []string{"CC0 1.0 Universal"}},
	{"MPL-2.0", []string{"Mozilla Public License", "2.0"}},
	{"Apache-2.0", []string{"Apache License", "Version 2.0"}},
	{"BSD-3-Clause", []string{"Redistribution and use in source and binary forms", "endorse or promote products"}},
	{"BSD-2-Clause", []string{"Redistribution and use in source and binary forms"}},
	{"MIT", []string{"Permission is hereby granted, free of charge", "without restriction"}},
	{"ISC", []string{"Permission to use, copy, modify, and/or distribute this software"}},
}

// identify names the licences of a text as SPDX does; "" if none is known. Those that want
// the source of what they are linked with are not.
func identify(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if strings.Contains(text, "GNU GENERAL PUBLIC LICENSE") || strings.Contains(text, "GNU AFFERO") {
		return ""
	}
	var ids []string
	for _, m := range marks {
		if !slices.ContainsFunc(m.words, func(w string) bool { return !strings.Contains(text, w) }) &&
			!(m.id == "BSD-2-Clause" && slices.Contains(ids, "BSD-3-Clause")) {
			ids = append(ids, m.id)
		}
	}
	slices.Sort(ids)
	return strings.Join(ids, " AND ")
}

// notices is the file with all of them.
func notices(list []Licence) string {
	var b strings.Builder
	b.WriteString("git-sage is licensed under Apache-2.0, see LICENSE. It has the following in it.\n")
	for _, l := range list {
		fmt.Fprintf(&b, "\n%s\n%s: %s\n%s\n\n%s\n", strings.Repeat("=", 80), l.Kind, strings.TrimSpace(l.Name+" "+l.Version), l.ID, l.Text)
	}
	return b.String()
}
