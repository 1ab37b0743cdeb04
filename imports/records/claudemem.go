package records

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/internal/plain"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/propose"
)

// ClaudeMem is the tool of claude-mem.db.
const ClaudeMem = "claude-mem"

// ErrNoReader says that the program sqlite3 is not there. A reader in Go would make this program
// 5 MB larger and draw in 250 MB of sources, for a command that is typed once.
var ErrNoReader = errors.New("the program 'sqlite3' is not installed, which reads the database")

// A Database is that of claude-mem.
type Database struct {
	File, Shown string
	Project     string   // only what is of this one; "" is all
	Env         []string // of sqlite3
}

// DatabaseIn is the database at a path: the file itself, or the one in a folder.
func DatabaseIn(at string) string {
	if st, err := os.Stat(at); err == nil && st.IsDir() {
		return filepath.Join(at, "claude-mem.db")
	}
	return at
}

// Read reads observations and summaries of sessions. Prompts stay: they are what was asked, and
// not what is known. others are the projects that were left out, with how much is of each.
func (d Database) Read(ctx context.Context) (src imports.Source, others map[string]int, err error) {
	switch st, err := os.Stat(d.File); {
	case err != nil:
		return nil, nil, err
	case !st.Mode().IsRegular(): // sqlite3 would wait for who writes to a pipe
		return nil, nil, fmt.Errorf("'%s' is no regular file", d.Shown)
	}
	program, err := exec.LookPath("sqlite3")
	if err != nil {
		return nil, nil, ErrNoReader
	}
	l := &imports.List{From: ClaudeMem}
	others = map[string]int{}
	for _, t := range []struct {
		table, one string
		item       func(row) *sage.Item
	}{{"observations", "observation", observation}, {"session_summaries", "session summary", summary}} {
		rows, err := d.rows(ctx, program, t.table)
		if err != nil {
			return nil, nil, err
		}
		for _, r := range rows {
			at := fmt.Sprintf("%s: %s %s", d.Shown, t.table, r.text("id"))
			if p := r.text("project"); d.Project != "" && p != d.Project && r.text("merged_into_project") != d.Project {
				others[p]++
				continue
			}
			it := t.item(r)
			if it == nil {
				l.Say(imports.Problem{Where: at, Grade: imports.Skipped, What: "says nothing"})
				continue
			}
			var problems []imports.Problem
			if it.Added = r.time(); it.Added.IsZero() {
				problems = append(problems, imports.Problem{Where: at, Grade: imports.Partial, What: "has no date"})
			}
			it.Source = "claude-mem " + t.one + " " + r.text("id")
			it.ID = cmp.Or(it.ID, "observation")
			l.Add(at, t.table+" "+r.text("id")+" "+r.text("created_at_epoch"), it, problems...)
		}
	}
	return l, others, nil
}

// rows reads a table whole, oldest first. Versions of the tool differ in its columns; a table
// that is not there has no rows.
func (d Database) rows(ctx context.Context, program, table string) ([]row, error) {
	out, err := d.query(ctx, program, "select name from sqlite_master where type = 'table' and name = '"+table+"'")
	if err != nil || len(bytes.TrimSpace(out)) == 0 {
		return nil, err
	}
	if out, err = d.query(ctx, program, "select * from "+table+" order by id"); err != nil || len(bytes.TrimSpace(out)) == 0 {
		return nil, err
	}
	var rows []row
	dec := json.NewDecoder(bytes.NewReader(bytes.ToValidUTF8(out, []byte("\ufffd"))))
	dec.UseNumber()
	if err := dec.Decode(&rows); err != nil {
		return nil, fmt.Errorf("'%s': sqlite3 printed no JSON: %w", d.Shown, err)
	}
	return rows, nil
}

func (d Database) query(ctx context.Context, program, query string) ([]byte, error) {
	c := exec.CommandContext(ctx, program, "-batch", "-init", os.DevNull, "-readonly", "-json", d.File, query)
	c.Env = d.Env
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return nil, fmt.Errorf("'%s': sqlite3 cannot read it: %s", d.Shown, cmp.Or(legible.OneLine(first), err.Error()))
	}
	return out, nil
}

