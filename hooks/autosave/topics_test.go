package autosave

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/hooks/trigger"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/embed"
)

// named is a model that counts what it is asked.
type named struct {
	name string
	runs *int
	err  error
}

func (m named) Model() embed.Model { return embed.Model{Name: m.name, Dim: 1} }

func (m named) Queries(_ context.Context, texts []string) ([][]float32, error) {
	*m.runs++
	return make([][]float32, len(texts)), m.err
}

func (m named) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	return m.Queries(ctx, texts)
}

func TestEncoderAsksItsModelOnceAndNoOther(t *testing.T) {
	for _, tt := range []struct {
		model      named
		list, runs int
	}{
		{named{name: trigger.HeadModel()}, 2, 1},
		{named{name: "another"}, 0, 0},
		{named{name: trigger.HeadModel(), err: errors.New("broken")}, 0, 1},
	} {
		runs := 0
		tt.model.runs = &runs
		a := &Agent{Memory: recall.New(recall.Options{Embedder: func() (embed.Embedder, error) { return tt.model, nil }})}
		encode := a.encoder(t.Context())
		encode([]string{"a", "b"})
		if list := encode([]string{"a", "b"}); len(list) != tt.list || runs != tt.runs {
			t.Errorf("%s: %d vectors, asked %d times", tt.model.name, len(list), runs)
		}
	}
}

// TestTopicsAreOfMessagesThatHaveOne: a message is compared with the five before it that
// say enough, and one that says little is compared with none.
func TestTopicsAreOfMessagesThatHaveOne(t *testing.T) {
	said := func(list ...string) *trail {
		d := transcript.New(transcript.Options{})
		for i, s := range list {
			d.Texts = append(d.Texts, transcript.Text{Text: s, Person: true, Offset: int64(2 * i)}, transcript.Text{Text: "Done.", Offset: int64(2*i + 1)})
		}
		return &trail{Trail: &session.Trail{Digest: d}}
	}
	long := func(i int) string {
		return fmt.Sprintf("message %d asks for the pipeline to retry twice before it fails", i)
	}
	list := said(long(0), long(1), "yes", long(2), long(3), "go on", long(4), long(5), long(6)).gists()
	if len(list) != mostTopics+1 || !strings.HasPrefix(list[0], "message 1") || !strings.HasPrefix(list[5], "message 6") {
		t.Errorf("%q", list)
	}
	if list := said(long(0), long(1), long(2), long(3), "go on").gists(); len(list) > 0 {
		t.Errorf("%q", list)
	}
}
