package githistory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/internal/plain"
	"github.com/git-sage/git-sage/imports/markdown"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/propose"
)

// Tool is the name of the source.
const Tool = "git-history"

// Options say how much of a history is read.
type Options struct {
	Range   []string // revisions; none is HEAD
	Commits int      // at most so many, the newest
	Items   int      // at most so many that were never proposed: a person goes through them
}

// A Result says what was read.
type Result struct {
	Source  imports.Source
	Commits int // that were read
	Left    int // proposals that wait for the next run
}

// A candidate is a proposal before it is known whether there is room for it.
type candidate struct {
	name, lies string
	it         *sage.Item
	commit     string
	rank       int // the strongest first
}

// Read reads the history of a repository.
func Read(ctx context.Context, s *gitstore.Store, o Options) (Result, error) {
	r := &reader{ctx: ctx, s: s, o: o, heard: map[string]bool{}}
	known, err := s.Review.BroughtIn()
	if err != nil {
		return Result{}, err
	}
	l := &imports.List{From: Tool}
	if err := r.documents(l); err != nil {
		return Result{}, err
	}
	if err := r.commits(); err != nil {
		return Result{}, err
	}
	slices.SortStableFunc(r.list, func(a, b candidate) int { return a.rank - b.rank })
	fresh, left := 0, 0
	var chosen []candidate
	for _, c := range r.list {
		if _, had := known[imports.KnownAs(Tool, "item", c.name)]; !had {
			if fresh == o.Items {
				left++
				continue
			}
			fresh++
		}
		chosen = append(chosen, c)
	}
	refs, err := r.changed(chosen)
	if err != nil {
		return Result{}, err
	}
	for _, c := range chosen {
		c.it.CodeRefs = append(c.it.CodeRefs, refs[c.commit]...)
		l.Add(c.lies, c.name, c.it)
	}
	return Result{Source: l, Commits: r.read, Left: left}, ctx.Err()
}

type reader struct {
	ctx   context.Context
	s     *gitstore.Store
	o     Options
	list  []candidate
	heard map[string]bool // what was proposed, as far as its words count
	read  int
}

// A message is that of a commit, with what it may decide.
type message struct {
	id, at, subject, body string
	decisions             []decision
}

// commits reads the messages of commits. They are judged when git is through: it waits for
// nobody.
func (r *reader) commits() error {
	revs := r.o.Range
	if len(revs) == 0 {
		revs = []string{"HEAD"}
	}
	var list []message
	newer := map[string]bool{} // subjects of the commits before, which are newer
	args := append([]string{"log", "-z", "--no-notes", "--no-decorate", "--no-color", "--no-show-signature", "--encoding=UTF-8", "--format=%H%x1f%ct%x1f%an%x1f%B", fmt.Sprintf("--max-count=%d", r.o.Commits), "--end-of-options"}, revs...)
	err := r.s.Repo.Git.Records(r.ctx, func(b []byte) bool {
		f := strings.SplitN(strings.ToValidUTF8(string(b), "\ufffd"), "\x1f", 4)
		if len(f) != 4 {
			return true
		}
		r.read++
		text := strings.TrimSpace(f[3])
		subject, body, _ := strings.Cut(text, "\n")
		if body != "" && !strings.HasPrefix(strings.TrimLeft(body, " \t\r"), "\n") { // it has no subject: the first line is cut anywhere
			body = text
		}
		undone := isUndone(subject, newer)
		newer[plainSubject(subject)] = true
		if !undone && !isRoutine(subject, f[2]) && len(body) <= mostMessage {
			list = append(list, message{id: f[0], at: f[1], subject: subject, body: bare(body)})
		}
		return r.ctx.Err() == nil
	}, append(args, "--")...)
	if r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	if err != nil && len(r.o.Range) == 0 {
		if _, unborn := r.s.Repo.Git.Run(r.ctx, "rev-parse", "--verify", "-q", "HEAD"); unborn != nil {
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("git cannot read '%s': %w", legible.OneLine(strings.Join(revs, " ")), err)
	}
	if err := r.judge(list); err != nil {
		return err
	}
	for i := range list {
		r.commit(&list[i])
	}
	return nil
}

// mostMessage is how much of a message is read, in bytes: what is longer is a log.
const mostMessage = 20_000

// judge finds out what messages decide, on all processors: a thousand take a second of one.
func (r *reader) judge(list []message) error {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(list)) && r.ctx.Err() == nil; i = next.Add(1) - 1 {
				list[i].decisions = list[i].decide()
			}
		})
	}
	wait.Wait()
	return r.ctx.Err()
}

// decide is what the message decides: of one that takes a commit back, that it does, and why.
func (m *message) decide() []decision {
	if text := reverted(m.subject, m.body); text != "" {
		return []decision{{text, 0}}
	}
	list := decisions(m.body, faulty().MatchString(m.subject))
	if text := chosen(m.subject, m.body); text != "" && len(list) == 0 {
		list = []decision{{text, 2}}
	}
	return list
}

