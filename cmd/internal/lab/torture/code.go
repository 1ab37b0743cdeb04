//go:build linux

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// code takes down what indexes code: by hostile sources, by kills in the midst of many files,
// by a disk that fills up, by a repository that is rewritten meanwhile, and by a crowd.
func (b *bench) code() error {
	for _, act := range []struct {
		name string
		run  func(name string) error
	}{
		{"hostile sources", b.hostile},
		{"killed while it indexes", b.cutShort},
		{"the disk fills up", b.filledUp},
		{"rewritten meanwhile", b.rewritten},
		{"two and eight at once", b.crowded},
	} {
		if !b.asked(act.name) {
			continue
		}
		if err := act.run(act.name); err != nil {
			return fmt.Errorf("%s: %w", act.name, err)
		}
	}
	return nil
}

// answered notes a point at which nothing is acknowledged and nothing saved.
func (b *bench) answered(row *row, p string, err error) {
	v := &verdict{}
	if err != nil {
		v.fault("%v", err)
	}
	b.count(row, p, true, false, false, v)
}

// project makes a repository with so many files of Go, and a tenth of Python; each defines
// some 60 functions, so that 300 files are more than a segment takes.
func (b *bench) project(dir string, files int) (*repo, error) {
	r := &repo{b: b, dir: dir, env: []string{"SAGE_CODE_EMBEDDING_MODEL=none"}}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for i := range files {
		if err := r.writeSource(i, 0); err != nil {
			return nil, err
		}
	}
	return r, r.sh("git init -q && git add -A && git commit -q --allow-empty -m first && '" + b.bin + "' init")
}

// writeSource writes a version of the i-th file of a project.
func (r *repo) writeSource(i, version int) error {
	var text strings.Builder
	name, form := fmt.Sprintf("p%d/f%d.go", i%10, i), "\n// F%[1]dx%[2]d counts the gates of yard %[1]d.\nfunc F%[1]dx%[2]d(n int) int {\n\treturn F%[1]dx%[3]d(n) + %[4]d\n}\n"
	if i%10 == 9 {
		name, form = fmt.Sprintf("p%d/f%d.py", i%10, i), "\ndef f%[1]dx%[2]d(n):\n    \"\"\"Counts the gates of yard %[1]d.\"\"\"\n    return f%[1]dx%[3]d(n) + %[4]d\n"
	} else {
		fmt.Fprintf(&text, "package p%d\n", i%10)
	}
	for f := range 60 {
		fmt.Fprintf(&text, form, i, f, (f+1)%60, version)
	}
	if err := os.MkdirAll(filepath.Dir(r.path(name)), 0o755); err != nil {
		return err
	}
	return r.write(name, text.String())
}

// says is what the index says of a project.
func (r *repo) says() (string, error) {
	return r.asks([]string{"outline", "--json", "p1"}, []string{"outline", "--json", "p9"},
		[]string{"search-code", "--json", "-n", "30", "counts the gates of yard 11"}, []string{"grep", "--json", "-n", "30", "F3x7"})
}

// cutShort kills the indexer at moments spread over the time that it takes.
func (b *bench) cutShort(name string) error {
	r, err := b.project(filepath.Join(b.dir, "code-killed"), 400)
	if err != nil {
		return err
	}
	defer r.drop()
	began := time.Now()
	if err := r.index(); err != nil {
		return err
	}
	takes := time.Since(began)
	want, err := r.says()
	if err != nil {
		return err
	}
	const moments = 40
	var points []point
	for i := range moments {
		if p := (point{"moment", i + 1}); b.takes(p, i+1) {
			points = append(points, p)
		}
	}
	row := b.row("code", name, len(points))
	for _, p := range points {
		hit := false
		for after := takes * time.Duration(p.at) / (moments + 1); !hit; after = after * 4 / 5 {
			if err := os.RemoveAll(r.path(indexFolder)); err != nil {
				return err
			}
			_, hit = r.kill(killed{args: []string{"index", "-q", "--no-embed"}, whom: "all", after: after})
		}
		b.answered(row, p.String(), r.mended(want))
	}
	row.took = time.Since(began)
	return nil
}

// mended makes sure that a search answers, that the next run completes the index, and that
// what was not finished goes when it is old.
func (r *repo) mended(want string) error {
	if _, err := r.asks([]string{"search-code", "counts the gates"}); err != nil {
		return err
	}
	if err := r.index(); err != nil {
		return err
	}
	if is, err := r.says(); err != nil || is != want {
		return fmt.Errorf("the index: %v %s", err, firstDifference(is, want))
	}
	if err := r.sh("touch -d '2 hours ago' " + indexFolder + "/*"); err != nil {
		return err
	}
	if err := r.index(); err != nil {
		return err
	}
	return r.sh("! ls " + indexFolder + "/tmp-* 2>/dev/null")
}

