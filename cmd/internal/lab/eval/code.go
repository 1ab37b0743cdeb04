package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/gitstore"
)

// codeGoal is the mean reciprocal rank within ten that CoSQA dev is to reach.
const codeGoal = .56

// measureCode finds the functions of CoSQA dev as a user does: each is a file of a
// repository, indexed, embedded and asked for.
func (m *models) measureCode(ctx context.Context, data string) error {
	st, err := readStore(filepath.Join(data, "cosqa-dev", "functions"))
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "eval-code-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if out, err := exec.CommandContext(ctx, "git", "init", "-q", dir).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	byPath := map[string]string{}
	for i, d := range st.docs {
		path := fmt.Sprintf("f%d.py", i)
		byPath[path] = d.ID
		if err := os.WriteFile(filepath.Join(dir, path), []byte(d.Text+"\n"), 0o600); err != nil {
			return err
		}
	}
	if out, err := exec.CommandContext(ctx, "git", "-C", dir, "add", "-A").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	s, err := gitstore.Open(ctx, gitstore.Options{Dir: dir, Home: filepath.Join(dir, ".home"), Env: os.Environ()})
	if err != nil {
		return err
	}
	defer s.Close()
	x := codeindex.Of(s, remembering{m.code}, nil, []string{".home/"}, nil)
	defer x.Close()
	r, err := x.Update(ctx, codeindex.UpdateRequest{})
	if err != nil {
		return err
	}
	made, left, err := x.Embed(ctx, codeindex.EmbedRequest{})
	if err != nil {
		return err
	}
	fmt.Printf("code: %d files, %d chunks, %d vectors made, %d left\n", r.Files, r.Chunks, made, left)
	mrr, first := 0., 0
	for _, q := range st.queries {
		found, err := x.Search(ctx, codeindex.Query{Text: q.Text})
		if err != nil {
			return err
		}
		for i, h := range found.Hits {
			if slices.Contains(q.Gold, byPath[h.Path]) {
				mrr += 1 / float64(i+1)
				if i == 0 {
					first++
				}
				break
			}
		}
	}
	n := float64(len(st.queries))
	fmt.Printf("CoSQA dev: MRR@10 %.3f (goal %.2f), first %.3f, %d questions\n", mrr/n, codeGoal, float64(first)/n, len(st.queries))
	return nil
}

// A remembering model embeds nothing twice, also of other runs.
type remembering struct{ *model }

// Documents implements embed.Embedder.
func (r remembering) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	return r.texts(ctx, texts)
}

// Queries implements embed.Embedder.
func (r remembering) Queries(ctx context.Context, texts []string) ([][]float32, error) {
	return r.prompts(ctx, texts)
}
