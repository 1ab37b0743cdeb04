package gitstore_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/vault"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// A member is a clone with a key of its own, and the vault "safe" as a remote.
type member struct {
	t    testing.TB
	w    *storetest.World
	name string
	key  string
	at   vault.Remote
	*gitstore.Store
}

// members makes a bare remote, a clone for each name, and a file of recipients that all of
// them accepted.
func members(t testing.TB, w *storetest.World, names ...string) (out []*member) {
	t.Helper()
	w.Git("", "init", "-q", "--bare", "safe.git")
	for _, name := range names {
		out = append(out, newMember(t, w, name))
	}
	for _, m := range out {
		m.accept(out...)
	}
	return out
}

func newMember(t testing.TB, w *storetest.World, name string, init ...string) *member {
	t.Helper()
	w.Repo(name, init...)
	m := &member{t: t, w: w, name: name, at: vault.Remote{Name: "safe", URL: w.Path("safe.git")}}
	m.Store = open(t, w, name, person, func(o *gitstore.Options) { o.Home = w.Path("homes", name) })
	key, made, err := m.Vault.MakeKey()
	if err != nil || !made {
		t.Fatal(made, err)
	}
	m.key = key
	return m
}

// accept makes some the readers of what m pushes.
func (m *member) accept(readers ...*member) {
	m.t.Helper()
	var b strings.Builder
	for _, r := range readers {
		fmt.Fprintf(&b, "%s # %s\n", r.key, r.name)
	}
	m.w.Write(m.name+"/.sage/recipients", b.String())
	if _, _, err := m.Vault.Accept(); err != nil {
		m.t.Fatalf("%s: %v", m.name, err)
	}
}

func (m *member) push() vault.Report {
	m.t.Helper()
	r, err := m.tryPush()
	if err != nil {
		m.t.Fatalf("%s pushes: %v", m.name, err)
	}
	return r
}

// tryPush pushes all that there is.
func (m *member) tryPush() (vault.Report, error) {
	all, err := m.Repo.Refs(ctx, "refs/sage/heads/", "refs/sage/forks/", "refs/sage/tags/", "refs/sage/knowledge")
	if err != nil {
		return vault.Report{}, err
	}
	refs := map[string]string{}
	for _, r := range all {
		refs[r.Name] = r.ID
	}
	return m.Vault.Push(ctx, m.at, refs)
}

func (m *member) fetch() vault.Report {
	m.t.Helper()
	r, err := m.Vault.Fetch(ctx, m.at)
	if err != nil {
		m.t.Fatalf("%s fetches: %v", m.name, err)
	}
	return r
}

// meet fetches and merges.
func (m *member) meet() string {
	m.t.Helper()
	m.fetch()
	return acts(m.t, m.Store, "safe")
}

func (m *member) tip() string { return tipOf(m.w, m.name, mainRef) }

// refused says why a call was refused, which changed no ref.
func (m *member) refused(call func() error) string {
	m.t.Helper()
	refs := m.w.Git(m.name, "for-each-ref")
	err := call()
	if err == nil {
		m.t.Fatalf("%s is not refused", m.name)
	}
	if strings.Contains(err.Error(), "\n") {
		m.t.Errorf("more than a line: %q", err)
	}
	if now := m.w.Git(m.name, "for-each-ref"); now != refs {
		m.t.Errorf("%s: refs changed: %s", m.name, now)
	}
	return err.Error()
}

func (m *member) fetchRefused() string {
	m.t.Helper()
	return m.refused(func() error { _, err := m.Vault.Fetch(ctx, m.at); return err })
}

func (m *member) pushRefused() string {
	m.t.Helper()
	return m.refused(func() error { _, err := m.tryPush(); return err })
}

func wantSays(t testing.TB, said, want string) {
	t.Helper()
	if !strings.Contains(said, want) {
		t.Errorf("it says %q, and not %q", said, want)
	}
}

func notes(r vault.Report) (out string) {
	for _, n := range r.Notes {
		out += n.Text + "\n"
	}
	return out
}

