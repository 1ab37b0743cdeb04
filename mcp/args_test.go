package mcp

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/mcp/internal/arg"
	"github.com/git-sage/git-sage/mcp/internal/protocol"
)

func decode(t testing.TB, s string) map[string]any {
	t.Helper()
	values, err := protocol.DecodeAll([]byte(s))
	if err != nil || len(values) != 1 {
		t.Fatalf("%s: %v", s, err)
	}
	m, ok := values[0].(map[string]any)
	if !ok {
		t.Fatalf("%s is no object", s)
	}
	return m
}

var sample = []arg.Param{
	{Name: "thesis", Kind: arg.Text, Required: true},
	{Name: "confidence", Kind: arg.Share},
	{Name: "message_count", Kind: arg.Count},
	{Name: "all", Kind: arg.Flag},
	{Name: "open_questions", Kind: arg.List},
	{Name: "keywords", Kind: arg.List},
	{Name: "action_type", Kind: arg.Text, Words: []string{"decision", "output"}},
	{Name: "sources", Kind: arg.Groups, Lines: true, Group: []arg.Param{{Name: "id", Kind: arg.Text, Required: true}, {Name: "take", Kind: arg.Text}, {Name: "tags", Kind: arg.List}}},
	{Name: "notes", Kind: arg.Groups, Lines: true, Group: []arg.Param{{Name: "content", Kind: arg.Text}}},
	{Name: "fields", Kind: arg.Free},
	{Name: "limit", Kind: arg.Count, Otherwise: 10},
	{Name: "value", Kind: arg.Value},
	{Name: "lines", Kind: arg.Lines},
}

func TestWrongArgumentsAreNamed(t *testing.T) {
	for _, tt := range []struct{ given, want string }{
		{`{}`, `thesis: is required`},
		{`{"thesis":null}`, `thesis: is required`},
		{`{"thesis":[1]}`, `thesis: must be text, got a list`},
		{`{"thesis":true}`, `thesis: must be text, got true`},
		{`{"thesis":"t","value":{"a":1}}`, `value: must be text, a number, true or false, or a list of texts, got a mapping`},
		{`{"thesis":"t","value":["a",1]}`, `value: must be text, a number, true or false, or a list of texts, got a list`},
		{`{"thesis":"t","confidence":"high"}`, `confidence: must be a number from 0 to 1, got "high"`},
		{`{"thesis":"t","confidence":80}`, `confidence: must be a number from 0 to 1, got 80`},
		{`{"thesis":"t","confidence":-0.1}`, `confidence: must be a number from 0 to 1, got -0.1`},
		{`{"thesis":"t","confidence":"NaN"}`, `confidence: must be a number from 0 to 1, got "NaN"`},
		{`{"thesis":"t","confidence":true}`, `confidence: must be a number from 0 to 1, got true`},
		{`{"thesis":"t","message_count":1.5}`, `message_count: must be a whole number from 0, got 1.5`},
		{`{"thesis":"t","message_count":-1}`, `message_count: must be a whole number from 0, got -1`},
		{`{"thesis":"t","message_count":9007199254740993}`, `message_count: must be a whole number from 0, got 9007199254740993`},
		{`{"thesis":"t","all":"maybe"}`, `all: must be true or false, got "maybe"`},
		{`{"thesis":"t","open_questions":true}`, `open_questions: must be a list of texts, got true`},
		{`{"thesis":"t","lines":[1,2,3]}`, `lines: must be lines such as 10-20, got a list`},
		{`{"thesis":"t","message_count":"4,00"}`, `message_count: must be a whole number from 0, got "4,00"`},
		{`{"thesis":"t","confidence":"180%"}`, `confidence: must be a number from 0 to 1, got "180%"`},
		{`{"thesis":"t","message_count":"8%"}`, `message_count: must be a whole number from 0, got "8%"`},
		{`{"thesis":"t","fields":"a=b","all":2}`, "all: must be true or false, got 2\nfields: must be a mapping, got \"a=b\""},
		{`{"thesis":"t","open_questions":{"a":1}}`, `open_questions: must be a list of texts, got a mapping`},
		{`{"thesis":"t","open_questions":["a",{"b":1}]}`, `open_questions[1]: must be text, got a mapping`},
		{`{"thesis":"t","action_type":"ponder"}`, `action_type: must be one of decision, output, got "ponder"`},
		{`{"thesis":"t","sources":[3]}`, `sources[0]: must be a mapping of id, take, tags, got 3`},
		{`{"thesis":"t","sources":[{"take":"x","tags":true}]}`, "sources[0].tags: must be a list of texts, got true\nsources[0].id: is required"},
		{`{"thesis":"t","sources":[{"id":"a","tke":"x"}]}`, `sources[0].tke: unknown argument; did you mean "take"?`},
		{`{"thesis":"t","fields":"a=b"}`, `fields: must be a mapping, got "a=b"`},
		{`{"thesis":"t","open-question":[]}`, `open-question: unknown argument; did you mean "open_questions"?`},
		{`{"thesis":"t","Confidence":1}`, `Confidence: unknown argument; did you mean "confidence"?`},
		{`{"thesis":"t","zzzzzzzzzzzz":1}`, `zzzzzzzzzzzz: unknown argument; there are: thesis, confidence, message_count, all, open_questions, keywords, action_type, sources, notes, fields, limit, value, lines`},
		{`{"confidence":"x","all":3}`, "all: must be true or false, got 3\nconfidence: must be a number from 0 to 1, got \"x\"\nthesis: is required"},
	} {
		_, err := arg.Check(sample, decode(t, tt.given))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s:\n got %v\nwant %s", tt.given, err, tt.want)
		}
	}
}

