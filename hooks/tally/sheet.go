package tally

import (
	"errors"
	"io"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks/transcript"
)

// A sheet is what one transcript tells. It holds numbers, ids and paths, no text.
type sheet struct {
	Size    int64    `json:"size"`
	Changed int64    `json:"changed"` // nanoseconds
	First   string   `json:"first,omitempty"`
	Hours   []hour   `json:"hours,omitempty"`
	Added   []addend `json:"added,omitempty"`
	Given   []given  `json:"given,omitempty"`
	Files   []touch  `json:"files,omitempty"`

	Among string `json:"among,omitempty"` // the forks and copies that it is one of, as they were
	Once  []hour `json:"once,omitempty"`  // Hours without the answers that an older one of these has
}

// counted are the hours that count.
func (s sheet) counted() []hour {
	if s.Among != "" {
		return s.Once
	}
	return s.Hours
}

// An hour is what a model took within one.
type hour struct {
	At      int64  `json:"at"` // in seconds, when it began
	Model   string `json:"model"`
	Answers int    `json:"answers"`
	Tokens
}

// An addend is what git-sage put in front of the agent in an hour, by what did: the event of a
// hook, or the name of a tool.
type addend struct {
	At     int64  `json:"at"`
	By     string `json:"by"`
	Tool   bool   `json:"tool,omitempty"`
	Times  int    `json:"times"`
	Tokens int    `json:"tokens"`
}

// A given is what a session was given, once for each.
type given struct {
	Kind   Kind   `json:"kind"`
	ID     string `json:"id"`
	At     int64  `json:"at"`
	Offset int64  `json:"offset"`
	Tokens int    `json:"tokens"`
	Used   Use    `json:"used,omitempty"`
}

// A touch is the last time that a tool read or changed a file.
type touch struct {
	Path   string `json:"path"` // as the tool was given it
	Offset int64  `json:"offset"`
}

// A reading is a transcript that is being read.
type reading struct {
	sheet  sheet
	seen   map[string]bool // message ids that other transcripts have; nil is none
	usages map[string]*hour
	order  []string
	hooks  map[addend]int
	tools  map[string]string // calls of git-sage's that were not answered yet, by id
	given  map[string]int
	quotes quotes
	files  map[string]int64
	named  map[string][]int // what named a path, by path
}

// read reads a transcript. Answers whose ids are in seen are left out, and those that it has
// are added; nil is that nobody asks.
func read(file string, seen map[string]bool) (sheet, error) {
	r, err := transcript.Open(file, transcript.Position{})
	if err != nil {
		return sheet{}, err
	}
	defer r.Close()
	r.WithHooks()
	x := reading{
		seen: seen, usages: map[string]*hour{}, hooks: map[addend]int{}, tools: map[string]string{},
		given: map[string]int{}, quotes: quotes{}, files: map[string]int64{}, named: map[string][]int{},
	}
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return x.end(), nil
		}
		if err != nil {
			return sheet{}, err
		}
		x.add(rec)
	}
}

func (x *reading) add(rec *transcript.Record) {
	switch rec.Type {
	case "context":
		if text := rec.Context(); isOurs(text) {
			event, _, _ := strings.Cut(rec.Hook, ":")
			x.shown(rec, event, false, text)
		}
	case "assistant":
		x.usage(rec)
		for b := range rec.Blocks() {
			switch b.Type {
			case "text":
				x.said(b.Text())
			case "tool_use":
				x.call(rec, b)
			}
		}
	case "user":
		if len(x.tools) == 0 {
			return
		}
		for b := range rec.Blocks() {
			if name := x.tools[b.ID]; b.Type == "tool_result" && name != "" {
				delete(x.tools, b.ID)
				x.shown(rec, name, true, b.Text())
			}
		}
	}
}

