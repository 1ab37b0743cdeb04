package main

import (
	"io"
	"os"
	"path"
	"slices"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/apk" // the formats
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// summary says what git-sage is, wherever a package has a line for that.
const summary = "A memory for coding agents that lives inside git"

const homepage = "https://github.com/git-sage/git-sage"

// formats are the packages of Linux, and what git is called by each.
var formats = []struct{ name, git string }{{"deb", "git"}, {"rpm", "git-core"}, {"apk", "git"}}

// packages writes deb, rpm and apk.
func (r *Release) packages(st *Stage) error {
	for _, s := range systems {
		if s.OS != "linux" {
			continue
		}
		for _, f := range formats {
			if err := r.add("git-sage_"+r.Version+"_"+s.Arch+"."+f.name, func(w io.Writer) error {
				return r.pack(w, st, s, f.name, f.git)
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *Release) pack(w io.Writer, st *Stage, s System, format, git string) error {
	info := &nfpm.Info{
		Name: "git-sage", Arch: s.Arch, Platform: s.OS, Version: r.Version, Section: "vcs", Priority: "optional",
		Maintainer: "The git-sage authors <git-sage@users.noreply.github.com>", Description: summary, Homepage: homepage,
		License: "Apache-2.0", MTime: r.Date, Release: "1",
	}
	info.Depends = []string{git}
	info.RPM.BuildHost, info.RPM.Summary, info.RPM.Group = "release", summary, "Development/Tools"
	info.Contents = r.contents(st, s, format)
	info = nfpm.WithDefaults(info)
	if err := nfpm.PrepareForPackager(info, format); err != nil {
		return err
	}
	p, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	return p.Package(info, w)
}

// standard are the folders that every system has.
var standard = []string{"/usr/share", "/usr/share/doc", "/usr/share/man/man1"}

// contents are the files of a package, and the folders between them and what every system
// has: rpm removes a folder only if it is a package's, and where there is no fish, nobody
// else has the folder of its completions.
func (r *Release) contents(st *Stage, s System, format string) files.Contents {
	list := files.Contents{r.content(st.binary(s), "/usr/bin/git-sage", 0o755)}
	owned := map[string]bool{}
	for _, p := range pages {
		to, from := "/usr/"+p.To, st.file(p.Name)
		switch {
		case p.Name == "git-sage.1":
			to, from = to+".gz", from+".gz"
		case p.Name == "git-sage.zsh" && format == "deb":
			to = "/usr/share/zsh/vendor-completions/_git-sage" // as Debian has it
		case p.Name == "LICENSE" && format == "deb":
			to = "/usr/share/doc/git-sage/copyright"
		}
		list = append(list, r.content(from, to, 0o644))
		for dir := path.Dir(to); !owned[dir] && !slices.Contains(standard, dir); dir = path.Dir(dir) {
			folder := r.content("", dir, 0o755)
			folder.Type, owned[dir] = files.TypeDir, true
			list = append(list, folder)
		}
	}
	return list
}

func (r *Release) content(from, to string, mode os.FileMode) *files.Content {
	return &files.Content{Source: from, Destination: to, FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: mode, MTime: r.Date}}
}
