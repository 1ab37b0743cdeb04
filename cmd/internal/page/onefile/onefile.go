// Package onefile writes checkpoints as one page that needs nothing beside it: no server, no
// network and nothing installed but a browser.
package onefile

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"
	"slices"

	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/page/internal/lanes"
	"github.com/git-sage/git-sage/cmd/internal/page/web"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/diff"
)

// A Memory is what a file shows.
type Memory struct {
	Repository  string
	Line        string       // "" is all
	Checkpoints []Checkpoint // newest first, children before their parents
}

// A Checkpoint is one as it is shown, and as it is compared with its parents.
type Checkpoint struct {
	wire.Checkpoint
	Thought *sage.Checkpoint `json:"-"`
}

// A difference is what a checkpoint thinks and its parent did not.
type difference struct {
	diff.Difference
	Reworded []history.Reworded `json:"reworded,omitempty"`
}

type row struct {
	wire.Checkpoint
	Parents []string     `json:"parents"` // of those that are in the file
	Lane    int          `json:"lane"`
	Colour  int          `json:"colour"`
	Paths   []lanes.Path `json:"paths"`

	Differences map[string]difference `json:"differences,omitempty"` // from parents in the file
}

type packed struct {
	Repository string `json:"repository"`
	Line       string `json:"line"`
	Width      int    `json:"width"`
	Height     int    `json:"height"`
	Step       int    `json:"step"`
	First      int    `json:"first"`
	Rows       []row  `json:"rows"`
}

// Write writes a memory as a page. The same one gives the same bytes.
func Write(w io.Writer, m Memory) error {
	b, err := json.Marshal(wire.Legible{Of: pack(m)})
	if err != nil {
		return err
	}
	var zipped bytes.Buffer
	z, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression) // which is a level
	if _, err := z.Write(b); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return shell.Execute(w, map[string]any{
		"Title": m.Repository, "Memory": template.HTML(base64.StdEncoding.EncodeToString(zipped.Bytes())),
		"Style": template.CSS(web.Style), "Script": template.JS(web.File), "StyleSum": sum(web.Style), "ScriptSum": sum(web.File),
	})
}

// pack lays the checkpoints out in lanes. A parent that is not among them has no line.
func pack(m Memory) packed {
	thoughts := make(map[string]*sage.Checkpoint, len(m.Checkpoints))
	for _, c := range m.Checkpoints {
		thoughts[c.ID] = c.Thought
	}
	absent := func(id string) bool { _, there := thoughts[id]; return !there }
	out := packed{Repository: m.Repository, Line: m.Line, Height: lanes.Height, Step: lanes.Step, First: lanes.X(0), Rows: make([]row, 0, len(m.Checkpoints))}
	list := make([]lanes.Commit, 0, len(m.Checkpoints))
	for _, c := range m.Checkpoints {
		parents := slices.DeleteFunc(append([]string{}, c.Parents...), absent)
		c.MergeSources = slices.DeleteFunc(slices.Clone(c.MergeSources), absent)
		r := row{Checkpoint: c.Checkpoint, Parents: parents, Differences: map[string]difference{}}
		for _, p := range parents {
			r.Differences[p] = differenceOf(thoughts[p], c.Thought)
		}
		out.Rows = append(out.Rows, r)
		list = append(list, lanes.Commit{ID: c.ID, Parents: parents})
	}
	rows, width := lanes.Lay(list)
	for i, r := range rows {
		out.Rows[i].Lane, out.Rows[i].Colour, out.Rows[i].Paths = r.Lane, r.Colour, append([]lanes.Path{}, r.Paths...)
	}
	out.Width = lanes.X(width)
	return out
}

// differenceOf compares a checkpoint with its parent. That question and thesis changed is told,
// and not what they were: both stand in the file.
func differenceOf(parent, c *sage.Checkpoint) difference {
	d := diff.Checkpoints(parent, c)
	out := difference{d, history.Rewordings(d)}
	out.From, out.To = "", ""
	for _, known := range []**diff.Change[string]{&out.CoreQuestion, &out.Thesis} {
		if *known != nil {
			*known = &diff.Change[string]{}
		}
	}
	return out
}

// sum names the one script, or style, that a page may have.
func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(h[:]) + "'"
}

// shell is the page. What is in it is a title, and the memory in characters that are no
// markup; the policy lets the script run that is named there, and nothing be loaded or sent.
var shell = template.Must(template.New("file").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src {{.ScriptSum}}; style-src {{.StyleSum}}; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="git-sage">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
<style>{{.Style}}</style>
</head>
<body>
<div id="app"><p>Reading the file …</p></div>
<noscript>This page needs JavaScript.</noscript>
<script type="application/octet-stream" id="memory">{{.Memory}}</script>
<script type="module">{{.Script}}</script>
</body>
</html>
`))
