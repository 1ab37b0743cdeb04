package digest

import (
	"hash/fnv"
	"slices"
)

// format is the number of the form that a Digest is written in.
const format = 1

// What a digest keeps at most.
const (
	maxSessions  = 16
	maxTexts     = 40
	maxSummaries = 3
	maxFiles     = 500
	maxSearches  = 50
	maxMCP       = 100
	maxFailures  = 20
	maxOpen      = 32  // calls without an answer: the client runs some ten at once
	maxSeen      = 512 // records that are known again
	maxAnswers   = 8   // answers whose usage may be repeated
)

// A state is what a Digest has to know for what comes.
type state struct {
	Format  int      `json:"format"`
	Open    []call   `json:"open,omitempty"`    // calls of tools that have no answer yet
	Answers []answer `json:"answers,omitempty"` // the last ones
	Seen    []byte   `json:"seen,omitempty"`    // hashes of the last records, 8 bytes each, in a ring
	Next    int      `json:"next,omitempty"`    // where the next one goes
}

// An answer is one of the model's, of which several records tell.
type answer struct {
	ID     string `json:"id"`
	Output int    `json:"output"`
}

// seenBefore reports whether a record was seen lately, and remembers it.
func (s *state) seenBefore(uuid string) bool {
	if uuid == "" {
		return false
	}
	h := fnv.New64a()
	h.Write([]byte(uuid))
	sum := [8]byte(h.Sum(nil))
	s.Seen = s.Seen[:len(s.Seen)/8*8]
	for i := 0; i < len(s.Seen); i += 8 {
		if [8]byte(s.Seen[i:]) == sum {
			return true
		}
	}
	if len(s.Seen) < 8*maxSeen {
		s.Seen = append(s.Seen, sum[:]...)
		return false
	}
	s.Next = max(0, s.Next) % maxSeen
	copy(s.Seen[8*s.Next:], sum[:])
	s.Next++
	return false
}

// output returns how many tokens a record adds to those of all answers.
func (s *state) output(id string, tokens int) int {
	if i := slices.IndexFunc(s.Answers, func(a answer) bool { return a.ID == id }); i >= 0 {
		more := tokens - s.Answers[i].Output
		s.Answers[i].Output = tokens
		return more
	}
	s.Answers = newest(append(s.Answers, answer{id, tokens}), maxAnswers)
	return tokens
}

// newest are the last of a list, at most so many.
func newest[T any](list []T, most int) []T {
	if len(list) > most {
		return slices.Delete(list, 0, len(list)-most)
	}
	return list
}

// How much is kept of a text, in bytes.
const (
	maxText    = 4000
	maxSummary = 10000
	maxAnswer  = 1000
	maxWhat    = 300
	maxName    = 200
)
