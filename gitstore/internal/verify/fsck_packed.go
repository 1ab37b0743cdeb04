package verify

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// packedDamage is how many damaged lines of packed refs one cure takes out.
const packedDamage = 20

// packedFile looks at the file of packed refs, which is git's: one line that git
// cannot read, as a power cut or an editor leaves, and git lists no ref at all, of the
// user's neither. So only a person can say what is to become of it. It reports whether
// something was found.
func (k *checker) packedFile() bool {
	path := filepath.Join(k.s.repo.Where.CommonDir, "packed-refs")
	st, err := fsx.Stat(path)
	if err != nil {
		return false
	}
	after := ", then 'git sage fsck --repair'"
	if !st.Mode().IsRegular() {
		k.add("packed-refs", "packed-refs", "not a regular file but a "+repo.ModeWord(st.Mode())+", so git reads no refs", fmt.Sprintf("mv '%s' '%s.damaged'", path, path)+after)
		return true
	}
	b, err := fsx.ReadFile(path)
	if err != nil {
		return false
	}
	bad, first, sorted := k.packedLines(b)
	switch {
	case len(bad) > 0:
		k.add("packed-refs", "packed-refs", fmt.Sprintf("%s unreadable, the first at line %s: %s; until that is fixed, git reads no refs", repo.Count(len(bad), "line"), bad[0], quoted([]byte(first))),
			fmt.Sprintf("sed -i.damaged '%sd' '%s'", strings.Join(bad[:min(len(bad), packedDamage)], "d;"), path)+after+"; this keeps the original beside it")
	case !sorted:
		k.add("packed-refs", "packed-refs", "marked as sorted, but not sorted; git misses some refs", fmt.Sprintf("sed -i.damaged '1s/ sorted//' '%s'", path))
	}
	return len(bad) > 0 || !sorted
}

// packedLines returns the numbers of the lines that git does not take, with the first
// of them, and whether the refs are in the order that the first line promises.
func (k *checker) packedLines(b []byte) (bad []string, first string, sorted bool) {
	var names []string
	promised, n := false, 0
	for line := range bytes.Lines(b) {
		n++
		l, whole := strings.CutSuffix(string(line), "\n")
		if n == 1 && whole && strings.HasPrefix(l, "# pack-refs with:") {
			promised = strings.Contains(l+" ", " sorted ")
			continue
		}
		id, name, isRef := strings.Cut(strings.TrimPrefix(l, "^"), " ")
		if hex := len(id) == len(k.s.repo.Objects.Zero()) && record.IsHex(id); !whole || !hex || isRef != !strings.HasPrefix(l, "^") {
			if bad = append(bad, fmt.Sprint(n)); len(bad) == 1 {
				first = l
			}
			continue
		}
		if isRef {
			names = append(names, name)
		}
	}
	return bad, first, !promised || slices.IsSorted(names)
}
