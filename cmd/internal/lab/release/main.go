// Command release builds what people install git-sage with (`make release`):
//
//	release [-version <tag>] [-commit <commit>] [-to <folder>] [-sign <key>] [-only <os>_<arch>,...]
//
// It clones the commit, by default that which is checked out, so that nothing which is not committed gets in,
// and writes for each system an archive, an npm package, a wheel and a bill of materials;
// for Linux deb, rpm and apk; then recipes for Homebrew, Scoop and containers, and the
// checksums of all. The same commit and Go give the same bytes, whenever and wherever: every
// time in them is the commit's, and every list is sorted. The key is an ssh key, or the id of
// one of gpg's; it stays with whoever releases.
//
// It has a go.mod of its own, for what writes the packages needs other versions of what
// git-sage is made of.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	version := flag.String("version", "", "the `tag` to release; the checked out commit's by default")
	commit := flag.String("commit", "HEAD", "the `commit` to release")
	to := flag.String("to", "dist", "the `folder` to write into, which must not be there")
	sign := flag.String("sign", "", "sign the checksums with this `key`: the file of an ssh key, or the id of one of gpg's")
	only := flag.String("only", "", "build for these `systems` alone, to try something out; Homebrew's formula and Scoop's manifest need all")
	flag.Parse()
	if *only != "" {
		systems = slices.DeleteFunc(systems, func(s System) bool { return !slices.Contains(strings.Split(*only, ","), s.String()) })
	}
	if err := release(*version, *commit, *to, *sign, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "fatal:", err)
		os.Exit(1)
	}
}

// A Release is what is made of a commit.
type Release struct {
	Tag     string // v1.2.3
	Version string // 1.2.3
	Commit  string
	Date    time.Time // of the commit
	Dir     string    // where the files go
	source  string    // a clone of the commit
	made    []Artifact
}

// An Artifact is a file of the release.
type Artifact struct {
	Name, Sum string
}

// A System is one that git-sage is built for.
type System struct {
	OS, Arch string
}

var systems = []System{
	{"darwin", "amd64"}, {"darwin", "arm64"}, {"linux", "amd64"}, {"linux", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

func (s System) String() string { return s.OS + "_" + s.Arch }

// base is what the names of the files of a system begin with.
func (r *Release) base(s System) string { return "git-sage_" + r.Version + "_" + s.String() }

// program is what the binary is called there.
func (s System) program() string {
	if s.OS == "windows" {
		return "git-sage.exe"
	}
	return "git-sage"
}

// release writes all files into a folder and says which.
func release(tag, commit, to, key string, out io.Writer) error {
	if _, err := os.Stat(to); err == nil {
		return fmt.Errorf("'%s' is there already: remove it, or name another folder with -to", to)
	}
	work, err := os.MkdirTemp("", "git-sage-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	r, err := begin(tag, commit, filepath.Join(work, "source"))
	if err != nil {
		return err
	}
	r.Dir = filepath.Join(work, "dist")
	if err := os.Mkdir(r.Dir, 0o777); err != nil {
		return err
	}
	stage, err := r.build(filepath.Join(work, "stage"), out)
	if err != nil {
		return err
	}
	for _, write := range []func(*Stage) error{r.archives, r.packages, r.npm, r.wheels, r.boms, r.recipes} {
		if err := write(stage); err != nil {
			return err
		}
	}
	if err := r.sums(); err != nil {
		return err
	}
	if key != "" {
		if err := signFile(filepath.Join(r.Dir, sumsName), key); err != nil {
			return err
		}
	}
	if err := os.CopyFS(to, os.DirFS(r.Dir)); err != nil {
		return err
	}
	for _, a := range r.made {
		fmt.Fprintf(out, "%s  %s\n", a.Sum[:12], a.Name)
	}
	if key == "" {
		fmt.Fprintln(out, "not signed: name a key with -sign (make release SIGN=<key>)")
	}
	return nil
}

// begin clones a commit, and says what is released of it.
func begin(tag, commit, source string) (*Release, error) {
	top, err := output("", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	if _, err := output("", "git", "clone", "--quiet", "--shared", "--no-checkout", top, source); err != nil {
		return nil, err
	}
	commit, err = output(top, "git", "rev-parse", "--verify", "--end-of-options", commit+"^{commit}")
	if err != nil {
		return nil, err
	}
	if _, err := output(source, "git", "-c", "core.autocrlf=false", "checkout", "--quiet", "--detach", commit); err != nil {
		return nil, err
	}
	date, err := output(source, "git", "show", "-s", "--format=%cI")
	if err != nil {
		return nil, err
	}
	r := &Release{Commit: commit, source: source, Tag: tag}
	if r.Date, err = time.Parse(time.RFC3339, date); err != nil {
		return nil, err
	}
	r.Date = r.Date.UTC()
	if r.Tag == "" {
		r.Tag, err = output(source, "git", "describe", "--tags", "--exact-match", "--match", "v*")
	}
	if err != nil { // no tag: a version before all others, as the go command has them
		r.Tag = fmt.Sprintf("v0.0.0-%s-%s", r.Date.Format("20060102150405"), commit[:12])
	}
	if !regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`).MatchString(r.Tag) {
		return nil, fmt.Errorf("'%s' is not a version such as v1.2.3", r.Tag)
	}
	r.Version = strings.TrimPrefix(r.Tag, "v")
	return r, nil
}

// output runs a program in a folder and returns what it says.
func output(dir, name string, args ...string) (string, error) {
	return outputWith(nil, dir, name, args...)
}

func outputWith(env []string, dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(said.String()))
	}
	return strings.TrimSpace(string(out)), nil
}