// filledUp lets the disk fill up with ever more blocks left.
func (b *bench) filledUp(name string) error {
	from, err := b.project(filepath.Join(b.dir, "code-full"), 300)
	if err != nil {
		return err
	}
	defer from.drop()
	if err := from.index(); err != nil {
		return err
	}
	want, err := from.says()
	if err != nil {
		return err
	}
	if err := os.RemoveAll(from.path(indexFolder)); err != nil {
		return err
	}
	row := b.row("code", name, 12)
	began := time.Now()
	for i := range row.planned {
		left := 1<<i - 1
		err := b.inMemory(fmt.Sprintf("%s-%d", from.dir, i), "32m", func(at string) error {
			r, err := from.copy(filepath.Join(at, "r"))
			if err == nil {
				err = fill(r, left)
			}
			if err != nil {
				return err
			}
			o, err := r.b.exec(r.dir, "", r.env, r.b.bin, "index", "-q", "--no-embed")
			v := &verdict{}
			if fair(o, v); err != nil || !v.ok() {
				v.fault("%v", err)
			}
			if o.code != 0 && !strings.Contains(o.errs, "no space left") {
				v.fault("it does not say that there is no space: %s", o.errs)
			}
			for _, args := range [][]string{{"search-code", "counts the gates of yard 11"}, {"grep", "F3x7"}, {"outline", "p1"}} {
				if _, err := r.asks(args); err != nil {
					v.fault("meanwhile: %v", err)
				}
			}
			if err := os.Remove(r.filler()); err != nil {
				return err
			}
			if err := r.mended(want); err != nil {
				v.fault("with space: %v", err)
			}
			b.count(row, fmt.Sprintf("%d blocks left", left), true, false, o.code != 0, v)
			return nil
		})
		if err != nil {
			return err
		}
	}
	row.took = time.Since(began)
	if row.refused == 0 || row.refused == row.planned {
		return errors.New("the disk was always full, or never")
	}
	return nil
}

// rewrites are what people and git do to a repository; $n is another number each time.
var rewrites = []string{
	"git rm -q --cached p1/f$n.go 2>/dev/null; rm -f p1/f$n.go",
	"git mv -k p2/f$n.go p2/renamed$n.go; git commit -qam moved || true",
	"rm -rf p3/f$n.go && mkdir -p p3/f$n.go && cp p1/f1.go p3/f$n.go/in.go",
	"rm -rf p4/f$n.go && ln -s ../p1/f1.go p4/f$n.go",
	"rm -rf p5/f$n.go && ln -s . p5/f$n.go",
	"rm -rf p6/f$n.go && mkfifo p6/f$n.go",
	"rm -rf p7 && mkfifo p7; rm p7; git checkout -q -f HEAD -- p7",
	"git stash -q -u || true; git switch -q -f other || git switch -q -f main",
	"git switch -q -f main",
	"git add -A . 2>/dev/null; git commit -qm work || true",
	"git gc -q --prune=now",
	"git rebase -q other || git rebase --abort || true",
	"git reset -q --hard HEAD~1 || true",
	"truncate -s $n p8/*.go",
	"head -c 300000 /dev/urandom >p8/noise$n.go; chmod 000 p9/f9.py; chmod 644 p9/f9.py",
	"git worktree add -q -f ../$(basename $PWD)-tree-$n && rm -rf ../$(basename $PWD)-tree-$n; git worktree prune",
	"git clean -qfdx; git checkout -q -f main",
}

// rewritten rewrites a repository while it is indexed and searched.
func (b *bench) rewritten(name string) error {
	r, err := b.project(filepath.Join(b.dir, "code-rewritten"), 120)
	if err != nil {
		return err
	}
	defer func() { _ = r.sh("rm -rf " + r.dir + "*") }()
	if err := r.sh("git switch -q -c other && rm p1/*1.go && git commit -qam other && git switch -q main && date >p0/new.go && git add -A && git commit -qm second"); err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(1, 2))
	began := time.Now()
	const rounds = 60
	row := b.row("code", name, rounds)
	for i := range rounds {
		stop := make(chan struct{})
		var churn sync.WaitGroup
		seed := rng.Uint64()
		churn.Go(func() {
			rng := rand.New(rand.NewPCG(seed, 0))
			for {
				select {
				case <-stop:
					return
				default:
				}
				n := rng.IntN(12)*10 + 1
				line := fmt.Sprintf("n=%d; ", n+rng.IntN(9)) + rewrites[rng.IntN(len(rewrites))]
				_, _ = b.exec(r.dir, "", r.env, "timeout", "20", "sh", "-c", line)
				_ = r.writeSource(rng.IntN(120), rng.IntN(1000))
			}
		})
		err := r.crowd(1, 2, 3)
		close(stop)
		churn.Wait()
		if err == nil && i%10 == 9 {
			err = r.whole(r.says)
		}
		b.answered(row, fmt.Sprintf("round %d", i), err)
	}
	row.took = time.Since(began)
	return nil
}

