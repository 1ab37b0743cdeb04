package cli

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
)

// askServed runs a command in a repository with one item, with a model behind HTTP.
func askServed(t *testing.T, h http.HandlerFunc, in string, args ...string) (out, said string, status int) {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	root := t.TempDir()
	if err := os.MkdirAll(root+"/home", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(root+"/repo", 0o700); err != nil {
		t.Fatal(err)
	}
	sh(t, root, "git config --global user.name Ada; git config --global user.email ada@example.org; git init -q -b main")
	if out, status := runIn(root, "", "remember", "The staging database is emptied every Sunday night.", "--id", "staging-wipe"); status != 0 {
		t.Fatal(out)
	}
	var stdout, stderr bytes.Buffer
	a := apptest.New(root)
	a.In, a.Out, a.Err = strings.NewReader(in), &stdout, &stderr
	a.Env = append(a.Env, "ANTHROPIC_API_KEY=sk-very-secret-0123456789", "ANTHROPIC_BASE_URL="+srv.URL, "SAGE_ASK_MODEL=m")
	status = run(a, args)
	return stdout.String(), stderr.String(), status
}

func sayEvents(w http.ResponseWriter, texts ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, text := range texts {
		fmt.Fprintf(w, "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":%q}}\n\n", text)
	}
	_, _ = io.WriteString(w, "data: {\"type\":\"message_delta\",\"delta\":{},\"usage\":{\"output_tokens\":3}}\n\ndata: {\"type\":\"message_stop\"}\n\n")
}

// An answer over HTTP has its sources; what is wrong is one line, and one of what to type, and
// an answer that broke off is shown as far as it came.
func TestAskOverHTTP(t *testing.T) {
	question := []string{"ask", "why is the staging database empty?"}
	out, said, status := askServed(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if r.URL.Path != "/v1/messages" || r.Header.Get("x-api-key") == "" || !bytes.Contains(b, []byte("[item:staging-wipe]")) {
			t.Errorf("%s %s", r.URL.Path, b)
		}
		sayEvents(w, "Sundays [item:", "staging-wipe].")
	}, "", question...)
	if status != 0 || out != "Sundays [item:staging-wipe].\n\nSources:\n  item:staging-wipe  The staging database is emptied every Sunday night.\n" || !strings.Contains(said, "0 tokens in, 3 out (m)") {
		t.Errorf("%d\n%s\n%s", status, out, said)
	}
	fails := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "900")
			w.WriteHeader(code)
		}
	}
	for _, tt := range []struct {
		what, out, said, hint string
		h                     http.HandlerFunc
	}{
		{"a wrong key", "", "401 Unauthorized", "hint: 'git sage config set ask_key_env <variable>'", fails(401)},
		{"too many", "", "429 Too Many Requests", "hint: run the command again in 15m0s", fails(429)},
		{"overloaded", "", "529", "hint: run the command again in 15m0s", fails(529)},
		{"broken off", "Sun\n", "the answer broke off", "hint: run the command again", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"Sun\"}}\n\n")
		}},
	} {
		out, said, status := askServed(t, tt.h, "", question...)
		if status != 128 || out != tt.out || strings.Count(said, "fatal: ") != 1 || !strings.Contains(said, tt.said) || !strings.HasSuffix(strings.TrimSpace(said), tt.hint) || strings.Contains(said, "very-secret") {
			t.Errorf("%s: %d\n%s\n%s", tt.what, status, out, said)
		}
	}
}

// A conversation in a pipe: what was sent is not sent again, a checkpoint is saved when it is
// confirmed, an error does not end it, and a file that is there is not overwritten.
func TestChat(t *testing.T) {
	n := 0
	out, said, status := askServed(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		switch n++; {
		case bytes.Contains(b, []byte("Propose a checkpoint")):
			sayEvents(w, `Here: {"thesis":"Staging is emptied on Sundays.","key_evidence":["the item says so"],"confidence":0.9}`)
		case bytes.Contains(b, []byte("fail now")):
			w.WriteHeader(401)
		default:
			if got := bytes.Count(b, []byte("## [item:staging-wipe]")); got != 1 {
				t.Errorf("request %d has the item %d times: %s", n, got, b)
			}
			sayEvents(w, fmt.Sprintf("Answer %d [item:staging-wipe].", n))
		}
	}, "why is the staging database empty?\nand what of the staging database on Mondays?\n/context\n/recall staging database\n/knowledge\nfail now\n/export ../talk.md\n/export ../talk.md\n/checkpoint\nno\n/checkpoint\nyes\n/restore\n/nonsense\n/clear\n/context\n/help\n/quit\nnever asked\n", "chat")
	if status != 128 { // of what failed
		t.Fatalf("%d\n%s\n%s", status, out, said)
	}
	for _, want := range []string{
		"Answer 1 [item:staging-wipe].\n\nSources:\n", "Answer 2 [item:staging-wipe].", "4 turns with 1 source, about ", "\nitem:staging-wipe  The staging", "\nstaging-wipe  The staging",
		"Thesis: Staging is emptied on Sundays.\nEvidence: the item says so\nConfidence: 90%\n", "[main ", "## Conclusion (confidence: 90%)\nStaging is emptied", "0 turns with 0 sources", "/quit             end",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, want := range []string{"401 Unauthorized", "wrote 4 turns to '../talk.md'", "file exists", "not saved", "no command '/nonsense'", "forgot the conversation"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	if strings.Count(out, "[main ") != 1 || n != 5 {
		t.Errorf("%d requests\n%s", n, out)
	}
}
