package gittree

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// randomTree is a sound tree of few names and ids, so that several are alike in parts.
func randomTree(r *rand.Rand) []Entry {
	var out []Entry
	for i := range 12 {
		e := Entry{[]string{ModeFile, ModeDir}[r.IntN(2)], fmt.Sprintf("%c%s", 'a'+i, []string{"", ".md", "x"}[r.IntN(3)]), fmt.Sprintf("%040x", r.IntN(3)*0x100+i%2)}
		if r.IntN(4) > 0 {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, Entry.Compare)
	return out
}

// What differs between trees is the same whether it is found in their bytes or by looking up
// each entry in each base.
func TestChanged(t *testing.T) {
	type change struct {
		Entry
		before string
	}
	r := rand.New(rand.NewPCG(1, 2))
	alike := 0
	for range 20_000 {
		tree := randomTree(r)
		bases := make([][]Entry, r.IntN(3))
		for i := range bases {
			if bases[i] = randomTree(r); r.IntN(2) == 0 { // one that was changed in a few places
				bases[i] = slices.Clone(tree)
				for range min(r.IntN(3), len(tree)) {
					k := r.IntN(len(bases[i]))
					if bases[i][k].ID = fmt.Sprintf("%040x", r.IntN(1<<20)); r.IntN(2) == 0 && len(bases[i]) > 1 {
						bases[i] = slices.Delete(bases[i], k, k+1)
					}
				}
			}
		}
		var want, got []change
		for _, e := range tree {
			c, known := change{Entry: e}, false
			for _, b := range bases {
				if i := slices.IndexFunc(b, func(o Entry) bool { return o.Compare(e) == 0 }); i >= 0 {
					known = known || b[i] == e
					c.before += b[i].ID + " "
				}
			}
			if !known {
				want = append(want, c)
			} else {
				alike++
			}
		}
		var raw [][]byte
		for _, b := range bases {
			raw = append(raw, Encode(b...))
		}
		Changed(Encode(tree...), raw, 20, func(e Raw, before [][]byte) bool {
			c := change{Entry: e.Entry()}
			for _, id := range before {
				c.before += fmt.Sprintf("%x ", id)
			}
			got = append(got, c)
			return true
		})
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%v beside %v:\n%v\nwant\n%v", tree, bases, got, want)
		}
	}
	if alike < 10_000 {
		t.Errorf("only %d entries were known", alike)
	}
}

// Bytes at which two trees end alike need not be the same entries in both.
func TestChangedOfOtherEntries(t *testing.T) {
	id := "12345678901234567890"
	one := []byte("100644 a\x00" + id + "100644 b\x00" + id)
	two := []byte("100644 a100644 b\x00" + id)
	for _, c := range [][2][]byte{{one, two}, {two, one}} {
		got, want := 0, len(Parse(c[0], 20))
		Changed(c[0], [][]byte{c[1]}, 20, func(Raw, [][]byte) bool { got++; return true })
		if got != want {
			t.Errorf("%d entries of %q are not in %q, want %d", got, c[0], c[1], want)
		}
	}
}

// A tree is sound if all of it is entries in order, and no name is there twice.
func TestIsSound(t *testing.T) {
	id := "12345678901234567890"
	for _, c := range []struct {
		tree string
		want bool
	}{
		{"", true},
		{"100644 a\x00" + id + "40000 b\x00" + id, true},
		{"100644 a-\x00" + id + "40000 a\x00" + id, true},
		{"40000 a\x00" + id + "100644 a0\x00" + id, true},
		{"100644 a\x00" + id + "100644 a\x00" + id, false},
		{"100644 b\x00" + id + "100644 a\x00" + id, false},
		{"100644 a\x00" + id + "40000 a\x00" + id, false},
		{"100644 a\x00" + id + "100644 a-\x00" + id + "40000 a\x00" + id, false},
		{"100644 a\x00" + id + "x", false},
		{"100644 a\x00" + id[:19], false},
		{"100644\x00" + id, false},
		{"100644 a", false},
	} {
		if got := IsSound([]byte(c.tree), 20); got != c.want {
			t.Errorf("%q: %v", c.tree, got)
		}
	}
}
