package gitstore

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
)

// maxTrailer bounds a value of the last paragraph, in bytes, and maxThesis the
// thesis in the message, in runes: the whole thesis is in checkpoint.md.
const (
	maxTrailer = 200
	maxThesis  = 2000
)

// A commit is what we write: a tree, parents, people and a message.
type commit struct {
	tree              string
	parents           []string
	author, committer string // with time stamps
	message           string
	headers           string // further headers, such as gpgsig
}

func (c commit) encode() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", c.tree)
	for _, p := range c.parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	fmt.Fprintf(&b, "author %s\ncommitter %s\n%s\n%s", c.author, c.committer, c.headers, c.message)
	return []byte(b.String())
}

// encodeTree returns a tree of one level. Entries must be in git's order.
func encodeTree(entries ...treeEntry) []byte {
	b := make([]byte, 0, 64*len(entries))
	for _, e := range entries {
		b = append(append(append(append(b, e.mode...), ' '), e.name...), 0)
		b, _ = hex.AppendDecode(b, []byte(e.id))
	}
	return b
}

type treeEntry struct{ mode, name, id string }

// message is what `git log` shows of a checkpoint: a subject, the thesis, and
// a last paragraph with all that a list needs.
func message(c *sage.Checkpoint, kind Kind, description string, more ...[2]string) string {
	var b strings.Builder
	b.WriteString(description + "\n\n")
	if t := strings.TrimSpace(cut.Runes(sage.Visible(cut.Runes(c.Thesis, maxThesis)), maxThesis)); t != "" {
		b.WriteString(t + "\n\n")
	}
	t := trailers{&b}
	t.add("Format", strconv.Itoa(writtenFormat(c)))
	t.add("Kind", string(kind))
	t.add("Trigger", string(c.Trigger))
	if c.Confidence != nil {
		t.add("Confidence", strconv.FormatFloat(*c.Confidence, 'g', -1, 64))
	}
	t.add("Skill", c.Skill)
	t.add("Project", c.Project)
	t.add("Template", c.Template)
	t.add("Question", c.CoreQuestion)
	t.count("Messages", c.MessageCount)
	t.count("Tokens", c.TokenEstimate)
	t.add("Code", codeLine(c.Code))
	t.add("Session", c.Session)
	t.add("Agent", c.Agent)
	for _, a := range c.Aliases {
		t.add("Alias", a)
	}
	for _, m := range more {
		t.add(m[0], m[1])
	}
	return b.String()
}

// codeLine is "<commit> <branch> [dirty]", with "-" for what there is not.
func codeLine(c sage.CodeState) string {
	if c.Commit == "" && c.Branch == "" {
		return ""
	}
	s := dash(c.Commit) + " " + dash(c.Branch)
	if c.Dirty {
		s += " dirty"
	}
	return s
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func parseCodeLine(s string) (c sage.CodeState) {
	f := strings.Fields(s)
	if len(f) < 2 {
		return c
	}
	c.Commit, c.Branch = strings.TrimPrefix(f[0], "-"), f[1]
	if c.Branch == "-" {
		c.Branch = ""
	}
	c.Dirty = len(f) > 2 && f[2] == "dirty"
	return c
}

type trailers struct{ b *strings.Builder }

func (t trailers) add(key, value string) {
	if value = escapeTrailer(value); value != "" { // what is blank says nothing
		fmt.Fprintf(t.b, "Sage-%s: %s\n", key, value)
	}
}

func (t trailers) count(key string, n int) {
	if n != 0 {
		t.add(key, strconv.Itoa(n))
	}
}

// escapeTrailer makes one line of at most maxTrailer bytes: a backslash is
// doubled, a line end is \n, other control characters are made visible.
func escapeTrailer(s string) string {
	var b strings.Builder
	for rest := strings.TrimSpace(cut.Runes(s, maxTrailer)); rest != ""; {
		at := strings.IndexAny(rest, "\n\r\t")
		if at < 0 {
			at = len(rest)
		}
		// what makes a character visible has backslashes, too, which are doubled with
		// the rest: so the value that is read back is written as it was
		b.WriteString(strings.ReplaceAll(sage.Visible(rest[:at]), "\\", "\\\\"))
		if rest = rest[at:]; rest != "" {
			b.WriteString(lineSigns[rest[0]])
			rest = rest[1:]
		}
	}
	return clipBytes(b.String(), maxTrailer)
}

var lineSigns = map[byte]string{'\n': "\\n", '\r': "\\r", '\t': "\\t"}

func unescapeTrailer(s string) string {
	if !strings.Contains(s, "\\") {
		return s
	}
	return strings.NewReplacer("\\\\", "\\", "\\n", "\n", "\\r", "\r", "\\t", "\t").Replace(s)
}

func clipBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	head := cut.Bytes(s, n-len("…"))
	return strings.TrimRight(head, `\`) + "…" // half an escape would change the rest
}

// parseMessage fills r from a commit message. It returns false if the last
// paragraph is not one of ours. We read that paragraph ourselves: git's own
// %(trailers) obeys the user's trailer.separators and core.commentChar, and
// loses everything behind a scissors line.
func (r *Record) parseMessage(msg string) bool {
	msg = strings.TrimRight(msg, "\n")
	at := strings.LastIndex(msg, "\n\n")
	if at < 0 || !strings.HasPrefix(msg[at+2:], "Sage-Format: ") {
		return false
	}
	subject, body, _ := strings.Cut(msg[:at], "\n\n")
	r.Description, r.Thesis = strings.ReplaceAll(subject, "\n", " "), strings.TrimSpace(body)
	for l := range strings.Lines(msg[at+2:]) {
		key, value, _ := strings.Cut(strings.TrimRight(l, "\n"), ": ")
		r.set(strings.TrimPrefix(key, "Sage-"), unescapeTrailer(value))
	}
	return true
}

func (r *Record) set(key, v string) {
	switch key {
	case "Format":
		r.Format, _ = strconv.Atoi(v)
	case "Kind":
		r.Kind = Kind(v)
	case "Trigger":
		r.Trigger = sage.Trigger(v)
	case "Confidence":
		if f, err := strconv.ParseFloat(v, 64); err == nil {
			r.Confidence = &f
		}
	case "Skill":
		r.Skill = v
	case "Project":
		r.Project = v
	case "Template":
		r.Template = v
	case "Question":
		r.Question = v
	case "Messages":
		r.Messages, _ = strconv.Atoi(v)
	case "Tokens":
		r.Tokens, _ = strconv.Atoi(v)
	case "Code":
		r.Code = parseCodeLine(v)
	case "Session":
		r.Session = v
	case "Agent":
		r.Agent = v
	case "Alias":
		r.Aliases = append(r.Aliases, v)
	case "Removes":
		r.Removes = append(r.Removes, v)
	case "Restores":
		r.Restores = append(r.Restores, v)
	}
}

// lastSecond is the end of the year 9999.
const lastSecond = 253402300799

// unix is a time as git stores it. What does not fit a calendar is the zero
// time: such a date came from elsewhere and decides nothing.
func unix(s string) time.Time {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > lastSecond {
		return time.Time{}
	}
	return time.Unix(n, 0)
}
