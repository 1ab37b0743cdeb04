package recall_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	encoder "github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/prompts"
)

// asking is a model that tells which questions it was asked.
type asking struct {
	*bag
	heard *[]string
}

func (a asking) Queries(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 1 { // more are asked to calibrate it
		*a.heard = append(*a.heard, texts...)
	}
	return a.bag.Queries(ctx, texts)
}

// What nobody types is embedded once, and again if what was kept of it is damaged or of
// another text. A prompt is not kept.
func TestStandingQuestionsAreEmbeddedOnce(t *testing.T) {
	m := newMemory(t, "")
	var heard []string
	m.Stores.Options.Embedder = func() (encoder.Embedder, error) { return asking{bag: &bag{}, heard: &heard}, nil }
	write(t, m, withKeyword(item("deploys", "", "We deploy on Mondays."), "project"))
	asks := func(query string, o prompts.RecallOptions, want int) *prompts.Recall {
		t.Helper()
		heard = nil
		got, err := m.Prompts.Recall(t.Context(), query, o)
		if err != nil || len(heard) != want {
			t.Fatalf("%q: the model was asked %q, %v", query, heard, err)
		}
		return got
	}
	nobody := prompts.RecallOptions{Proactive: true, Quick: true}
	first := asks("the project", nobody, 1)
	again := asks("the project", nobody, 0)
	if len(first.Items) != 1 || len(again.Items) != 1 || first.Items[0].Score != again.Items[0].Score {
		t.Errorf("%+v and then %+v", first.Items, again.Items)
	}
	asks("the project", prompts.RecallOptions{}, 1)
	for _, other := range []string{"one", "two", "three", "four"} {
		asks(other, nobody, 1)
	}
	asks("four", nobody, 0)
	asks("the project", nobody, 1) // it was the oldest
	file := filepath.Join(m.Store.Knowledge.SidecarDir(), "asked.json")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(string(b), `"vector":"`, `"vector":"AAAA`, 1)
	for _, damage := range []string{"{", "[{}]", "null", "", other, strings.Repeat(" ", 4<<20+1)} {
		must(t, os.WriteFile(file, []byte(damage), 0o600))
		asks("the project", nobody, 1)
		asks("the project", nobody, 0)
	}
	must(t, errors.Join(os.Remove(file), os.Mkdir(file, 0o700)))
	asks("the project", nobody, 1)
}