// usage notes what an answer took: it stands in each of its records, and the last one counts.
func (x *reading) usage(rec *transcript.Record) {
	id := rec.MessageID
	if id == "" || rec.Model == "" || strings.HasPrefix(rec.Model, "<") || rec.From != "" && rec.From != rec.Session {
		return // the client's own words, or a copy that says so
	}
	if x.sheet.First == "" {
		x.sheet.First = id
	}
	u := x.usages[id]
	if u == nil {
		if x.seen[id] {
			return
		}
		u = &hour{At: hourOf(rec.Time), Model: rec.Model, Answers: 1}
		x.usages[id], x.order = u, append(x.order, id)
	}
	u.Tokens = Tokens{rec.Usage.Input, rec.Usage.CacheCreation, rec.Usage.CacheRead, rec.Usage.Output}
}

func hourOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Truncate(time.Hour).Unix()
}

// shown notes what git-sage put in front of the agent.
func (x *reading) shown(rec *transcript.Record, by string, tool bool, text string) {
	if text == "" {
		return
	}
	key := addend{At: hourOf(rec.Time), By: by, Tool: tool}
	if _, ok := x.hooks[key]; !ok {
		x.hooks[key] = len(x.sheet.Added)
		x.sheet.Added = append(x.sheet.Added, key)
	}
	a := &x.sheet.Added[x.hooks[key]]
	a.Times++
	a.Tokens += legible.EstimateTokens(text)
	for _, g := range givenIn(text) {
		key := string(g.kind) + g.id
		if _, ok := x.given[key]; ok {
			continue
		}
		at := len(x.sheet.Given)
		x.given[key] = at
		x.sheet.Given = append(x.sheet.Given, given{Kind: g.kind, ID: g.id, At: hourOf(rec.Time), Offset: rec.Offset, Tokens: legible.EstimateTokens(g.text)})
		x.quotes.add(at, g.text)
		for _, path := range pathsIn(g.text) {
			x.named[path] = append(x.named[path], at)
		}
	}
}

// said looks for quotations of what was given before.
func (x *reading) said(text string) {
	for _, at := range x.quotes.in(text) {
		if g := &x.sheet.Given[at]; g.Used == "" || g.Used == Opened {
			g.Used = Quoted
		}
	}
}

// call notes a call of a tool: of git-sage's, what it loads; of others, the file that it opens.
func (x *reading) call(rec *transcript.Record, b transcript.Block) {
	name, ours := toolOf(b.Name)
	if ours {
		x.tools[b.ID] = name
	}
	in := parseCall(b.Given)
	if ours || b.Name == "Bash" && strings.Contains(in.Command, "sage") {
		for i := range x.sheet.Given {
			if g := &x.sheet.Given[i]; in.names(g.Kind, g.ID) {
				g.Used = Loaded
			}
		}
	}
	if !ours && len(x.sheet.Given) > 0 {
		for _, file := range in.files(rec.Dir) {
			x.opened(file, rec.Offset)
		}
	}
}

// opened notes that a file was opened, and what named it before.
func (x *reading) opened(file string, offset int64) {
	x.files[file] = offset
	for path, list := range x.named {
		if !ends(file, path) {
			continue
		}
		for _, at := range list {
			if g := &x.sheet.Given[at]; g.Used == "" {
				g.Used = Opened
			}
		}
	}
}

// end adds up the answers by hours.
func (x *reading) end() sheet {
	type key struct {
		at    int64
		model string
	}
	at := map[key]int{}
	for _, id := range x.order {
		if x.seen != nil {
			x.seen[id] = true
		}
		u := x.usages[id]
		k := key{u.At, u.Model}
		i, ok := at[k]
		if !ok {
			i = len(x.sheet.Hours)
			at[k] = i
			x.sheet.Hours = append(x.sheet.Hours, hour{At: u.At, Model: u.Model})
		}
		x.sheet.Hours[i].Answers++
		x.sheet.Hours[i].Tokens = x.sheet.Hours[i].Plus(u.Tokens)
	}
	for path, offset := range x.files { // for what items name beside their texts
		x.sheet.Files = append(x.sheet.Files, touch{path, offset})
	}
	return x.sheet
}