func TestOtherShapesAreUnderstood(t *testing.T) {
	for _, tt := range []struct{ given, want string }{
		{`{"thesis":"t"}`, `{"thesis":"t","limit":10}`},
		{`{"thesis":7}`, `{"thesis":"7","limit":10}`},
		{`{"thesis":"t","limit":"3","confidence":"0.8","all":"True"}`, `{"thesis":"t","limit":3,"confidence":0.8,"all":true}`},
		{`{"thesis":"t","limit":3.0,"confidence":1,"all":null}`, `{"thesis":"t","limit":3,"confidence":1}`},
		{`{"thesis":"t","open_questions":"why?"}`, `{"thesis":"t","limit":10,"open_questions":["why?"]}`},
		{`{"thesis":"t","open_questions":[]}`, `{"thesis":"t","limit":10,"open_questions":[]}`},
		{`{"thesis":"t","open_questions":"","confidence":"","all":"null","fields":" ","action_type":"","sources":"","limit":"null"}`, `{"thesis":"t","limit":10}`},
		{`{"thesis":"t","message_count":"4,000","lines":[10,20]}`, `{"thesis":"t","limit":10,"message_count":4000,"lines":"10-20"}`},
		{`{"thesis":"t","lines":"[7]"}`, `{"thesis":"t","limit":10,"lines":"7"}`},
		{`{"thesis":"t","lines":7}`, `{"thesis":"t","limit":10,"lines":"7"}`},
		{`{"thesis":"t","confidence":"80%","all":1}`, `{"thesis":"t","limit":10,"confidence":0.8,"all":true}`},
		{`{"thesis":"t","keywords":"staging, database\ncron"}`, `{"thesis":"t","limit":10,"keywords":["staging","database","cron"]}`},
		{`{"thesis":"t","keywords":["a, b",""]}`, `{"thesis":"t","limit":10,"keywords":["a, b"]}`},
		{`{"thesis":"t","open_questions":"why, and how?\nwhen?"}`, `{"thesis":"t","limit":10,"open_questions":["why, and how?","when?"]}`},
		{`{"thesis":"t","open_questions":7}`, `{"thesis":"t","limit":10,"open_questions":["7"]}`},
		{`{"thesis":"t","sources":["RFC 6749","{\"id\":\"a\"}",""]}`, `{"thesis":"t","limit":10,"sources":["RFC 6749",{"id":"a"}]}`},
		{`{"thesis":"t","sources":"- RFC 6749\n- blog: x"}`, `{"thesis":"t","limit":10,"sources":["RFC 6749","blog: x"]}`},
		{`{"thesis":"t","open_questions":"[\"a\", \"b\"]"}`, `{"thesis":"t","limit":10,"open_questions":["a","b"]}`},
		{`{"thesis":"t","open_questions":"[not json"}`, `{"thesis":"t","limit":10,"open_questions":["[not json"]}`},
		{`{"thesis":"t","open_questions":"- a\n- b"}`, `{"thesis":"t","limit":10,"open_questions":["a","b"]}`},
		{`{"thesis":"t","open_questions":"a\n- b"}`, `{"thesis":"t","limit":10,"open_questions":["a","b"]}`},
		{`{"thesis":"t","open_questions":["a",null,2]}`, `{"thesis":"t","limit":10,"open_questions":["a","2"]}`},
		{`{"thesis":"t","action_type":" Decision"}`, `{"thesis":"t","limit":10,"action_type":"decision"}`},
		{`{"thesis":"t","sources":{"id":"a"}}`, `{"thesis":"t","limit":10,"sources":[{"id":"a"}]}`},
		{`{"thesis":"t","sources":"[{\"id\":\"a\",\"tags\":\"x\"}]"}`, `{"thesis":"t","limit":10,"sources":[{"id":"a","tags":["x"]}]}`},
		{`{"thesis":"t","notes":["found"]}`, `{"thesis":"t","limit":10,"notes":["found"]}`},
		{`{"thesis":"t","fields":"{\"a\":{\"b\":[1]}}"}`, `{"thesis":"t","limit":10,"fields":{"a":{"b":[1]}}}`},
	} {
		got, err := arg.Check(sample, decode(t, tt.given))
		if err != nil {
			t.Errorf("%s: %v", tt.given, err)
			continue
		}
		b, _ := json.Marshal(got)
		if d := cmp.Diff(decode(t, tt.want), decode(t, string(b))); d != "" {
			t.Errorf("%s: %s", tt.given, d)
		}
	}
}

