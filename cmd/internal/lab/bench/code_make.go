package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/codeindex/parse"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/embed"
)

// A codebase is a repository whose code is looked for.
type codebase struct {
	name, dir string
	files     []string // from its top
	lines     int
}

// put adds a file.
func (c *codebase) put(name string, text []byte) error {
	to := filepath.Join(c.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	c.files, c.lines = append(c.files, name), c.lines+bytes.Count(text, []byte("\n"))
	return os.WriteFile(to, text, 0o600)
}

// codebase makes a repository of the files that fill puts there, in one commit.
func (w *world) codebase(name string, fill func(c *codebase) error) (*codebase, error) {
	c := &codebase{name: name, dir: filepath.Join(w.dir, strings.ReplaceAll(name, " ", "-"))}
	if _, err := w.git(w.dir, "", "init", "-q", c.dir); err != nil {
		return nil, err
	}
	if err := fill(c); err != nil {
		return nil, err
	}
	return c, w.commitAll(c.dir)
}

// commitAll commits what changed.
func (w *world) commitAll(dir string) error {
	for _, args := range [][]string{{"add", "-A"}, {"commit", "-qm", "all of it"}} {
		if _, err := w.git(dir, "", args...); err != nil {
			return err
		}
	}
	return w.age(dir)
}

// goSources takes as many lines of Go's own sources as are wanted: 2.2 million are there, and
// more only with what its tests read.
func goSources(lines int) func(*codebase) error {
	return func(c *codebase) error {
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			return err
		}
		src := filepath.Join(strings.TrimSpace(string(out)), "src")
		return filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "vendor" || d.Name() == "testdata" && lines <= manyLines):
				return filepath.SkipDir
			case d.IsDir() || filepath.Ext(path) != ".go":
				return nil
			case c.lines >= lines:
				return filepath.SkipAll
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(src, path)
			if err != nil {
				return err
			}
			return c.put(filepath.ToSlash(name), text)
		})
	}
}

// mixedLanguages are those of the samples of codeindex/parse that stand ten times in a file
// without a fault of syntax, and that there is a native parser for.
var mixedLanguages = []string{"bash", "c", "cpp", "csharp", "java", "javascript", "php", "python", "ruby", "rust", "scala", "swift", "typescript"}

// samples makes files in these languages: ten copies of a sample each, in which what is
// defined has another name.
func samples(lines int) func(*codebase) error {
	return func(c *codebase) error {
		p, err := parse.New("")
		if err != nil {
			return err
		}
		defer p.Close()
		for _, l := range mixedLanguages {
			files, err := filepath.Glob(filepath.Join("codeindex", "parse", "testdata", l, "[Ss]ample.*"))
			if err != nil || len(files) != 1 {
				return fmt.Errorf("sample of %s: %v %w", l, files, err)
			}
			text, err := os.ReadFile(files[0])
			if err != nil {
				return err
			}
			found, err := p.Parse(context.Background(), l, text)
			if err != nil {
				return err
			}
			for n := 0; c.lines < lines*(slices.Index(mixedLanguages, l)+1)/len(mixedLanguages); n++ {
				var b bytes.Buffer
				for k := range 10 {
					var names []string
					for _, d := range found.Definitions {
						names = append(names, d.Name, fmt.Sprint(d.Name, n, "n", k))
					}
					fmt.Fprintln(&b, strings.NewReplacer(names...).Replace(string(text)))
				}
				if err := c.put(fmt.Sprintf("%s/f%d%s", l, n, filepath.Ext(files[0])), b.Bytes()); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// branches leaves a repository on main, with a branch on which so many files differ.
func (w *world) branches(c *codebase, differ int) error {
	if _, err := w.git(c.dir, "", "switch", "-qc", "other"); err != nil {
		return err
	}
	for _, f := range c.files[:min(differ, len(c.files))] {
		if err := appendTo(filepath.Join(c.dir, f), "\nfunc other() {}\n"); err != nil {
			return err
		}
	}
	if err := w.commitAll(c.dir); err != nil {
		return err
	}
	_, err := w.git(c.dir, "", "switch", "-q", "main")
	return err
}

func appendTo(file, text string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// changed makes a repository with a file of 500 lines of which each of so many commits
// changed one.
func (w *world) changed(commits int) (string, error) {
	dir := filepath.Join(w.dir, "changed")
	if _, err := w.git(w.dir, "", "init", "-q", dir); err != nil {
		return "", err
	}
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Env = dir, w.env
	var in bytes.Buffer
	lines := make([]string, 500)
	for i := range lines {
		lines[i] = fmt.Sprintf("var v%d = 0\n", i)
	}
	for i := range commits {
		at := i * 7919 % len(lines)
		lines[at] = fmt.Sprintf("var v%d = %d\n", at, i)
		text := "package f\n\n" + strings.Join(lines, "")
		message := fmt.Sprintf("f: set v%d to %d\n", at, i)
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter Bench <bench@example.com> %d +0000\ndata %d\n%sM 100644 inline f.go\ndata %d\n%s\n", 1700000000+60*i, len(message), message, len(text), text)
	}
	cmd.Stdin = &in
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("git fast-import: %w: %s", err, out)
	}
	_, err := w.git(dir, "", "reset", "-q", "--hard", "main")
	return dir, err
}

// codeIndex hands out the index of a repository's code, with a model for its vectors.
func (w *world) codeIndex(dir string, m embed.Embedder, use func(*codeindex.Index) error) error {
	s, err := gitstore.Open(context.Background(), gitstore.Options{Dir: dir, Home: filepath.Join(w.dir, ".sage"), Env: w.env})
	if err != nil {
		return err
	}
	defer s.Close()
	x := codeindex.Of(s, m, nil, nil, nil)
	defer x.Close()
	return use(x)
}

// A standIn makes other vectors in the place of a model's, 100,000 of which take that ten
// minutes: what is timed with them does not depend on what they say.
type standIn struct{ embed.Embedder }

// Documents implements embed.Embedder.
func (standIn) Documents(_ context.Context, texts []string) ([][]float32, error) {
	rows := make([][]float32, len(texts))
	for i, t := range texts {
		r := rand.New(rand.NewPCG(uint64(len(t)), binary.LittleEndian.Uint64(append([]byte(t), make([]byte, 8)...))))
		row := make([]float32, 384)
		var sum float64
		for k := range row {
			row[k] = float32(r.NormFloat64())
			sum += float64(row[k]) * float64(row[k])
		}
		for k := range row {
			row[k] /= float32(math.Sqrt(sum))
		}
		rows[i] = row
	}
	return rows, nil
}

// A timed model notes how long it took to make vectors, and of how many texts.
type timed struct {
	embed.Embedder
	took  time.Duration
	texts int
}

// Documents implements embed.Embedder.
func (t *timed) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	defer func(start time.Time) { t.took += time.Since(start) }(time.Now())
	t.texts += len(texts)
	return t.Embedder.Documents(ctx, texts)
}

// thousands writes a number as people do: 1,000,000.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
