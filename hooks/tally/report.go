package tally

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/briefing"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks/transcript/sessions"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/doc"
)

// Options say what is counted.
type Options struct {
	Projects string    // the client's folder of transcripts
	All      bool      // of all projects; else of this repository's work trees
	Since    time.Time // answers and recalls before are left out; zero is none
	By       string    // what a row is of: session, line, model or day
	Zone     *time.Location
	Prices   Prices
	Left     func(n int) // told how many transcripts are to be looked at yet; nil is nobody
}

// A Report is what sessions took, what git-sage added, and what came of it.
type Report struct {
	Since    *time.Time `json:"since,omitempty"`
	Sessions int        `json:"sessions"`
	Tokens   Tokens     `json:"tokens"`
	Cost     *Cost      `json:"cost,omitempty"` // nothing without prices
	By       string     `json:"by"`
	Rows     []Row      `json:"rows"`
	Days     []Row      `json:"days"`
	Added    []Added    `json:"added"` // the most first
	Recalled Recalls    `json:"recalled"`
	Restored Recalls    `json:"restored"`

	NeverRecalled []Unused `json:"never_recalled"` // items that hold, the oldest first
	NeverRestored []Unused `json:"never_restored"` // checkpoints that lists show, the newest first
}

// A Row is what sessions of one session, line, model or day took.
type Row struct {
	Key      string    `json:"key"` // "" is unknown
	Sessions int       `json:"sessions"`
	Answers  int       `json:"answers"`
	Tokens   Tokens    `json:"tokens"`
	Cost     *float64  `json:"cost,omitempty"`
	Last     time.Time `json:"last,omitzero"` // when the hour of its last answer began

	sessions map[string]bool
	unpriced bool
}

// Added is what a hook or tool of git-sage put in front of agents.
type Added struct {
	By     string `json:"by"` // the client's event, or the tool
	Tool   bool   `json:"tool"`
	Times  int    `json:"times"`
	Tokens int    `json:"tokens"`
}

// Recalls are texts that sessions were given, each counted once a session.
type Recalls struct {
	Given    int         `json:"given"`
	Sessions int         `json:"sessions"` // in which something was
	Tokens   int         `json:"tokens"`   // of what was given
	Texts    int         `json:"texts"`    // tokens of the whole texts that this stood in for, as they are now
	Missing  int         `json:"missing"`  // of them are gone, and count as they were given
	Used     int         `json:"used"`
	Uses     map[Use]int `json:"uses"`

	in map[string]bool
}

// Unused is what no session was given.
type Unused struct {
	ID    string    `json:"id"`
	Title string    `json:"title"`
	Time  time.Time `json:"time,omitzero"`
}

// Count reads the transcripts of the client and adds them up. Those that cannot be read are in
// damaged, an error each.
func Count(ctx context.Context, m *recall.Memory, o Options) (_ *Report, damaged []error, err error) {
	var list []sessions.Earlier
	if o.All {
		list, damaged, err = sessions.All(o.Projects)
	} else {
		list, damaged, err = sessions.InRoots(o.Projects, m.Store.Session.WorkTrees())
	}
	if err != nil {
		return nil, damaged, err
	}
	sheets, more, err := sheetsOf(ctx, m.Store, list, o.Left)
	damaged = append(damaged, more...)
	if err != nil {
		return nil, damaged, err
	}
	c := counter{m: m, o: o, out: &Report{By: o.By, Added: []Added{}, NeverRecalled: []Unused{}, NeverRestored: []Unused{}}}
	for _, r := range []*Recalls{&c.out.Recalled, &c.out.Restored} {
		r.in, r.Uses = map[string]bool{}, map[Use]int{}
	}
	if !o.Since.IsZero() {
		c.out.Since = &o.Since
	}
	if err := c.count(ctx, sheets); err != nil {
		return nil, damaged, err
	}
	return c.out, damaged, nil
}

// A counter adds sheets up.
type counter struct {
	m   *recall.Memory
	o   Options
	out *Report

	records []gitstore.Record
	items   map[string]recall.Known
}

func (c *counter) count(ctx context.Context, sheets []kept) (err error) {
	c.records, err = c.m.Store.Commits.Log(ctx, gitstore.Query{All: true})
	if err != nil && !errors.Is(err, gitstore.ErrNotFound) {
		return err
	}
	lines, err := c.lines(ctx)
	if err != nil {
		return err
	}
	rows, days, seen := table{}, table{}, map[string]bool{}
	for _, k := range sheets {
		for _, h := range k.sheet.counted() {
			if !c.counts(h.At) {
				continue
			}
			seen[k.session] = true
			c.out.Tokens = c.out.Tokens.Plus(h.Tokens)
			day := ""
			if h.At != 0 {
				day = time.Unix(h.At, 0).In(c.o.Zone).Format(time.DateOnly)
			}
			key := map[string]string{"session": k.session, "line": lines[k.session], "model": h.Model, "day": day}[c.o.By]
			rows.add(key, k.session, h, c.o.Prices)
			days.add(day, k.session, h, c.o.Prices)
		}
	}
	c.out.Sessions = len(seen)
	c.out.Days = days.rows(func(a, b Row) int { return strings.Compare(a.Key, b.Key) })
	c.out.Rows = rows.rows(c.order)
	c.out.Cost = c.o.Prices.sum(c.out.Days)
	c.added(sheets)
	return c.given(ctx, sheets)
}

// counts reports whether something within an hour is wanted.
func (c *counter) counts(at int64) bool {
	return c.o.Since.IsZero() || at+int64(time.Hour/time.Second) > c.o.Since.Unix()
}

