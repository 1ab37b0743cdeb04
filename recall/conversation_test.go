package recall_test

import (
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

func TestUttered(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 14, 3, 0, time.FixedZone("", 3600))
	for _, tt := range []struct {
		u    gitstore.Utterance
		most int
		want string
	}{
		{gitstore.Utterance{Time: at, Who: gitstore.ByPerson, Text: "Why?\n\nReally.\n"}, 0, "2026-03-02 08:14:03Z  person\n    Why?\n    \n    Really."},
		{gitstore.Utterance{Time: at, Who: gitstore.ByAgent, Text: strings.Repeat("x", 50)}, 10, "2026-03-02 08:14:03Z  agent\n    xxxxxxxxx…"},
		{gitstore.Utterance{Who: gitstore.ByCall, Tool: "Read", Text: "{\n\"a\": 1}"}, 0, "                      agent calls Read { \"a\": 1}"},
		{gitstore.Utterance{Time: at, Who: gitstore.ByAnswer, Text: "no\nsuch file", Failed: true}, 0, "2026-03-02 08:14:03Z  a tool failed (12 bytes): no such file"},
		{gitstore.Utterance{Time: at, Who: gitstore.ByContext, Tool: "Stop", Text: "a\x1b[31m\nb"}, 0, "2026-03-02 08:14:03Z  context, added by Stop\n  | a\\u{1b}[31m\n  | b"},
		{gitstore.Utterance{Time: at, Who: gitstore.ByContext, Text: "a"}, 0, "2026-03-02 08:14:03Z  context, added by the client\n  | a"},
		{gitstore.Utterance{Time: at, Who: gitstore.BySummary, Text: "It was long."}, 0, "2026-03-02 08:14:03Z  the client's summary of what came before\n    It was long."},
		{gitstore.Utterance{Time: at, Who: gitstore.ByNote, Text: "[image, 3 bytes, is not kept]"}, 0, "2026-03-02 08:14:03Z  [image, 3 bytes, is not kept]"},
		{gitstore.Utterance{Time: at, Who: "of a later\nversion", Text: "hm"}, 0, "2026-03-02 08:14:03Z  of a later version\n    hm"},
	} {
		if got := recall.Uttered(tt.u, tt.most); got != tt.want {
			t.Errorf("%+v:\n%q\nwant\n%q", tt.u, got, tt.want)
		}
	}
}
