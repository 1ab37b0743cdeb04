package main

import (
	_ "embed"
	"encoding/json"
	"io"
	"text/template"
)

//go:embed git-sage.rb.tmpl
var formula string

//go:embed Containerfile.tmpl
var containerfile string

// A recipe is what the templates see.
type recipe struct {
	*Release
	Homepage, Summary string
	Brew, Cpus        map[string]string // what Homebrew calls systems and processors
}

// URL is where an archive of this release lies once it is published.
func (r *Release) URL(name string) string {
	return homepage + "/releases/download/" + r.Tag + "/" + name
}

// Archive is the name of a system's archive.
func (r *Release) Archive(os, arch string) string {
	base := r.base(System{os, arch})
	if os == "windows" {
		return base + ".zip"
	}
	return base + ".tar.gz"
}

// recipes writes what other tools build or install the archives by.
func (r *Release) recipes(*Stage) error {
	if len(systems) < 6 { // they name archives of all
		return nil
	}
	for name, text := range map[string]string{"git-sage.rb": formula, "Containerfile": containerfile} {
		t, err := template.New(name).Parse(text)
		if err != nil {
			return err
		}
		about := recipe{r, homepage, summary, map[string]string{"darwin": "macos", "linux": "linux"}, map[string]string{"amd64": "intel", "arm64": "arm"}}
		if err := r.add(name, func(w io.Writer) error { return t.Execute(w, about) }); err != nil {
			return err
		}
	}
	scoop, err := r.scoop()
	if err != nil {
		return err
	}
	return r.add("git-sage.json", func(w io.Writer) error {
		_, err := w.Write(append(scoop, '\n'))
		return err
	})
}

// scoop is the manifest for Scoop.
func (r *Release) scoop() ([]byte, error) {
	arch := map[string]any{}
	for name, a := range map[string]string{"64bit": "amd64", "arm64": "arm64"} {
		file := r.Archive("windows", a)
		sum, err := r.Sum(file)
		if err != nil {
			return nil, err
		}
		arch[name] = map[string]string{"url": r.URL(file), "hash": sum, "extract_dir": file[:len(file)-len(".zip")]}
	}
	return json.MarshalIndent(map[string]any{
		"version": r.Version, "description": summary, "homepage": homepage, "license": "Apache-2.0",
		"suggest": map[string]string{"git": "git"}, "architecture": arch, "bin": `bin\git-sage.exe`,
	}, "", "    ")
}
