package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/gitstore"
)

const (
	// fixes is how many are drawn of a repository, and considered how many commits they are
	// drawn from, the newest.
	fixes, considered = 40, 800
	// embeddedFixes of them are searched by meaning, too: to embed a tree takes long.
	embeddedFixes = 12
	// mostGold is how many files a fix changes at most.
	mostGold = 4
)

// A fix is a commit that is to be foretold: what its message asks for, in the tree before it.
type fix struct {
	parent string
	query  string
	gold   []string // the sources that it changed
}

// measureIssues finds the files that fixes changed by their messages, in the trees before
// them, with and without what the commits before them tell.
func (m *models) measureIssues(ctx context.Context, folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	fmt.Println("issue to file: all files of a fix among the first 5, and the first 10")
	var sum [4]foretold
	for _, e := range entries {
		got, err := m.measureFixes(ctx, filepath.Join(folder, e.Name()))
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name(), err)
		}
		printForetold(e.Name(), got)
		for i := range sum {
			sum[i].add(got[i])
		}
	}
	printForetold("all", sum)
	return nil
}

func printForetold(name string, got [4]foretold) {
	fmt.Printf("%-20s %3d fixes: words %s, and history %s; %3d fixes: words and meaning %s, and history %s\n",
		name, got[0].all, got[0], got[1], got[2].all, got[2], got[3])
}

// measureFixes measures one repository, in a clone that goes away: by words, and by words and
// history, then a part of its fixes by meaning as well.
func (m *models) measureFixes(ctx context.Context, source string) (got [4]foretold, err error) {
	tmp, err := os.MkdirTemp("", "eval-issues-")
	if err != nil {
		return got, err
	}
	defer os.RemoveAll(tmp)
	r := repository{dir: filepath.Join(tmp, "clone.git")}
	if out, err := exec.CommandContext(ctx, "git", "clone", "-q", "--bare", "--shared", source, r.dir).CombinedOutput(); err != nil {
		return got, fmt.Errorf("%w: %s", err, out)
	}
	cases, err := r.fixes(ctx)
	if err != nil {
		return got, err
	}
	s, err := gitstore.Open(ctx, gitstore.Options{Dir: r.dir, Home: filepath.Join(tmp, "home"), Env: os.Environ()})
	if err != nil {
		return got, err
	}
	defer s.Close()
	byWords, byMeaning := codeindex.Of(s, nil, nil, nil, nil), codeindex.Of(s, remembering{m.code}, nil, nil, nil)
	defer byWords.Close()
	defer byMeaning.Close()
	some := cases[:min(embeddedFixes, len(cases))]
	for _, c := range cases {
		if _, err := byWords.Update(ctx, codeindex.UpdateRequest{Rev: c.parent}); err != nil {
			return got, err
		}
	}
	for _, c := range some {
		if _, _, err := byMeaning.Embed(ctx, codeindex.EmbedRequest{Rev: c.parent}); err != nil {
			return got, err
		}
	}
	for history := range 2 {
		if history == 1 {
			if err := byWords.ReadHistory(ctx, "", false); err != nil {
				return got, err
			}
		}
		if got[history], err = foretell(ctx, byWords, cases); err != nil {
			return got, err
		}
		if got[2+history], err = foretell(ctx, byMeaning, some); err != nil {
			return got, err
		}
	}
	return got, nil
}

// A foretold counts the fixes whose files were all among the first.
type foretold struct{ five, ten, all int }

func (o *foretold) add(p foretold) { o.five, o.ten, o.all = o.five+p.five, o.ten+p.ten, o.all+p.all }

func (o foretold) String() string {
	n := float64(max(1, o.all))
	return fmt.Sprintf("%.3f %.3f", float64(o.five)/n, float64(o.ten)/n)
}

// foretell searches for each fix. A file stands where its best piece does.
func foretell(ctx context.Context, x *codeindex.Index, cases []fix) (o foretold, err error) {
	for _, c := range cases {
		r, err := x.Search(ctx, codeindex.Query{Text: c.query, Rev: c.parent, Limit: 1000})
		if err != nil {
			return o, err
		}
		var files []string
		for _, h := range r.Hits {
			if !slices.Contains(files, h.Path) {
				files = append(files, h.Path)
			}
		}
		o.all++
		if within(files, c.gold, 5) {
			o.five++
		}
		if within(files, c.gold, 10) {
			o.ten++
		}
	}
	return o, nil
}

