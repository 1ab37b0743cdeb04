package prose

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestSplitKeepsSentencesVerbatim: each case is what a paragraph falls into; joined with
// blanks it is the paragraph again.
func TestSplitKeepsSentencesVerbatim(t *testing.T) {
	for _, tt := range []struct {
		language Lang
		want     []string
	}{
		{English, []string{"Replace `has(\"x\"). then` with `y`, e.g. in main.go.", "It is 3.5 ms faster."}},
		{English, []string{"See [the guide. Part 2](https://a.example/b.c?d=1) first.", "Then go on!"}},
		{English, []string{"We tried v1.2.3 vs. v1.2.4 etc. and saw no change.", "OK?", "Yes."}},
		{English, []string{"ok. let's go with 1 GiB then"}},
		{English, []string{"It said \"No. Never. Stop.\" and left.", "\"It works.\"", "Then it fell over."}},
		{English, []string{"We take option B.", "It is cheaper.", "So do I.", "No. 5 is gone."}},
		{English, []string{"Ask J. Doe and P. Q. Smith.", "We take plan B.", "Redis stays."}},
		{English, []string{"**Use Redis.**", "It is up at 9 a.m. every day (see Fig. 2. It is long.)."}},
		{English, []string{"Well... maybe not.", "The file is `a.b`.", "`go vet` is silent."}},
		{English, []string{"(It was slow. Now it is not.)", "What else?"}},
		{German, []string{"Wir nehmen z. B. Redis bzw. Valkey ab dem 3. Mai.", "Das kostet ca. 5 € im Monat.", "Einverstanden?"}},
		{German, []string{"Der 2. Versuch lief auf Port 80.", "Danach war Schluss, d. h. nichts ging mehr usw.", "Fertig."}},
		{Russian, []string{"Берём Redis, т. е. кэш в памяти, и т. д.", "Это проще.", "Почему?", "См. рис. 2 в main.go."}},
		{French, []string{"Ça marche ?", "Oui, p. ex. avec « Redis. Valkey » aussi !", "Fini."}},
		{Spanish, []string{"¿Lo dejamos en 600?", "Sí, p. ej. con la versión 2.1.", "¡Listo!"}},
	} {
		text := strings.Join(tt.want, " ")
		if tt.want[0] == "ok. let's go with 1 GiB then" {
			tt.want = []string{"ok.", "let's go with 1 GiB then"}
		}
		if got := Split(text, tt.language); !slices.Equal(got, tt.want) {
			t.Errorf("%q is\n%q, want\n%q", text, got, tt.want)
		}
	}
	for text, want := range map[string][]string{
		"根因是连接池耗尽。我们把上限设为 600！可以吗？好的":        {"根因是连接池耗尽。", "我们把上限设为 600！", "可以吗？", "好的"},
		"他说：“不行。”然后改用 Redis 7.2。":            {"他说：“不行。”", "然后改用 Redis 7.2。"},
		"原因は「接続が切れる。」という警告です。`a.b。c` を使います。": {"原因は「接続が切れる。」という警告です。", "`a.b。c` を使います。"},
		"**限制为 600。因为更快。**":                  {"限制为 600。", "因为更快。"},
	} {
		if got := Split(text, Chinese); !slices.Equal(got, want) {
			t.Errorf("%q is\n%q, want\n%q", text, got, want)
		}
	}
}

// A row is what a test says of a sentence.
type row struct{ text, label, heading string }

func TestReadTellsStructure(t *testing.T) {
	const text = "# Login is slow\n\nI measured it: the pool\nhas 5 connections.\n\n" +
		"```go\nx := \"Not. Said.\"\n```\n\n    indented. code\n\n> Quoted. Text\ngoes on\n\n| a. | b. |\n|---|---|\n<details>\n\n" +
		"2026-11-02 10:00:01 ERROR pool. Exhausted.\n\n" +
		"**Decision:** set `max.conns` to 600. It costs 40 MB.\n\n" +
		"**Root cause**\n\nThe pool leaks a connection whenever a request is cancelled, and nothing closes\nIt.\n\n" +
		"What didn't work:\n- Raising the timeout\n- [x] A second pool — too much memory:\n  it took 2 GB\n\n" +
		"## Next\n1. Is the limit enough?\n2. Deploy.\n"
	want := []row{
		{"Login is slow", "", ""},
		{"I measured it: the pool", "I measured it", "login is slow"},
		{"has 5 connections.", "", "login is slow"},
		{"**Decision:** set `max.conns` to 600.", "Decision", "login is slow"},
		{"It costs 40 MB.", "", "login is slow"},
		{"**Root cause**", "", ""},
		{"The pool leaks a connection whenever a request is cancelled, and nothing closes It.", "", "root cause"},
		{"What didn't work:", "", ""},
		{"Raising the timeout", "", "what didn't work"},
		{"A second pool — too much memory:", "", "what didn't work"},
		{"it took 2 GB", "", "what didn't work"},
		{"Next", "", ""},
		{"Is the limit enough?", "", "next"},
		{"Deploy.", "", "next"},
	}
	list := Read(text)
	got := []row{}
	for _, s := range list {
		got = append(got, row{s.Text, s.Label, s.Heading})
	}
	if !slices.Equal(got, want) {
		t.Fatalf("got\n%q\nwant\n%q", got, want)
	}
	if s := list[3]; s.Said != "set `max.conns` to 600." || s.Role() != Decision || list[4].First || list[6].Role() != Conclusion || list[8].Role() != Failure {
		t.Errorf("the label is not taken off, or tells nothing: %+v", s)
	}
	if n := len(list); !list[n-2].Asks || !list[n-1].Closing || !list[n-2].Closing || list[n-3].Closing || list[n-1].Part != Item || list[0].Part != Heading {
		t.Errorf("the closing list is not told: %+v", list[n-3:])
	}
}

