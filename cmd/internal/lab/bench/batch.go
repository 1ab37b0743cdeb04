package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/weights"
)

// batchTexts is how many texts of some 22 tokens, as chats have them, are embedded at a
// time, batchThreads on how many processors.
const batchTexts, batchThreads = 512, 2

// batch times them beside ONNX Runtime with int8 weights, where 'make models-verify'
// left one.
func (w *world) batch(n int) []row {
	python, models := filepath.Join(".build", "onnx", "bin", "python"), filepath.Join(".build", "models")
	if _, err := os.Stat(python); err != nil {
		fmt.Fprintln(os.Stderr, "embed in batch: not timed, there is no ONNX Runtime to compare with; 'make models-verify' gets one")
		return nil
	}
	rounds := max(3, n/8)
	texts := chats()
	cmd := exec.Command(python, filepath.Join("recall", "embed", "testdata", "batch.py"), models, strconv.Itoa(batchThreads), strconv.Itoa(rounds))
	cmd.Stdin, cmd.Stderr = strings.NewReader(strings.Join(texts, "\n")), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		w.err = fmt.Errorf("embed in batch with ONNX Runtime: %w", err)
		return nil
	}
	theirs, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	ours, err2 := batched(texts, rounds)
	if err != nil || err2 != nil {
		w.err = fmt.Errorf("embed in batch: %v %v", err, err2)
		return nil
	}
	most := 1 / 1.3 // 1.3 times as many texts a second
	if w.model.Kernel() == "avx512vnni" {
		most = 1 / 1.5
	}
	r := row{Act: fmt.Sprintf("embed %d texts in batch", batchTexts), Median: ours, Goal: fmt.Sprintf("%.2f ONNX Runtime int8", most), Allowed: most * theirs}
	return []row{r.judge()}
}

// batched is the median of what our encoder takes for all texts.
func batched(texts []string, rounds int) (float64, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(batchThreads))
	e, err := embed.OpenBert(weights.Prose)
	if err != nil {
		return 0, err
	}
	var took []time.Duration
	for i := range rounds + 1 {
		start := time.Now()
		if _, err := e.Documents(context.Background(), texts); err != nil {
			return 0, err
		}
		if i > 0 {
			took = append(took, time.Since(start))
		}
	}
	return median(took), nil
}

// chats are texts of 10 to 34 tokens.
func chats() []string {
	words := strings.Fields("the token rotates every hour and the cache is warm when a new session begins so that nothing waits for it but us")
	out := make([]string, batchTexts)
	for i := range out {
		var b strings.Builder
		for k := range 8 + i%25 {
			b.WriteString(words[(i*7+k*3+i*k)%len(words)] + " ")
		}
		out[i] = b.String()
	}
	return out
}
