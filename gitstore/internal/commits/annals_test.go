package commits

import (
	"fmt"
	"hash/crc32"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var someAnnals = annals{
	tips:   map[string]string{repo.HeadsPrefix + "main": "b", repo.ForksPrefix + "main/1": "c"},
	people: []repo.Person{{Name: "Ada \"L\" \n", Mail: "ada@example.org"}, {Name: "", Mail: ""}},
	List:   []Annal{{ID: "b", Recorded: 7, parents: []int{2}}, {ID: "c", Recorded: 8, person: 1, Tombstone: true, parents: []int{0, 2}}, {ID: "a"}},
}

var compareAnnals = cmp.Options{cmp.AllowUnexported(annals{}, Annal{}, repo.Person{}), cmpopts.EquateEmpty()}

func TestAnnalsReadBack(t *testing.T) {
	if d := cmp.Diff(someAnnals, parseAnnals(string(someAnnals.encode())), compareAnnals); d != "" {
		t.Error(d)
	}
}

// Whatever a file says that carries the right checksum, it is read as something that
// can be walked over and written again, or as nothing.
func FuzzAnnals(f *testing.F) {
	seed := string(someAnnals.encode())
	f.Add(seed[:len(seed)-len("sum 00000000\n")])
	for _, s := range []string{"", annalsHead, annalsHead + "\n", annalsHead + "\nx 1 0 0\n", annalsHead + "\nperson \"a\" \"b\"\nx 1 0 0 0\n", annalsHead + "\nperson \"a\"\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		a := parseAnnals(body + fmt.Sprintf("sum %08x\n", crc32.ChecksumIEEE([]byte(body))))
		again := parseAnnals(string(a.encode()))
		if d := cmp.Diff(a.List, again.List, compareAnnals); d != "" {
			t.Fatal(d)
		}
		var tips []int
		counts := make([]bool, len(a.List))
		for i := range a.List {
			tips, counts[i] = append(tips, i), !a.List[i].Tombstone
		}
		a.shown(tips, counts, 0, 1)
	})
}