// What one member saves arrives at another as by a plain fetch, and on both sides' refs in
// the end; a second push of the same sends nothing.
func TestVaultShares(t *testing.T) {
	w := storetest.New(t)
	both := members(t, w, "ann", "bob")
	ann, bob := both[0], both[1]
	save(t, ann.Store, "tokens rotate hourly")
	if _, err := ann.Lines.Tag(ctx, "v1", "@", false); err != nil {
		t.Fatal(err)
	}
	if r := ann.push(); r.Base || len(r.Behind) > 0 || !slices.Equal(r.Refs, []string{mainRef, "refs/sage/tags/v1"}) {
		t.Errorf("%+v", r)
	}
	if r := ann.push(); r.Bytes != 0 || len(r.Refs) > 0 {
		t.Errorf("nothing is new: %+v", r)
	}
	wantActs(t, bob.meet(), "new main, new tag: v1")
	if ann.tip() != bob.tip() {
		t.Errorf("ann is at %s, bob at %s", ann.tip(), bob.tip())
	}
	wantActs(t, bob.meet(), "")
	save(t, bob.Store, "cookies for the browser")
	if r := bob.push(); r.Base || r.Bytes > 12<<10 {
		t.Errorf("%+v", r)
	}
	save(t, ann.Store, "ann goes on meanwhile")
	if r := ann.push(); !slices.Equal(r.Behind, []string{mainRef}) || len(r.Refs) > 0 {
		t.Errorf("ann is behind: %+v", r)
	}
	wantActs(t, acts(t, ann.Store, "safe"), "merged main")
	ann.push()
	wantActs(t, bob.meet(), "forward main")
	if ann.tip() != bob.tip() {
		t.Errorf("ann is at %s, bob at %s", ann.tip(), bob.tip())
	}
	late := newMember(t, w, "eve") // who has no key that counts
	wantSays(t, late.fetchRefused(), "not encrypted to a key of yours")
}