// crowded indexes from two and eight processes at once, with searchers beside.
func (b *bench) crowded(name string) error {
	r, err := b.project(filepath.Join(b.dir, "code-crowd"), 300)
	if err != nil {
		return err
	}
	defer r.drop()
	began := time.Now()
	crowds := []int{2, 8, 2, 8, 2, 8}
	row := b.row("code", name, len(crowds))
	for i, n := range crowds {
		if err := os.RemoveAll(r.path(indexFolder)); err != nil {
			return err
		}
		err := r.crowd(n, 3, 4)
		if err == nil {
			err = r.whole(r.says)
		}
		b.answered(row, fmt.Sprintf("crowd %d of %d", i, n), err)
	}
	row.took = time.Since(began)
	return nil
}

// crowd starts indexers and searchers at once; each has to succeed, a searcher several times.
func (r *repo) crowd(indexers, searchers, times int) error {
	var group sync.WaitGroup
	errs := make([]error, indexers+searchers)
	for i := range errs {
		group.Go(func() {
			if i < indexers {
				args := []string{"index", "-q", "--no-embed"}
				if i%4 == 3 {
					args = append(args, "--full")
				}
				_, errs[i] = r.asks(args)
				return
			}
			menu := [][]string{{"search-code", "counts the gates of yard 11"}, {"grep", "F3x7"}, {"outline", "p1"}, {"index", "status"}, {"related", "p1/f1.go"}, {"index", "gc"}}
			for n := range times {
				_, err := r.asks(menu[(i+n)%len(menu)])
				if err != nil && strings.Contains(err.Error(), "fatal: no 'p1' in the work tree") {
					continue // it was moved just then
				}
				errs[i] = errors.Join(errs[i], err)
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

// hostile indexes what a sample of each language becomes when it is broken (mutants.go),
// beside the sample itself, which has to be found as if it stood alone.
func (b *bench) hostile(name string) error {
	samples, err := filepath.Glob("codeindex/parse/testdata/*/*")
	if err != nil {
		return err
	}
	samples = slices.DeleteFunc(samples, func(s string) bool {
		return filepath.Base(s) == "golden" || filepath.Base(filepath.Dir(s)) == "fuzz"
	})
	if len(samples) == 0 {
		return errors.New("no samples of languages: run it from the top of the source")
	}
	var points []point
	for i, s := range samples {
		if p := (point{filepath.Base(filepath.Dir(s)) + "/" + filepath.Base(s), 1}); b.takes(p, i+1) {
			points = append(points, p)
		}
	}
	began := time.Now()
	row := b.row("code", name, len(points))
	err = parallel(points, func(_ int, p point) error {
		b.answered(row, p.String(), b.broken(filepath.Join("codeindex/parse/testdata", p.do)))
		return nil
	})
	row.took = time.Since(began)
	return err
}

// Bounds of indexing all that one sample becomes, 15 MB: it takes a processor 1 to 60 s, and
// 100 to 600 MiB.
const (
	longestTime = 2 * time.Minute
	mostMemory  = 1 << 20 // KiB
)

func (b *bench) broken(sample string) error {
	source, err := os.ReadFile(sample)
	if err != nil {
		return err
	}
	r, err := b.project(filepath.Join(b.dir, "code-"+filepath.Base(filepath.Dir(sample))), 0)
	if err != nil {
		return err
	}
	defer r.drop()
	put := func(folder string, text []byte) error {
		if err := os.MkdirAll(r.path(folder), 0o755); err != nil {
			return err
		}
		return r.write(filepath.Join(folder, filepath.Base(sample)), string(text))
	}
	if err := put("good", source); err != nil {
		return err
	}
	alone, err := r.asks([]string{"outline", "--json", "good"})
	if err != nil {
		return err
	}
	for _, m := range mutants(source) {
		if err := put("bad/"+m.name, m.text); err != nil {
			return err
		}
	}
	o, err := b.exec(r.dir, "", r.env, b.bin, "index", "-q", "--no-embed", "--full")
	if err != nil || o.code != 0 || o.errs != "" {
		return fmt.Errorf("index: exit status %d: %v %s", o.code, err, o.errs)
	}
	if o.cpu > longestTime || o.peak > mostMemory {
		return fmt.Errorf("it took %s and %d MiB", o.cpu.Round(time.Second), o.peak>>10)
	}
	if beside, err := r.asks([]string{"outline", "--json", "good"}); err != nil || alone != beside {
		return fmt.Errorf("the sample beside them: %v %s", err, firstDifference(beside, alone))
	}
	_, err = r.asks([]string{"index", "status"}, []string{"search-code", "open the gate"}, []string{"outline", "bad"})
	return err
}
