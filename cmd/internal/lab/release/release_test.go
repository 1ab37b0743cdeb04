package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goreleaser/nfpm/v2/files"
	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

const top = "../../../.."

// must ends the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestLicences fails if anything that is in the program on any system has no licence that is
// known, or its text is not among those that packages carry.
func TestLicences(t *testing.T) {
	list, err := licences(top)
	if err != nil {
		t.Fatal(err)
	}
	text := notices(list)
	kinds := map[string]int{}
	for _, l := range list {
		kinds[l.Kind]++
		if !strings.Contains(text, "\n"+l.Kind+": "+strings.TrimSpace(l.Name+" "+l.Version)+"\n"+l.ID+"\n\n"+l.Text) {
			t.Errorf("%s %s is not in the file", l.Kind, l.Name)
		}
	}
	if kinds["model"] != 2 || kinds["grammar"] < 30 || kinds["runtime"] != 2 || kinds["module"] < 20 {
		t.Errorf("found %v", kinds)
	}
}

// TestUnknownLicences: what has none, or one that wants the source of all, is not let out.
func TestUnknownLicences(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "",
		"All rights reserved.":                  "",
		"GNU GENERAL PUBLIC LICENSE\nVersion 3": "",
		"Apache License\n   Version 2.0, January 2004":                                    "Apache-2.0",
		"Permission is hereby granted, free\nof charge, to deal\nwithout restriction":     "MIT",
		"Redistribution and use in source and\nbinary forms: endorse or promote products": "BSD-3-Clause",
	} {
		if got := identify(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestNotices(t *testing.T) {
	line := strings.Repeat("=", 80) + "\n"
	text := line + "github.com/a/b v1.0.0\n\nMIT of b\n\n" + line + "github.com/a/c 12ab\n\nMIT of c\n\nand more\n\n" + line + "zig 0.17.1\n\nMIT\n"
	all := noticesIn(text)
	if got, err := take(all, "github.com/a/b v1.0.0", "github.com/a/c 12ab"); err != nil || got != "MIT of b\n\nMIT of c\n\nand more" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := take(all, "github.com/a/c 12a"); err == nil {
		t.Errorf("%q of what is not there", got)
	}
	if !all["github.com/a/c 12ab"].taken || all["zig 0.17.1"].taken {
		t.Error("what nobody took is said to be taken, or the other way round")
	}
}

func TestPythonVersion(t *testing.T) {
	for version, want := range map[string]string{
		"1.2.3": "1.2.3", "1.2.3-rc.1": "1.2.3rc1", "1.2.3-beta.12": "1.2.3b12", "1.2.3-next": "1.2.3.dev0", "1.2.3-rc": "1.2.3.dev0",
		"0.0.0-20261127025020-50d7916b1234": "0.0.0.dev20261127025020",
	} {
		if got := pythonVersion(version); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}

// TestArchivesAreTheSame: the order in which files are named, and when, changes no byte.
func TestArchivesAreTheSame(t *testing.T) {
	date := time.Date(2026, 11, 27, 2, 50, 20, 0, time.UTC)
	from := filepath.Join(t.TempDir(), "a")
	must(t, os.WriteFile(from, []byte("text"), 0o600))
	list := []member{{name: "x/b", mode: 0o755, text: []byte("b")}, {name: "x/a", mode: 0o644, from: from}}
	var first, tars [2]bytes.Buffer
	for i := range 2 {
		must(t, writeZip(&first[i], date, list))
		must(t, writeTar(&tars[i], date, list))
		list[0], list[1] = list[1], list[0]
		must(t, os.Chtimes(from, date.AddDate(0, 0, 1), date.AddDate(0, 0, 1)))
	}
	if !bytes.Equal(first[0].Bytes(), first[1].Bytes()) || !bytes.Equal(tars[0].Bytes(), tars[1].Bytes()) {
		t.Error("the bytes differ")
	}
	z, err := zip.NewReader(bytes.NewReader(first[0].Bytes()), int64(first[0].Len()))
	if err != nil || len(z.File) != 2 || z.File[0].Name != "x/a" || z.File[1].Mode() != 0o755 || !z.File[0].Modified.Equal(date) {
		t.Errorf("%v, %v", z, err)
	}
	if _, err := gzip.NewReader(&tars[0]); err != nil {
		t.Error(err)
	}
}

// TestWheelRecord: pip refuses a wheel whose record does not fit.
func TestWheelRecord(t *testing.T) {
	b, err := wheelRecord("d/RECORD", []member{{name: "d/x", text: []byte("x")}})
	if want := "d/x,sha256=LXEWQrcmsEQBYnyp-6wy9chTD7GQPMTbAiWHF5IaSIE,1\nd/RECORD,,\n"; err != nil || string(b) != want {
		t.Errorf("%q, %v", b, err)
	}
}

// TestGoInstall installs the committed source with 'go install <path>@<tag>', from a module
// zip that is made as the go command makes it, by a proxy in a folder: what the zip leaves
// out, or is too large for it, is missing there. Modules that others wrote come from the
// cache; nothing is asked of the network.
func TestGoInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	const path, version = "github.com/git-sage/git-sage", "v0.9.9"
	dir := t.TempDir()
	proxy := filepath.Join(dir, "proxy", filepath.FromSlash(path), "@v")
	must(t, os.MkdirAll(proxy, 0o777))
	f, err := os.Create(filepath.Join(proxy, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(dir, "source")
	if _, err := begin(version, "HEAD", root); err != nil {
		t.Fatal(err)
	}
	must(t, modzip.CreateFromVCS(f, module.Version{Path: path, Version: version}, root, "HEAD", ""))
	size, err := f.Seek(0, 2)
	if err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	t.Logf("the module's zip has %d MB, of 500 allowed", size>>20)
	must(t, copyFile(filepath.Join(root, "go.mod"), filepath.Join(proxy, version+".mod")))
	for name, text := range map[string]string{version + ".info": `{"Version":"` + version + `"}`, "list": version + "\n"} {
		must(t, os.WriteFile(filepath.Join(proxy, name), []byte(text), 0o666))
	}
	cache, err := output("", "go", "env", "GOMODCACHE")
	if err != nil {
		t.Fatal(err)
	}
	bin, mods := filepath.Join(dir, "bin"), filepath.Join(dir, "mods")
	env := []string{"GOPROXY=file://" + filepath.ToSlash(filepath.Join(dir, "proxy")) + ",file://" + filepath.ToSlash(filepath.Join(cache, "cache", "download")),
		"GONOSUMDB=*", "GONOSUMCHECK=1", "GOFLAGS=-modcacherw -trimpath", "GOWORK=off", "GOBIN=" + bin, "GOMODCACHE=" + mods, "CGO_ENABLED=0", "GOTOOLCHAIN=local"}
	if _, err := outputWith(env, dir, "go", "install", path+"/cmd/git-sage@"+version); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(bin, System{OS: runtime.GOOS}.program())
	if said, err := output(dir, program, "version"); err != nil || said != "git-sage version "+version {
		t.Errorf("%q, %v", said, err)
	}
	// The weights are inside, and so are the grammars.
	home := []string{"HOME=" + dir, "SAGE_HOME=" + filepath.Join(dir, "sage")}
	if said, err := outputWith(home, dir, program, "admin", "embedtest"); err != nil || !strings.Contains(said, "\tyes\thow do I roll out a new version?") {
		t.Errorf("%q, %v", said, err)
	}
	repo := filepath.Join(dir, "repo")
	if _, err := outputWith(home, dir, "git", "init", "-q", repo); err != nil {
		t.Fatal(err)
	}
	must(t, os.WriteFile(filepath.Join(repo, "p.py"), []byte("def checked():\n    return True\n"), 0o666))
	if said, err := outputWith(home, repo, program, "outline", "p.py"); err != nil || !strings.Contains(said, "checked") {
		t.Errorf("%q, %v", said, err)
	}
}

// TestFolders: a package has the folders that may be missing where it is installed, each
// once, and none that every system has.
func TestFolders(t *testing.T) {
	want := map[string]string{"deb": "vendor-completions", "rpm": "site-functions", "apk": "site-functions"}
	for _, f := range formats {
		var got []string
		for _, c := range new(Release).contents(&Stage{}, systems[0], f.name) {
			if c.Type == files.TypeDir {
				got = append(got, strings.TrimPrefix(c.Destination, "/usr/share/"))
			}
		}
		slices.Sort(got)
		all := "bash-completion bash-completion/completions doc/git-sage fish fish/vendor_completions.d zsh zsh/" + want[f.name]
		if strings.Join(got, " ") != all {
			t.Errorf("%s has %s, want %s", f.name, got, all)
		}
	}
}

// TestSigned signs with a key that is made for it, and has ssh-keygen verify.
func TestSigned(t *testing.T) {
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("there is no ssh-keygen")
	}
	dir := t.TempDir()
	key, file := filepath.Join(dir, "key"), filepath.Join(dir, sumsName)
	if _, err := output(dir, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key); err != nil {
		t.Fatal(err)
	}
	must(t, os.WriteFile(file, []byte("00  a\n"), 0o666))
	must(t, signFile(file, key))
	public, err := os.ReadFile(key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	must(t, os.WriteFile(filepath.Join(dir, "allowed"), append([]byte("releases "), public...), 0o666))
	verify := func(text string) error {
		cmd := exec.Command("ssh-keygen", "-Y", "verify", "-f", filepath.Join(dir, "allowed"), "-I", "releases", "-n", signSpace, "-s", file+".sig")
		cmd.Stdin = strings.NewReader(text)
		return cmd.Run()
	}
	if err := verify("00  a\n"); err != nil {
		t.Error(err)
	}
	if verify("01  a\n") == nil {
		t.Error("another text has the same signature")
	}
	if err := signFile(file, filepath.Join(dir, "no-such-key")); err == nil {
		t.Error("signed by a key that is not there")
	}
}

// TestRecipes: Homebrew's formula, Scoop's manifest and the image's recipe name the archives
// that there are, by their checksums.
func TestRecipes(t *testing.T) {
	r := &Release{Tag: "v1.2.3", Version: "1.2.3", Dir: t.TempDir()}
	for _, s := range systems {
		must(t, os.WriteFile(filepath.Join(r.Dir, r.Archive(s.OS, s.Arch)), []byte(s.String()), 0o666))
	}
	must(t, r.recipes(nil))
	must(t, r.sums())
	if len(r.made) != 3 || len(r.made[0].Sum) != 64 {
		t.Errorf("made %v", r.made)
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(r.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	formula, scoop := read("git-sage.rb"), read("git-sage.json")
	for _, s := range systems {
		file := r.Archive(s.OS, s.Arch)
		sum, err := r.Sum(file)
		if err != nil {
			t.Fatal(err)
		}
		in := formula
		if s.OS == "windows" {
			in = scoop
		}
		if !strings.Contains(in, `"`+r.URL(file)+`"`) || !strings.Contains(in, `"`+sum+`"`) {
			t.Errorf("%s is not named in\n%s", file, in)
		}
	}
	if image := read("Containerfile"); !strings.Contains(image, "COPY git-sage_1.2.3_${TARGETARCH}.apk ") {
		t.Error(image)
	}
	if ruby, err := exec.LookPath("ruby"); err == nil {
		if _, err := output(r.Dir, ruby, "-c", "git-sage.rb"); err != nil {
			t.Error(err)
		}
	}
}
