package tally

import (
	"slices"
	"strings"
	"time"
)

// A table has rows by their keys.
type table map[string]*Row

func (t table) add(key, session string, h hour, p Prices) {
	r := t[key]
	if r == nil {
		r = &Row{Key: key, sessions: map[string]bool{}}
		t[key] = r
	}
	r.sessions[session] = true
	r.Answers += h.Answers
	r.Tokens = r.Tokens.Plus(h.Tokens)
	if at := time.Unix(h.At, 0).UTC(); h.At > 0 && at.After(r.Last) {
		r.Last = at
	}
	if len(p.Models) == 0 {
		return
	}
	cost, ok := p.of(h.Model, h.Tokens)
	switch {
	case !ok:
		r.unpriced = true
	case r.Cost == nil:
		r.Cost = &cost
	default:
		*r.Cost += cost
	}
}

func (t table) rows(order func(a, b Row) int) []Row {
	out := []Row{}
	for _, r := range t {
		r.Sessions = len(r.sessions)
		out = append(out, *r)
	}
	slices.SortFunc(out, order)
	return out
}

// Prices are what tokens cost, by how the names of models begin. Only a user's own file has
// any: they change, and differ by contract.
type Prices struct {
	Currency string           `yaml:"currency"`
	Models   map[string]Price `yaml:"models"`
}

// A Price is that of a million tokens of each kind.
type Price struct {
	Input         float64 `yaml:"input"`
	CacheCreation float64 `yaml:"cache_creation"`
	CacheRead     float64 `yaml:"cache_read"`
	Output        float64 `yaml:"output"`
}

// A Cost is what all that has a price cost.
type Cost struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency,omitempty"`
	Partial  bool    `json:"partial"` // some models have no price
}

// of is what tokens of a model cost, by the longest name that its own begins with.
func (p Prices) of(model string, t Tokens) (cost float64, ok bool) {
	best := ""
	for name := range p.Models {
		if strings.HasPrefix(model, name) && (!ok || len(name) > len(best)) {
			best, ok = name, true
		}
	}
	x := p.Models[best]
	if !ok {
		return 0, false
	}
	return (x.Input*float64(t.Input) + x.CacheCreation*float64(t.CacheCreation) + x.CacheRead*float64(t.CacheRead) + x.Output*float64(t.Output)) / 1e6, true
}

// sum adds up what rows cost; nil without prices.
func (p Prices) sum(rows []Row) *Cost {
	if len(p.Models) == 0 {
		return nil
	}
	c := &Cost{Currency: p.Currency}
	for _, r := range rows {
		if r.Cost != nil {
			c.Amount += *r.Cost
		}
		c.Partial = c.Partial || r.unpriced
	}
	return c
}
