package opening

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/provenance"
)

const (
	newsChars  = 160 // of the line, and with it what it quotes
	newsPeople = 2   // who is named; the rest is counted
)

// news says in a line what others concluded since this user's last session here; "" if that
// is nothing. What it takes from them is a name, and stands in a fence.
func (op *Opener) news(ctx context.Context) string {
	who, since, err := op.stores.Store.Activity.Arrived(ctx)
	if err != nil || len(who) == 0 {
		op.stores.Complain(err)
		return ""
	}
	var said []string
	for i, p := range cut.First(who, newsPeople) {
		n := fmt.Sprint(len(p.Acts))
		if i == 0 {
			n = legible.Count(len(p.Acts), "checkpoint")
		}
		said = append(said, n+" by "+provenance.Name(p.Name, 24))
	}
	left := 0
	for _, p := range who[len(said):] {
		left += len(p.Acts)
	}
	if left > 0 {
		said = append(said, fmt.Sprintf("%d by others", left))
	}
	return fmt.Sprintf("Since %s: %s (git sage activity)", day(op.stores.Now(), since), strings.Join(said, ", "))
}

// day says when something was that was not long ago.
func day(now, t time.Time) string {
	t = t.In(now.Location())
	switch begin := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location()); {
	case !t.Before(begin):
		return t.Format("15:04")
	case !t.Before(begin.AddDate(0, 0, -1)):
		return "yesterday"
	}
	return t.Format(time.DateOnly)
}

// Looked notes that the session was shown what others concluded.
func (op *Opener) Looked() error { return op.stores.Store.Activity.Looked() }
