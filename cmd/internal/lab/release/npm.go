package main

import (
	_ "embed"
	"encoding/json"
	"io"
)

// npmNames are what node calls our systems.
var npmNames = map[string]string{"windows": "win32", "amd64": "x64", "darwin": "darwin", "linux": "linux", "arm64": "arm64"}

// npmPackage is the package that has the program of a system.
func npmPackage(s System) string { return "@git-sage/" + npmNames[s.OS] + "-" + npmNames[s.Arch] }

//go:embed start.js
var starter []byte

// A manifest is a package.json.
type manifest struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Description  string            `json:"description"`
	Homepage     string            `json:"homepage"`
	Repository   map[string]string `json:"repository"`
	License      string            `json:"license"`
	Bin          map[string]string `json:"bin,omitempty"`
	Man          []string          `json:"man,omitempty"`
	OS           []string          `json:"os,omitempty"`
	CPU          []string          `json:"cpu,omitempty"`
	Engines      map[string]string `json:"engines,omitempty"`
	Optional     map[string]string `json:"optionalDependencies,omitempty"`
	PreferUnplug bool              `json:"preferUnplugged,omitempty"`
}

func (r *Release) manifest(name string) manifest {
	return manifest{Name: name, Version: r.Version, Description: summary, Homepage: homepage,
		Repository: map[string]string{"type": "git", "url": "git+" + homepage + ".git"}, License: "Apache-2.0"}
}

// npm writes a package with the program for each system, and one that has npm install that
// of the system at hand, and starts it. No package runs anything when it is installed.
func (r *Release) npm(st *Stage) error {
	all := r.manifest("git-sage")
	all.Bin, all.Man, all.Optional = map[string]string{"git-sage": "bin/git-sage.js"}, []string{"man/git-sage.1"}, map[string]string{}
	all.Engines = map[string]string{"node": ">=18"}
	for _, s := range systems {
		m := r.manifest(npmPackage(s))
		all.Optional[m.Name] = r.Version
		m.OS, m.CPU, m.PreferUnplug = []string{npmNames[s.OS]}, []string{npmNames[s.Arch]}, true
		err := r.npmFile("git-sage-npm-"+npmNames[s.OS]+"-"+npmNames[s.Arch]+"-"+r.Version+".tgz", m, []member{
			{name: "package/bin/" + s.program(), mode: 0o755, from: st.binary(s)},
			{name: "package/LICENSE", mode: 0o644, from: st.file("LICENSE")},
			{name: "package/THIRD-PARTY-LICENSES", mode: 0o644, from: st.file("THIRD-PARTY-LICENSES")},
		})
		if err != nil {
			return err
		}
	}
	return r.npmFile("git-sage-npm-"+r.Version+".tgz", all, []member{
		{name: "package/bin/git-sage.js", mode: 0o755, text: starter},
		{name: "package/man/git-sage.1", mode: 0o644, from: st.file("git-sage.1")},
		{name: "package/completions/git-sage.bash", mode: 0o644, from: st.file("git-sage.bash")},
		{name: "package/completions/_git-sage", mode: 0o644, from: st.file("git-sage.zsh")},
		{name: "package/completions/git-sage.fish", mode: 0o644, from: st.file("git-sage.fish")},
		{name: "package/README.md", mode: 0o644, from: st.file("README.md")},
		{name: "package/LICENSE", mode: 0o644, from: st.file("LICENSE")},
	})
}

func (r *Release) npmFile(name string, m manifest, list []member) error {
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	list = append(list, member{name: "package/package.json", mode: 0o644, text: append(b, '\n')})
	return r.add(name, func(w io.Writer) error { return writeTar(w, r.Date, list) })
}
