package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// A bench says how much of everything a trial does, and how long one step may take.
type bench struct {
	runs    int // of what is done first in a home
	saves   int
	writers int // each saves each items
	each    int
	kills   int
	limit   time.Duration // of one answer
	docs    []doc
	queries []query
}

// A result is what a tool came to.
type result struct {
	tool      *tool
	installed installation
	start     time.Duration
	first     time.Duration
	last      time.Duration
	recall    time.Duration
	processor time.Duration // of all saves and recalls
	peakKB    int
	writers   kept
	kills     kept
	ndcg, r5  float64
	notes     []string // what could not be measured, and why
}

// kept counts the saves that were acknowledged, and those of them that were there afterwards.
type kept struct{ acknowledged, there int }

func (r *result) note(what string, err error) {
	if err != nil {
		r.notes = append(r.notes, oneLine(what+": "+err.Error()))
	}
}

// try puts an installed tool through everything. What fails becomes a note.
func (b *bench) try(t *tool, dir string) *result {
	r := &result{tool: t, ndcg: math.NaN(), r5: math.NaN()}
	if t.server == nil {
		return r
	}
	r.note("work", b.work(t, dir, r))
	if t.save == nil {
		r.note("saves", errors.New(t.saveless))
	}
	if r.last == 0 {
		return r
	}
	var err error
	r.writers, err = b.crowd(t, dir)
	r.note("writers at once", err)
	r.kills, err = b.killed(t, dir, r.last)
	r.note("kill -9", err)
	return r
}

func (t *tool) home() (*home, error) {
	h, err := newHome(t.env...)
	if err == nil && t.prepare != nil {
		err = t.prepare(h)
	}
	if err != nil && h != nil {
		h.remove()
	}
	return h, err
}

// work is what one agent does: it starts, saves, and asks.
func (b *bench) work(t *tool, dir string, r *result) error {
	var starts, firsts []time.Duration
	for i := range b.runs {
		h, err := t.home()
		if err != nil {
			return err
		}
		err = b.session(t, dir, h, r, i == b.runs-1, &starts, &firsts)
		h.remove()
		if err != nil {
			return err
		}
	}
	r.start, r.first = median(starts), median(firsts)
	return nil
}

// session starts a server in a new home and saves one item, or if it is the last, all of them.
func (b *bench) session(t *tool, dir string, h *home, r *result, last bool, starts, firsts *[]time.Duration) error {
	c, took, err := connect(t.server(dir), h, b.limit)
	if err != nil {
		return err
	}
	defer c.close()
	if *starts = append(*starts, took); t.save == nil {
		_, r.peakKB = usage(c.mark)
		return nil
	}
	docs := b.docs[:1]
	if last {
		docs = b.docs[:b.saves]
	}
	var saves []time.Duration
	for i, d := range docs {
		begin := time.Now()
		if err := t.saved(c, d); err != nil {
			return fmt.Errorf("save %d: %w", i+1, err)
		}
		saves = append(saves, time.Since(begin))
	}
	if *firsts = append(*firsts, saves[0]); !last {
		return nil
	}
	var asked []time.Duration
	for _, q := range b.queries[:min(b.runs, len(b.queries))] {
		begin := time.Now()
		if _, err := c.call(t.recall(q.Text)); err != nil {
			return fmt.Errorf("recall: %w", err)
		}
		asked = append(asked, time.Since(begin))
	}
	r.last, r.recall = median(saves[max(0, len(saves)-b.runs):]), median(asked)
	r.processor, r.peakKB = usage(c.mark)
	if t.unscored != "" {
		r.note("quality", errors.New(t.unscored))
		return nil
	}
	ndcg, r5, err := b.quality(t, dir, h, c)
	if err != nil {
		r.note("quality", err)
		return nil
	}
	r.ndcg, r.r5 = ndcg, r5
	return nil
}

// saved saves and returns nil if the tool acknowledged it.
func (t *tool) saved(c *client, d doc) error {
	text, err := c.call(t.save(d))
	if err == nil && t.refused != nil && t.refused(text) {
		err = errors.New("refused: " + text)
	}
	return err
}

// crowd has several servers save in one home at once, as the agents of one user do, and
// counts afterwards.
func (b *bench) crowd(t *tool, dir string) (kept, error) {
	h, err := t.home()
	if err != nil {
		return kept{}, err
	}
	defer h.remove()
	if err := b.begin(t, dir, h); err != nil {
		return kept{}, err
	}
	deadline := time.Now().Add(2 * b.limit)
	var lock sync.Mutex
	var all sync.WaitGroup
	var acknowledged []doc
	failed := errLate
	for w := range b.writers {
		all.Go(func() {
			c, _, err := connect(t.server(dir), h, b.limit)
			for i := 0; err == nil && i < b.each && time.Now().Before(deadline); i++ {
				d := b.docs[w*b.each+i]
				if err = t.saved(c, d); err == nil || !errors.Is(err, errEnded) && !errors.Is(err, errLate) {
					lock.Lock()
					if err == nil {
						acknowledged = append(acknowledged, d)
					} else {
						failed = err
					}
					lock.Unlock()
					err = nil
				}
			}
			if c != nil {
				c.close()
			}
			if err != nil {
				lock.Lock()
				failed = err
				lock.Unlock()
			}
		})
	}
	all.Wait()
	got, err := b.count(t, dir, h, acknowledged)
	if tried := b.writers * b.each; err == nil && len(acknowledged) < tried {
		err = fmt.Errorf("%d of %d were not acknowledged, such as: %w", tried-len(acknowledged), tried, failed)
	}
	return got, err
}