// A row is one of a table, by the names of its columns.
type row map[string]any

func (r row) text(key string) string {
	switch v := r[key].(type) {
	case string:
		return strings.TrimSpace(v)
	case json.Number:
		return v.String()
	}
	return ""
}

// list is a column that holds a list as JSON, or a text by lines.
func (r row) list(key string) (out []string) {
	text := r.text(key)
	if json.Unmarshal([]byte(text), &out) != nil && text != "" {
		out = strings.Split(text, "\n")
	}
	return slices.DeleteFunc(legible.Each(out, strings.TrimSpace), func(s string) bool { return s == "" })
}

func (r row) time() time.Time {
	if ms, err := strconv.ParseInt(r.text("created_at_epoch"), 10, 64); err == nil && ms > 0 {
		if ms < 1e11 { // older versions wrote seconds
			ms *= 1000
		}
		return time.UnixMilli(ms).UTC().Truncate(time.Second)
	}
	at, _ := plain.Date(r.text("created_at"))
	return at
}

// observation makes an item of what the tool noted of a session.
func observation(r row) *sage.Item {
	title := legible.OneLine(r.text("title"))
	parts := []string{cmp.Or(r.text("narrative"), r.text("text"))}
	if facts := r.list("facts"); len(facts) > 0 {
		parts = append(parts, bullets(facts))
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	if title == "" && len(parts) == 0 {
		return nil
	}
	it := &sage.Item{Type: sage.Knowledge, Description: cut.Bytes(title, 300), Content: cut.Bytes(strings.Join(parts, "\n\n"), sage.MaxContent)}
	if it.Content == "" {
		it.Content, it.Description = title, ""
	}
	it.When = []string{}
	if s := legible.OneLine(r.text("subtitle")); s != "" && s != title {
		it.When = append(it.When, cut.Bytes(s, 200))
	}
	it.Keywords = keywords(append(r.list("concepts"), plain.Keywords(title)...))
	it.Scope.Paths = paths(append(r.list("files_modified"), r.list("files_read")...))
	if kind := r.text("type"); kind != "" {
		it.Extra = append(it.Extra, sage.Entry{Key: "observation_type", Value: legible.OneLine(kind)})
	}
	it.ID = propose.IDFor(it.Type, cmp.Or(title, it.Content))
	return it
}

// summary makes an item of the end of a session.
func summary(r row) *sage.Item {
	var parts []string
	for _, f := range []struct{ head, key string }{{"Investigated", "investigated"}, {"Learned", "learned"}, {"Completed", "completed"}, {"Next steps", "next_steps"}, {"Notes", "notes"}} {
		if s := r.text(f.key); s != "" {
			parts = append(parts, "## "+f.head+"\n\n"+s)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	title := legible.OneLine(r.text("request"))
	it := &sage.Item{Type: sage.Knowledge, Description: cut.Bytes(title, 300), Content: cut.Bytes(strings.Join(parts, "\n\n"), sage.MaxContent)}
	it.Keywords = keywords(plain.Keywords(title))
	it.Scope.Paths = paths(append(r.list("files_edited"), r.list("files_read")...))
	it.Extra = []sage.Entry{{Key: "observation_type", Value: "session summary"}}
	it.ID = propose.IDFor(it.Type, cmp.Or(title, r.text("learned"), "session"))
	return it
}

func keywords(list []string) []string {
	out := slices.DeleteFunc(legible.Each(list, legible.OneLine), func(s string) bool { return s == "" || len(s) > 200 })
	return out[:min(len(out), 50)]
}

// maxPaths is how many files an item is about: one that is about all is about none.
const maxPaths = 20

// paths are those that lie below the folder of the project.
func paths(list []string) (out []string) {
	for _, p := range list {
		p = path.Clean(strings.ReplaceAll(p, `\`, "/"))
		if filepath.IsLocal(filepath.FromSlash(p)) && p != "." && !strings.ContainsAny(p, ":\n\r\x00") && len(p) < 500 && !slices.Contains(out, p) && len(out) < maxPaths {
			out = append(out, p)
		}
	}
	return out
}
