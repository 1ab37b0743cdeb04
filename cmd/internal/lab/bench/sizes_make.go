package main

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// A mould is a checkpoint that git-sage itself saved, of which git makes many.
type mould struct{ tip, message, blob string }

// digits stand in the mould for the number of each copy.
const digits = "0000000"

func (m mould) number(s string, i int) string {
	return strings.ReplaceAll(s, digits, fmt.Sprintf("%0*d", len(digits), i))
}

// cast saves the mould.
func (w *world) cast(dir string) (m mould, err error) {
	w.time(w.sage("checkpoint", "save", "--core-question", "which cache policy do we ship?", "-c", "0.7",
		"-m", "Finding "+digits+": ARC beats LRU on our traces.", "--key-evidence", "trace "+digits+" took 38 ms").in(dir))
	if w.err != nil {
		return m, w.err
	}
	if m.tip, err = w.git(dir, "", "rev-parse", "refs/sage/heads/main"); err != nil {
		return m, err
	}
	raw, err := w.git(dir, "", "cat-file", "commit", m.tip)
	if err != nil {
		return m, err
	}
	_, m.message, _ = strings.Cut(raw+"\n", "\n\n")
	m.blob, err = w.git(dir, "", "cat-file", "blob", m.tip+":checkpoint.md")
	m.blob += "\n"
	return m, err
}

// copy writes one more, on a ref whose last is at from or known to git. It is younger than the
// mould, whose date it has: a merge takes none that says it is from after its commit.
func (m mould) copy(to io.Writer, ref, from string, i int) {
	message, blob := m.number(m.message, i), m.number(m.blob, i)
	fmt.Fprintf(to, "commit %s\ncommitter Bench <bench@example.com> %d +0000\ndata %d\n%s", ref, time.Now().Unix()+int64(i), len(message), message)
	if from != "" {
		fmt.Fprintf(to, "from %s\n", from)
	}
	fmt.Fprintf(to, "M 100644 inline checkpoint.md\ndata %d\n%s\n", len(blob), blob)
}

// importing lets write feed git fast-import, which makes a pack of it.
func (w *world) importing(dir string, write func(io.Writer)) error {
	cmd := exec.Command("git", "fast-import", "--quiet", "--force")
	cmd.Dir, cmd.Env = dir, w.env
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	b := bufio.NewWriterSize(in, 1<<20)
	write(b)
	_ = b.Flush()
	_ = in.Close()
	return cmd.Wait()
}

// long makes a line of n checkpoints.
func long(w *world, dir string, n int) error {
	m, err := w.cast(dir)
	if err != nil {
		return err
	}
	return w.importing(dir, func(to io.Writer) {
		from := m.tip
		for i := range n {
			m.copy(to, "refs/sage/heads/main", from, i+1)
			from = ""
		}
	})
}

// wide makes n lines, each of one checkpoint more than the first has.
func wide(w *world, dir string, n int) error {
	m, err := w.cast(dir)
	if err != nil {
		return err
	}
	return w.importing(dir, func(to io.Writer) {
		for i := range n {
			m.copy(to, fmt.Sprintf("refs/sage/heads/line-%04d", i), m.tip, i+1)
		}
	})
}

// knowing makes n items in the knowledge tree, in folders as the format has them.
func knowing(w *world, dir string, n int) error {
	if _, err := w.cast(dir); err != nil {
		return err
	}
	const message = "import\n\nSage-Format: 1\nSage-Kind: knowledge\n"
	return w.importing(dir, func(to io.Writer) {
		fmt.Fprintf(to, "commit refs/sage/knowledge\ncommitter Bench <bench@example.com> 1790000000 +0000\ndata %d\n%s", len(message), message)
		for i := range n {
			id := fmt.Sprintf("item-%06d", i)
			text := fmt.Sprintf("---\nid: %s\ntype: knowledge\nkeywords: [cache, trace-%d]\n---\n\nThe refresh call of trace %d takes %d ms.\n", id, i, i, i%97)
			fmt.Fprintf(to, "M 100644 inline %s\ndata %d\n%s\n", itemFile(id), len(text), text)
		}
	})
}

// crowded makes a repository of about n objects of the user's.
func crowded(w *world, dir string, n int) error {
	if err := w.importing(dir, func(to io.Writer) { feed(to, max(1, n/3), 0) }); err != nil {
		return err
	}
	if _, err := w.git(dir, "", "reset", "-q", "--hard", "main"); err != nil {
		return err
	}
	if err := w.age(dir); err != nil {
		return err
	}
	return long(w, dir, 200)
}

// bulky makes a line whose checkpoints are of n bytes.
func bulky(w *world, dir string, n int) error {
	for i := range 3 {
		w.time(w.sage("checkpoint", "save", "-q", "-F", "-").in(dir).reading(large(n, i)))
	}
	return w.err
}

// large is a checkpoint of about n bytes.
func large(n, i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntype: checkpoint\n---\n\n# Which cache?\n\n## Thesis\nFinding %d.\n\n## Reasoning Trace\n", i)
	for k := 0; b.Len() < n; k++ {
		fmt.Fprintf(&b, "Step %d of %d: the trace of hour %d shows %d misses, which is what ARC is said to prevent.\n", k, i, k*7%24, k*k%9973)
	}
	return b.String()
}
