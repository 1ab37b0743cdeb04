package packs_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/packs"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// packed makes a repository with one pack, and returns the file of its index and the
// ids in it, sorted, as git lists them.
func packed(t *testing.T, init ...string) (file string, ids []string) {
	t.Helper()
	w := storetest.New(t)
	w.Repo("r", init...)
	for i := range 5 {
		w.Write("r/a.txt", fmt.Sprint("version ", i, "\n"))
		w.Git("r", "commit", "-qam", fmt.Sprint("change ", i))
	}
	w.Git("r", "repack", "-adq")
	files, err := filepath.Glob(w.Path("r/.git/objects/pack/*.idx"))
	if err != nil || len(files) != 1 {
		t.Fatalf("packs: %v %v", files, err)
	}
	ids = strings.Fields(w.Git("r", "cat-file", "--batch-all-objects", "--batch-check=%(objectname)"))
	slices.Sort(ids)
	return files[0], ids
}

// An index holds what git says that the pack holds, and nothing else.
func TestIndexIsGits(t *testing.T) {
	for size, init := range map[int][]string{20: nil, 32: {"--object-format=sha256"}} {
		file, ids := packed(t, init...)
		x, err := packs.Read(file, size)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range x.Len() {
			got = append(got, x.ID(i))
		}
		if d := cmp.Diff(ids, got); d != "" {
			t.Errorf("%d bytes (-git +got): %s", size, d)
		}
		for _, id := range ids {
			last := id[len(id)-1]
			other := id[:len(id)-1] + string("0123456789abcdef"[(strings.IndexByte("0123456789abcdef", last)+1)%16])
			if !x.Has(id) || x.Has(other) != slices.Contains(ids, other) {
				t.Errorf("%s: %v, %s: %v", id, x.Has(id), other, x.Has(other))
			}
		}
		for _, id := range []string{"", "f", ids[0][:8], ids[0] + "00", strings.Repeat("x", 2*size), strings.Repeat("f", 2*size)} {
			if x.Has(id) {
				t.Errorf("it has '%s'", id)
			}
		}
	}
}

// What is cut off, of another version or not to be read is an error that names the
// file, never a shorter list.
func TestIndexIsWholeOrRefused(t *testing.T) {
	file, ids := packed(t)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	table := 8 + 256*4 + len(ids)*20
	refused := map[string][]byte{
		"nothing": {}, "no mark": bytes.Repeat([]byte{0}, len(whole)), "version 1": append([]byte("\xfftOc\x00\x00\x00\x01"), whole[8:]...),
		"more ids than there are": append(append(slices.Clone(whole[:8+255*4]), 0x7f, 0xff, 0xff, 0xff), whole[8+256*4:]...),
	}
	for _, n := range []int{7, 8, 100, 8 + 256*4 - 1, 8 + 256*4, table - 20, table - 1} {
		refused[fmt.Sprint("cut at ", n)] = whole[:n]
	}
	bad := filepath.Join(t.TempDir(), "pack-1.idx")
	for name, b := range refused {
		if err := os.WriteFile(bad, b, 0o666); err != nil {
			t.Fatal(err)
		}
		if x, err := packs.Read(bad, 20); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: %v %v", name, x, err)
		}
	}
	if _, err := packs.Read(bad+".none", 20); !os.IsNotExist(err) {
		t.Errorf("missing: %v", err)
	}
	for _, op := range []fsx.Op{fsx.OpOpen, fsx.OpRead, fsx.OpStat} {
		restore := fsx.Inject(func(o fsx.Op, _ string) error {
			if o == op {
				return syscall.EIO
			}
			return nil
		})
		_, err := packs.Read(file, 20)
		restore()
		if err == nil && op != fsx.OpStat {
			t.Errorf("%s fails and nothing is said", op)
		}
	}
}

// An index of each version has the length that its number of ids makes it, and no other.
func TestCheck(t *testing.T) {
	for size, init := range map[int][]string{20: nil, 32: {"--object-format=sha256"}} {
		file, _ := packed(t, init...)
		for _, version := range []string{"1", "2"} {
			w := storetest.New(t)
			other := w.Path("x.idx")
			w.Git("", "-C", filepath.Join(filepath.Dir(file), "../.."), "index-pack", "--index-version="+version, "-o", other, strings.TrimSuffix(file, ".idx")+".pack")
			if err := packs.Check(other, size); err != nil {
				t.Errorf("version %s of %d bytes: %v", version, size, err)
			}
			b, err := os.ReadFile(other)
			if err != nil {
				t.Fatal(err)
			}
			for _, cut := range [][]byte{nil, b[:500], b[:len(b)-1], append(bytes.Clone(b), 0)} {
				if err := os.WriteFile(file+".cut", cut, 0o644); err != nil {
					t.Fatal(err)
				}
				long := version == "2" && len(cut) > len(b) // offsets beyond 2 GiB may follow
				if err := packs.Check(file+".cut", size); (err == nil) != long {
					t.Errorf("version %s of %d bytes, cut to %d of %d: %v", version, size, len(cut), len(b), err)
				}
			}
		}
	}
}