func TestLanguages(t *testing.T) {
	for text, want := range map[string]Lang{
		"Let's go with 1 GiB then.": English,
		"ok":                        English,
		"Wir nehmen also 1 GiB, das reicht für den Build.": German,
		"ja, machen wir so": German,
		"On part sur 1 Gio, c'est plus simple que `the cache`.": French,
		"Oui, vas-y.":                       French,
		"Vale, usemos Redis para la caché.": Spanish,
		"Combinado, vamos de Redis. Não precisa de outro banco.": Portuguese,
		"Причина в том, что cache не очищается.":                 Russian,
		"那就用 Redis 吧":                                                              Chinese,
		"把 timeout 改成 30 秒":                                                        Chinese,
		"では Redis で行きましょう。":                                                        Japanese,
		"原因は接続の枯渇です":                                                               Japanese,
		"Redis 7.2":                                                                "",
		"我们决定:用 PostgreSQL SKIP LOCKED":                                            Chinese,
		"решили: PostgreSQL, SKIP LOCKED":                                          Russian,
		"The label 你好 is shown in the header of the page":                          English,
		"O teste falha depois de 30 s.":                                            Portuguese,
		"La prueba falla a los 30 s.":                                              Spanish,
		"C'est l'index qui bloque":                                                 French,
		"```\nthe code is not said\n```\n":                                         "",
		"Der Fehler:\n```\nthe pool is not the one that we have\n```\nDas war es.": German,
	} {
		if got := Language(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestRolesOfHeadings(t *testing.T) {
	for text, want := range map[string]Role{
		"## Decision:": Decision, "🎯 Root cause (2 of 3)": Conclusion, "Entscheidung": Decision, "**根因：**": Conclusion,
		"Что не сработало": Failure, "未決事項": Open, "Próximos pasos": Next, "Contraintes": Constraint,
		"Installation": "", "": "", "The decision that nobody wanted": "",
	} {
		if got := RoleOf(text); got != want {
			t.Errorf("%q announces %q, want %q", text, got, want)
		}
	}
}

// FuzzRead: whatever the text, its sentences are valid, and words of it.
func FuzzRead(f *testing.F) {
	f.Add("**Decision**: \xff\n```\nnever ends\n\n## Constraints\n- 日本語の文。必ず。\n")
	f.Add("(\"'“`` a. b")
	f.Add("1. \n**\n**: x\n- - -\n\u3000")
	f.Fuzz(func(t *testing.T, text string) {
		clean := strings.ToValidUTF8(text, "\ufffd")
		for _, s := range Read(text) {
			if !utf8.ValidString(s.Text) || strings.TrimSpace(s.Text) == "" || !strings.HasSuffix(s.Text, s.Said) {
				t.Errorf("%q: %+v", text, s)
			}
			for w := range strings.FieldsSeq(s.Text) {
				if !strings.Contains(clean, strings.Trim(w, "*_")) && !strings.ContainsFunc(w, wide) {
					t.Errorf("%q holds no %q", text, w)
				}
			}
		}
	})
}

// BenchmarkUnclosed: what nobody closes is not looked for again and again.
func BenchmarkUnclosed(b *testing.B) {
	for _, piece := range []string{"(", "`", "\"a ", "[", "**", "a. ", "「", "- ", "# ", "z. B. "} {
		b.Run(piece, func(b *testing.B) {
			text := strings.Repeat(piece, (16<<10)/len(piece))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Read(text)
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	text := strings.Repeat("I measured `the pool` again (see Fig. 2). It takes 3.5 ms, e.g. on Monday.\n\n- **Note:** Das ist z. B. gut. 好的。\n", 36)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Read(text)
	}
}
