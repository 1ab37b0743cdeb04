package gitstore_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/vault"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Several push at the same time: the remote takes one after the other, the rest look again,
// and what all of them pushed is there.
func TestVaultManyAtOnce(t *testing.T) {
	w := storetest.New(t)
	all := members(t, w, "ann", "bob", "carl")
	save(t, all[0].Store, "first")
	all[0].push()
	for i, m := range all {
		m.meet()
		for n := range 3 {
			if _, err := m.Lines.Branch(ctx, fmt.Sprintf("of-%s-%d", m.name, n), "main"); err != nil {
				t.Fatal(i, err)
			}
		}
	}
	var group sync.WaitGroup
	for _, m := range all {
		group.Go(func() {
			if r, err := m.tryPush(); err != nil || len(r.Refs) != 3 {
				t.Errorf("%s: %+v %v", m.name, r, err)
			}
		})
	}
	group.Wait()
	for _, m := range all {
		m.meet()
		if got := w.Git(m.name, "for-each-ref", "--format=%(refname)", "refs/sage/heads/of-*"); len(strings.Fields(got)) != 9 {
			t.Errorf("%s has %s", m.name, got)
		}
	}
}

// Ten thousand refs go and come in one chunk; one more costs no more than one of few.
func TestVaultManyRefs(t *testing.T) {
	w := storetest.New(t)
	both := members(t, w, "ann", "bob")
	ann, bob := both[0], both[1]
	id := save(t, ann.Store, "first").ID
	n := 10_000
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, "create refs/sage/tags/t%d %s\n", i, id)
	}
	w.Write("ann/refs", lines.String())
	shell(t, w, "ann", "git update-ref --stdin <refs && git pack-refs --all")
	if r := ann.push(); len(r.Refs) != n+1 {
		t.Errorf("%d refs pushed", len(r.Refs))
	}
	if r := bob.fetch(); len(r.Refs) != n+1 {
		t.Errorf("%d refs fetched", len(r.Refs))
	}
	if _, err := ann.Lines.Tag(ctx, "one-more", "@", false); err != nil {
		t.Fatal(err)
	}
	if r := ann.push(); r.Bytes > 10<<10 || r.Base {
		t.Errorf("one tag: %+v", r)
	}
	if r := bob.fetch(); !slices.Equal(r.Refs, []string{"refs/sage/tags/one-more"}) {
		t.Errorf("fetched %v", r.Refs)
	}
}

// Chunks are brought together before there are too many, and who read some of them goes on.
func TestVaultCompacts(t *testing.T) {
	w := storetest.New(t)
	both := members(t, w, "ann", "bob")
	ann, bob := both[0], both[1]
	again := 0
	for i := range 70 {
		save(t, ann.Store, fmt.Sprintf("checkpoint %d", i))
		if r := ann.push(); r.Base {
			again++
		}
		if i == 3 || i == 50 {
			bob.meet()
		}
	}
	if again != 1 {
		t.Errorf("all was encrypted again %d times, want once", again)
	}
	bob.meet()
	if ann.tip() != bob.tip() {
		t.Errorf("ann is at %s, bob at %s", ann.tip(), bob.tip())
	}
	if n := len(strings.Fields(w.Git("safe.git", "ls-tree", "--name-only", vault.DefaultRef))); n > 65 {
		t.Errorf("%d chunks", n)
	}
}

// An ssh key without a passphrase reads as one of age does; one with a passphrase is named.
func TestVaultSSHKeys(t *testing.T) {
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("ssh-keygen is not installed")
	}
	for _, kind := range []string{"ed25519", "rsa"} {
		w := storetest.New(t)
		ann := members(t, w, "ann")[0]
		save(t, ann.Store, "for ssh")
		home := func(name, phrase string) *member {
			t.Helper()
			w.Repo(name)
			if err := os.MkdirAll(w.Path(name+"-home/.ssh"), 0o700); err != nil {
				t.Fatal(err)
			}
			file := w.Path(name + "-home/.ssh/id_" + kind)
			if out, err := exec.Command("ssh-keygen", "-q", "-t", kind, "-N", phrase, "-C", "", "-f", file).CombinedOutput(); err != nil {
				t.Fatalf("%s", out)
			}
			m := &member{t: t, w: w, name: name, key: strings.TrimSpace(readFile(t, file+".pub")), at: ann.at}
			m.Store = open(t, w, name, person, func(o *gitstore.Options) {
				o.Home, o.Env = w.Path(name+"-home/.sage"), append(slices.Clone(o.Env), "HOME="+w.Path(name+"-home"))
			})
			return m
		}
		bob, carl := home("bob", ""), home("carl", "secret")
		ann.accept(ann, bob, carl)
		ann.push()
		wantActs(t, bob.meet(), "new main")
		said := carl.fetchRefused()
		wantSays(t, said, "not encrypted to a key of yours")
		wantSays(t, said, "carl-home/.ssh/id_"+kind+": this private key is passphrase protected")
	}
}