// commit takes up what the message of a commit decides.
func (r *reader) commit(m *message) {
	sec, _ := strconv.ParseInt(m.at, 10, 64)
	taken := 0
	for _, d := range m.decisions {
		if taken == mostOfCommit {
			return
		}
		source := "commit " + m.id[:12]
		if r.add(candidate{name: m.id, lies: source, commit: m.id, rank: d.rank}, &sage.Item{Content: d.text}, m.subject, time.Unix(sec, 0).UTC(), source+" "+legible.OneLine(m.subject)) {
			taken++
		}
	}
}

// mostOfCommit is how many proposals a message makes: one that makes more reports.
const mostOfCommit = 2

var (
	routine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:merge\b|bump\b|release\b|version\b|fixup!|squash!|amend!|update (?:dependency|copyright)|chore\(deps|l10n|translat|git \d|v?\d+\.\d)`)
	})
	bot = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\[bot\]|\bbot$|dependabot|renovate|weblate|github-actions`)
	})
	trailers = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[A-Z][A-Za-z-]{2,40}(?:-by|-to|-Id|-on|-ID|:)?: \S`)
	})
	ownLabel = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:decision|decided|rejected|constraint|conclusion|rationale|reason|why|lesson|learned)s?:`)
	})
)

// numbered is the number of a pull request that a host adds to a subject.
var numbered = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` ?\(#\d+\)`) })

func plainSubject(subject string) string {
	return strings.TrimSpace(numbered().ReplaceAllString(subject, ""))
}

// isUndone reports whether a newer commit took the one back that has a subject, or, if that one
// took another back, whether the other came again.
func isUndone(subject string, newer map[string]bool) bool {
	s := plainSubject(subject)
	again := newer[`Reapply "`+s+`"`] || newer[`Revert "Revert "`+s+`""`]
	if other, ok := strings.CutPrefix(s, `Revert "`); ok {
		other = strings.TrimSuffix(other, `"`)
		again = newer[`Reapply "`+other+`"`] || newer[other]
		return newer[`Revert "`+s+`"`] || again
	}
	return newer[`Revert "`+s+`"`] && !again
}

// isRoutine reports whether a commit decides nothing by its subject or author.
func isRoutine(subject, author string) bool {
	return routine().MatchString(subject) || bot().MatchString(author)
}

