package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/weights"
)

// questions ask about the module that is questioned, in other words than its code has, and
// name the functions that answer. They were written before anything was searched.
//
//go:embed questions.jsonl
var questions []byte

const questioned = "github.com/tetratelabs/wazero"

// A question is answered by any of some functions: path:name.
type asking struct {
	Text    string
	Answers []string
}

// An agent finds the answers twice, and what it reads meanwhile is counted in tokens:
//
//   - by git grep, as agents do it where nothing else is there: it looks for each word of the
//     question of four letters or more, and reads the files in which they weigh most, the rarer
//     the more (of six ways tried the one that puts most answers, 13 of 20, into the first 30
//     files), until it has read a line with an answer. It reads of each either the first 2,000
//     lines, as Claude Code's client does, or only the 20 lines before and after a word that
//     few files have, whichever of the two costs less in the end;
//   - by sage_search_code: it reads the answer and then the pieces of code in the order in
//     which they are named. Where none of them is right, it goes on by git grep.
const mostRead, around, fewHave = 2000, 20, 0.1

// A reader counts what is read of a repository.
type reader struct {
	w     *world
	dir   string
	model *embed.Bert
	files map[string][]string // lines
	count int                 // of files
}

func (w *world) questions(int) ([]row, error) {
	model, err := embed.OpenBert(weights.Code)
	if err != nil {
		return nil, err
	}
	c, err := w.codebase("questioned", module(questioned))
	if err != nil {
		return nil, err
	}
	if w.time(w.sage("index", "--embed").in(c.dir)); w.err != nil {
		return nil, w.err
	}
	s, err := w.server(c.dir)
	if err != nil {
		return nil, err
	}
	r := &reader{w: w, dir: c.dir, model: model, files: map[string][]string{}, count: len(c.files)}
	var ours, theirs, oursHit, theirsHit []float64
	var hits, greps []int // as which hit or file an answer comes
	for d := json.NewDecoder(bytes.NewReader(questions)); d.More(); {
		var q asking
		if err := d.Decode(&q); err != nil {
			return nil, err
		}
		lines, err := r.answers(q)
		if err != nil {
			return nil, err
		}
		files := r.grep(q)
		grep, file := r.readAll(files, lines, true)
		if parts, in := r.readAll(files, lines, false); in > 0 {
			grep = min(grep, parts)
		}
		tokens, at, err := r.searched(s, q, lines)
		if err != nil {
			return nil, err
		}
		if at == 0 {
			tokens += grep
		} else {
			oursHit, theirsHit = append(oursHit, float64(tokens)), append(theirsHit, float64(grep))
		}
		fmt.Fprintf(os.Stderr, "%s\n  hit %d, %d tokens; by git grep file %d, %d tokens\n", q.Text, at, tokens, file, grep)
		ours, theirs = append(ours, float64(tokens)), append(theirs, float64(grep))
		hits, greps = append(hits, at), append(greps, file)
	}
	if err := s.close(); err != nil || r.w.err != nil {
		return nil, err
	}
	of := fmt.Sprintf(", %d questions", len(ours))
	return []row{
		noted("answer among the first 3"+of, among(3, hits), "files of git grep", among(3, greps), "answers"),
		noted("answer among the first 10"+of, among(10, hits), "files of git grep", among(10, greps), "answers"),
		noted(fmt.Sprintf("tokens until an answer is read, %d with a right hit", len(oursHit)), sum(oursHit), "git grep", sum(theirsHit), "tokens"),
		noted("tokens until an answer is read"+of, sum(ours), "git grep", sum(theirs), "tokens"),
		noted("the same, median of a question", middle(ours), "git grep", middle(theirs), "tokens"),
	}, nil
}

// among counts the places up to a last one; 0 is none.
func among(last int, places []int) (n float64) {
	for _, p := range places {
		if p > 0 && p <= last {
			n++
		}
	}
	return n
}

func sum(list []float64) (all float64) {
	for _, x := range list {
		all += x
	}
	return all
}

func middle(list []float64) float64 { return slices.Sorted(slices.Values(list))[len(list)/2] }

// module takes the Go files and documents of a module in Go's cache, at the version that
// git-sage has; with its tests, but not with what these read.
func module(path string) func(*codebase) error {
	return func(c *codebase) error {
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", path).Output()
		if err != nil {
			return fmt.Errorf("find %s: %w", path, err)
		}
		dir := strings.TrimSpace(string(out))
		return filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return filepath.SkipDir
			case d.IsDir() || filepath.Ext(file) != ".go" && filepath.Ext(file) != ".md":
				return nil
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(dir, file)
			if err != nil {
				return err
			}
			return c.put(filepath.ToSlash(name), text)
		})
	}
}

