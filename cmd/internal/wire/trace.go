package wire

import (
	"time"

	"github.com/git-sage/git-sage/gitstore"
)

// Trace is what --json prints of how something came here.
type Trace struct {
	Remote    string              `json:"remote,omitempty"` // by which it came
	FirstSeen time.Time           `json:"first_seen,omitzero"`
	Signature *gitstore.Signature `json:"signature,omitempty"`
	Confirmed time.Time           `json:"confirmed,omitzero"` // by you
	Trusted   bool                `json:"trusted,omitempty"`  // its source is, see git sage trust
}

// TraceOf is nil of what was made here.
func TraceOf(t gitstore.Trace) *Trace {
	if t == (gitstore.Trace{}) {
		return nil
	}
	out := &Trace{Remote: t.Remote, FirstSeen: t.At, Confirmed: t.Confirmed, Trusted: t.Taken}
	if t.Signature.State != "" {
		out.Signature = &t.Signature
	}
	return out
}

// Rows says it for a person, names and values; date writes a time.
func (t *Trace) Rows(date func(time.Time) string) (rows [][2]string) {
	if t == nil {
		return nil
	}
	if t.Remote != "" {
		rows = append(rows, [2]string{"Came", "by " + t.Remote + ", first seen " + date(t.FirstSeen)})
	}
	if s := t.Signature; s != nil {
		said := map[string]string{"G": "by " + s.Signer + ", key " + s.Key, "U": "with a key that you do not know, " + s.Key, "N": "no", "B": "the signature is bad"}[s.State]
		if said == "" {
			said = "cannot be verified (" + s.State + ")"
		}
		rows = append(rows, [2]string{"Signed", said})
	}
	if t.Trusted {
		rows = append(rows, [2]string{"Trusted", "yes, by 'git sage trust'"})
	}
	if !t.Confirmed.IsZero() {
		rows = append(rows, [2]string{"Confirmed", "by you, " + date(t.Confirmed)})
	}
	return rows
}
