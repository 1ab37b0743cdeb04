package main

import (
	"fmt"
	"strings"
)

// ruleQuestion is how MemoryCode is asked, and wordings are others for the same, of which
// none says that the newest is wanted.
const ruleQuestion = "What is the current coding rule for "

var wordings = []string{
	"how do we name %s here?",
	"which convention do our %s follow",
	"write a new file with some %s",
	"what did we agree on for %s?",
	"our coding rule for %s",
}

// reworded is a set asked in other words; ok is false for one that is not asked so.
func (s set) reworded(wording string) (out set, ok bool) {
	out.name = fmt.Sprintf("\"%.16s\"", fmt.Sprintf(wording, "..."))
	for _, st := range s.stores {
		other := *st
		other.queries = nil
		for _, q := range st.queries {
			about, asked := strings.CutPrefix(q.Text, ruleQuestion)
			if !asked {
				return out, false
			}
			q.Text = fmt.Sprintf(wording, strings.TrimSuffix(about, "?"))
			other.queries = append(other.queries, q)
		}
		out.stores = append(out.stores, &other)
	}
	return out, true
}