// begin makes the memory with one server, which saves the last item.
func (b *bench) begin(t *tool, dir string, h *home) error {
	c, _, err := connect(t.server(dir), h, b.limit)
	if err != nil {
		return err
	}
	defer c.close()
	return t.saved(c, b.docs[len(b.docs)-1])
}

// killed kills the server while it saves, again and again, and counts afterwards what it had
// acknowledged. A kill comes a part of the time that a save takes after one was sent.
func (b *bench) killed(t *tool, dir string, save time.Duration) (kept, error) {
	h, err := t.home()
	if err != nil {
		return kept{}, err
	}
	defer h.remove()
	r := rand.New(rand.NewPCG(1, 2))
	var acknowledged []doc
	next := 0
	for range b.kills {
		c, _, err := connect(t.server(dir), h, b.limit)
		if err != nil {
			return kept{}, fmt.Errorf("after %d acknowledged saves: %w", len(acknowledged), err)
		}
		for range 1 + r.IntN(5) {
			d := b.docs[next]
			next++
			if err := t.saved(c, d); err != nil {
				c.kill()
				return kept{}, err
			}
			acknowledged = append(acknowledged, d)
		}
		d := b.docs[next]
		next++
		if err := c.send("tools/call", t.save(d)); err != nil {
			c.kill()
			return kept{}, err
		}
		text, err := c.receive(time.After(time.Duration(r.Float64() * float64(save))))
		c.kill()
		if err == nil && (t.refused == nil || !t.refused(text)) {
			acknowledged = append(acknowledged, d)
		}
	}
	return b.count(t, dir, h, acknowledged)
}

// count asks a new server for all that it has.
func (b *bench) count(t *tool, dir string, h *home, acknowledged []doc) (kept, error) {
	got := kept{acknowledged: len(acknowledged)}
	c, _, err := connect(t.server(dir), h, b.limit)
	if err != nil {
		return got, fmt.Errorf("nothing can be read any more: %w", err)
	}
	defer c.close()
	left := slices.Clone(acknowledged)
	for page := 0; len(left) > 0; page++ {
		text, err := c.call(t.list(page))
		if err != nil {
			return got, fmt.Errorf("nothing can be read any more: %w", err)
		}
		before := len(left)
		left = slices.DeleteFunc(left, func(d doc) bool { return position(text, t.shown(d)) >= 0 })
		if len(left) == before {
			break // the last page, or one that is shown again
		}
	}
	got.there = got.acknowledged - len(left)
	return got, nil
}

// quality asks all queries and scores the ten items that come first.
func (b *bench) quality(t *tool, dir string, h *home, c *client) (ndcg, r5 float64, err error) {
	if len(b.queries) == 0 {
		return 0, 0, errors.New("there is no set of queries")
	}
	for _, q := range b.queries {
		text, err := b.search(t, dir, h, c, q.Text)
		if err != nil {
			return 0, 0, err
		}
		n, r := score(q.Gold, ranking(text, b.docs[:b.saves], t.shown))
		ndcg, r5 = ndcg+n/float64(len(b.queries)), r5+r/float64(len(b.queries))
	}
	return ndcg, r5, nil
}

func (b *bench) search(t *tool, dir string, h *home, c *client, query string) (string, error) {
	if t.searches == nil {
		return c.call(t.recall(query))
	}
	ctx, cancel := context.WithTimeout(context.Background(), b.limit)
	defer cancel()
	args := t.searches(dir, query)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = h.work, append(slices.Clone(h.env), h.mark())
	out, err := cmd.Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil // nothing was found
	}
	return string(out), err
}

// ranking is the ids of the items that an answer shows, in its order.
func ranking(text string, docs []doc, shown func(doc) []string) []string {
	at := map[string]int{}
	var ids []string
	for _, d := range docs {
		if i := position(text, shown(d)); i >= 0 {
			at[d.ID] = i
			ids = append(ids, d.ID)
		}
	}
	slices.SortStableFunc(ids, func(a, b string) int { return at[a] - at[b] })
	return ids
}

// position is where the first of the forms that the text has begins, or -1.
func position(text string, forms []string) int {
	for _, f := range forms {
		if i := strings.Index(text, f); i >= 0 {
			return i
		}
	}
	return -1
}

// score is the nDCG of the first ten and the recall of the first five.
func score(gold, ranked []string) (ndcg, r5 float64) {
	var ideal float64
	for i := range min(len(gold), 10) {
		ideal += 1 / math.Log2(float64(i+2))
	}
	for i, id := range ranked[:min(len(ranked), 10)] {
		if !slices.Contains(gold, id) {
			continue
		}
		ndcg += 1 / math.Log2(float64(i+2)) / ideal
		if i < 5 {
			r5 += 1 / float64(len(gold))
		}
	}
	return ndcg, r5
}
