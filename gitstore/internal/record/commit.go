package record

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

// MaxTrailer bounds a value of the last paragraph, in bytes, and MaxThesis the
// thesis in the message, in runes: the whole thesis is in checkpoint.md.
const (
	MaxTrailer = 200
	MaxThesis  = 2000
)

// A Commit is what we write: a tree, parents, people and a message.
type Commit struct {
	Tree              string
	Parents           []string
	Author, Committer string // with time stamps
	Message           string
}

func (c Commit) Encode() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", c.Tree)
	for _, p := range c.Parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	fmt.Fprintf(&b, "author %s\ncommitter %s\n\n%s", c.Author, c.Committer, c.Message)
	return []byte(b.String())
}

// Message is what `git log` shows of a checkpoint: a subject, the thesis, and
// a last paragraph with all that a list needs.
func Message(c *sage.Checkpoint, kind Kind, description string, more ...[2]string) string {
	var b strings.Builder
	b.WriteString(description + "\n\n")
	if t := strings.TrimSpace(cut.Runes(legible.Visible(cut.Runes(c.Thesis, MaxThesis)), MaxThesis)); t != "" {
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
	t.add("Code", CodeLine(c.Code))
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

// CodeLine is "<commit> <branch> [dirty]", with "-" for what there is not.
func CodeLine(c sage.CodeState) string {
	if c.Commit == "" && c.Branch == "" {
		return ""
	}
	s := Dash(c.Commit) + " " + Dash(c.Branch)
	if c.Dirty {
		s += " dirty"
	}
	return s
}

func Dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func ParseCodeLine(s string) (c sage.CodeState) {
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
	if value = EscapeTrailer(value); value != "" { // what is blank says nothing
		fmt.Fprintf(t.b, "Sage-%s: %s\n", key, value)
	}
}

func (t trailers) count(key string, n int) {
	if n != 0 {
		t.add(key, strconv.Itoa(n))
	}
}

// EscapeTrailer makes one line of at most MaxTrailer bytes: a backslash is
// doubled, a line end is \n, other control characters are made visible.
func EscapeTrailer(s string) string {
	var b strings.Builder
	for rest := strings.TrimSpace(cut.Runes(s, MaxTrailer)); rest != ""; {
		at := strings.IndexAny(rest, "\n\r\t")
		if at < 0 {
			at = len(rest)
		}
		// what makes a character visible has backslashes, too, which are doubled with
		// the rest: so the value that is read back is written as it was
		b.WriteString(strings.ReplaceAll(legible.Visible(rest[:at]), "\\", "\\\\"))
		if rest = rest[at:]; rest != "" {
			b.WriteString(lineSigns[rest[0]])
			rest = rest[1:]
		}
	}
	return ClipBytes(b.String(), MaxTrailer)
}

var lineSigns = map[byte]string{'\n': "\\n", '\r': "\\r", '\t': "\\t"}

func UnescapeTrailer(s string) string {
	if !strings.Contains(s, "\\") {
		return s
	}
	return strings.NewReplacer("\\\\", "\\", "\\n", "\n", "\\r", "\r", "\\t", "\t").Replace(s)
}

func ClipBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	head := cut.Bytes(s, n-len("…"))
	return strings.TrimRight(head, `\`) + "…" // half an escape would change the rest
}

// ParseMessage fills r from a commit message. It returns false if the last
// paragraph is not one of ours. We read that paragraph ourselves: git's own
// %(trailers) obeys the user's trailer.separators and core.commentChar, and
// loses everything behind a scissors line.
func (r *Record) ParseMessage(msg string) bool {
	msg = strings.TrimRight(msg, "\n")
	at := strings.LastIndex(msg, "\n\n")
	if at < 0 || !strings.HasPrefix(msg[at+2:], "Sage-Format: ") {
		return false
	}
	subject, body, _ := strings.Cut(msg[:at], "\n\n")
	r.Description, r.Thesis = strings.ReplaceAll(subject, "\n", " "), strings.TrimSpace(body)
	for l := range strings.Lines(msg[at+2:]) {
		key, value, _ := strings.Cut(strings.TrimRight(l, "\n"), ": ")
		r.set(strings.TrimPrefix(key, "Sage-"), UnescapeTrailer(value))
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
		r.Code = ParseCodeLine(v)
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
	case "Unsettled":
		r.Unsettled = v
	}
}

// LastSecond is the end of the year 9999.
const LastSecond = 253402300799

// Unix is a time as git stores it. What does not fit a calendar is the zero
// time: such a date came from elsewhere and decides nothing.
func Unix(s string) time.Time {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > LastSecond {
		return time.Time{}
	}
	return time.Unix(n, 0)
}

func (r *Record) Parse(b []byte) bool {
	f := strings.SplitN(string(b), "\x1f", 8)
	if len(f) != 8 {
		return false
	}
	r.ID, r.Author, r.Email, r.Signature = f[0], f[2], f[3], f[6]
	r.Parents = strings.Fields(f[1])
	r.Time, r.Recorded = Unix(f[4]), Unix(f[5])
	return r.ParseMessage(f[7])
}

// ParseCommit reads a raw commit.
func (r *Record) ParseCommit(b []byte) bool {
	head, msg, _ := bytes.Cut(b, []byte("\n\n"))
	for l := range strings.Lines(string(head)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
		switch key {
		case "parent":
			r.Parents = append(r.Parents, value)
		case "author":
			r.Author, r.Email, r.Time = parsePerson(value)
		case "committer":
			_, _, r.Recorded = parsePerson(value)
		}
	}
	return r.ParseMessage(string(msg))
}

func parsePerson(s string) (name, mail string, t time.Time) {
	name, rest, _ := strings.Cut(s, " <")
	mail, stamp, _ := strings.Cut(rest, "> ")
	secs, _, _ := strings.Cut(stamp, " ")
	return name, mail, Unix(secs)
}

// Waiting tells in the message which files hold versions that disagree.
func Waiting(paths []string) string {
	const most = 20
	var b strings.Builder
	for i, path := range paths {
		if i == most {
			fmt.Fprintf(&b, "and %d more\n", len(paths)-most)
			break
		}
		b.WriteString(Disagreed + path + "\n")
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + "\n"
}

// Disagreed introduces in the message of a join of knowledge a file that waits for a
// person.
const Disagreed = "versions disagree: "

// What takes the place of purged text, and of a part of a name.
const (
	PurgedText = legible.PurgedText
	PurgedName = "purged"
)
