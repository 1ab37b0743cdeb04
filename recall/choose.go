package recall

import (
	"fmt"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// manyShare is how many items may share a keyword that recalls them by itself: what
// more have is no sign of any of them.
const manyShare = 10

// choose takes of candidates, the best first, those that reach their thresholds
// within the limits. Those that are always given come first and do not count, but
// cost tokens.
func (m *Memory) choose(found []candidate, o RecallOptions) *Recall {
	s := m.settings()
	items, tokens := o.MaxItems, o.MaxTokens
	if items == 0 {
		items = s.RecallItems
	}
	if tokens == 0 {
		tokens = s.RecallTokens
	}
	var always, rest, near []Recalled
	for _, always_ := range []bool{true, false} {
		for _, c := range found {
			d := c.hit.Meta
			if d.Always != always_ {
				continue
			}
			r := Recalled{Known: Known{Own: c.shelf.own}, Doc: d.Key, Score: c.score, Threshold: s.threshold(sage.ItemType(d.Type), o.Proactive), Always: d.Always}
			r.Left = o.left(c, r, len(rest) >= items, tokens)
			switch {
			case r.Left != "":
				near = append(near, r)
				continue
			case d.Always:
				always = append(always, r)
			default:
				rest = append(rest, r)
			}
			tokens -= d.Tokens
		}
	}
	return &Recall{Items: append(always, rest...), Near: near}
}

// left says why a candidate is left out, "" if it is not.
func (o RecallOptions) left(c candidate, r Recalled, full bool, tokens int) string {
	d := c.hit.Meta
	switch {
	case o.Seen[d.Key] == d.Blob && d.Blob != "":
		return "given before in this session"
	case !d.Always && !r.Score.ByItself && r.Score.Value < r.Threshold:
		return fmt.Sprintf("its score is below %.2f", r.Threshold)
	case full && !d.Always:
		return "as many as recall_max_items allows are better"
	case d.Tokens > tokens:
		return fmt.Sprintf("its %d tokens do not fit into what recall_max_tokens leaves", d.Tokens)
	}
	return ""
}
