package opening

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/provenance"
)

const (
	newsChars  = 160 // of the line, and with it what it quotes
	newsPeople = 2   // who is named; the rest is counted
	nameChars  = 24
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
	var list []gitstore.Sighting
	left := 0
	for i, p := range who {
		for _, act := range p.Acts {
			list = append(list, act.Sighting)
		}
		switch n := len(p.Acts); {
		case i == 0:
			said = append(said, legible.Count(n, "checkpoint")+" by "+provenance.Name(p.Name, nameChars))
		case i < newsPeople:
			said = append(said, fmt.Sprintf("%d by %s", n, provenance.Name(p.Name, nameChars)))
		default:
			left += n
		}
	}
	if left > 0 {
		said = append(said, fmt.Sprintf("%d by others", left))
	}
	line := fmt.Sprintf("Since %s: %s", day(op.stores.Now(), since), strings.Join(said, ", "))
	if opposed, err := op.similarity.OpposeOwn(ctx, list); err != nil {
		op.stores.Complain(err)
	} else if n := len(opposed); n > 0 {
		line += fmt.Sprintf("; %d of them %s yours", n, map[bool]string{true: "contradicts", false: "contradict"}[n == 1])
		if thesis := opposed[0].Newer.Thesis; provenance.MayQuote(thesis) {
			return line + ": " + quoted(thesis, newsChars-utf8.RuneCountInString(line+": "))
		}
	}
	return line + " (git sage activity)"
}

// quoted is the beginning of what somebody says, in marks that it cannot end.
func quoted(s string, n int) string {
	return `"` + brief.Line(strings.ReplaceAll(s, `"`, "'"), n-len(`""`)) + `"`
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
