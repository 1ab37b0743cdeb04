package wire

import (
	"math"

	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/recall"
)

// CodeHit is a piece of code in search-code --json, outline --json and their tools.
type CodeHit struct {
	Path       string   `json:"path"`
	Lines      [2]int   `json:"lines"` // the first and the last
	Kind       string   `json:"kind"`
	Name       string   `json:"name,omitempty"`
	Container  string   `json:"container,omitempty"`
	Signature  string   `json:"signature,omitempty"`
	Doc        string   `json:"doc,omitempty"`
	Language   string   `json:"language,omitempty"`
	Score      float64  `json:"score,omitempty"`
	Weak       bool     `json:"weak,omitempty"`
	Line       int      `json:"line,omitempty"`       // that the query names
	Highlights []string `json:"highlights,omitempty"` // words of the query that it has
	Project    string   `json:"project,omitempty"`    // where several are searched
	Root       string   `json:"root,omitempty"`       // the folder of it that path is from
}

// CodeHitOf is what a hit tells.
func CodeHitOf(h codeindex.Hit) CodeHit {
	return CodeHit{h.Path, [2]int{h.First, h.Last}, h.Kind, h.Name, h.Container, h.Signature, h.Doc, h.Language, h.Score, h.Weak, h.Line, h.Highlights, h.Project.Name, h.Project.Dir}
}

// A Caller is a line that calls a symbol.
type Caller struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	In   string `json:"in,omitempty"`
}

// Symbol is a definition in grep --json.
type Symbol struct {
	CodeHit
	Exact   bool     `json:"exact"`
	Callers []Caller `json:"callers,omitempty"`
	Tests   []Caller `json:"tests,omitempty"`
}

// SymbolOf is what a symbol tells.
func SymbolOf(s *codeindex.Symbol) Symbol {
	return Symbol{CodeHitOf(s.Hit), s.Exact, callersOf(s.Callers), callersOf(s.Tests)}
}

func callersOf(list []codeindex.Caller) (out []Caller) {
	for _, c := range list {
		out = append(out, Caller(c))
	}
	return out
}

// Analysis is a definition in analyze --json.
type Analysis struct {
	Symbol
	Source      string    `json:"source"`
	Callees     []string  `json:"callees,omitempty"`
	History     []string  `json:"history,omitempty"` // the last commits that changed it
	Checkpoints []Mention `json:"checkpoints,omitempty"`
	Items       []Mention `json:"items,omitempty"`
}

// AnalysisOf is what is known of a symbol.
func AnalysisOf(s *codeindex.Symbol, known recall.Analysis) Analysis {
	d := Analysis{Symbol: SymbolOf(s), Source: known.Source, Callees: known.Callees, History: known.History}
	for _, r := range known.Mentions {
		ref := Mention{r.ID, r.Title, r.From}
		if r.Checkpoint {
			d.Checkpoints = append(d.Checkpoints, ref)
		} else {
			d.Items = append(d.Items, ref)
		}
	}
	return d
}

// Related is what belongs with a file in related --json.
type Related struct {
	Path       string      `json:"path"`
	Commits    int         `json:"commits"` // that changed it
	Companions []Companion `json:"changes_with,omitempty"`
	Tests      []string    `json:"tests,omitempty"`
	Docs       []string    `json:"docs,omitempty"` // that name it
}

// A Companion is a file that changes with another.
type Companion struct {
	Path    string  `json:"path"`
	Commits int     `json:"commits"` // that changed both
	Share   float64 `json:"share"`   // of those that changed the other
}

// RelatedOf is what is known of a file.
func RelatedOf(r codeindex.Related) Related {
	d := Related{Path: r.Path, Commits: r.Commits, Tests: r.Tests, Docs: r.Docs}
	for _, c := range r.Companions {
		d.Companions = append(d.Companions, Companion{c.Path, c.Commits, math.Round(1000*c.Share) / 1000})
	}
	return d
}

// A Mention is a checkpoint or an item that refers to a file.
type Mention struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	From  string `json:"from,omitempty"` // who wrote it, if nobody here stands for it
}

// Indexed is what index --json tells.
type Indexed struct {
	Project   string   `json:"project"`
	Files     int      `json:"files"`         // of the work tree
	Parsed    int      `json:"files_indexed"` // of them, now
	Chunks    int      `json:"chunks_created"`
	Functions int      `json:"functions_compiled"`
	Classes   int      `json:"classes_compiled"`
	Constants int      `json:"constants_compiled"`
	Languages []string `json:"languages"`
	Missing   int      `json:"vectors_missing"`
	Millis    int64    `json:"duration_ms"`
}

// IndexedOf is what a report tells; left is how many vectors are missing.
func IndexedOf(project string, r codeindex.Report, left int) Indexed {
	return Indexed{project, r.Files, r.Parsed, r.Chunks, r.Functions, r.Classes, r.Constants, r.Languages, max(left, 0), r.Took.Milliseconds()}
}

// CodeStatus is what index status --json tells.
type CodeStatus struct {
	Files     int            `json:"files"`
	Indexed   int            `json:"files_indexed"`
	Chunks    int            `json:"chunks"`
	Symbols   int            `json:"symbols"`
	Vectors   int            `json:"vectors"`
	Wanting   int            `json:"vectors_wanted"`
	Languages map[string]int `json:"languages"`
	Bytes     int64          `json:"bytes"`
	Commits   int            `json:"commits"` // whose messages and files are known
}

// CodeStatusOf is what a status tells.
func CodeStatusOf(s codeindex.Status) CodeStatus {
	return CodeStatus{s.Files, s.Indexed, s.Chunks, s.Symbols, s.Embedded, s.Wanting, s.Languages, s.Bytes, s.Commits}
}