// bare is the body of a message without quotations, logs, code, and the lines at its end that
// are for programs.
func bare(body string) string {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(body, "\r\n", "\n"), "\n \t"), "\n")
	for len(lines) > 0 {
		last := strings.TrimSpace(lines[len(lines)-1])
		if last != "" && (!trailers().MatchString(last) || ownLabel().MatchString(last)) {
			break
		}
		lines = lines[:len(lines)-1]
	}
	var out []string
	for _, line := range lines {
		if strings.HasPrefix(line, ">") || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "diff --git ") {
			line = ""
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// add takes up a candidate, unless the same was said by a newer one.
func (r *reader) add(c candidate, it *sage.Item, about string, at time.Time, source string) bool {
	key := strings.Join(strings.Fields(strings.ToLower(it.Text())), " ")
	if r.heard[key] {
		return false
	}
	r.heard[key] = true
	it.Added, it.Source = at, cut.Bytes(source, 200)
	if about = legible.OneLine(about); about != "" {
		it.When = []string{cut.Bytes("why "+about, 200)}
	}
	it.Keywords = plain.Keywords(about + "\n" + it.Text())
	it.Type, it.ID = cmp.Or(it.Type, sage.Knowledge), cmp.Or(it.ID, propose.IDFor(sage.Knowledge, cmp.Or(about, it.Content)))
	if !strings.HasPrefix(it.Content, choice(about)) {
		it.Description = cut.Bytes(about, 300) // a sentence leans on what it stands under
	}
	c.it = it
	c.name = plain.NameOf(c.name, key)
	r.list = append(r.list, c)
	return true
}

// mostRefs is how many files of a commit an item names.
const mostRefs = 5

// changed are the files that each commit changed, as it left them, asked of one git. Of one that
// changed many they tell nothing.
func (r *reader) changed(list []candidate) (map[string][]sage.CodeRef, error) {
	var ids strings.Builder
	for _, c := range list {
		if c.commit != "" {
			ids.WriteString(c.commit + "\n")
		}
	}
	if ids.Len() == 0 {
		return nil, nil
	}
	out, err := r.s.Repo.Git.Feed(r.ctx, []byte(ids.String()), "diff-tree", "--stdin", "-r", "--root", "--no-renames", "-z")
	if err != nil {
		return nil, fmt.Errorf("git cannot tell which files commits changed: %w", err)
	}
	refs, commit := map[string][]sage.CodeRef{}, ""
	f := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(f); i++ {
		if !strings.HasPrefix(f[i], ":") {
			commit = f[i]
			refs[commit] = nil // one that is there twice is told twice
			continue
		}
		m, file := strings.Fields(f[i]), f[i+1]
		i++
		if len(m) != 5 || m[4] == "D" || naming.PathProblem(file) != "" || m[1] == "160000" {
			continue
		}
		refs[commit] = append(refs[commit], sage.CodeRef{File: file, Blob: m[3], Relevance: "context"})
	}
	for id, list := range refs {
		if len(list) > 4*mostRefs {
			list = nil
		}
		refs[id] = list[:min(len(list), mostRefs)]
	}
	return refs, nil
}

// documents takes up decision records, and what CHANGELOG and CONTRIBUTING lay down, as they
// stand in the work tree.
func (r *reader) documents(l *imports.List) error {
	top := r.s.Repo.Top()
	if top == "" || len(r.o.Range) > 0 {
		return nil
	}
	for _, dir := range markdown.DecisionFolders {
		src, err := markdown.ReadDecisions(filepath.Join(top, filepath.FromSlash(dir)), dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := r.records(src, l); err != nil {
			return err
		}
	}
	for _, dir := range []string{".", "docs", "doc", ".github"} {
		entries, _ := os.ReadDir(filepath.Join(top, dir))
		for _, e := range entries {
			if laysDown().MatchString(e.Name()) {
				r.document(l, top, path.Join(dir, e.Name()))
			}
		}
	}
	return nil
}

// laysDown are the names of files that lay down rules and decisions.
var laysDown = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:contributing|changelog|changes|history)(?:\.(?:md|rst|txt|adoc))?$`)
})

// records takes up decision records as they are: nobody has to find the decision in them.
func (r *reader) records(src imports.Source, l *imports.List) error {
	return src.Each(r.ctx, func(rec imports.Record) error {
		if it, ok := rec.Thing.(imports.Item); ok {
			c := r.lastOf(rec.Lies)
			if c == "" { // it is no history yet
				return nil
			}
			it.Source = cut.Bytes("commit "+c[:12]+" "+rec.Lies, 200)
			it.CodeRefs = r.asOf(c, rec.Lies)
		}
		l.Records = append(l.Records, rec)
		return nil
	})
}

// lastOf is the commit that changed a file last, "" if none did.
func (r *reader) lastOf(file string) string {
	out, err := r.s.Repo.Git.Run(r.ctx, "log", "-1", "--format=%H", "--no-show-signature", "HEAD", "--", ":(top,literal)"+file)
	if s := strings.TrimSpace(string(out)); err == nil && len(s) >= 40 {
		return s
	}
	return ""
}

// asOf is a file as a commit left it.
func (r *reader) asOf(commit, file string) []sage.CodeRef {
	out, err := r.s.Repo.Git.Run(r.ctx, "rev-parse", "--verify", "-q", "--end-of-options", commit+":"+file)
	if s := strings.TrimSpace(string(out)); err == nil && len(s) >= 40 {
		return []sage.CodeRef{{File: file, Blob: s, Relevance: "context"}}
	}
	return nil
}

// document takes up the rules and decisions that a file lays down.
func (r *reader) document(l *imports.List, top, name string) {
	f, err := plain.OpenFolder(top, "")
	if err != nil {
		return
	}
	defer f.Close()
	text, problems := f.Text(name)
	l.Say(problems...)
	c := r.lastOf(name)
	if c == "" {
		return
	}
	refs, source := r.asOf(c, name), "commit "+c[:12]+" "+name
	take := func(it *sage.Item, rank int) {
		it.CodeRefs = refs
		r.add(candidate{name: name, lies: name, rank: rank}, it, "", time.Time{}, source)
	}
	text = cut.Bytes(text, mostDocument)
	for _, d := range decisions(text, false) {
		take(&sage.Item{Content: d.text}, d.rank)
	}
	if !strings.HasPrefix(strings.ToLower(path.Base(name)), "contrib") {
		return
	}
	for _, p := range propose.From(unwrapped(text)) {
		if (p.Why == propose.Preference || p.Why == propose.Constraint) && !unfinished().MatchString(p.Item.Content) && !legal().MatchString(p.Item.Content) {
			take(p.Item.Clone(), 1)
		}
	}
}

var (
	// unfinished goes on elsewhere, as in the list that it announces.
	unfinished = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:[,:;(\[–—-]|\b(?:and|or|because|since|that|the|a|an|of|to|with|for|see|if))\s*$`)
	})
	// legal is what lawyers lay down, and no rule of the code.
	legal = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:licen[cs]es?|licen[cs]ed|agreement|copyright|warrant\w+|intellectual property|applicable law)\b`)
	})
)

// mostDocument is how much of a file is read, in bytes.
const mostDocument = 200_000
