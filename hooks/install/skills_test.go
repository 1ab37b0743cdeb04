package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/hooks/install/skills"
)

func skill(text string) skills.Skill {
	return skills.Skill{Name: "sage-x", Description: "X.", Text: "---\nname: sage-x\ndescription: X.\n---\n" + text}
}

// shelf is that of a scope, whose sides agree if one line alone differs from base.
func (p Place) shelf(t testing.TB, s Scope) *skills.Shelf {
	t.Helper()
	sh, err := p.Shelf(s)
	if err != nil {
		t.Fatal(err)
	}
	sh.Merge = func(base, ours, theirs []byte) ([]byte, bool, error) {
		if strings.Contains(string(ours), "conflict") {
			return nil, false, nil
		}
		return append(theirs[:len(theirs):len(theirs)], "\nMINE\n"...), true, nil
	}
	return sh
}

func must(t testing.TB, do func(skills.Skill) (skills.Result, error), k skills.Skill, did string, left bool) {
	t.Helper()
	r, err := do(k)
	if err != nil || r.Did != did || (r.Left != "") != left {
		t.Errorf("did %q, left %q (%v), want %q", r.Did, r.Left, err, did)
	}
}

func lies(t testing.TB, sh *skills.Shelf, k skills.Skill, want skills.State) {
	t.Helper()
	if got, err := sh.State(k); err != nil || got != want {
		t.Errorf("%s (%v), want %s", got, err, want)
	}
}

func TestSkillsAreInstalledAndGone(t *testing.T) {
	for _, s := range []Scope{User, Project} {
		p := newPlace(t)
		sh := p.shelf(t, s)
		home, root := tree(t, p.Home), tree(t, p.Root)
		one, two := skill("One.\n"), skills.Skill{Name: "sage-y", Text: "Y.\n"}
		lies(t, sh, one, skills.Missing)
		must(t, sh.Update, one, "", false)
		must(t, sh.Install, one, "added", false)
		must(t, sh.Install, two, "added", false)
		lies(t, sh, one, skills.Current)
		if get(t, sh.Path("sage-x")) != one.Text {
			t.Error("another text")
		}
		before := tree(t, p.Home)
		must(t, sh.Install, one, "", false)
		if diff := cmp.Diff(before, tree(t, p.Home)); diff != "" {
			t.Errorf("the second time changed something:\n%s", diff)
		}
		for _, k := range []skills.Skill{one, two} { // also those that were there first go first
			must(t, sh.Uninstall, k, "removed", false)
		}
		if diff := cmp.Diff(home, tree(t, p.Home), ignoreSage(p)); diff != "" {
			t.Errorf("%s home (-before +after):\n%s", s, diff)
		}
		if diff := cmp.Diff(root, tree(t, p.Root)); diff != "" {
			t.Errorf("%s project (-before +after):\n%s", s, diff)
		}
		if left, _ := os.ReadDir(p.Records); len(left) > 0 {
			t.Errorf("records are left: %v", left)
		}
	}
}

func TestSkillsAreUpdated(t *testing.T) {
	p := newPlace(t)
	sh := p.shelf(t, User)
	old, next := skill("One.\n"), skill("Two.\n")
	must(t, sh.Install, old, "added", false)
	lies(t, sh, next, skills.Older)
	must(t, sh.Update, next, "updated to this version", false)
	if get(t, sh.Path("sage-x")) != next.Text {
		t.Error("another text")
	}

	third := skill("Three.\n")
	put(t, sh.Path("sage-x"), next.Text+"mine\n")
	lies(t, sh, next, skills.Edited)
	must(t, sh.Update, next, "", false)
	lies(t, sh, third, skills.Both)
	must(t, sh.Update, third, "updated to this version, with its edits", false)
	if got := get(t, sh.Path("sage-x")); got != third.Text+"\nMINE\n" {
		t.Errorf("merged %q", got)
	}
	lies(t, sh, third, skills.Edited)
	must(t, sh.Update, third, "", false)

	put(t, sh.Path("sage-x"), "conflict\n")
	fourth := skill("Four.\n")
	for range 2 { // what was left is left the next time, too
		must(t, sh.Install, fourth, "", true)
		if got := get(t, sh.Path("sage-x")); got != "conflict\n" {
			t.Errorf("now %q", got)
		}
	}
	put(t, sh.Path("sage-x"), fourth.Text) // its owner takes the new one
	lies(t, sh, fourth, skills.Current)
	must(t, sh.Update, fourth, "", false)
	must(t, sh.Uninstall, fourth, "removed", false)
}

