package install

import (
	"bytes"
	"testing"
)

// The editor alone, without a disk: what is inserted is known byte by byte,
// and both ways of taking it out again end where they should.
func FuzzDraft(f *testing.F) {
	for _, s := range files {
		f.Add([]byte(s))
	}
	p := Place{Bin: bin, Main: "/repo"}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := newDraft(bytes.Clone(data), nil, true)
		if err != nil || len(p.all(d)) > 0 {
			return
		}
		var r Result
		for _, s := range []Scope{User, Local} {
			if p.installServer(d, &r, bin, p.servers(s), serverEntry(bin)) != nil {
				return
			}
		}
		if p.installHooks(d, &r, bin, User) != nil {
			return
		}
		if !d.exact || !bytes.Equal(d.owner(), data) {
			t.Fatalf("exact %v: %q without ours is %q, want %q", d.exact, d.src, d.owner(), data)
		}
		full := *d
		for _, exact := range []bool{true, false} {
			d := full
			d.exact = exact
			for sites := p.all(&d); len(sites) > 0; sites = p.all(&d) {
				before := string(d.src)
				if err := d.take(sites[0]); err != nil {
					t.Fatalf("%v: %q", err, before)
				}
				if left := len(p.all(&d)); left != len(sites)-1 {
					t.Fatalf("%d of %d entries left in %q, was %q", left, len(sites), d.src, before)
				}
			}
			if exact && d.exact && !bytes.Equal(d.owner(), data) {
				t.Fatalf("%q, want %q, was %q", d.owner(), data, full.src)
			}
		}
	})
}