// FuzzArgs: whatever is given, what comes out is taken again as it is.
func FuzzArgs(f *testing.F) {
	for _, s := range []string{
		`{"thesis":"t","confidence":"0.8","open_questions":"- a\n- b"}`, `{"sources":"[{\"id\":1}]"}`, `{"thesis":{},"x":1}`,
		`{"thesis":"t","fields":"{\"a\":1}","all":"1"}`, `{"thesis":"t","open_questions":["- [","[]"],"notes":"{\"content\":\"[]\"}"}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		values, err := protocol.DecodeAll([]byte(s))
		if err != nil || len(values) != 1 {
			return
		}
		m, ok := values[0].(map[string]any)
		if !ok {
			return
		}
		once, err := arg.Check(sample, m)
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Error("an error without words")
			}
			return
		}
		b, err := json.Marshal(once)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := arg.Check(sample, decode(t, string(b)))
		if err != nil {
			t.Fatalf("%s is refused: %v", b, err)
		}
		again, _ := json.Marshal(twice)
		if !reflect.DeepEqual(decode(t, string(again)), decode(t, string(b))) {
			t.Errorf("%s became %s", b, again)
		}
	})
}

// FuzzRead: any line is taken apart without a panic, and what is answered is
// one line of JSON with an id or null.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `[]`, `{"id":1,"id":2}`, "{\"a\":\"\xff\"}", `{} {}`, `{"jsonrpc":"2.0","id":"\ud800","method":"x"}`, `nul`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		requests, answers := protocol.Read(line)
		for _, r := range requests {
			if r.Method == "" {
				t.Error("a request without a method")
			}
		}
		for _, a := range answers {
			b, err := json.Marshal(a)
			if err != nil || strings.Contains(string(b), "\n") || a.Error == nil || len(a.ID) == 0 {
				t.Errorf("bad answer %s: %v", b, err)
			}
		}
	})
}