// TestEditedSkillsStay: nobody else has those words.
func TestEditedSkillsStay(t *testing.T) {
	p := newPlace(t)
	sh := p.shelf(t, User)
	k := skill("One.\n")
	must(t, sh.Install, k, "added", false)
	put(t, sh.Path("sage-x"), "mine\n")
	must(t, sh.Uninstall, k, "", true)
	must(t, sh.Uninstall, skill("Two.\n"), "", true)
	if get(t, sh.Path("sage-x")) != "mine\n" {
		t.Error("it is not as its owner left it")
	}
	put(t, filepath.Join(filepath.Dir(sh.Path("sage-x")), "notes.md"), "mine, too\n")
	put(t, sh.Path("sage-x"), k.Text)
	must(t, sh.Uninstall, k, "removed", false)
	if get(t, filepath.Join(filepath.Dir(sh.Path("sage-x")), "notes.md")) != "mine, too\n" {
		t.Error("another's file is gone")
	}
}

// TestSkillsOfOthers: a file of that name that is not from here is left alone, unless
// it is the same.
func TestSkillsOfOthers(t *testing.T) {
	p := newPlace(t)
	sh := p.shelf(t, Project)
	k := skill("One.\n")
	put(t, sh.Path("sage-x"), "theirs\n")
	for _, do := range []func(skills.Skill) (skills.Result, error){sh.Install, sh.Update, sh.Uninstall} {
		must(t, do, k, "", true)
	}
	if get(t, sh.Path("sage-x")) != "theirs\n" {
		t.Error("it is not as it was")
	}
	put(t, sh.Path("sage-x"), k.Text) // a teammate's, or ours without its record
	must(t, sh.Install, k, "", false)
	put(t, sh.Path("sage-x"), k.Text+"mine\n")
	lies(t, sh, k, skills.Edited)
	put(t, sh.Path("sage-x"), k.Text)
	p.Records = ""
	bare := p.shelf(t, Project)
	must(t, bare.Uninstall, k, "removed", false)
}

func TestSkillsAreOnlyLookedAt(t *testing.T) {
	p := newPlace(t)
	p.DryRun = true
	sh := p.shelf(t, User)
	before := tree(t, p.Home)
	must(t, sh.Install, skill("One.\n"), "added", false)
	if diff := cmp.Diff(before, tree(t, p.Home)); diff != "" {
		t.Errorf("a dry run wrote:\n%s", diff)
	}
}

// TestSkillsThroughLinks: a home may have them, a project may not.
func TestSkillsThroughLinks(t *testing.T) {
	for _, at := range []string{".claude", filepath.Join(".claude", "skills"), filepath.Join(".claude", "skills", "sage-x")} {
		p := newPlace(t)
		elsewhere := filepath.Join(t.TempDir(), "dotfiles")
		for _, dir := range []string{p.Home, p.Root} {
			link := filepath.Join(dir, at)
			if err := os.MkdirAll(elsewhere, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(elsewhere, link); err != nil {
				t.Skip(err)
			}
		}
		project, user := p.shelf(t, Project), p.shelf(t, User)
		if r, err := project.Install(skill("One.\n")); err == nil || !strings.Contains(err.Error(), "symbolic link") {
			t.Errorf("%s: %+v %v", at, r, err)
		}
		must(t, user.Install, skill("One.\n"), "added", false)
		must(t, user.Uninstall, skill("One.\n"), "removed", false)
		if info, err := os.Lstat(filepath.Join(p.Home, at)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s: the link is gone", at)
		}
	}
}

func TestShelvesThatAreNone(t *testing.T) {
	p := newPlace(t)
	if _, err := p.Shelf(Local); err == nil {
		t.Error("a local one")
	}
	p.Root = ""
	if _, err := p.Shelf(Project); err == nil {
		t.Error("one of no project")
	}
	if _, err := (Place{}).Shelf(User); err == nil {
		t.Error("one of nobody")
	}
	p.ConfigDir = filepath.Join(p.Home, "conf")
	if sh := p.shelf(t, User); sh.Path("x") != filepath.Join(p.ConfigDir, "skills", "x", "SKILL.md") {
		t.Errorf("%s", sh.Path("x"))
	}
}

func TestReadSkills(t *testing.T) {
	for text, want := range map[string]string{
		"---\nname: a\ndescription: \"Says a: b\"\n---\nbody": "Says a: b",
		"---\nname: a\ndescription: D\n":                      "", // no end
		"---\nname: b\ndescription: D\n---\n":                 "",
		"---\nname: a\n---\ndescription: D\n":                 "",
		"name: a\ndescription: D\n":                           "",
		"":                                                    "",
	} {
		list, err := skills.Read(fstest.MapFS{"a/SKILL.md": {Data: []byte(text)}})
		if (err == nil) != (want != "") || err == nil && list[0].Description != want {
			t.Errorf("%q: %+v %v", text, list, err)
		}
	}
}
