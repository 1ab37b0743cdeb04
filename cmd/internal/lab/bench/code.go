package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/weights"
)

// Lines of Go's sources, of which mostLines are more than 100,000 pieces; lines of the samples
// of codeindex/parse; files by which two branches differ; commits that changed one file.
const (
	someLines, manyLines, mostLines = 100_000, 1_000_000, 2_000_000
	mixedLines                      = 200_000
	otherFiles                      = 1000
	manyCommits                     = 5000
)

// mostMemory is what a first index may hold, in megabytes, mostBytes what a piece of code may
// take on disk with its vector, and mostBeside the share of the time that may pass outside of
// the encoder while vectors are made, in percent.
const mostMemory, mostBytes, mostBeside = 400, 1200, 10

// code times what finds code. The units are
//
//	H  git hash-object on the same files, a process for each processor
//	T  native tree-sitter on the same files, its processor time
//	C  the embedded encoder for code on the query at hand, in a process that has it open
//
// Grammars are compiled once for a machine: the turn that warms up does it.
func (w *world) code(n int) (rows []row, err error) {
	for _, part := range []func(int) ([]row, error){w.mixed, w.vectors, w.million, w.found, w.explained} {
		more, err := part(n)
		if rows = append(rows, more...); err != nil || w.err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// indexed times the first index of a repository, and says how much memory it held.
func (w *world) indexed(c *codebase, n int) []row {
	rss := 0
	r := w.measured("first index, "+c.name, n, func(int) time.Duration {
		w.failed(w.forget(c))
		took, p := w.deed(c.dir, deed{args: func(int) []string { return []string{"index", "--no-embed"} }}, 0)
		rss = max(rss, p.own)
		return took
	}, goal{{4, w.hashing(c)}})
	return []row{r, fixed("memory of first index, "+c.name, float64(rss)/1024, mostMemory, "MB")}
}

// forget removes what is indexed of a repository.
func (w *world) forget(c *codebase) error {
	return os.RemoveAll(filepath.Join(c.dir, ".git", "sage", "cache", "code"))
}

// hashing is H.
func (w *world) hashing(c *codebase) unit {
	parts := slices.Collect(slices.Chunk(c.files, (len(c.files)-1)/runtime.GOMAXPROCS(0)+1))
	return unit{"H", func(int) time.Duration {
		start, errs := time.Now(), make([]error, len(parts))
		var all sync.WaitGroup
		for i, p := range parts {
			all.Go(func() { _, errs[i] = w.git(c.dir, strings.Join(p, "\n")+"\n", "hash-object", "--stdin-paths") })
		}
		all.Wait()
		for _, err := range errs {
			w.failed(err)
		}
		return time.Since(start)
	}}
}

// mixed times the first index of code in many languages beside native parsers, in time of
// the processor, for these use one.
func (w *world) mixed(n int) ([]row, error) {
	c, err := w.codebase("mixed languages", samples(mixedLines))
	if err != nil {
		return nil, err
	}
	c.name = fmt.Sprintf("%s lines of %d languages", thousands(c.lines), len(mixedLanguages))
	rows := w.indexed(c, min(n, 3))[1:] // its memory: for its time see below
	native, err := w.native(c)
	if err != nil {
		fmt.Fprintln(os.Stderr, "native tree-sitter: not timed,", err)
		return rows, w.err
	}
	first := w.measured("processor time of first index, "+c.name, min(n, 3), func(int) time.Duration {
		w.failed(w.forget(c))
		return w.spent(w.sage("index", "--no-embed").in(c.dir))
	}, goal{{5, native}})
	return append(rows, append([]row{first}, w.others(c, n)...)...), w.err
}

// spent is the time that the processors spent on a command and what it ran.
func (w *world) spent(c command) time.Duration {
	cmd := exec.Command(c.argv[0][0], c.argv[0][1:]...)
	cmd.Dir, cmd.Env = c.dir, w.env
	if out, err := cmd.CombinedOutput(); err != nil {
		w.failed(fmt.Errorf("%s: %w: %s", strings.Join(c.argv[0], " "), err, out))
		return 0
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// vectors says how much of the time in which vectors are made is the encoder's.
func (w *world) vectors(n int) ([]row, error) {
	model, err := embed.OpenBert(weights.Code)
	if err != nil {
		return nil, err
	}
	c, err := w.codebase("some Go", goSources(someLines))
	if err != nil {
		return nil, err
	}
	c.name = thousands(someLines) + " lines of Go"
	rows := w.indexed(c, min(n, 11))
	m := &timed{Embedder: model}
	err = w.codeIndex(c.dir, m, func(x *codeindex.Index) error {
		start := time.Now()
		if _, _, err := x.Embed(context.Background(), codeindex.EmbedRequest{Budget: 20 * time.Second}); err != nil {
			return err
		}
		all := time.Since(start)
		rows = append(rows, fixed(fmt.Sprintf("vectors of %s pieces, time outside of the encoder", thousands(m.texts)),
			100*float64(all-m.took)/float64(all), mostBeside, "%"))
		return nil
	})
	return rows, err
}

// million times what is done all day in a large repository.
func (w *world) million(n int) ([]row, error) {
	c, err := w.codebase("much Go", goSources(manyLines))
	if err != nil {
		return nil, err
	}
	c.name = thousands(manyLines) + " lines of Go"
	rows := append(w.indexed(c, min(n, 5)), w.others(c, n)...)
	index := w.sage("index", "--no-embed").in(c.dir)
	status := w.gitOnly(c.dir, "git status", "status")
	again := unit{"no change", func(int) time.Duration { return w.time(index) }}
	rows = append(rows,
		w.within("index, no change", n, func(int) command { return index }, goal{{2, status}}),
		w.measured("index, one file changed", n, func(i int) time.Duration {
			w.failed(appendTo(filepath.Join(c.dir, c.files[0]), fmt.Sprintf("\n// Turn %d.\n", i)))
			return w.time(index)
		}, goal{{1, status}, {1, again}}))
	if _, err := w.git(c.dir, "", "reset", "-q", "--hard"); err != nil {
		return rows, err
	}
	if err := w.branches(c, otherFiles); err != nil {
		return rows, err
	}
	rows = append(rows, w.measured(fmt.Sprintf("index after a switch, %s files differ", thousands(otherFiles)), min(n, 11), func(i int) time.Duration {
		if i < 0 { // each branch is seen
			w.time(index)
		}
		_, err := w.git(c.dir, "", "switch", "-q", []string{"main", "other"}[(i+2)%2])
		w.failed(err)
		w.failed(w.age(c.dir))
		return w.time(index)
	}, goal{{4, status}}))
	return rows, w.err
}

// found times searches among 100,000 pieces of code.
func (w *world) found(n int) ([]row, error) {
	model, err := embed.OpenBert(weights.Code)
	if err != nil {
		return nil, err
	}
	c, err := w.codebase("most Go", goSources(mostLines))
	if err != nil {
		return nil, err
	}
	if w.time(w.sage("index", "--no-embed").in(c.dir)); w.err != nil {
		return nil, w.err
	}
	var st codeindex.Status
	if err := w.codeIndex(c.dir, standIn{model}, func(x *codeindex.Index) error {
		if _, _, err = x.Embed(context.Background(), codeindex.EmbedRequest{}); err == nil {
			st, err = x.Status(context.Background(), "")
		}
		return err
	}); err != nil {
		return nil, err
	}
	of := fmt.Sprintf(", %s pieces", thousands(st.Chunks))
	s, err := w.server(c.dir)
	if err != nil {
		return nil, err
	}
	version := unit{"version", func(int) time.Duration { return w.time(w.sage("version")) }}
	encoder := unit{"C", func(i int) time.Duration {
		start := time.Now()
		_, err := model.Queries(context.Background(), []string{asked(i)})
		w.failed(err)
		return time.Since(start)
	}}
	asks := func(tool, argument string, text func(i int) string) func(i int) time.Duration {
		return func(i int) time.Duration {
			start := time.Now()
			_, err := s.ask("tools/call", map[string]any{"name": tool, "arguments": map[string]string{argument: text(i)}})
			w.failed(err)
			return time.Since(start)
		}
	}
	rows := []row{
		fixed("disk for a piece with its vector"+of, float64(st.Bytes)/float64(st.Chunks), mostBytes, "B"),
		w.within("grep"+of, n, func(i int) command { return w.sage("grep", symbol(i)).in(c.dir) }, goal{{3, version}}),
		w.measured("grep in the server"+of, n, asks("sage_grep_symbol", "name", symbol), goal{{1, whole(time.Millisecond)}}),
		w.within("search-code"+of, n, func(i int) command { return w.sage("search-code", asked(i)).in(c.dir) }, goal{{1, encoder}, {1, whole(15 * time.Millisecond)}}),
		w.measured("search-code in the server"+of, n, asks("sage_search_code", "query", asked), goal{{1, encoder}, {1, whole(10 * time.Millisecond)}}),
	}
	if err := s.close(); err != nil {
		return rows, err
	}
	return append(rows, w.zoekt(c, of, n)...), w.err
}

// asked is a question about Go's sources, another each time.
func asked(i int) string {
	return fmt.Sprintf("%s, case %d", []string{
		"where is the header of a request parsed", "how are unused connections closed after a while", "what writes the symbol table of an object file",
		"check that a certificate is valid for a host name", "split a path into its folder and its last part",
	}[(i+5)%5], i)
}

// symbol is a name in Go's sources.
func symbol(i int) string {
	return []string{"NewReader", "ServeHTTP", "parseRequestLine", "TrimSuffix", "WaitGroup"}[(i+5)%5]
}

// explained times what explains a file that many commits changed.
func (w *world) explained(n int) ([]row, error) {
	dir, err := w.changed(manyCommits)
	if err != nil {
		return nil, err
	}
	blame := w.gitOnly(dir, "git blame", "blame", "f.go")
	return []row{w.within(fmt.Sprintf("why, a file with %s commits", thousands(manyCommits)), min(n, 11),
		func(int) command { return w.sage("why", "f.go").in(dir) }, goal{{1.5, blame}})}, w.err
}
