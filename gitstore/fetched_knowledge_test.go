package gitstore_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

func writeFile(t testing.TB, s *gitstore.Store, path, content string) {
	t.Helper()
	b := []byte(content)
	if content == "" {
		b = nil
	}
	must(t, s.Tree.WriteFiles(ctx, "change "+path, map[string][]byte{path: b}))
}

func wantFile(t testing.TB, s *gitstore.Store, path, want string) {
	t.Helper()
	got, err := s.Tree.ReadFile(ctx, path)
	if err != nil {
		t.Errorf("%s: %v", path, err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

const KnowledgeRef = "refs/sage/knowledge"

// Two clones change one item of knowledge in different fields, in the same field,
// and in the text; one removes what the other edits.
func TestMergeFetchedKnowledge(t *testing.T) {
	w := storetest.New(t)
	w.Repo("a")
	w.Repo("b")
	a, b := open(t, w, "a"), open(t, w, "b")
	item := "---\nid: cache\ntype: knowledge\nkeywords:\n- lru\n- arc\nscope:\n  always: false\nupdated: 2026-01-01\nlater_key: kept\n---\n\nLRU is fine.\n"
	writeFile(t, a, "knowledge/aa/cache.md", item)
	writeFile(t, a, "knowledge/bb/old.md", "---\nid: old\n---\n\nText.\n")
	writeFile(t, a, "lines/x.yaml", "branches:\n    - feature/x\n")
	fetch(w, "b", "a")
	wantActs(t, acts(t, b), "new knowledge")

	writeFile(t, a, "knowledge/aa/cache.md", "---\nid: cache\ntype: failure\nkeywords:\n- lru\n- 2q\nscope:\n  always: true\nupdated: 2026-02-01\nlater_key: kept\n---\n\nARC is better.\n")
	writeFile(t, b, "knowledge/aa/cache.md", "---\nid: cache\ntype: reference\nkeywords:\n- lru\n- arc\n- clock\nscope:\n  always: false\n  skills: [go]\nupdated: 2026-03-01\nlater_key: kept\n---\n\n2Q is better.\n")
	writeFile(t, a, "knowledge/bb/old.md", "")
	writeFile(t, b, "knowledge/bb/old.md", "---\nid: old\n---\n\nText, edited.\n")
	writeFile(t, a, "lines/x.yaml", "branches:\n    - feature/x\nclosed: true\n")
	writeFile(t, b, "lines/x.yaml", "branches:\n    - feature/x\n    - feature/y\n")
	gone := tipOf(w, "a", KnowledgeRef) // where old.md was removed
	fetch(w, "b", "a")
	fetch(w, "a", "b")
	wantActs(t, acts(t, a), "merged knowledge")
	wantActs(t, acts(t, b), "merged knowledge")
	if x, y := tipOf(w, "a", KnowledgeRef), tipOf(w, "b", KnowledgeRef); x != y || x == "" {
		t.Errorf("a is at %s, b at %s", x, y)
	}
	wantFile(t, a, "knowledge/aa/cache.md", `---
id: cache
type:
  variants:
    - failure
    - reference
keywords:
  - lru
  - 2q
  - clock
scope:
  always: true
  skills: [go]
updated: 2026-03-01
later_key: kept
---
<!-- sage: 2 versions disagree; keep one, and delete these lines -->

2Q is better.
<!-- sage: or -->

ARC is better.
<!-- sage: end -->
`)
	wantFile(t, a, "lines/x.yaml", "branches:\n  - feature/x\n  - feature/y\nclosed: true\n")
	wantFile(t, a, "knowledge/bb/old.md", "---\nid: old\ndeleted_by:\n  - "+gone+"\n---\n\nText, edited.\n")
	w.Git("a", "fsck", "--full", "--strict")

	wantDisagree(t, a, "knowledge/aa/cache.md", "knowledge/bb/old.md")

	// who settles it, settles it for all
	writeFile(t, b, "knowledge/aa/cache.md", "---\nid: cache\ntype: failure\n---\n\nARC.\n")
	fetch(w, "a", "b")
	wantActs(t, acts(t, a), "forward knowledge")
	wantDisagree(t, a, "knowledge/bb/old.md")
	writeFile(t, b, "knowledge/bb/old.md", "")
	wantDisagree(t, b)
}

// wantDisagree compares the files that status says to wait for a person.
func wantDisagree(t *testing.T, s *gitstore.Store, want ...string) {
	t.Helper()
	st, err := s.Status(ctx)
	if err != nil || !slices.Equal(st.Disagree, want) {
		t.Errorf("status names %q, want %q, %v", st.Disagree, want, err)
	}
}
