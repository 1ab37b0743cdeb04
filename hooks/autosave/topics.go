package autosave

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/hooks/trigger"
)

const (
	mostTopics  = 5   // messages that a new one is compared with
	leastTopics = 3   // fewer have no common topic
	topicBytes  = 400 // of a message: its point is rarely further down, and 200 take as long
	topicWithin = 300 * time.Millisecond
)

// nearness is how near the person's last message is to those before it, by the model; nil
// is not known. It takes some 10 ms a message that was not compared at the end of a turn
// before, and so it is asked only where a word tells
// of another topic: distance alone is no sign. Following the topic at the end of every turn
// took 4 to 10 ms of each.
func (t *turn) nearness(ctx context.Context) *float64 {
	gists := t.gists()
	if len(gists) <= leastTopics {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, t.within(topicWithin))
	defer cancel()
	known := t.state().Topics()
	list, err := t.Memory.Similarity.Topics(ctx, gists, known)
	if err != nil || len(list) == 0 {
		return nil // words have to do
	}
	_ = t.state().KeepTopics(known) // else they are made again
	var before [][]float32
	for _, x := range list[:len(list)-1] {
		before = append(before, x.Vector)
	}
	near := list[len(list)-1].Nearness(before)
	return &near
}

// encoder makes the vectors of a second opinion, and those of the same texts once only;
// without a model, or with another one, words have to do.
func (a *Agent) encoder(ctx context.Context) trigger.Encode {
	known := map[string][][]float32{}
	return func(texts []string) [][]float32 {
		key := strings.Join(texts, "\x00")
		if list, ok := known[key]; ok {
			return list
		}
		ctx, cancel := context.WithTimeout(ctx, a.within(topicWithin))
		defer cancel()
		list, err := a.Memory.Similarity.Vectors(ctx, trigger.HeadModel(), texts)
		if err != nil {
			list = nil
		}
		known[key] = list
		return list
	}
}

// gists are what the person's last messages are about, the oldest first; none if the last
// of them is about nothing.
func (t *trail) gists() (out []string) {
	for _, x := range slices.Backward(t.Digest.Texts) {
		if !x.Person {
			continue
		}
		gist := trigger.Gist(x.Text, topicBytes)
		if gist == "" && len(out) == 0 || len(out) > mostTopics {
			break
		}
		if gist != "" {
			out = append(out, gist)
		}
	}
	slices.Reverse(out)
	return out
}
