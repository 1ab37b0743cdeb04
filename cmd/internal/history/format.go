package history

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/provenance"
)

// entryFormat is how log prints a record, by its options.
func entryFormat(a *app.App, o Options) (func(gitstore.Record) string, error) {
	p := a.Palette()
	switch {
	case o.Format != "":
		return compileFormat(a, o.Format)
	case o.Oneline:
		return func(r gitstore.Record) string {
			return p.ID(a.Short(r.ID)) + decoration(a, r.Names, p) + " " + term.Visible(inList(r))
		}, nil
	}
	return func(r gitstore.Record) string { return FullEntry(a, r, p) }, nil
}

// withChanges is entryFormat, followed by what the checkpoint changed if that is wanted.
func withChanges(a *app.App, o Options) (func(gitstore.Record) string, error) {
	entry, err := entryFormat(a, o)
	if err != nil || o.changes == nil {
		return entry, err
	}
	return func(r gitstore.Record) string {
		text := o.changes(r)
		if text != "" && !o.Oneline {
			text = "\n" + text
		}
		return strings.TrimRight(entry(r)+"\n"+text, "\n")
	}, nil
}

// decoration is " (main, v1, closed: idea)", or nothing.
func decoration(a *app.App, names []string, p term.Palette) string {
	var parts []string
	open, closed := apart(a, names)
	if len(open)+len(closed) == 0 {
		return ""
	}
	if len(open) > 0 {
		parts = append(parts, p.Paint("bold green", term.Visible(strings.Join(open, ", "))))
	}
	if len(closed) > 0 {
		parts = append(parts, p.Paint("dim", term.Visible(strings.Join(closed, ", "))))
	}
	return p.ID(" (") + strings.Join(parts, ", ") + p.ID(")")
}

// apart puts those of closed lines apart from other names, and says what they are. The old
// name of a line that was renamed is left out, as in git.
func apart(a *app.App, names []string) (open, closed []string) {
	if len(names) == 0 {
		return nil, nil
	}
	if a.Closed == nil && a.Store != nil {
		a.Closed = a.Store.Checkpoints.ClosedLines(context.Background())
	}
	for _, name := range names {
		switch renamed, isClosed := a.Closed[name]; {
		case !isClosed:
			open = append(open, name)
		case renamed == "":
			closed = append(closed, "closed: "+name)
		}
	}
	return open, closed
}

// FullEntry is an entry of log: a head as git's, the description and the
// thesis; more are further lines of the head.
func FullEntry(a *app.App, r gitstore.Record, p term.Palette, more ...[2]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s\n", p.ID(string(r.Kind)+" "+r.ID), decoration(a, r.Names, p))
	if r.Signature != "" {
		fmt.Fprintf(&b, "Signature: %s\n", signature(r.Signature))
	}
	if len(r.Parents) > 1 {
		fmt.Fprintf(&b, "Merge: %s\n", strings.Join(a.Shorts(r.Parents), " "))
	}
	fmt.Fprintf(&b, "Author: %s <%s>%s\nDate:   %s\n", term.Visible(r.Author), term.Visible(r.Email), standing(r), a.GitDate(r.Time))
	for _, row := range more {
		fmt.Fprintf(&b, "%-7s %s\n", row[0]+":", term.Visible(row[1]))
	}
	if about := about(r); about != "" {
		fmt.Fprintf(&b, "About:  %s\n", term.Visible(about))
	}
	fmt.Fprintf(&b, "\n    %s", term.Visible(describe(r)))
	if r.Thesis != "" && r.Thesis != r.Description {
		b.WriteString("\n")
		for _, line := range strings.Split(strings.TrimRight(r.Thesis, "\n"), "\n") {
			b.WriteString(strings.TrimRight("\n    "+term.Visible(line), " "))
		}
	}
	return b.String()
}

// standing says of what nobody here stands for where it came from.
func standing(r gitstore.Record) string {
	switch {
	case !r.Own:
		return ", " + provenance.Unconfirmed(provenance.Writer("", r.Mixed))
	case r.Unconfirmed:
		return ", saved automatically, unconfirmed"
	}
	return ""
}

// about is what a list knows beside the thesis, in a line.
func about(r gitstore.Record) string {
	var words []string
	for _, w := range []struct{ name, value string }{
		{"", r.Trigger.Name()}, {"confidence ", term.Percent(r.Confidence)}, {"skill ", r.Skill},
		{"project ", r.Project}, {"template ", r.Template},
	} {
		if w.value != "" {
			words = append(words, w.name+w.value)
		}
	}
	return strings.Join(words, ", ")
}

// signature spells out git's letter for a signature.
func signature(letter string) string {
	switch letter[:1] {
	case "G":
		return "good"
	case "B":
		return "bad"
	case "U":
		return "good, of unknown validity"
	case "X", "Y":
		return "good, but expired"
	case "R":
		return "good, but of a revoked key"
	case "E":
		return "cannot be checked"
	}
	return "none"
}

