package checks

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// packedDamage is how many damaged lines of packed refs one cure takes out.
const packedDamage = 20

// PackedRefs looks at the file of packed refs, which is git's: one line that git
// cannot read, as a power cut or an editor leaves, and git lists no ref at all, of the
// user's neither. So only a person can say what is to become of it.
type PackedRefs struct{}

func (PackedRefs) Run(p *pass.Pass) {
	path := filepath.Join(p.Repo.Where.CommonDir, "packed-refs")
	st, err := fsx.Stat(path)
	if err != nil {
		return
	}
	if !st.Mode().IsRegular() {
		p.Add("packed-refs", "packed-refs", "not a regular file but a "+fsx.ModeWord(st.Mode())+", so git reads no refs", remedy.Typed(fmt.Sprintf("mv '%s' '%s.damaged'", path, path)), remedy.Repair.On().To("repairs the rest"))
		return
	}
	b, err := fsx.ReadFile(path)
	if err != nil {
		return
	}
	bad, first, sorted := packedLines(b, len(p.Repo.Objects.Zero()))
	switch {
	case len(bad) > 0:
		p.Add("packed-refs", "packed-refs", fmt.Sprintf("%s unreadable, the first at line %s: %s; until that is fixed, git reads no refs", legible.Count(len(bad), "line"), bad[0], pass.Quoted([]byte(first))),
			remedy.Typed(fmt.Sprintf("sed -i.damaged '%sd' '%s'", strings.Join(bad[:min(len(bad), packedDamage)], "d;"), path)+", which keeps the original beside it"), remedy.Repair.On().To("repairs the rest"))
	case !sorted:
		p.Add("packed-refs", "packed-refs", "marked as sorted, but not sorted; git misses some refs", remedy.Typed(fmt.Sprintf("sed -i.damaged '1s/ sorted//' '%s'", path)))
	}
}

// packedLines returns, where ids have size digits, the numbers of the lines that git does not take, with the first
// of them, and whether the refs are in the order that the first line promises.
func packedLines(b []byte, size int) (bad []string, first string, sorted bool) {
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
		if hex := len(id) == size && record.IsHex(id); !whole || !hex || isRef != !strings.HasPrefix(l, "^") {
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
