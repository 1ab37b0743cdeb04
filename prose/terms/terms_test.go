package terms_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/git-sage/git-sage/prose/terms"
)

func TestOf(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "",
		"The deployments were failing":           "deploy fail",
		"It's the user's tokens, isn't it?":      "user token",
		"parseHTTPHeader":                        "parsehttphead pars http header",
		"GitHub github":                          "github git hub github",
		"auth_token and _private":                "auth_token auth token privat",
		"see src/auth/jwtToken.go.":              "see src/auth/jwttoken.go src auth jwttoken jwt token go",
		"os.path, node.js":                       "os.path os path node.js node js",
		"10,000 rows in 3.14 s at 10:30, v1.2.3": "10000 row 3.14 10:30 v1.2.3 v1 2 3",
		"C++, C# and g++ are not C":              "c++ c# g++ c",
		"Café ＮＡÏＶＥ":                             "cafe naiv",
		"数据库很慢":                                  "数据 据库 库很 很慢",
		"用 redis 缓存":                             "用 redi 缓存",
		"データベース ภาษา":                            "デー ータ タベ ベー ース ภา าษ ษา",
		"Привет, мир":                            "привет мир",
		"me@example.com":                         "me@example.com exampl com",
		`C:\Users\ann`:                           `c users\ann user ann`,
		"30 seconds, 30s":                        "30 second 30s",
		"🚀 \xff\x00 ok":                          "ok",
		"well-known don’t":                       "well known",
		strings.Repeat("x", 300):                 strings.Repeat("x", 64),
	} {
		if got := strings.Join(terms.Of(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What is inflected meets its other forms: by script in Russian, else by the language of
// the text. A question has as many terms in each.
func TestStemsAreOfALanguage(t *testing.T) {
	for _, x := range []struct {
		in        terms.Lang
		one, many string
	}{
		{"", "deployment", "deployments"}, {"", "миграция", "миграции"}, {"de", "Datenbank", "Datenbanken"}, {"de", "Straße", "Strassen"},
		{"es", "migración", "migraciones"}, {"fr", "sauvegarde", "sauvegardes"}, {"pt", "servidor", "servidores"},
	} {
		one, many := terms.Asked(x.one, x.in), terms.Indexed(x.many, x.in)
		if len(one) != 1 || !slices.Equal(one, many) {
			t.Errorf("%s: %q and %q", x.in, one, many)
		}
		if one, many := terms.KeyPhrase(terms.Words(x.one), x.in), terms.KeyPhrase(terms.Words(x.many), x.in); one != many {
			t.Errorf("%s: keywords %q and %q", x.in, one, many)
		}
		for _, in := range terms.Languages {
			if text := "wer leert die Datenbanken of src/auth/jwtToken.go для миграции 登录"; len(terms.Asked(text, in)) != len(terms.Asked(text, "")) {
				t.Errorf("%s: %q", in, terms.Asked(text, in))
			}
		}
	}
	for _, apart := range [][2]string{{"staging", "stage"}, {"class", "clas"}, {"status", "statu"}, {"news", "newish"}} {
		if terms.KeyWord(apart[0], "") == terms.KeyWord(apart[1], "") {
			t.Errorf("keyword %q is found as %q", apart[0], apart[1])
		}
	}
}

func TestAskedIsWhatAQuestionIsAbout(t *testing.T) {
	for text, want := range map[string]string{
		"登录为什么慢":                  "登录 慢",
		"为什么登录这么慢？":               "登录 慢",
		"如何部署到生产环境":               "部署 署到 到生 生产 产环 环境",
		"目的是什么":                   "目的",
		"这是为什么？":                  "",
		"資料庫為什麼失敗":                "資料 料庫 失敗",
		"用 redis 做缓存吗":            "用 redi 做缓 缓存",
		"ログインはなぜ遅い？":              "ログ グイ イン 遅",
		"キャッシュを使っていますか":           "キャ ャッ ッシ シュ 使",
		"ひらがな":                    "ひら らが がな",
		"なぜ":                      "",
		"로그인이 왜 느려요?":             "로그 그인 인이 왜 느려 려요",
		"ทำไม":                    "ทํ ํา าไ ไม",
		"why is the parser slow?": "parser slow",
	} {
		asked := terms.Asked(text, "")
		if got := strings.Join(asked, " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestPhrase(t *testing.T) {
	for text, want := range map[string]string{
		"The CI/CD pipeline":    "the ci cd pipeline",
		"deploys":               "deploys",
		"C++":                   "c++",
		"auth_token's":          "auth_token",
		"数据库":                   "数 据 库",
		"  staging-wipe,Café  ": "staging wipe cafe",
		"!?":                    "",
	} {
		if got := terms.Phrase(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzOf holds any text to terms that are short, of whole letters and never empty,
// and to phrases that are their own.
func FuzzOf(f *testing.F) {
	for _, s := range []string{"", "plain words", "aB_c.d/E", "数据a库", "\xff\xfe", "C++#", "don’t", "ภาษา", "İstanbul ǅ ß"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all := terms.Of(text)
		indexed := terms.Indexed(text, "")
		for _, w := range terms.Asked(text, "") {
			if !slices.Contains(indexed, w) {
				t.Errorf("%q: asks for %q, which no document of it has: %q", text, w, indexed)
			}
		}
		for i, w := range append(all, terms.Words(text)...) {
			if w == "" || i < len(all) && len(w) > 64 || !utf8.ValidString(w) || strings.ContainsAny(w, " \n\t\x00") {
				t.Errorf("%q: term %q", text, w)
			}
		}
		plain := !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
		if p := terms.Phrase(text); plain && terms.Phrase(p) != p { // beyond, folding may join what stood apart
			t.Errorf("%q: phrase %q becomes %q", text, p, terms.Phrase(p))
		}
	})
}

func BenchmarkOf(b *testing.B) {
	text := strings.Repeat("The staging database is wiped every Monday by resetStaging in ops/cron.go, before the 10,000 rows are loaded. ", 40)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		terms.Of(text)
	}
}