// Who is to read is a person's word, and never a list without the person.
func TestVaultRecipients(t *testing.T) {
	w := storetest.New(t)
	w.Git("", "init", "-q", "--bare", "safe.git")
	ann, bob := newMember(t, w, "ann"), newMember(t, w, "bob")
	save(t, ann.Store, "first")
	wantSays(t, ann.pushRefused(), "nobody is accepted as a reader")

	agent := open(t, w, "ann", func(o *gitstore.Options) { o.Home = w.Path("homes/ann") })
	if _, _, err := agent.Vault.Add(ann.key); err == nil || !strings.Contains(err.Error(), "only a person") {
		t.Errorf("an agent adds a reader: %v", err)
	}
	if _, _, err := ann.Vault.Add(bob.key + " bob"); err == nil || !strings.Contains(err.Error(), "no key of this machine") {
		t.Errorf("nobody here could read it: %v", err)
	}
	if _, err := os.Stat(w.Path("ann/.sage/recipients")); err == nil {
		t.Error("what was refused is in the file")
	}
	w.Write("ann/.sage/recipients", "# who reads\n\n"+bob.key+" bob, whom nobody accepted") // no end of line
	added, _, err := ann.Vault.Add(ann.key + " ann")
	if err != nil || len(added) != 1 || added[0].Key != ann.key {
		t.Errorf("%v %v", added, err)
	}
	if got, want := readFile(t, w.Path("ann/.sage/recipients")), "# who reads\n\n"+bob.key+" bob, whom nobody accepted\n"+ann.key+" ann\n"; got != want {
		t.Errorf("the file is %q, want %q", got, want)
	}
	r := ann.push()
	wantSays(t, notes(r), "bob, whom nobody accepted ("+bob.key[:12])
	wantSays(t, notes(r), "one key only")
	list, err := ann.Vault.Readers()
	if err != nil || len(list) != 2 || list[0].Accepted || list[0].Mine || !list[1].Accepted || !list[1].Mine {
		t.Errorf("%+v %v", list, err)
	}
	if _, _, err := ann.Vault.Remove("ann"); err == nil || !strings.Contains(err.Error(), "no key of this machine") {
		t.Errorf("her only key is removed: %v", err)
	}
	if _, _, err := ann.Vault.Remove("eve"); err == nil || !strings.Contains(err.Error(), "no reader 'eve'") {
		t.Errorf("%v", err)
	}

	// A copy of the repository accepts nobody.
	copied := open(t, w, "ann", person, func(o *gitstore.Options) { o.Home = w.Path("homes/bob") })
	if list, err := copied.Vault.Readers(); err != nil || slices.ContainsFunc(list, func(l vault.Listed) bool { return l.Accepted }) {
		t.Errorf("%+v %v", list, err)
	}

	for line, want := range map[string]string{
		"AGE-SECRET-KEY-1QQQ": "that is a secret key",
		"hello":               "is no key that memory can be encrypted to",
		"ssh-dss AAAA":        "is no key that memory can be encrypted to",
		"age1qqqq # carl":     "is no key that memory can be encrypted to",
	} {
		w.Write("ann/.sage/recipients", ann.key+"\n"+line+"\n")
		if _, _, err := ann.Vault.Accept(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "recipients:2: ") {
			t.Errorf("%q: %v", line, err)
		}
	}
	ann.push() // by those whom she accepted

	if runtime.GOOS != "windows" {
		if err := os.Chmod(w.Path("homes/ann/age/identity"), 0o640); err != nil {
			t.Fatal(err)
		}
		if err := ann.Vault.Forget("safe"); err != nil {
			t.Fatal(err)
		}
		wantSays(t, ann.fetchRefused(), "others can read your key")
	}
}

// What the remote's own hook refuses is said, and tried once.
func TestVaultPushDeclined(t *testing.T) {
	w := storetest.New(t)
	ann := members(t, w, "ann")[0]
	w.Write("safe.git/hooks/pre-receive", "#!/bin/sh\necho no refs/sage here >&2\nexit 1\n")
	if err := os.Chmod(w.Path("safe.git/hooks/pre-receive"), 0o777); err != nil {
		t.Fatal(err)
	}
	save(t, ann.Store, "first")
	wantSays(t, ann.pushRefused(), "declined")
	ann.at.Ref = "refs/heads/memory"
	if err := os.Remove(w.Path("safe.git/hooks/pre-receive")); err != nil {
		t.Fatal(err)
	}
	ann.push()
	if refs := w.Git("safe.git", "for-each-ref", "--format=%(refname)"); refs != "refs/heads/memory" {
		t.Errorf("refs: %s", refs)
	}
	ann.at.Ref = "refs/heads/main"
	w.Git("ann", "push", "-q", w.Path("safe.git"), "main")
	if err := ann.Vault.Forget("safe"); err != nil {
		t.Fatal(err)
	}
	wantSays(t, ann.pushRefused(), "other files than a vault")
}
