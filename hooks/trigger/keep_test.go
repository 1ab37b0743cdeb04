package trigger

import "testing"

// Who wants something kept does not always say save: it is written down, put on record, must
// not be lost, or the next session has to know it.
func TestRequestsToKeepAreHeard(t *testing.T) {
	for _, s := range []string{
		"Can you keep a record of what came out of the load test?",
		"Would you please document this finding?",
		"I'd love to have everything about the outage preserved.",
		"You really should remember this: the vendor bills in yen.",
		"It must go on record: the pilot ends in March.",
		"nb: the mirror is read-only on weekends",
		"I'd hate to lose all that when the session ends.",
		"I never want to explain this again.",
		"Tell the next session that the mirror is read-only.",
		"Future sessions need to know the mirror is read-only.",
		"Hang on to that for now.",
		"File this away, it will come up in the audit.",
		"Mark this as decided.",
		"That is worth writing down.",
		"Leave a bookmark here, I have a call.",
		"Make sure we find this again in the spring.",
	} {
		if k := Read(s, true).Kind(threshold); k != Explicit {
			t.Errorf("%q: %s", k, s)
		}
	}
	for _, s := range []string{
		"Can you keep the old endpoint?",
		"Would you document the endpoint in the README?",
		"Do you remember what came out of the load test?",
		"The session must survive a restart of the server.",
		"I'd love to have the tests run in parallel.",
		"Hang on, that is not what I meant.",
		"Mark this as draft.",
		"Put the marker on the map.",
		"You should remember to close the file.",
		"Make sure we have the index in place.",
	} {
		if k := Read(s, true).Kind(threshold); k == Explicit {
			t.Errorf("told, though nothing is to be kept: %s", s)
		}
	}
}