// compileFormat turns a --format into a function. An unknown placeholder stays as it
// is, as in git; an unknown field is an error.
func compileFormat(a *app.App, format string) (func(gitstore.Record) string, error) {
	format = strings.TrimPrefix(strings.TrimPrefix(format, "tformat:"), "format:")
	if format == "oneline" {
		return entryFormat(a, Options{Oneline: true})
	}
	var parts []func(gitstore.Record) string
	for rest := format; rest != ""; {
		before, after, ok := strings.Cut(rest, "%")
		if before != "" {
			parts = append(parts, func(gitstore.Record) string { return before })
		}
		if !ok {
			break
		}
		part, n, err := placeholderAt(a, after)
		if err != nil {
			return nil, err
		}
		parts, rest = append(parts, part), after[n:]
	}
	return func(r gitstore.Record) string {
		var b strings.Builder
		for _, part := range parts {
			b.WriteString(part(r))
		}
		return b.String()
	}, nil
}

// placeholderAt reads the placeholder at the start of s, which follows a %, and
// says how many bytes it takes.
func placeholderAt(a *app.App, s string) (part func(gitstore.Record) string, n int, err error) {
	literal := func(s string) func(gitstore.Record) string { return func(gitstore.Record) string { return s } }
	if name, ok := between(s, "(", ")"); ok {
		part, err := field(name)
		return part, len(name) + 2, err
	}
	if color, ok := between(s, "C(", ")"); ok {
		return literal(a.Sequence(color)), len(color) + 3, nil
	}
	for _, color := range []string{"red", "green", "blue", "reset"} {
		if strings.HasPrefix(s, "C"+color) {
			return literal(a.Sequence(color)), len(color) + 1, nil
		}
	}
	if strings.HasPrefix(s, "x") && len(s) >= 3 {
		if c, err := strconv.ParseUint(s[1:3], 16, 8); err == nil {
			return literal(string([]byte{byte(c)})), 3, nil
		}
	}
	for n := min(2, len(s)); n > 0; n-- {
		if part := lettersAt(a, s[:n]); part != nil {
			return part, n, nil
		}
	}
	return literal("%"), 0, nil
}

// between is what stands between open, at the start of s, and end.
func between(s, open, end string) (string, bool) {
	s, ok := strings.CutPrefix(s, open)
	if !ok {
		return "", false
	}
	inner, _, ok := strings.Cut(s, end)
	return inner, ok
}

// lettersAt are git's placeholders of one or two letters; nil if w is none.
func lettersAt(a *app.App, w string) func(gitstore.Record) string {
	if len(w) == 2 && (w[0] == 'a' || w[0] == 'c') {
		return personAt(a, w)
	}
	switch w {
	case "n":
		return func(gitstore.Record) string { return "\n" }
	case "%":
		return func(gitstore.Record) string { return "%" }
	case "H":
		return func(r gitstore.Record) string { return r.ID }
	case "h":
		return func(r gitstore.Record) string { return a.Short(r.ID) }
	case "P":
		return func(r gitstore.Record) string { return strings.Join(r.Parents, " ") }
	case "p":
		return func(r gitstore.Record) string { return strings.Join(a.Shorts(r.Parents), " ") }
	case "s":
		return func(r gitstore.Record) string { return term.Visible(r.Description) }
	case "b":
		return func(r gitstore.Record) string { return term.VisibleLines(r.Thesis) }
	case "d":
		return func(r gitstore.Record) string { return decoration(a, r.Names, term.Palette{}) }
	case "D":
		return func(r gitstore.Record) string {
			return term.Visible(strings.Join(slices.Concat(apart(a, r.Names)), ", "))
		}
	case "G?":
		return func(r gitstore.Record) string { return r.Signature }
	}
	return nil
}

// personAt are the placeholders of author (a) and committer (c). They are the
// same person here, but not the same moment.
func personAt(a *app.App, w string) func(gitstore.Record) string {
	when := func(r gitstore.Record) gitstore.Record { return r }
	if w[0] == 'c' {
		when = func(r gitstore.Record) gitstore.Record { r.Time = r.Recorded; return r }
	}
	switch w[1] {
	case 'n', 'N':
		return func(r gitstore.Record) string { return term.Visible(r.Author) }
	case 'e', 'E':
		return func(r gitstore.Record) string { return term.Visible(r.Email) }
	case 'd', 'D':
		return func(r gitstore.Record) string { return a.GitDate(when(r).Time) }
	case 'r':
		return func(r gitstore.Record) string { return a.GitAge(when(r).Time) }
	case 't':
		return func(r gitstore.Record) string { return strconv.FormatInt(when(r).Time.Unix(), 10) }
	case 'i':
		return func(r gitstore.Record) string { return when(r).Time.Format("2006-01-02 15:04:05 -0700") }
	case 'I':
		return func(r gitstore.Record) string { return when(r).Time.Format("2006-01-02T15:04:05Z07:00") }
	case 's':
		return func(r gitstore.Record) string { return when(r).Time.Format("2006-01-02") }
	}
	return nil
}

// field is %(name) for a field of --json: text as it is, lists joined by
// commas, what is not there empty.
func field(name string) (func(gitstore.Record) string, error) {
	if !wire.IsField(name) {
		return nil, fmt.Errorf("no field '%s': see 'git sage log --json' for their names", name)
	}
	return func(r gitstore.Record) string {
		data, err := json.Marshal(wire.RecordOf(r))
		if err != nil {
			return ""
		}
		var fields map[string]any
		if json.Unmarshal(data, &fields) != nil {
			return ""
		}
		return wire.Text(fields[name])
	}, nil
}
