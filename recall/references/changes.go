package references

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/provenance"
)

// Changes are what commits of a range changed, and why.
type Changes struct {
	Topics  []Topic                // in the order of their newest commits, the newest first
	Other   []gitstore.NotedCommit // those that nothing explains, the newest first
	Open    []string               // questions that the conclusions leave
	Commits int
}

// A Topic is a question that commits answer, or a conclusion that answers none.
type Topic struct {
	Question    string
	Conclusions []Conclusion // the newest of a question; of checkpoints without one, each
	Commits     []gitstore.NotedCommit
}

// A Conclusion is what a checkpoint says.
type Conclusion struct {
	ID         string
	Thesis     string
	From       string // who wrote it, if that was not here and nobody here stands for it
	Confidence *float64
	Evidence   []string
}

const (
	mostEvidence = 3  // that a conclusion is shown with
	mostOpen     = 10 // open questions
	mostText     = 500
)

// Changes says what the commits that revisions of git choose changed, and why: by the
// checkpoints that explain them, and by nothing else. Of the checkpoints of one question the
// newest counts. Those without a question that explain the same commits are one topic.
func (cl *Collection) Changes(ctx context.Context, revs ...string) (*Changes, error) {
	s := cl.stores.Store
	ctx = s.Commits.Viewing(ctx)
	commits, err := s.Notes.List(ctx, 0, revs...)
	if err != nil {
		return nil, err
	}
	out, of := &Changes{Commits: len(commits)}, map[string][]gitstore.NotedCommit{}
	var records []gitstore.Record
	for _, c := range commits {
		if len(c.Checkpoints) == 0 && len(c.Parents) < 2 {
			out.Other = append(out.Other, c)
		}
		for _, r := range slices.Backward(c.Checkpoints) {
			if of[r.ID] == nil {
				records = append(records, r)
			}
			of[r.ID] = append(of[r.ID], c)
		}
	}
	t := topics{at: map[string]int{}, listed: map[string]bool{}, out: out}
	err = s.Commits.Beginnings(ctx, records, func(r gitstore.Record, c *sage.Checkpoint, err error) error {
		if err != nil { // what cannot be read says nothing
			return nil
		}
		if said := cl.provenance.AdmitCheckpoint(ctx, c); provenance.IsWithheld(said) {
			return nil
		} else if said != "" { // an agent is told the title alone
			c = &sage.Checkpoint{ID: c.ID, Thesis: cmp.Or(c.Thesis, c.CoreQuestion)}
		}
		t.add(r, c, of[r.ID])
		return nil
	})
	out.Topics = slices.DeleteFunc(out.Topics, func(t Topic) bool { return len(t.Conclusions) == 0 })
	return out, err
}

// topics collects what checkpoints say, the newest first.
type topics struct {
	at     map[string]int  // where in out the topic of a key is
	listed map[string]bool // commits that a topic has
	out    *Changes
}

func (t *topics) add(r gitstore.Record, c *sage.Checkpoint, commits []gitstore.NotedCommit) {
	key := strings.ToLower(line(c.CoreQuestion))
	if key == "" {
		for _, commit := range commits {
			key += "\x00" + commit.ID
		}
	}
	i, known := t.at[key]
	if !known {
		i = len(t.out.Topics)
		t.at[key] = i
		t.out.Topics = append(t.out.Topics, Topic{Question: line(c.CoreQuestion)})
	}
	topic := &t.out.Topics[i]
	for _, commit := range commits {
		if !t.listed[commit.ID] {
			t.listed[commit.ID] = true
			topic.Commits = append(topic.Commits, commit)
		}
	}
	thesis := line(c.Thesis)
	said := slices.ContainsFunc(topic.Conclusions, func(have Conclusion) bool { return have.Thesis == thesis })
	if thesis == "" || c.Thesis == sage.NeedsSynthesis || said || topic.Question != "" && len(topic.Conclusions) > 0 {
		return
	}
	from := ""
	if !r.Own || r.Unconfirmed {
		from = provenance.ByShort(r)
	}
	topic.Conclusions = append(topic.Conclusions, Conclusion{r.ID, thesis, from, c.Confidence, lists.Map(cut.First(c.KeyEvidence, mostEvidence), line)})
	for _, q := range c.OpenQuestions {
		if q = line(q); q != "" && len(t.out.Open) < mostOpen && !slices.Contains(t.out.Open, q) {
			t.out.Open = append(t.out.Open, q)
		}
	}
}

func line(s string) string { return cut.Runes(legible.OneLine(s), mostText) }
