// Package values judges what stands where a secret may: whether it is one, or a placeholder, the
// name of a file, a call, prose.
package values

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/keys"
	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
	"github.com/git-sage/git-sage/gitstore/redact/internal/words"
)

const placeholders words.List = " changeme change_me change-me example placeholder todo tbd none null nil undefined true false " +
	"string str text varchar bytes any bool int number required optional hidden masked removed redacted dummy fake " +
	"test foo bar baz n/a na secret password passwd token pass pwd key value empty unset default yes no on off " +
	"optional[str] []byte *string string; object function private public sensitive "

// IsPlaceholder reports whether v stands for a secret and is none.
func IsPlaceholder(v string) bool {
	if spans.Placeholder(v) > 0 {
		for spans.Placeholder(v) > 0 {
			v = strings.TrimSpace(v[spans.Placeholder(v):])
		}
		v = strings.Trim(v, `\nrt,;."'`+"`") // what an escape or a sentence leaves behind it
	}
	if v == "" || Templated(v) {
		return true
	}
	if len(v) <= 16 && placeholders.Has(strings.ToLower(strings.TrimRight(v, "?,;!"))) {
		return true
	}
	if _, distinct := chars.Kinds(strings.Trim(v, "-_. ")); distinct <= 1 || crossed(v) {
		return true
	}
	return instructive(v)
}

// crossed reports whether v is crossed out: xxxx-xxxx, sk-***, abc...
func crossed(v string) bool {
	if strings.HasSuffix(v, "...") || strings.HasSuffix(v, "…") {
		return len(v) <= 20
	}
	rest := strings.Trim(v, "xX*.•-_ ")
	return len(rest) <= 8 && len(v)-len(rest) >= 4 && !chars.Mixed(rest) && strings.ContainsAny(v, "xX*•") && len(v) >= 2*len(rest)
}

// instructive reports whether v tells what to write instead: your-api-key.
func instructive(v string) bool {
	low := strings.ToLower(v)
	if strings.HasSuffix(v, "EXAMPLE") || strings.HasSuffix(v, "EXAMPLEKEY") {
		return true
	}
	for _, p := range []string{"your", "insert", "replace", "example", "change", "fake", "dummy", "sample", "mock"} {
		if rest, ok := strings.CutPrefix(low, p); ok && rest != "" && strings.IndexByte("-_ ", rest[0]) >= 0 && !chars.Mixed(low) {
			return true
		}
	}
	return false
}

// Templated reports whether v is filled in later: <x>, ${X}, {{ x }}, %s, ***.
func Templated(v string) bool {
	if v == "" {
		return true
	}
	last := v[len(v)-1]
	switch v[0] {
	case '<':
		return last == '>'
	case '{':
		return last == '}'
	case '[', '(':
		return last == ']' || last == ')'
	case '%':
		return len(v) == 2 || last == '%' && len(v) > 2 && chars.Run(v, 1, chars.Word) == len(v)-1 || strings.HasPrefix(v, "%(")
	case '$':
		return variable(v)
	case '#', '@':
		return len(v) > 3 && v[1] == '{' && last == '}'
	}
	return strings.Trim(v, "*") == "" || strings.Trim(v, "xX") == "" || strings.Trim(v, ".…") == "" ||
		strings.HasPrefix(v, "{{") || strings.Contains(v, "${{")
}

// variable reports whether v, which begins with a dollar sign, is a variable:
// $NAME, ${name}, $(command), $env:NAME. The default of ${X:-default} counts.
func variable(v string) bool {
	if len(v) < 2 {
		return true
	}
	switch {
	case v[1] == '(':
		return true
	case v[1] == '{':
		i := strings.Index(v, ":-")
		if i < 0 {
			return strings.Contains(v, ":?") || strings.HasSuffix(v, "}") || strings.HasPrefix(v, "${{")
		}
		return IsPlaceholder(strings.TrimSuffix(v[i+2:], "}"))
	case strings.HasPrefix(v, "$env:"):
		return true
	}
	if i := chars.Run(v, 1, chars.Word); i < len(v) && (v[i] == '[' || v[i] == '-' || v[i] == '>') && i > 1 || keys.NameLike(v[1:]) { // $_POST['x'], $password1
		return true
	}
	return chars.Run(v, 1, chars.Word) == len(v) && chars.In(v[1], chars.Upper|chars.Lower|chars.Dash) && (v == strings.ToUpper(v) || v == strings.ToLower(v) && !chars.Mixed(v))
}