// answers are the lines, as path:line, that answer a question.
func (r *reader) answers(q asking) (map[string]bool, error) {
	out := map[string]bool{}
	for _, a := range q.Answers {
		path, name, _ := strings.Cut(a, ":")
		declares := regexp.MustCompile(`^func (\([^)]*\) )?` + name + `\b`)
		i := slices.IndexFunc(r.lines(path), declares.MatchString)
		if i < 0 {
			return nil, fmt.Errorf("the answer %s is not there: %s", a, q.Text)
		}
		out[fmt.Sprintf("%s:%d", path, i+1)] = true
	}
	return out, nil
}

// lines are those of a file, from its top.
func (r *reader) lines(path string) []string {
	if _, ok := r.files[path]; !ok {
		text, err := os.ReadFile(filepath.Join(r.dir, path))
		r.w.failed(err)
		r.files[path] = strings.SplitAfter(string(text), "\n")
	}
	return r.files[path]
}

// read reads lines of a file, counted from 1, and reports whether an answer is among them.
func (r *reader) read(path string, first, last int, answers map[string]bool) (tokens int, found bool) {
	lines := r.lines(path)
	first, last = max(first, 1), min(last, len(lines))
	for i := first; i <= last; i++ {
		found = found || answers[fmt.Sprintf("%s:%d", path, i)]
	}
	return r.model.Count(strings.Join(lines[first-1:last], "")), found
}

// A grepped file has words of a question.
type grepped struct {
	path   string
	weight float64
	lines  []int // with words that few files have
}

// grep finds the files with words of a question, the best first.
func (r *reader) grep(q asking) []grepped {
	files := map[string]*grepped{}
	words := regexp.MustCompile(`[a-z]{4,}`).FindAllString(strings.ToLower(q.Text), -1)
	slices.Sort(words)
	for _, word := range slices.Compact(words) {
		out, err := exec.Command("git", "-C", r.dir, "grep", "-niI", word).Output()
		if err != nil {
			continue // of no file
		}
		lines := map[string][]int{}
		for l := range strings.Lines(string(out)) {
			path, rest, _ := strings.Cut(l, ":")
			number, _, _ := strings.Cut(rest, ":")
			n, _ := strconv.Atoi(number)
			lines[path] = append(lines[path], n)
		}
		for path, list := range lines {
			if files[path] == nil {
				files[path] = &grepped{path: path}
			}
			f := files[path]
			f.weight += math.Log(float64(r.count)/float64(len(lines))) * (1 + math.Log(float64(len(list))))
			if float64(len(lines)) < fewHave*float64(r.count) {
				f.lines = append(f.lines, list...)
			}
		}
	}
	var out []grepped
	for _, f := range files {
		slices.Sort(f.lines)
		out = append(out, *f)
	}
	slices.SortFunc(out, func(a, b grepped) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.path, b.path))
	})
	return out
}

// readAll counts what it costs to read files until one has an answer, and says as which that
// one was read, 0 if none had.
func (r *reader) readAll(files []grepped, answers map[string]bool, whole bool) (tokens, at int) {
	for i, f := range files {
		tokens += r.model.Count(f.path)
		spans := [][2]int{{1, mostRead}}
		if !whole {
			spans = spansAround(f.lines)
		}
		for _, s := range spans {
			n, found := r.read(f.path, s[0], s[1], answers)
			if tokens += n; found {
				return tokens, i + 1
			}
		}
	}
	return tokens, 0
}

// spansAround are the lines around some, each once.
func spansAround(lines []int) (out [][2]int) {
	for _, l := range lines {
		if n := len(out); n > 0 && l-around <= out[n-1][1]+1 {
			out[n-1][1] = l + around
		} else {
			out = append(out, [2]int{l - around, l + around})
		}
	}
	return out
}

// hit is the first line of each in an answer of sage_search_code.
var hit = regexp.MustCompile(`(?m)^(\S+):(\d+)-(\d+) `)

// searched counts what sage_search_code costs, and says as which hit an answer was found, 0 if
// it was not.
func (r *reader) searched(s *server, q asking, answers map[string]bool) (tokens, at int, err error) {
	line, err := s.ask("tools/call", map[string]any{"name": "sage_search_code", "arguments": map[string]string{"query": q.Text}})
	if err != nil {
		return 0, 0, err
	}
	var answer struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(line), &answer); err != nil || len(answer.Result.Content) == 0 {
		return 0, 0, fmt.Errorf("sage_search_code: %v: %s", err, line)
	}
	text := answer.Result.Content[0].Text
	tokens = r.model.Count(text)
	for i, m := range hit.FindAllStringSubmatch(text, -1) {
		first, _ := strconv.Atoi(m[2])
		last, _ := strconv.Atoi(m[3])
		n, found := r.read(m[1], first, last, answers)
		if tokens += n; found {
			return tokens, i + 1, nil
		}
	}
	return tokens, 0, nil
}