// within reports whether all of gold are among the first n files.
func within(files, gold []string, n int) bool {
	files = files[:min(n, len(files))]
	return !slices.ContainsFunc(gold, func(g string) bool { return !slices.Contains(files, g) })
}

// A repository is a clone whose fixes are foretold.
type repository struct {
	dir string
	env []string // of git; nil is that of this process
}

func (r repository) git(ctx context.Context, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "git", append([]string{"-C", r.dir}, args...)...)
	c.Env = r.env
	out, err := c.Output()
	return string(out), err
}

// fixes draws commits whose messages tell of a fault, the same each time.
func (r repository) fixes(ctx context.Context) (out []fix, err error) {
	list, err := r.git(ctx, "log", "--no-merges", "-i", "-E", `--grep=\b(fix(es|ed)?|bugs?|crash|wrong|incorrect|broken|regression|fails?|leak|race|panic)\b`, "--format=%H %P", fmt.Sprintf("-n%d", considered))
	if err != nil {
		return nil, err
	}
	commits := strings.Split(strings.TrimSpace(list), "\n")
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(commits), func(i, j int) { commits[i], commits[j] = commits[j], commits[i] })
	for _, c := range commits {
		id, parent, ok := strings.Cut(c, " ")
		if !ok || len(out) == fixes {
			continue
		}
		f, err := r.fix(ctx, id, parent)
		if err != nil {
			return nil, err
		}
		if f.query != "" {
			out = append(out, f)
		}
	}
	return out, nil
}

// fix makes a case of a commit; one without a query is none.
func (r repository) fix(ctx context.Context, id, parent string) (f fix, err error) {
	changed, err := r.git(ctx, "diff-tree", "-r", "-z", "--no-renames", "--name-status", parent, id)
	if err != nil {
		return f, err
	}
	fields := strings.Split(strings.TrimSuffix(changed, "\x00"), "\x00")
	var all []string
	for i := 0; i+1 < len(fields); i += 2 {
		state, file := fields[i], fields[i+1]
		all = append(all, file)
		if !isSource(file) {
			continue
		}
		if state != "M" {
			return f, nil
		}
		f.gold = append(f.gold, file)
	}
	if len(f.gold) == 0 || len(f.gold) > mostGold {
		return f, nil
	}
	message, err := r.git(ctx, "show", "-s", "--format=%B", id)
	if err != nil {
		return f, err
	}
	query, err := r.query(ctx, message, parent, all)
	if err == nil && len(strings.Fields(query)) >= leastWords {
		f.parent, f.query = parent, query
	}
	return f, err
}

// leastWords is how many a question has at least.
const leastWords = 5

// isSource reports whether a file is code, and neither tests nor examples.
func isSource(file string) bool {
	if codeindex.IsTest(file) || strings.HasPrefix(file, "examples/") || strings.HasPrefix(file, "docs/") {
		return false
	}
	switch path.Ext(file) {
	case ".go", ".py", ".rs", ".js", ".cjs", ".mjs", ".ts", ".java", ".c", ".h", ".rb":
		return true
	}
	return false
}

var (
	trailer    = regexp.MustCompile(`(?m)^(?:[A-Z][a-z]+(?:-[A-Za-z]+)+: .*|git-svn-id: .*)$`)
	identifier = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)
	asCode     = regexp.MustCompile(`_|[a-z][A-Z]`)
)

// query is a message without its trailers, the names of the files that the commit changed,
// and names that the tree before it does not have.
func (r repository) query(ctx context.Context, message, parent string, files []string) (string, error) {
	text := trailer.ReplaceAllString(message, "")
	for _, f := range files {
		text = strings.ReplaceAll(text, f, " ")
		text = strings.ReplaceAll(text, path.Base(f), " ")
	}
	for _, id := range identifier.FindAllString(text, -1) {
		if !asCode.MatchString(id) {
			continue
		}
		if _, err := r.git(ctx, "grep", "-q", "-w", "-F", "-e", id, parent); err != nil {
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			text = regexp.MustCompile(`\b`+id+`\b`).ReplaceAllString(text, " ")
		}
	}
	return strings.TrimSpace(text), nil
}