const roots words.List = " self this process env os config cfg conf settings secrets secret var vars local data module req" +
	" request args opts options ctx params props state credentials creds app input inputs user event body "

// references begin names of places where secrets are kept.
var references = [...]string{"op://", "vault:", "arn:", "ref+", "file:", "keychain:", "keyring:", "env:", "secretsmanager:", "ssm:", "@Microsoft.KeyVault("}

// IsReference reports whether v says where the secret is.
func IsReference(v string, quote byte) bool {
	for _, p := range references {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	if strings.Contains(v, "://") {
		return true // shapes.Find looks for the password in it
	}
	return IsPath(v) || isSource(v) || quote == 0 && strings.HasPrefix(v, "!")
}

// IsPath reports whether v is the name of a file.
func IsPath(v string) bool {
	rooted := strings.HasPrefix(v, "/") || strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../")
	if !rooted || strings.Count(v, "/") < 2 && v[0] == '/' || strings.ContainsAny(v, "+= ") {
		return false
	}
	for seg := range strings.SplitSeq(v, "/") {
		if len(seg) > 32 && chars.Mixed(seg) && seg != strings.ToLower(seg) {
			return false
		}
	}
	return true
}

// isSource reports whether v is a file of a project, perhaps with lines:
// middleware/auth.go:48-71, src/token.ts#L10.
func isSource(v string) bool {
	slash := strings.LastIndexByte(v, '/')
	if slash < 1 || len(v) > 200 {
		return false
	}
	point := strings.LastIndexByte(v, '.')
	if point <= slash+1 || point+1 >= len(v) {
		return false
	}
	ext := chars.Run(v, point+1, chars.Alnum)
	if n := ext - point - 1; n < 1 || n > 6 || !chars.In(v[point+1], chars.Lower) || chars.Run(v[:slash], 0, chars.Word|chars.Dot|chars.B64) < slash || strings.ContainsAny(v[:slash], "+=") {
		return false
	}
	return ext == len(v) || v[ext] == ':' || v[ext] == '#'
}

// IsCall reports whether v begins with a call: os.Getenv("X"), new Secret(...).
func IsCall(v string) bool {
	i := strings.IndexAny(v, "([")
	return i > 0 && chars.In(v[0], chars.Lower|chars.Upper|chars.Dash) && chars.Run(v[:i], 0, chars.Word|chars.Dot|chars.Other) == i && !strings.HasSuffix(v[:i], "$")
}

// Dotted reports whether v names a variable: config.password, self.token.
func Dotted(v string) bool {
	if len(v) > 120 {
		return false
	}
	for _, arrow := range [...]string{"?.", "->", "::"} {
		v = strings.ReplaceAll(v, arrow, ".")
	}
	root, rest, ok := strings.Cut(v, ".")
	if !ok || rest == "" || chars.Run(v, 0, chars.Jwtc) < len(v) {
		return false
	}
	if roots.Has(strings.ToLower(root)) {
		return true
	}
	set, _ := chars.Kinds(v)
	return set&chars.Digit == 0 && chars.In(v[0], chars.Lower|chars.Upper)
}

const functionWords words.List = " is are was were must should can cannot be been the a an to of for in on at by with and or " +
	"not no your you this that it from has have will when if please enter required invalid expires after "

// Sentence reports whether v is prose: three words or more, one of them a function
// word, and one longer than short or most of them function words ("is not set").
// People make passphrases of short words: "a b c", "the cat sat on a mat".
func Sentence(v string, short int) bool {
	words := strings.Fields(strings.ToLower(v[:min(len(v), 400)]))
	function, long := 0, false
	for _, w := range words {
		w = strings.Trim(w, ".,:;!?")
		long = long || len(w) > short
		if functionWords.Has(w) {
			function++
		}
	}
	return len(words) >= 3 && function > 0 && (long || 2*function > len(words))
}
