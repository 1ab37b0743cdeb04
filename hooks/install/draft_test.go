package install

import (
	"bytes"
	"testing"

	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/mend"
)

// The editor alone, without a disk: what is inserted is known byte by byte,
// and both ways of taking it out again end where they should.
func FuzzDraft(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s))
	}
	p := Place{Bin: bin, Main: "/repo"}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := draft.Read(bytes.Clone(data), false)
		if err != nil || len(p.editor().All(d)) > 0 {
			return
		}
		var r Result
		for _, s := range []Scope{User, Local} {
			if p.editor().InstallServer(d, &r, bin, p.editor().Servers(s), entry.ServerEntry(bin)) != nil {
				return
			}
		}
		if p.editor().InstallHooks(d, &r, bin, User) != nil {
			return
		}
		if !d.Exact || !bytes.Equal(d.Owner(), data) {
			t.Fatalf("exact %v: %q without ours is %q, want %q", d.Exact, d.Src, d.Owner(), data)
		}
		full := *d
		for _, exact := range []bool{true, false} {
			d := full
			d.Exact = exact
			for sites := p.editor().All(&d); len(sites) > 0; sites = p.editor().All(&d) {
				before := string(d.Src)
				if err := mend.Take(&d, sites[0]); err != nil {
					t.Fatalf("%v: %q", err, before)
				}
				if left := len(p.editor().All(&d)); left != len(sites)-1 {
					t.Fatalf("%d of %d entries left in %q, was %q", left, len(sites), d.Src, before)
				}
			}
			if exact && d.Exact && !bytes.Equal(d.Owner(), data) {
				t.Fatalf("%q, want %q, was %q", d.Owner(), data, full.Src)
			}
		}
	})
}
