package commits

import (
	"fmt"
	"hash/crc32"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var someIndex = CommitIndex{
	tips:   map[string]string{refname.HeadsPrefix + "main": "b", refname.ForksPrefix + "main/1": "c"},
	depth:  "0badcafe-42",
	people: []identity.Person{{Name: "Ada \"L\" \n", Mail: "ada@example.org"}, {Name: "", Mail: ""}},
	List:   []IndexedCommit{{ID: "b", Recorded: 7, Parents: []int{2}}, {ID: "c", Recorded: 8, person: 1, Tombstone: true, Parents: []int{0, 2}}, {ID: "a"}},
}

var compareIndex = cmp.Options{cmp.AllowUnexported(CommitIndex{}, IndexedCommit{}, identity.Person{}), cmpopts.EquateEmpty()}

func TestIndexReadBack(t *testing.T) {
	if d := cmp.Diff(someIndex, parseIndex(string(someIndex.encode())), compareIndex); d != "" {
		t.Error(d)
	}
}

// Whatever a file says that carries the right checksum, it is read as something that
// can be walked over and written again, or as nothing.
func FuzzIndex(f *testing.F) {
	seed := string(someIndex.encode())
	f.Add(seed[:len(seed)-len("sum 00000000\n")])
	for _, s := range []string{"", indexHead, indexHead + "\n", indexHead + "\nx 1 0 0\n", indexHead + "\nperson \"a\" \"b\"\nx 1 0 0 0\n", indexHead + "\nperson \"a\"\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		a := parseIndex(body + fmt.Sprintf("sum %08x\n", crc32.ChecksumIEEE([]byte(body))))
		again := parseIndex(string(a.encode()))
		if d := cmp.Diff(a.List, again.List, compareIndex); d != "" {
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
