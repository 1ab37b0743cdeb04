package gitstore

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// sessions names positions that point to what is gone. They keep nobody from
// saving: the next save says so and continues the line.
func (k *checker) sessions() {
	for _, f := range append(k.s.sessionFiles(), append(filesBelow(k.s.foldersDir()), k.s.worktreeDir("stand.json"))...) {
		t, ok := readStand(f)
		if !ok || t.Seen == "" {
			continue
		}
		if gone, err := k.s.isGone(k.ctx, t.Seen); err != nil || !gone {
			continue
		}
		if _, err := k.anywhere(t.Seen); err != nil { // else a repair brings it
			k.warn("lost-position", short(t.Seen), "a session continues a checkpoint that is gone", "")
			k.mend(&fileFix{file: f, name: "session at " + short(t.Seen), what: "forgets that position", done: "forgot that position; it goes on from its line"})
		}
	}
}

func (s *Store) sessionFiles() (out []string) {
	list, _ := fsx.ReadDir(s.dir("sessions"))
	for _, e := range list {
		if name, ok := strings.CutSuffix(e.Name(), ".json"); ok && isHex(name) { // else see Keep
			out = append(out, s.dir("sessions", e.Name()))
		}
	}
	return out
}
