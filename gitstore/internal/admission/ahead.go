package admission

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/git"
)

// Long history is read ahead: one object asked for after another costs two changes of
// processes each. It begins when that many were asked for one by one, which is more than
// people bring in a day, and goes by parts: the next one is read while one is judged.
const (
	aheadAfter = 200
	aheadPart  = 1000
	mostAhead  = 400_000  // ids, some 40 MB; what lies behind is asked for one by one
	aheadSize  = 16 << 10 // bytes of an object that is kept until it is asked for
)

// An ahead is the objects of some history in the order in which they are judged.
type ahead struct {
	ids  []string
	at   map[string]int // the part in which an id is
	part int            // the one that was asked for last
	have [2]map[string]git.Object
	next chan map[string]git.Object // what follows it, being read
}

// object reads an object, of what was read ahead if it is there.
func (v *Verifier) object(id string) (git.Object, error) {
	if v.asked++; v.asked == aheadAfter {
		v.readAhead()
	}
	if part, ok := v.ahead.at[id]; ok {
		if part > v.ahead.part {
			v.ahead.move(v.s.repo.Batch, part)
		}
		for _, have := range v.ahead.have {
			if o, ok := have[id]; ok {
				return o, nil
			}
		}
	}
	return v.s.repo.Object(id)
}

// readAhead reads all commits behind the tip that is judged, and lists what they bring. What fails here
// is met again, and told, where it is asked for.
func (v *Verifier) readAhead() {
	last := len(v.tips) - 1
	var revs bytes.Buffer
	fmt.Fprintln(&revs, v.tips[last])
	for _, known := range v.tips[:last] {
		fmt.Fprintln(&revs, "^"+known)
	}
	for l := range strings.Lines(backup.IDLines(v.own)) {
		fmt.Fprint(&revs, "^"+l)
	}
	most := fmt.Sprint("--max-count=", maxJudged)
	out, err := v.s.repo.Git.Feed(v.ctx, revs.Bytes(), "rev-list", most, "--missing=allow-any", "--stdin")
	if err != nil {
		return
	}
	_ = v.s.repo.Batch.Each(strings.Fields(string(out)), func(id string, o git.Object, err error) {
		if _, known := v.judged[id]; !known && err == nil {
			_, _ = v.parse(id, o)
		}
	})
	out, err = v.s.repo.Git.Feed(v.ctx, revs.Bytes(), "rev-list", most, "--missing=allow-any", "--objects", "--no-object-names", "--in-commit-order", "--reverse", "--stdin")
	if err != nil {
		return
	}
	ids := strings.Fields(string(out))
	ids = ids[:min(len(ids), mostAhead)]
	v.ahead = ahead{ids: ids, at: make(map[string]int, len(ids)), part: -1}
	for i, id := range ids {
		v.ahead.at[id] = i / aheadPart
	}
}

// move goes on to a part, and has the one behind it read.
func (a *ahead) move(batch *git.Batch, part int) {
	read := func(part int) chan map[string]git.Object {
		out, list := make(chan map[string]git.Object, 1), a.ids[min(part*aheadPart, len(a.ids)):min((part+1)*aheadPart, len(a.ids))]
		go func() {
			have := make(map[string]git.Object, len(list))
			_ = batch.Each(list, func(id string, o git.Object, err error) {
				if err == nil && len(o.Data) <= aheadSize {
					have[id] = o
				}
			})
			out <- have
		}()
		return out
	}
	if a.next == nil || part != a.part+1 {
		a.next = read(part)
	}
	a.have = [2]map[string]git.Object{a.have[1], <-a.next}
	a.part, a.next = part, read(part+1)
}
