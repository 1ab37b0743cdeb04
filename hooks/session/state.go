package session

import (
	"encoding/json"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/transcript"
)

// A State is what is remembered of the session of a store. Without a session that is nothing.
type State struct{ store *gitstore.Store }

// Of is the state of the store's session.
func Of(s *gitstore.Store) State { return State{s} }

// The parts of a state, see [gitstore.Store.Session].Keep: a memo is small and read by every event,
// a digest has up to 300 kB.
const (
	memoPart      = "memo"
	digestPart    = "digest"
	summaryPart   = "summary"
	compactedPart = "compacted"
	refusedPart   = "refused"
	endPart       = "rescued"
	distilledPart = "distilled"
	topicsPart    = "topics"
)

// read fills v with a part. Of one that is missing or damaged nothing is known.
func (s State) read(part string, v any) bool {
	return json.Unmarshal(s.store.Session.Kept(part), v) == nil
}

// keep replaces a part.
func (s State) keep(part string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.store.Session.Keep(part, append(b, '\n'))
}

// Topics are the vectors of what the person said last, as Topics of the memory wants and
// leaves them.
func (s State) Topics() map[string][]byte {
	known := map[string][]byte{}
	if !s.read(topicsPart, &known) || known == nil {
		return map[string][]byte{}
	}
	return known
}

// KeepTopics replaces [State.Topics].
func (s State) KeepTopics(known map[string][]byte) error { return s.keep(topicsPart, known) }

// ReadOptions are the options with which a transcript of the session is read. A nil cost is
// not counted.
func (s State) ReadOptions(cost *transcript.Cost) transcript.Options {
	return transcript.Options{Root: s.store.Repo.Top(), SHA256: s.store.Repo.SHA256(), Redact: s.store.Session.Redactor(), Cost: cost}
}
