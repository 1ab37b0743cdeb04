package config

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// A Key is one setting.
type Key struct {
	Name     string        // as in tuning.yaml: lower case with underscores
	Doc      string        // one sentence for people
	Default  any           // a bool, int, float64, string or []string; values have the same type
	Unset    string        // what holds where nobody sets it, if that is not always Default
	Min, Max float64       // bounds of a number, both included
	OneOf    []string      // the words that a string or the elements of a list may be
	Unit     time.Duration // what one of an int is, if it is a time
	UserOnly bool          // a repository may not set it
	Ignored  bool          // accepted from old files, without effect

	form *form // of a string that is not one of a few words
}

// A form is what a free string must look like.
type form struct {
	re   func() *regexp.Regexp // compiled on first use: most processes ask for no such key
	what string
}

// A model name is a folder of the user's models, never a path or an address.
var (
	modelName = &form{pattern(`^[A-Za-z0-9][\w.-]{0,99}(/[A-Za-z0-9][\w.-]{0,99})?$`), "the name of a model"}
	envName   = &form{pattern(`^([A-Za-z_][A-Za-z0-9_]{0,99})?$`), "the name of an environment variable"}
	address   = &form{pattern(`^(https?://[^\s@]{1,500})?$`), "an address that begins with https://"}
	distiller = &form{pattern(`^(off|claude|(https://[^\s@/?#]{1,200}|http://(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?)(/[^\s@?#]{0,300})?/(messages|chat/completions))$`),
		"off, claude, or an address that ends in /messages or /chat/completions, with https unless it is on this machine"}
	answerer = &form{pattern(`^(|claude|(https://[^\s@/?#]{1,200}|http://(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?)(/[^\s@?#]{0,300})?/(messages|chat/completions))$`),
		"claude, or an address that ends in /messages or /chat/completions, with https unless it is on this machine"}
	command   = &form{pattern(`^[^\x00-\x1f]{0,500}$`), "a command on one line"}
	anyModel  = &form{pattern(`^[^\s]{0,200}$`), "the name of a model, as the endpoint has it"}
	skillName = &form{pattern(`^([a-z0-9][a-z0-9._-]{0,99})?$`), "the name of a skill in lower case"}
)

func pattern(src string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(src) })
}

// Range says in words what the key takes, such as "a number from 0 to 1".
func (k Key) Range() string {
	switch k.Default.(type) {
	case bool:
		return "true or false"
	case int:
		return fmt.Sprintf("a whole number from %.0f to %.0f", k.Min, k.Max)
	case float64:
		return fmt.Sprintf("a number from %g to %g", k.Min, k.Max)
	case []string:
		if k.OneOf == nil {
			return "a list of patterns, as in .gitignore"
		}
		return "a list of " + strings.Join(k.OneOf, ", ")
	}
	if k.form != nil {
		return k.form.what
	}
	return "one of " + strings.Join(k.OneOf, ", ")
}

// GitName is the key as git's configuration spells it: sage.recallThreshold.
func (k Key) GitName() string {
	words := strings.Split(k.Name, "_")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return "sage." + strings.Join(words, "")
}

// Parse reads a value as it is written in any source. The error says what was
// expected, in one line.
func (k Key) Parse(text string) (any, error) {
	v, ok := k.parse(strings.TrimSpace(text))
	if !ok {
		return nil, fmt.Errorf("%s is %s, expected %s", k.Name, quote(text), k.Range())
	}
	return v, nil
}

func (k Key) parse(text string) (any, bool) {
	switch k.Default.(type) {
	case bool:
		return parseBool(text)
	case int:
		n, err := strconv.ParseFloat(text, 64) // old files say 8.0 as well as 8
		return int(n), err == nil && n == math.Trunc(n) && k.Min <= n && n <= k.Max
	case float64:
		n, err := strconv.ParseFloat(text, 64)
		return n, err == nil && k.Min <= n && n <= k.Max
	case []string:
		return k.parseList(text)
	}
	if k.form != nil {
		return text, k.form.re().MatchString(text)
	}
	text = strings.ToLower(text)
	return text, slices.Contains(k.OneOf, text)
}

// parseBool takes git's spellings. Old files hold switches as text, 'false'
// with its quotes: that is false.
func parseBool(text string) (value, ok bool) {
	switch strings.ToLower(text) {
	case "true", "yes", "on", "1":
		return true, true
	case "false", "no", "off", "0":
		return false, true
	}
	return false, false
}

// parseList also takes a list that was stored as one text, "[core, code]".
func (k Key) parseList(text string) (list []string, ok bool) {
	if k.OneOf == nil {
		return parsePatterns(text)
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return strings.ContainsRune(" \t,[]'\"", r)
	})
	for _, w := range words {
		if !slices.Contains(k.OneOf, w) {
			return nil, false
		}
		if !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list, len(list) > 0
}

// parsePatterns reads patterns of paths, with commas or spaces between them. Brackets are
// theirs, but for those around all, which a list has that was stored as one text.
func parsePatterns(text string) ([]string, bool) {
	if inner, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(inner, "]") {
		text = strings.TrimSuffix(inner, "]")
	}
	list := []string{}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t,'\"", r) }) {
		if len(w) > 200 || strings.HasPrefix(w, "-") {
			return nil, false
		}
		list = append(list, w)
	}
	return list, len(list) <= 100
}

// quote shows a value that may come from a stranger's file: short, on one
// line, with nothing in it that a terminal would obey.
func quote(s string) string {
	const most = 60
	return strings.ReplaceAll(legible.Quoted(s, most), `\"`, `"`)
}
