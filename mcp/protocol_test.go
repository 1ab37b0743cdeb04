package mcp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/mcp/internal/protocol"
	"github.com/git-sage/git-sage/mcp/internal/server"
)

// TestServerSurvivesAnyLine: whatever comes in is answered with errors that
// have these codes and ids, and the next request is served.
func TestServerSurvivesAnyLine(t *testing.T) {
	k := open(t, Options{Open: closed})
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	call := func(args string) string {
		return `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"sage_version","arguments":` + args + `}}`
	}
	for _, tt := range []struct {
		name, line string
		want       []string
	}{
		{"plain text", "hello", []string{"-32700 <nil>"}},
		{"unclosed brace", `{"jsonrpc":"2.0","id":7,"method":"ping"`, []string{"-32700 <nil>"}},
		{"trailing comma", `{"jsonrpc":"2.0","id":7,"method":"ping",}`, []string{"-32700 <nil>"}},
		{"raw NUL", "\x00", []string{"-32700 <nil>"}},
		{"NUL in a message", "{\"jsonrpc\":\"2.0\",\x00\"id\":7,\"method\":\"ping\"}", []string{"-32700 <nil>"}},
		{"two messages", `{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":"b","method":"ping"}`, []string{"-32600 1", "-32600 b"}},
		{"a message and garbage", `{"jsonrpc":"2.0","id":1,"method":"ping"} x`, []string{"-32700 <nil>"}},
		{"old version", `{"jsonrpc":"1.0","id":3,"method":"ping"}`, []string{"-32600 3"}},
		{"no version", `{"id":3,"method":"ping"}`, []string{"-32600 3"}},
		{"id is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, []string{"-32600 <nil>"}},
		{"id is a fraction", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, []string{"-32600 <nil>"}},
		{"id is null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, []string{"-32600 <nil>"}},
		{"id is huge", `{"jsonrpc":"2.0","id":1e400,"method":"ping"}`, []string{"-32600 <nil>"}},
		{"id beyond 2^53", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, []string{"-32600 <nil>"}},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, []string{"-32600 <nil>"}},
		{"number", `12`, []string{"-32600 <nil>"}},
		{"METHOD", `{"jsonrpc":"2.0","id":4,"METHOD":"ping"}`, []string{"-32600 4"}},
		{"key twice", `{"jsonrpc":"2.0","id":5,"method":"ping","method":"tools/list"}`, []string{"-32600 5"}},
		{"argument twice", call(`{"a":1,"a":2}`), []string{"-32600 x"}},
		{"nested deeply", `{"jsonrpc":"2.0","id":6,"method":"ping","params":{"a":` + deep + `}}`, []string{"-32700 <nil>"}},
		{"params is a list", `{"jsonrpc":"2.0","id":6,"method":"ping","params":[1]}`, []string{"-32602 6"}},
		{"no UTF-8", call("{\"a\":\"\xff\"}"), []string{"-32602 x"}},
		{"half a character", call(`{"a":"\ud800"}`), []string{"-32602 x"}},
		{"the other half", call(`{"a":"\udc00\ud800"}`), []string{"-32602 x"}},
		{"escaped NUL", call(`{"a":"\u0000"}`), []string{"-32602 x"}},
		{"unknown method", `{"jsonrpc":"2.0","id":6,"method":"completion/complete"}`, []string{"-32601 6"}},
		{"unknown tool", `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"sage_rm"}}`, []string{"-32602 6"}},
		{"no tool", `{"jsonrpc":"2.0","id":6,"method":"tools/call"}`, []string{"-32602 6"}},
		{"arguments are a list", call(`[]`), []string{"-32602 x"}},
		{"empty line", "", nil},
		{"blank line", " \t\r", nil},
		{"notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil},
		{"unknown notification", `{"jsonrpc":"2.0","method":"notifications/other","params":{"a":"\ud800"}}`, nil},
		{"stray answer", `{"jsonrpc":"2.0","id":6,"result":{}}`, nil},
		{"cancel of nothing", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`, nil},
		{"too long", strings.Repeat("x", protocol.MaxLine+1), []string{"-32600 <nil>"}},
		{"much too long", strings.Repeat("x", 3*protocol.MaxLine), []string{"-32600 <nil>"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k.t = t
			k.send(tt.line)
			var got []string
			for range tt.want {
				r := k.next()
				if r.Error == nil || r.Error.Message == "" {
					t.Fatalf("no error but %+v", r)
				}
				got = append(got, fmt.Sprint(r.Error.Code, " ", r.ID))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
			alive(k)
		})
	}
}

// TestSurrogatePairIsText: two halves in order are one character.
func TestSurrogatePairIsText(t *testing.T) {
	for line, bad := range map[string]bool{
		`"\ud83d\ude00"`: false, `"\\ud800"`: false, `"\\\ud800"`: true, `"\ud83d\ud83d\ude00"`: true, `"\u00e9\n"`: false,
	} {
		if err := protocol.CheckText([]byte(line)); (err != nil) != bad {
			t.Errorf("checkText(%s) = %v", line, err)
		}
	}
}

func TestVersionsAreNegotiated(t *testing.T) {
	for asked, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "banana": "2025-11-25", "": "2025-03-26",
	} {
		k := open(t, Options{Open: closed})
		params := map[string]any{"protocolVersion": asked, "clientInfo": map[string]any{"name": "test", "version": "1"}, "capabilities": map[string]any{}}
		for range 2 { // a second handshake does no harm
			r := k.ask("initialize", params)
			if got := r.Result["protocolVersion"]; got != want {
				t.Errorf("asked for %q, got %v, want %s", asked, got, want)
			}
			if r.Result["instructions"] != server.Instructions {
				t.Error("no instructions")
			}
		}
		alive(k)
	}
}

func modern(version string, extra map[string]any) map[string]any {
	p := map[string]any{"_meta": map[string]any{
		"io.modelcontextprotocol/protocolVersion":    version,
		"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "test", "version": "1"},
		"io.modelcontextprotocol/clientCapabilities": map[string]any{},
	}}
	for k, v := range extra {
		p[k] = v
	}
	return p
}

func TestModernProtocolNeedsNoHandshake(t *testing.T) {
	const v = "2026-07-28"
	k := open(t, Options{Open: closed})
	r := k.ask("server/discover", modern(v, nil))
	want := []any{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
	if d := cmp.Diff(want, r.Result["supportedVersions"]); d != "" {
		t.Error(d)
	}
	for _, r := range []reply{r, k.ask("tools/list", modern(v, nil)), k.ask("resources/templates/list", modern(v, nil))} {
		if r.Result["ttlMs"] != 0.0 || r.Result["cacheScope"] != "private" || r.Result["resultType"] != "complete" || r.Result["_meta"] == nil {
			t.Errorf("result lacks what 2026-07-28 wants: %v", r.Result)
		}
	}
	r = k.ask("tools/call", modern(v, map[string]any{"name": "sage_version"}))
	if r.Error != nil || r.Result["resultType"] != "complete" {
		t.Errorf("tools/call: %+v", r)
	}
	k.send(`{"jsonrpc":"2.0","id":"sub","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	if n := k.next(); n.Method != "notifications/subscriptions/acknowledged" {
		t.Errorf("no acknowledgement but %+v", n)
	}
	if r := k.next(); r.ID != "sub" || r.Error != nil {
		t.Errorf("subscription: %+v", r)
	}
	for _, tt := range []struct {
		method string
		params map[string]any
		code   int
	}{
		{"initialize", modern(v, nil), -32601},
		{"ping", modern(v, nil), -32601},
		{"tools/list", modern("2027-01-01", nil), -32022},
		{"tools/list", map[string]any{"_meta": map[string]any{"io.modelcontextprotocol/protocolVersion": v}}, -32602},
		{"tools/list", map[string]any{"_meta": 3}, -32602},
		{"server/discover", nil, -32601}, // without a handshake there is nothing to discover
	} {
		if r := k.ask(tt.method, tt.params); r.Error == nil || r.Error.Code != tt.code {
			t.Errorf("%s %v: %+v, want %d", tt.method, tt.params, r, tt.code)
		}
	}
}