// Nothing of the memory can be read on the remote, in no file and no object, neither plain
// nor compressed; all that its commits say is the same.
func TestVaultTellsNothing(t *testing.T) {
	w := storetest.New(t)
	both := members(t, w, "ann", "bob")
	ann := both[0]
	for i := range 4 {
		save(t, ann.Store, fmt.Sprintf("zebracrossing number %d", i))
		ann.push()
	}
	if _, err := ann.Lines.Branch(ctx, "quagga", "main"); err != nil {
		t.Fatal(err)
	}
	ann.push()
	words := []string{"zebracrossing", "quagga", "refs/sage/heads", "Ann Author", "ann@example", "Sage-", "PACK", ann.tip(), ann.key, both[1].key}
	look := func(what string, b []byte) {
		for _, word := range words {
			if bytes.Contains(b, []byte(word)) && !(word == "PACK" && strings.HasSuffix(what, ".pack")) {
				t.Errorf("%s has %q", what, word)
			}
		}
	}
	err := filepath.WalkDir(w.Path("safe.git"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		look(path, b)
		for i := range b { // wherever something compressed may begin
			if b[i] != 0x78 {
				continue
			}
			if z, err := zlib.NewReader(bytes.NewReader(b[i:])); err == nil {
				plain, _ := io.ReadAll(z)
				look(path, plain)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]bool{}
	for id := range strings.FieldsSeq(w.Git("safe.git", "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")) {
		typ, out := w.Git("safe.git", "cat-file", "-t", id), w.Git("safe.git", "cat-file", "-p", id)
		look(typ+" "+id, []byte(out))
		if typ == "blob" {
			sizes[w.Git("safe.git", "cat-file", "-s", id)] = true
		}
	}
	if len(sizes) != 1 {
		t.Errorf("five small pushes have sizes %v", sizes)
	}
	if said := w.Git("safe.git", "log", "--format=%an %ae %at %cn %ce %ct %B", vault.DefaultRef); strings.ReplaceAll(said, "vault vault@localhost 946684800 vault vault@localhost 946684800 vault", "") != strings.Repeat("\n\n", 4) {
		t.Errorf("its commits say: %s", said)
	}
	if refs := w.Git("safe.git", "for-each-ref", "--format=%(refname)"); refs != vault.DefaultRef {
		t.Errorf("refs: %s", refs)
	}
}

// A reader who is added can read what there was; one who is removed reads what they could,
// and nothing that follows, whichever member pushes it.
func TestVaultReaders(t *testing.T) {
	w := storetest.New(t)
	three := members(t, w, "ann", "bob")
	ann, bob := three[0], three[1]
	save(t, ann.Store, "before carl")
	ann.push()
	bob.meet()
	carl := newMember(t, w, "carl")
	carl.accept(ann, bob, carl)
	wantSays(t, carl.fetchRefused(), "not encrypted to a key of yours")

	// The file names him: that alone lets nobody in.
	w.Write("ann/.sage/recipients", readFile(t, w.Path("carl/.sage/recipients")))
	save(t, ann.Store, "still without carl")
	if r := ann.push(); r.Base || !strings.Contains(notes(r), "carl (") {
		t.Errorf("%+v", r)
	}
	wantSays(t, carl.fetchRefused(), "not encrypted to a key of yours")
	added, removed, err := ann.Vault.Accept()
	if err != nil || len(added) != 1 || added[0].Who != "carl" || len(removed) > 0 {
		t.Fatal(added, removed, err)
	}
	if r := ann.push(); !r.Base {
		t.Errorf("%+v", r)
	}
	wantActs(t, carl.meet(), "new main")

	// Bob did not accept him: what he pushes is not for carl, until ann pushes.
	bob.meet()
	save(t, bob.Store, "bob says")
	if r := bob.push(); r.Base || !strings.Contains(notes(r), "can read this memory but not what you push") {
		t.Errorf("%+v", r)
	}
	wantSays(t, carl.fetchRefused(), "chunk 4 is not encrypted to a key of yours")
	dora := newMember(t, w, "dora")
	bob.accept(ann, bob, dora)
	wantSays(t, bob.pushRefused(), "you have not accepted them")
	bob.accept(ann, bob)
	ann.meet()
	ann.push()
	wantActs(t, carl.meet(), "forward main")
	bob.accept(ann, bob, carl)

	// Out with him.
	if _, gone, err := ann.Vault.Remove("carl"); err != nil || len(gone) != 1 || gone[0].Key != carl.key {
		t.Fatal(gone, err)
	}
	if r := ann.push(); !r.Base {
		t.Errorf("%+v", r)
	}
	save(t, bob.Store, "after carl")
	if r := bob.push(); !strings.Contains(notes(r), "another reader removed carl") {
		t.Errorf("%+v", r)
	}
	wantSays(t, carl.fetchRefused(), "not encrypted to a key of yours")
	wantActs(t, ann.meet(), "forward main")
	bob.accept(ann, bob, carl) // a word of his own
	bob.push()
	wantActs(t, carl.meet(), "forward main")
}

// The host can change, cut, drop or set back what it has: each is named, and nothing is
// taken in.
func TestVaultHost(t *testing.T) {
	w := storetest.New(t)
	both := members(t, w, "ann", "bob")
	ann, bob := both[0], both[1]
	save(t, ann.Store, "first")
	ann.push()
	bob.meet()
	first := w.Git("safe.git", "rev-parse", vault.DefaultRef)
	save(t, ann.Store, "second")
	ann.push()
	second := w.Git("safe.git", "rev-parse", vault.DefaultRef)
	set := func(commit string) { w.Git("safe.git", "update-ref", vault.DefaultRef, commit) }

	// put replaces a chunk, or removes it.
	put := func(name string, content []byte) {
		t.Helper()
		tree := ""
		for l := range strings.Lines(w.Git("safe.git", "ls-tree", second) + "\n") {
			if !strings.HasSuffix(l, "\t"+name+"\n") {
				tree += l
			}
		}
		if content != nil {
			w.Write("chunk", string(content))
			tree += "100644 blob " + w.Git("safe.git", "hash-object", "-w", w.Path("chunk")) + "\t" + name + "\n"
		}
		w.Write("tree", tree)
		set(w.Git("safe.git", "commit-tree", "-m", "x", strings.TrimSpace(shell(t, w, "safe.git", "git mktree <../tree"))))
	}
	chunk := []byte(shell(t, w, "safe.git", "git cat-file blob "+second+":00000002-000"))
	for name, want := range map[string]string{"tampered": "changed or cut it", "truncated": "changed or cut it", "no chunk": "changed or cut it"} {
		b := bytes.Clone(chunk)
		switch name {
		case "tampered":
			b[len(b)/2] ^= 1
		case "truncated":
			b = b[:len(b)/2]
		default:
			b = []byte("hello")
		}
		put("00000002-000", b)
		wantSays(t, bob.fetchRefused(), "chunk 2 cannot be opened, somebody "+want)
	}
	put("00000003-000", chunk)
	wantSays(t, bob.fetchRefused(), "chunk 3 is not what its name says")
	put("00000004-000", chunk)
	wantSays(t, bob.fetchRefused(), "chunk 3 is missing")
	put("README", []byte("hello"))
	wantSays(t, bob.fetchRefused(), "other files than a vault")
	set(second)
	wantActs(t, bob.meet(), "forward main")

	set(first)
	wantSays(t, bob.fetchRefused(), "it has chunk 1, and had 2")
	save(t, bob.Store, "third")
	wantSays(t, bob.pushRefused(), "went back or was replaced")
	w.Git("safe.git", "update-ref", "-d", vault.DefaultRef)
	wantSays(t, bob.fetchRefused(), "gone from it")
	wantSays(t, bob.pushRefused(), "gone from it")

	// Somebody who knows the public keys makes a vault of their own.
	mallory := newMember(t, w, "mallory")
	mallory.accept(ann, bob, mallory)
	for i := range 4 {
		save(t, mallory.Store, fmt.Sprint("believe me ", i))
		mallory.push()
	}
	wantSays(t, bob.fetchRefused(), "chunk 3 does not continue what it had")
	mallory.accept(ann, bob, mallory, newMember(t, w, "mallet"))
	mallory.push() // a base, which continues nothing
	wantSays(t, bob.fetchRefused(), "chunk 5 was not made by a reader of it")
	if err := bob.Vault.Forget("safe"); err != nil { // whose owner says that it is right
		t.Fatal(err)
	}
	bob.fetch()
}

// A purge goes into the vault with the next push: one base without it.
func TestVaultPurge(t *testing.T) {
	w := storetest.New(t)
	both := members(t, w, "ann", "bob")
	ann, bob := both[0], both[1]
	save(t, ann.Store, "first")
	save(t, ann.Store, "it says hunter2-staging there")
	if _, err := ann.Lines.Branch(ctx, "hunter2-line", "@"); err != nil {
		t.Fatal(err)
	}
	ann.push()
	bob.meet()
	if _, err := ann.Purge.Run(ctx, gitstore.PurgeRequest{Match: "hunter2-[a-z]+"}); err != nil {
		t.Fatal(err)
	}
	if r := ann.push(); !r.Base || len(r.Behind) > 0 {
		t.Errorf("%+v", r)
	}
	if got := ann.meet(); got != "" {
		t.Errorf("it came back: %s", got)
	}
	late := newMember(t, w, "carl")
	for _, m := range []*member{ann, late} {
		m.accept(ann, bob, late)
	}
	ann.push()
	late.meet()
	if found, _ := w.TryGit("carl", "log", "--all", "--grep=hunter2", "--format=%h"); found != "" {
		t.Errorf("it is in the vault: %s", found)
	}
	if refs := w.Git("carl", "for-each-ref"); strings.Contains(refs, "hunter2") {
		t.Errorf("the name of a line is in the vault: %s", refs)
	}
	wantSays(t, bob.meet(), "purged main")
	if ann.tip() != late.tip() {
		t.Errorf("ann is at %s, carl at %s", ann.tip(), late.tip())
	}
}

// Memory whose ids are SHA-256 lies on a host that knows SHA-1 only, and the other way round.
func TestVaultFormats(t *testing.T) {
	for _, format := range [][2]string{{"sha256", "sha1"}, {"sha1", "sha256"}, {"sha256", "sha256"}} {
		w := storetest.New(t)
		w.Git("", "init", "-q", "--bare", "--object-format="+format[1], "safe.git")
		ann, bob := newMember(t, w, "ann", "--object-format="+format[0]), newMember(t, w, "bob", "--object-format="+format[0])
		ann.accept(ann, bob)
		bob.accept(ann, bob)
		save(t, ann.Store, "one")
		ann.push()
		save(t, ann.Store, "two")
		ann.push()
		wantActs(t, bob.meet(), "new main")
		other := newMember(t, w, "carl", "--object-format="+format[1])
		if format[0] != format[1] {
			ann.accept(ann, bob, other)
			ann.push()
			wantSays(t, other.fetchRefused(), "its memory is of the object format "+format[0])
		}
	}
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func shell(t testing.TB, w *storetest.World, dir, command string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = w.Path(dir), w.Env
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// A member whose refs have names that are none of a memory, or lead elsewhere, is named, and
// the rest of what they push is taken in.
func TestVaultOddRefs(t *testing.T) {
	w := storetest.New(t)
	both := members(t, w, "ann", "bob")
	ann, bob := both[0], both[1]
	id := save(t, ann.Store, "first").ID
	w.Git("ann", "notes", "--ref=refs/notes/sage", "add", "-m", id, "HEAD")
	noted := w.Git("ann", "rev-parse", "refs/notes/sage")
	refs := map[string]string{mainRef: id, "refs/sage/notes": noted, "refs/heads/other": id, "refs/sage/remotes/x/heads/main": id}
	for _, name := range []string{"../../heads/main", "a\nb", "a\x00delete refs/heads/main\x00", "-x", "A"} {
		refs["refs/sage/heads/"+name] = id
	}
	if _, err := ann.Vault.Push(ctx, ann.at, refs); err != nil {
		t.Fatal(err)
	}
	before := w.Git("bob", "for-each-ref")
	r := bob.fetch()
	if got := w.Git("bob", "for-each-ref"); got != strings.TrimSpace(before+"\n"+id+" commit\trefs/sage/remotes/safe/heads/main\n"+noted+" commit\trefs/sage/remotes/safe/notes") {
		t.Errorf("refs: %s", got)
	}
	wantSays(t, notes(r), "which is no ref of a memory")
}
