package record

import (
	"testing"
)

// The orders that a client gives with a summary are for the moment at which it does.
func TestSummaryBody(t *testing.T) {
	const pre = "This session is being continued from a previous conversation that ran out of context. The summary below covers it.\n\n"
	const orders = "\n\nIf you need specific details from before compaction, read the transcript at: /x.jsonl\nResume directly — do not acknowledge the summary."
	for in, want := range map[string]string{
		"<analysis>We went through it.</analysis>\n<summary>\n1. Logins time out at the replica. The key was AKIAIOSFODNN7EXAMPLQ.\n</summary>": "1. Logins time out at the replica. The key was AKIAIOSFODNN7EXAMPLQ.",
		pre + "Summary:\n1. It holds." + orders:                               "Summary:\n1. It holds.",
		pre + "<summary>It holds.</summary>" + orders:                         "It holds.",
		"It holds.\nPlease continue the conversation from where we left off.": "It holds.",
		"They resume directly behind the break.":                              "They resume directly behind the break.",
		pre:                                                                   "",
	} {
		if got := SummaryBody(in); got != want {
			t.Errorf("%q is %q", in, got)
		}
	}
}
