package sessions

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestSlug(t *testing.T) {
	for dir, want := range map[string]string{
		"/home/ada/shop":     "-home-ada-shop",
		"/home/ada/shop.v2_": "-home-ada-shop-v2-",
		"/srv/Ünï/😀":         "-srv--n----", // an emoji is two characters to the client
		`C:\Users\Ada\shop`:  "C--Users-Ada-shop",
	} {
		if got := slug(dir); got != want {
			t.Errorf("%s: %s, want %s", dir, got, want)
		}
	}
}

// keptFor writes a transcript as the client would for a session in dir, in a folder that
// may be called otherwise.
func keptFor(t *testing.T, projects, folder, session, dir string) {
	t.Helper()
	put(t, filepath.Join(projects, folder, session+".jsonl"),
		`{"type":"mode","cwd":"/elsewhere"}`+"\n"+`{"type":"user","cwd":"`+filepath.ToSlash(dir)+`","message":{"role":"user","content":"hi"}}`+"\n")
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestInRoots(t *testing.T) {
	projects := t.TempDir()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root, tree := filepath.Join(base, "shop"), filepath.Join(base, "shop", "trees", "fix")
	deep := filepath.Join(root, strings.Repeat("d", 210)) // its folder is cut, and has a hash behind
	for _, repository := range []string{root, tree, filepath.Join(root, "lib")} {
		if err := os.MkdirAll(filepath.Join(repository, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for session, dir := range map[string]string{
		"at-root": root, "below": filepath.Join(root, "web"), "tree": tree, "gone": filepath.Join(root, "gone", "since"),
		"sibling": root + "-web", "nested": filepath.Join(root, "lib", "src"), "other": base,
	} {
		keptFor(t, projects, slug(dir), session, dir)
	}
	keptFor(t, projects, slug(deep)[:maxSlug]+"-1x2y3z", "deep", deep)
	keptFor(t, projects, slug(root), "same-name", filepath.Join(base, "sh-op")) // whose folder is called the same, say
	put(t, filepath.Join(projects, slug(root), "damaged.jsonl"), "no\ntranscript\n")
	put(t, filepath.Join(projects, slug(root), "unsaid.jsonl"), `{"type":"mode"}`+"\n")
	put(t, filepath.Join(projects, slug(root), "empty.jsonl"), "")
	put(t, filepath.Join(projects, slug(root), "notes.txt"), "x")

	list, damaged, err := InRoots(projects, []string{root, tree})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, e := range list {
		got[e.Session] = e.Root
	}
	want := map[string]string{"at-root": root, "below": root, "tree": tree, "gone": root, "deep": root}
	if len(got) != len(want) {
		t.Errorf("%v, want %v", got, want)
	}
	for session, root := range want {
		if got[session] != root {
			t.Errorf("%s: '%s', want '%s'", session, got[session], root)
		}
	}
	var d *DamagedError
	if len(damaged) != 1 || !errors.As(damaged[0], &d) || filepath.Base(d.File) != "damaged.jsonl" || !errors.Is(d, errNoTranscript) {
		t.Errorf("damaged: %v", damaged)
	}
	none := func(string) bool { return false }
	if n := CountInRoots(projects, []string{tree}, none); n != 1 {
		t.Errorf("of the tree alone: %d", n)
	}
	if n := CountInRoots(projects, []string{tree}, func(session string) bool { return want[session] == tree }); n != 0 {
		t.Errorf("of the tree alone, but for what is known: %d", n)
	}
	if list, damaged, err := InRoots(filepath.Join(projects, "none"), []string{root}); len(list)+len(damaged) > 0 || err != nil {
		t.Errorf("of no folder: %v, %v, %v", list, damaged, err)
	}
}

// What is called as no session is, or began where no folder can be, is nobody's.
// A folder that cannot be read is told: nobody takes its sessions for none.
func TestUnreadableFolder(t *testing.T) {
	projects := t.TempDir()
	keptFor(t, projects, slug("/shop"), "at-root", "/shop")
	folder := filepath.Join(projects, slug("/shop"))
	file := filepath.Join(folder, "at-root.jsonl")
	var d *DamagedError
	if list, err := transcriptsIn(file); !errors.As(err, &d) || d.File != file || len(list) > 0 {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := transcriptsIn(filepath.Join(projects, "gone")); err != nil || len(list) > 0 {
		t.Errorf("of one that is gone: %v, %v", list, err)
	}
	if os.Geteuid() == 0 || runtime.GOOS == "windows" { // who reads all the same
		return
	}
	if err := os.Chmod(folder, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(folder, 0o700) })
	_, damaged, err := InRoots(projects, []string{"/shop"})
	_, all, err2 := All(projects)
	if len(damaged) != 1 || len(all) != 1 || err != nil || err2 != nil {
		t.Errorf("%v, %v; %v, %v", damaged, err, all, err2)
	}
}

func TestInRootsOfOddNames(t *testing.T) {
	projects := t.TempDir()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for session, dir := range map[string]string{
		"good": root, "deep": root + strings.Repeat("/x", 100_000), "e\x1b[2Jx": root, "line\nfeed": root, "bad\xff": root,
	} {
		if err := os.MkdirAll(filepath.Join(projects, slug(root)), 0o755); err != nil {
			t.Fatal(err)
		}
		text := `{"type":"user","cwd":"` + filepath.ToSlash(dir) + `","message":{"role":"user","content":"hi"}}` + "\n"
		if os.WriteFile(filepath.Join(projects, slug(root), session+".jsonl"), []byte(text), 0o600) != nil {
			continue // a file system that does not take the name has no such transcript
		}
	}
	list, damaged, err := InRoots(projects, []string{root})
	if err != nil || len(damaged) != 0 || len(list) != 1 || list[0].Session != "good" {
		t.Errorf("%v, %v, %v", list, damaged, err)
	}
}