// order puts days by date, sessions by their last answer, and all else by what it took.
func (c *counter) order(a, b Row) int {
	switch c.o.By {
	case "day":
		return strings.Compare(a.Key, b.Key)
	case "session":
		return cmp.Or(b.Last.Compare(a.Last), strings.Compare(a.Key, b.Key))
	}
	return cmp.Or(cmp.Compare(b.Tokens.Total(), a.Tokens.Total()), strings.Compare(a.Key, b.Key))
}

// lines are the lines of sessions: that of the newest checkpoint of each.
func (c *counter) lines(ctx context.Context) (map[string]string, error) {
	if c.o.By != "line" {
		return nil, nil
	}
	newest, ids := map[string]gitstore.Record{}, []string{}
	for _, r := range c.records {
		if was, ok := newest[r.Session]; r.Session != "" && (!ok || r.Time.After(was.Time)) {
			newest[r.Session] = r
		}
	}
	for _, r := range newest {
		ids = append(ids, r.ID)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	spots, err := c.m.Store.Commits.Spots(ctx, gitstore.Query{All: true}, ids...)
	out := map[string]string{}
	for session, r := range newest {
		out[session] = cmp.Or(spots[r.ID].Line, c.m.Store.Session.CurrentLine())
	}
	return out, err
}

// added adds up what git-sage put in front of agents.
func (c *counter) added(sheets []kept) {
	at := map[string]int{}
	for _, k := range sheets {
		for _, a := range k.sheet.Added {
			if !c.counts(a.At) {
				continue
			}
			i, ok := at[a.By]
			if !ok {
				i = len(c.out.Added)
				at[a.By], c.out.Added = i, append(c.out.Added, Added{By: a.By, Tool: a.Tool})
			}
			c.out.Added[i].Times += a.Times
			c.out.Added[i].Tokens += a.Tokens
		}
	}
	slices.SortFunc(c.out.Added, func(a, b Added) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), strings.Compare(a.By, b.By))
	})
}

// given adds up what sessions were given, and finds out what none was.
func (c *counter) given(ctx context.Context, sheets []kept) error {
	list, err := c.m.Knowledge.Items(ctx, recall.ItemQuery{All: true})
	if err != nil {
		return err
	}
	c.items = map[string]recall.Known{}
	for _, k := range list {
		c.items[k.Key] = k
	}
	items, briefs := map[string]bool{}, map[string]bool{}
	whole := map[string]int{}
	for _, k := range sheets {
		for _, g := range k.sheet.Given {
			switch {
			case g.Kind == Item:
				items[g.ID] = true
			case g.Kind == Brief || g.Used == Loaded:
				briefs[brief.ShortID(g.ID)] = true
			}
			if !c.counts(g.At) {
				continue
			}
			to := &c.out.Recalled
			if g.Kind == Brief {
				to = &c.out.Restored
			}
			key := string(g.Kind) + g.ID
			if _, ok := whole[key]; !ok {
				whole[key] = c.whole(ctx, g)
			}
			to.add(k, g, whole[key], c.use(k.sheet, g))
		}
	}
	c.unused(items, briefs)
	return nil
}

// add adds what a session was given; whole is what it stood in for, or less than 0.
func (r *Recalls) add(k kept, g given, whole int, used Use) {
	if !r.in[k.session] {
		r.in[k.session] = true
		r.Sessions++
	}
	r.Given++
	r.Tokens += g.Tokens
	if whole < 0 {
		r.Missing++
		whole = g.Tokens
	}
	r.Texts += whole
	if used != "" {
		r.Used++
		r.Uses[used]++
	}
}

// use is how a session used what it was given: a file may be named by the item alone.
func (c *counter) use(s sheet, g given) Use {
	k, ok := c.items[g.ID]
	if g.Used != "" || g.Kind != Item || !ok {
		return g.Used
	}
	paths := slices.Clone(k.Sent().Scope.Paths)
	for _, ref := range k.Sent().CodeRefs {
		paths = append(paths, ref.File)
	}
	for _, f := range s.Files {
		if f.Offset > g.Offset && slices.ContainsFunc(paths, func(p string) bool { return p != "" && ends(f.Path, p) }) {
			return Opened
		}
	}
	return ""
}

// whole counts the whole text of an item or checkpoint; -1 if it is gone.
func (c *counter) whole(ctx context.Context, g given) int {
	if g.Kind == Item {
		if k, ok := c.items[g.ID]; ok && k.Err == nil {
			return k.Sent().Tokens()
		}
		return -1
	}
	cp, err := c.m.Store.Commits.Load(ctx, g.ID)
	if err != nil {
		return -1
	}
	return legible.EstimateTokens(briefing.Write(cp, briefing.Options{Full: true}))
}

// unused are the items and checkpoints that no session was ever given.
func (c *counter) unused(items, briefs map[string]bool) {
	oldest := c.m.Knowledge.Oldest()
	for _, k := range c.items {
		if k.Err != nil || !k.Holds() || k.IsAged(oldest) {
			continue
		}
		if !items[k.Item.ID] && c.m.Store.Session.LastRecalled(doc.ItemKey(k.Key)).IsZero() {
			c.out.NeverRecalled = append(c.out.NeverRecalled, Unused{k.Item.ID, k.Item.Title(), k.AddedAt()})
		}
	}
	for _, r := range c.records {
		if r.Counts() && !briefs[brief.ShortID(r.ID)] {
			r = c.m.Provenance.Admitted(r)
			c.out.NeverRestored = append(c.out.NeverRestored, Unused{r.ID, cmp.Or(r.Thesis, r.Question, r.Description), r.Time})
		}
	}
	slices.SortFunc(c.out.NeverRecalled, func(a, b Unused) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.ID, b.ID))
	})
}
