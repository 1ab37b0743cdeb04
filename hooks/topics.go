package hooks

import (
	"context"
	"encoding/base64"
	"time"

	"github.com/git-sage/git-sage/hooks/trigger"
	"github.com/git-sage/git-sage/recall"
)

// Topics are what the person's last messages were about, as vectors of a model.
type topics struct {
	Model   string   `json:"model"`
	Offset  int64    `json:"offset"`  // of the last of them
	Vectors []string `json:"vectors"` // the oldest first; a byte for each number, base64
}

const (
	mostTopics  = 5   // messages that a new one is compared with
	leastTopics = 3   // fewer have no common topic
	topicBytes  = 400 // of a message: its point is rarely further down, and 200 take as long
	topicWithin = 300 * time.Millisecond
)

// followTopic compares the person's last message with those before it, and remembers it.
// The end of a turn takes 13 ms with it and 9 without, on a machine with nothing to spare (the
// fastest tenth of 30; what reads the words is lost in the noise): the limit is 20.
// It asks the model once for each message that says enough to have a topic, and that no
// end of a turn saw before. Without a model it does nothing.
func (e *event) followTopic(ctx context.Context, t *trail) {
	said, at := t.lastSaid()
	if at == 0 || t.memo.Topics != nil && at <= t.memo.Topics.Offset {
		return
	}
	gist := trigger.Gist(said, topicBytes)
	if gist == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, topicWithin)
	defer cancel()
	topic, err := e.mem.Topic(ctx, gist)
	if err != nil || topic == nil {
		return // words have to do
	}
	t.near = t.memo.Topics.compare(topic)
	t.memo.Topics = t.memo.Topics.with(topic, at)
}

// lastSaid is the person's last message and its offset, which is 0 for none.
func (t *trail) lastSaid() (string, int64) {
	for i := len(t.digest.Texts) - 1; i >= 0; i-- {
		if x := t.digest.Texts[i]; x.Person {
			return x.Text, max(1, x.Offset)
		}
	}
	return "", 0
}

// compare is how near a topic is to those known; nil if these are too few.
func (k *topics) compare(topic *recall.Topic) *float64 {
	if k == nil || k.Model != topic.Model || len(k.Vectors) < leastTopics {
		return nil
	}
	var list [][]float32
	for _, s := range k.Vectors {
		if v := unpack(s); len(v) == len(topic.Vector) {
			list = append(list, v)
		}
	}
	if len(list) < leastTopics {
		return nil
	}
	near := topic.Nearness(list)
	return &near
}

// with is k with one more, and without the oldest.
func (k *topics) with(topic *recall.Topic, at int64) *topics {
	out := &topics{Model: topic.Model, Offset: at}
	if k != nil && k.Model == topic.Model {
		out.Vectors = k.Vectors
	}
	out.Vectors = append(out.Vectors, pack(topic.Vector))
	out.Vectors = out.Vectors[max(0, len(out.Vectors)-mostTopics):]
	return out
}

// pack writes a vector of unit length with 8 bits a number: the cosine of two changes by
// less than .01.
func pack(v []float32) string {
	most := float32(0)
	for _, x := range v {
		most = max(most, x, -x)
	}
	b := make([]byte, len(v))
	for i, x := range v {
		if most > 0 {
			b[i] = byte(int8(x / most * 127))
		}
	}
	return base64.RawStdEncoding.EncodeToString(b)
}

// unpack is what pack wrote, at another length; nil if it is damaged.
func unpack(s string) []float32 {
	b, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil {
		return nil
	}
	v := make([]float32, len(b))
	for i, x := range b {
		v[i] = float32(int8(x))
	}
	return v
}
