package propose

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/validate"
)

var update = flag.Bool("update", false, "write what is proposed into testdata")

// TestPropose holds what real-looking texts suggest against what a person would keep of
// them, which stands beside them.
func TestPropose(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.md")
	if len(files) < 4 {
		t.Fatalf("only %d texts", len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := printed(From(string(text)))
		golden := strings.TrimSuffix(file, ".md") + ".want"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil || got != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
		}
	}
}

func printed(list []Proposal) string {
	var b strings.Builder
	for _, p := range list {
		it := p.Item
		fmt.Fprintf(&b, "%s %s [%s]\n", p.Why, it.ID, strings.Join(it.Keywords, ", "))
		for _, f := range [][2]string{{"approach", it.Approach}, {"why_failed", it.WhyFailed}, {"learned", it.Learned}, {"content", it.Content}} {
			if f[1] != "" {
				fmt.Fprintf(&b, "  %s: %s\n", f[0], f[1])
			}
		}
	}
	return b.String()
}

// FuzzPropose makes sure that what is proposed can be kept, whatever the text.
func FuzzPropose(f *testing.F) {
	f.Add("We decided to use Redis. It must never hold sessions.\n\n- tried X, but it failed")
	f.Add("**Decision**: \xff\n```\nnever ends\n\n## Constraints\n- 日本語の文。必ず。\n")
	f.Add("Root cause: " + strings.Repeat("é", 700))
	f.Fuzz(func(t *testing.T, text string) {
		seen := map[string]bool{}
		for _, p := range From(text) {
			if err := validate.Item(&p.Item); err != nil {
				t.Errorf("%q: %v", text, err)
			}
			if seen[p.Item.ID] || !utf8.ValidString(p.Item.Text()) {
				t.Errorf("%q: id %q twice, or no UTF-8", text, p.Item.ID)
			}
			seen[p.Item.ID] = true
		}
	})
}

func TestProposeFromCheckpoint(t *testing.T) {
	c := &sage.Checkpoint{
		ID: "0123456789abcdef", Thesis: "Tokens rotate hourly", Skill: "auth", Trigger: sage.ConstraintDiscovered,
		KeyEvidence:         []string{"RFC 9700 asks for it", "We tried daily rotation, but a leaked token lived too long."},
		ReasoningTrace:      "The key store cannot hold more than 50 keys because of the HSM. Perhaps that will change.",
		UniqueContributions: []sage.Contribution{{Type: "discovery", Content: "The HSM drops the oldest key silently"}},
	}
	got := printed(FromCheckpoint(c))
	want := `constraint tokens-rotate-hourly [rfc]
  content: Tokens rotate hourly

- RFC 9700 asks for it
- We tried daily rotation, but a leaked token lived too long.
conclusion hsm-drops-oldest-key-silently [hsm]
  content: The HSM drops the oldest key silently
constraint key-store-cannot-hold-50-keys [hsm, key store]
  content: The key store cannot hold more than 50 keys because of the HSM.
failure daily-rotation []
  approach: Daily rotation
  why_failed: A leaked token lived too long
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, p := range FromCheckpoint(c) {
		if p.Item.Source != "checkpoint 01234567" || len(p.Item.Scope.Skills) != 1 {
			t.Errorf("%s is from %q, of %q", p.Item.ID, p.Item.Source, p.Item.Scope.Skills)
		}
	}
}

func TestIDOf(t *testing.T) {
	for title, want := range map[string]string{
		"The staging database is wiped every Sunday": "staging-database-wiped-every-sunday",
		"Do not use Redis for sessions":              "not-use-redis-sessions",
		"Größe der Köpfe":                            "groesse-der-koepfe",
		"Müller":                                     "mueller",
		"Un pingüino duerme en la nave y no come":    "un-pinguino-duerme-en-la-nave",
		"日本語":                                        "",
		"The":                                        "the",
		"con":                                        "",
		"...":                                        "",
		strings.Repeat("x", 300):                     strings.Repeat("x", 48),
		"Don't log `auth_token` in internal/auth.go!": "dont-log-auth-token-internal-auth",
	} {
		if got := IDOf(title); got != want {
			t.Errorf("IDOf(%q) = %q, want %q", title, got, want)
		}
	}
}

// TestDecisionsAreSaidOutright: a decision in the middle of a paragraph is its own
// sentence, without its label and without what stands around it.
func TestDecisionsAreSaidOutright(t *testing.T) {
	const reason = ", because it beats LRU by 9 points on a week of our traces."
	for text, want := range map[string]string{
		"I read both traces. Decision: we ship ARC instead of LRU" + reason + " The price is a ghost list whose memory use nobody has measured yet. So the conclusion is that ARC is the better policy for this service.": "We ship ARC instead of LRU" + reason,
		"Decision: we ship ARC instead of LRU" + reason + " The price is a ghost list.":               "We ship ARC instead of LRU" + reason,
		"Both were read. So we go with ARC for the API" + reason + " Nobody has measured its memory.": "So we go with ARC for the API" + reason,
		"The traces are read. **Conclusion:** ARC is the better policy here.":                         "ARC is the better policy here.",
		"We ship a Docker image every night. The root cause is the pool.":                             "",
		"Should we go with ARC instead of LRU? It might be better because of scans.":                  "",
	} {
		got := ""
		for _, p := range From(text) {
			if p.Decides != "" && got == "" {
				got = p.Decides
			}
			if strings.Contains(p.Item.Content, "nobody has measured yet. So the") {
				t.Errorf("%q holds what stands before it", p.Item.Content)
			}
		}
		if got != want {
			t.Errorf("%q decides %q", text, got)
		}
	}
}

// TestSentencesInAnyLanguage: what is decided, limits and fails is told verbatim, with its code,
// whatever the language; guesses and steps are not.
func TestSentencesInAnyLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"let's go with `mem: 1 GiB` then":                              conclusion,
		"**Entscheidung:** Das Limit `max` steigt auf 600.":            conclusion,
		"Es liegt an der Sortierung, z. B. bei `ORDER BY name`.":       conclusion,
		"Der Anbieter erlaubt höchstens 10 Anfragen pro Sekunde.":      Constraint,
		"Das könnte an der Sortierung liegen, ich prüfe das.":          "",
		"On part sur 1 Gio pour le cache, c'est plus simple.":          conclusion,
		"Nos quedamos con Postgres, Mongo queda descartado.":           conclusion,
		"Isso explica os 502: o proxy desiste depois de 60 segundos.":  conclusion,
		"Причина в миграции: она ждёт блокировку `orders`.":            conclusion,
		"根因是连接池耗尽，`max` 只有 5。":                                         conclusion,
		"原因は照合順序でした。新しいサーバーは ICU を使います。":                               conclusion,
		"Ich habe die drei Aufrufstellen angepasst, die Tests laufen.": "",
		"我先找原因，再动代码，然后跑测试。":                                            "",
	} {
		list := Sentences(text)
		if len(list) == 0 || list[0].Why != want {
			t.Errorf("%q is %+v, want %q", text, list, want)
		}
		if len(list) > 0 && !strings.HasSuffix(strings.ToLower(text), strings.ToLower(list[len(list)-1].Text)) {
			t.Errorf("%q is told as %q", text, list[len(list)-1].Text)
		}
	}
}
