package redact

import "strings"

const placeholders words = " changeme change_me change-me example placeholder todo tbd none null nil undefined true false " +
	"string str text varchar bytes any bool int number required optional hidden masked removed redacted dummy fake " +
	"test foo bar baz n/a na secret password passwd token pass pwd key value empty unset default yes no on off " +
	"optional[str] []byte *string string; object function private public sensitive "

// isPlaceholder reports whether v stands for a secret and is none.
func isPlaceholder(v string) bool {
	if placeholder(v) > 0 {
		for placeholder(v) > 0 {
			v = strings.TrimSpace(v[placeholder(v):])
		}
		v = strings.Trim(v, `\nrt,;."'`+"`") // what an escape or a sentence leaves behind it
	}
	if v == "" || templated(v) {
		return true
	}
	if len(v) <= 16 && placeholders.has(strings.ToLower(strings.TrimRight(v, "?,;!"))) {
		return true
	}
	if _, distinct := kinds(strings.Trim(v, "-_. ")); distinct <= 1 || crossed(v) {
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
	return len(rest) <= 8 && len(v)-len(rest) >= 4 && !mixed(rest) && strings.ContainsAny(v, "xX*•") && len(v) >= 2*len(rest)
}

// instructive reports whether v tells what to write instead: your-api-key.
func instructive(v string) bool {
	low := strings.ToLower(v)
	if strings.HasSuffix(v, "EXAMPLE") || strings.HasSuffix(v, "EXAMPLEKEY") {
		return true
	}
	for _, p := range []string{"your", "insert", "replace", "example", "change", "fake", "dummy", "sample", "mock"} {
		if rest, ok := strings.CutPrefix(low, p); ok && rest != "" && strings.IndexByte("-_ ", rest[0]) >= 0 && !mixed(low) {
			return true
		}
	}
	return false
}

// templated reports whether v is filled in later: <x>, ${X}, {{ x }}, %s, ***.
func templated(v string) bool {
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
		return len(v) == 2 || last == '%' && len(v) > 2 && run(v, 1, word) == len(v)-1 || strings.HasPrefix(v, "%(")
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
		return isPlaceholder(strings.TrimSuffix(v[i+2:], "}"))
	case strings.HasPrefix(v, "$env:"):
		return true
	}
	if i := run(v, 1, word); i < len(v) && (v[i] == '[' || v[i] == '-' || v[i] == '>') && i > 1 || nameLike(v[1:]) { // $_POST['x'], $password1
		return true
	}
	return run(v, 1, word) == len(v) && in(v[1], upper|lower|dash) && (v == strings.ToUpper(v) || v == strings.ToLower(v) && !mixed(v))
}

const roots words = " self this process env os config cfg conf settings secrets secret var vars local data module req" +
	" request args opts options ctx params props state credentials creds app input inputs user event body "

// references begin names of places where secrets are kept.
var references = [...]string{"op://", "vault:", "arn:", "ref+", "file:", "keychain:", "keyring:", "env:", "secretsmanager:", "ssm:", "@Microsoft.KeyVault("}

// isReference reports whether v says where the secret is.
func isReference(v string, quote byte) bool {
	for _, p := range references {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	if strings.Contains(v, "://") {
		return true // findURLs looks for the password in it
	}
	return isPath(v) || isSource(v) || quote == 0 && strings.HasPrefix(v, "!")
}

// isPath reports whether v is the name of a file.
func isPath(v string) bool {
	rooted := strings.HasPrefix(v, "/") || strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../")
	if !rooted || strings.Count(v, "/") < 2 && v[0] == '/' || strings.ContainsAny(v, "+= ") {
		return false
	}
	for seg := range strings.SplitSeq(v, "/") {
		if len(seg) > 32 && mixed(seg) && seg != strings.ToLower(seg) {
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
	ext := run(v, point+1, alnum)
	if n := ext - point - 1; n < 1 || n > 6 || !in(v[point+1], lower) || run(v[:slash], 0, word|dot|b64) < slash || strings.ContainsAny(v[:slash], "+=") {
		return false
	}
	return ext == len(v) || v[ext] == ':' || v[ext] == '#'
}

// isCall reports whether v begins with a call: os.Getenv("X"), new Secret(...).
func isCall(v string) bool {
	i := strings.IndexAny(v, "([")
	return i > 0 && in(v[0], lower|upper|dash) && run(v[:i], 0, word|dot|other) == i && !strings.HasSuffix(v[:i], "$")
}

// dotted reports whether v names a variable: config.password, self.token.
func dotted(v string) bool {
	if len(v) > 120 {
		return false
	}
	for _, arrow := range [...]string{"?.", "->", "::"} {
		v = strings.ReplaceAll(v, arrow, ".")
	}
	root, rest, ok := strings.Cut(v, ".")
	if !ok || rest == "" || run(v, 0, jwtc) < len(v) {
		return false
	}
	if roots.has(strings.ToLower(root)) {
		return true
	}
	set, _ := kinds(v)
	return set&digit == 0 && in(v[0], lower|upper)
}

const functionWords words = " is are was were must should can cannot be been the a an to of for in on at by with and or " +
	"not no your you this that it from has have will when if please enter required invalid expires after "

// sentence reports whether v is prose: three words or more, one of them a function
// word, and one longer than short or most of them function words ("is not set").
// People make passphrases of short words: "a b c", "the cat sat on a mat".
func sentence(v string, short int) bool {
	words := strings.Fields(strings.ToLower(v[:min(len(v), 400)]))
	function, long := 0, false
	for _, w := range words {
		w = strings.Trim(w, ".,:;!?")
		long = long || len(w) > short
		if functionWords.has(w) {
			function++
		}
	}
	return len(words) >= 3 && function > 0 && (long || 2*function > len(words))
}
