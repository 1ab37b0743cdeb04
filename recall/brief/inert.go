package brief

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/git-sage/git-sage/prose"
)

// Clients and models take some words in brackets for more than text: what the client, the
// system or a tool says, a call, the end of a turn. In what comes out of memory they lose
// the bracket. A name with a hyphen, an underscore or a colon is one of these, whichever
// client it is of: nearly all of theirs have one, and few of those that code has, which
// stays readable as &lt;my-element>. Names of a single word are listed, since <id> and
// List<String> are in every second text about code.
var tagWords = prose.WordSet(`
system user assistant human developer model agent
invoke parameter parameters function functions tool tools tooluse toolcall toolresult
think thinking thought thoughts reasoning reflection scratchpad analysis summary
result results output stdout stderr error warning reminder notification
instruction instructions prompt command commands env environment context persona policy rules
channel turn message messages conversation transcript hook bash ide
endoftext sys inst
antml systemreminder systemprompt systemmessage commandname commandmessage commandargs
localcommandstdout localcommandstderr localcommandcaveat userpromptsubmithook
bashinput bashstdout bashstderr tasknotification functioncalls functionresults toolcalls tooluseerror
persistedoutput ideselection ideopenedfile environmentcontext userinstructions turnaborted
userquery userinfo userrules systeminfo statesnapshot imstart imend startofturn endofturn`)

// plainPrefixes begin names with a colon that are addresses.
var plainPrefixes = prose.WordSet("mailto tel data javascript urn doi")

// ownTag is a tag that Fence makes.
var ownTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`</?` + fenceTag + ` mark="[0-9a-f]{12}"(?: origin="[^"<>]*")?>`)
})

// Inert is Defuse of a whole answer, in which the tags of fences stay: whatever stands
// inside of them or beside them, no tag in it means anything to a client.
func Inert(answer string) string {
	var b strings.Builder
	at := 0
	for _, tag := range ownTag().FindAllStringIndex(answer, -1) {
		b.WriteString(Defuse(answer[at:tag[0]]) + answer[tag[0]:tag[1]])
		at = tag[1]
	}
	if at == 0 {
		return Defuse(answer)
	}
	return b.String() + Defuse(answer[at:])
}

const (
	inertTag   = "&lt;"
	inertMark  = "&#91;"
	inertColon = "&#58;"
	longestTag = 200 // bytes of what is skipped and of a name, invisible characters counted
)

// encodedOpener is a bracket that is not there yet: an entity (but for &lt;, which is how
// one is written that opens nothing), an escape of JSON, JavaScript or C, of an address.
var encodedOpener = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:&#0{0,9}60;?|&#[xX]0{0,9}3[cC];?|&(?:LT;?|Lt;|lT;|lt)|\\+(?:[uU]0{0,6}3[cC]|[uU]\{0{0,6}3[cC]\}|[xX]3[cC]|[xX]\{0{0,6}3[cC]\}|0?74)|%3[cC])`)
})

// special are the signs of ASCII that defuseTags looks at.
var special = [utf8.RuneSelf]bool{'<': true, '[': true, '&': true, '\\': true, '%': true, '\n': true, '\r': true}

// defuseTags takes its bracket from what a client or a model may take for a tag or a mark,
// and its colon from what may begin a turn.
func defuseTags(text string) string {
	if !strings.ContainsAny(text, fenceOpeners+`&\%[［:：﹕∶`) {
		return text
	}
	var b strings.Builder
	kept, begins := 0, true // what is written already; a line begins
	behind := tagName{text: text}
	put := func(at, n int, s string) {
		b.WriteString(text[kept:at] + s)
		kept = at + n
	}
	for i := 0; i < len(text); {
		if begins {
			if at, n := turnMark(text[i:]); n > 0 {
				put(i+at, n, inertColon)
			}
		}
		if c := text[i]; c < utf8.RuneSelf && !special[c] {
			begins = false
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		begins = r == '\n' || r == '\r' || r == '\u2028'
		switch {
		case r == '&' || r == '\\' || r == '%':
			at := encodedOpener().FindString(text[i:min(len(text), i+longestTag)])
			if at != "" && !strings.HasPrefix(text[i:], inertTag) && behind.isTag(i+len(at), true) {
				put(i, len(at), inertTag)
				n = len(at)
			}
		case strings.ContainsRune(fenceOpeners, r):
			if behind.isTag(i+n, r == '<' || r == '\uff1c' || r == '\ufe64') {
				put(i, n, inertTag)
			}
		case r == '[' || r == '\uff3b':
			if isMark(text[i+n:]) {
				put(i, n, inertMark)
			}
		}
		i += n
	}
	if kept == 0 {
		return text
	}
	return b.String() + text[kept:]
}

// A tagName is the name that stands behind a bracket of a text, as it was read last. Of many
// brackets in a row each has the same one: to read it for each takes two seconds with 500 kB
// of them.
type tagName struct {
	text        string
	from, to    int    // what stands before it: blanks, invisible characters and some signs
	seen        int    // the last of these that a reader sees
	name, after string // as folded returns them
}

// beforeName are signs that may stand between a bracket and a name.
const beforeName = `/\!?|` + "\uff0f\uff3c\u2044\u2215\uff5c\u00a6" + fenceOpeners

// read reads the name behind a place in the text.
func (t *tagName) read(at int) {
	if t.from <= at && at <= t.to && t.from > 0 {
		return
	}
	t.from, t.to, t.seen = at, len(t.text), at
	for i, r := range t.text[at:] {
		if IsUnseen(r) {
			continue
		}
		if !unicode.IsSpace(r) && !strings.ContainsRune(beforeName, r) {
			t.to = at + i
			break
		}
		t.seen = at + i
	}
	t.name, t.after = folded(t.text[t.to:min(len(t.text), t.to+2*longestTag)])
}

// isTag reports whether what follows a bracket is a name that a client may give meaning
// to. Behind brackets that prose has, too, only listed names are.
func (t *tagName) isTag(at int, angle bool) bool {
	if s := t.text[at:]; s != "" && (s[0] >= '0' && s[0] <= '9' || s[0] == '=' || s[0] == '-') {
		return false
	}
	if t.read(at); t.seen > at+longestTag || t.to > at+2*longestTag {
		return false // too far away
	}
	lead, name := t.text[at:t.to], t.name
	word, _, _ := strings.Cut(name, "-")
	flat := strings.ReplaceAll(name, "-", "")
	switch {
	case name == "":
		return false
	case !angle: // « and 〈 are signs of prose
		return flat != name && (tagWords()[flat] || tagWords()[word]) || flat == "system" || strings.HasPrefix(flat, "systemreminder") || strings.HasPrefix(flat, "antml")
	case tagWords()[flat] || tagWords()[strings.TrimRight(flat, "0123456789")]:
	case strings.HasPrefix(flat, "antml") || strings.HasPrefix(flat, "systemreminder"):
	case isPiped(lead): // <|name|>
	case strings.Contains(name, ":"):
		scheme, _, _ := strings.Cut(name, ":")
		if plainPrefixes()[scheme] {
			return false
		}
	case word == name:
		return false
	}
	if isBlank(lead) { // a comparison: i < max_items
		return closes(t.after)
	}
	if flat == "sys" && strings.HasPrefix(t.after, "/") { // #include <sys/types.h>
		return false
	}
	return true
}

// isPiped reports whether what stands before a name begins with a bar and has no blanks.
func isPiped(lead string) bool {
	bar := strings.TrimLeftFunc(lead, IsUnseen)
	return (strings.HasPrefix(bar, "|") || strings.HasPrefix(bar, "\uff5c")) && !strings.ContainsAny(lead, " \t\n")
}

// isBlank reports whether a reader sees blanks before a name, and nothing else.
func isBlank(lead string) bool {
	blank := false
	for _, r := range lead {
		switch {
		case r == ' ' || r == '\t':
			blank = true
		case !IsUnseen(r):
			return false
		}
	}
	return blank
}

// closes reports whether what follows a name is the end of a tag, or an attribute.
func closes(s string) bool {
	rest := skip(s, "/")
	r, _ := utf8.DecodeRuneInString(rest)
	if strings.ContainsRune(">\uff1e\ufe65\u203a\u276f\u276d\u2771\u3009\u232a\u27e9\u300b\u27eb\u00bb", r) {
		return true
	}
	_, behind := folded(rest)
	return len(behind) < len(rest) && strings.HasPrefix(strings.TrimSpace(behind), "=")
}

// skip is s without what stands before a name: blanks, invisible characters and some signs.
func skip(s, signs string) string {
	for i, r := range s {
		if i > longestTag || !IsUnseen(r) && !unicode.IsSpace(r) && !strings.ContainsRune(signs, r) {
			return s[i:]
		}
	}
	return ""
}

// folded reads a name as it looks: in small letters of ASCII, with a hyphen for whatever
// joins words, without what cannot be seen.
func folded(s string) (name, rest string) {
	var b strings.Builder
	end := len(s)
	for i, r := range s {
		if i > longestTag {
			end = i
			break
		}
		if IsUnseen(r) {
			continue
		}
		if r == ':' {
			next, _ := utf8.DecodeRuneInString(s[i+1:])
			if b.Len() == 0 || LookAlike(next) == 0 { // https://, std::string
				end = i
				break
			}
			b.WriteByte(':')
			continue
		}
		c := LookAlike(r)
		if c == 0 && b.Len() > 0 && isJoint(r) {
			c = '-'
		}
		if c == 0 && b.Len() > 0 && r >= '0' && r <= '9' {
			c = byte(r)
		}
		if c == 0 {
			end = i
			break
		}
		b.WriteByte(c)
	}
	return strings.Trim(b.String(), "-:"), s[end:]
}

// invisible reports whether a reader does not see a character: marks on a letter are seen,
// and change nothing of how it reads.
func invisible(r rune) bool {
	if r > ' ' && r < 0x7f {
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Mn, unicode.Me, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// IsUnseen reports whether a reader does not see a character, and it is no blank.
func IsUnseen(r rune) bool { return invisible(r) && r != '\n' && r != '\t' && r != ' ' }

func isJoint(r rune) bool {
	return unicode.In(r, unicode.Pd, unicode.Pc) || strings.ContainsRune("\u2212\u2500\u2501\u30fc\uff70\u02d7\u2043\u00b7\u30fb\u2581", r)
}

// LookAlike is the small letter of ASCII that a letter looks like, whatever alphabet it is of;
// 0 is none.
func LookAlike(r rune) byte {
	switch {
	case r >= 'a' && r <= 'z':
		return byte(r)
	case r >= 'A' && r <= 'Z':
		return byte(r) + 'a' - 'A'
	case r < 0x80:
		return 0
	}
	if c := lookAlikes()[r]; c != 0 {
		return c
	}
	if c := lookAlikes()[unicode.ToLower(r)]; c != 0 {
		return c
	}
	// Wide, circled, mathematical and raised letters, and those with marks.
	first, _ := utf8.DecodeRuneInString(norm.NFKD.String(string(r)))
	if first < 0x80 && first != r {
		return LookAlike(first)
	}
	return 0
}

// lookAlikes are letters of other alphabets that look like one of ours.
var lookAlikes = sync.OnceValue(func() map[rune]byte {
	m := map[rune]byte{}
	for c, list := range map[byte]string{
		'a': "аαɑᴀ", 'b': "ЬьβВΒʙ", 'c': "сϲᴄς", 'd': "ԁɗᴅ", 'e': "еεҽєᴇΕ℮ə", 'f': "ғꜰϝ", 'g': "ɡɢցգ", 'h': "һнНʜΗհ",
		'i': "іιıɩɪΙӏ", 'j': "јϳᴊ", 'k': "кκᴋΚ", 'l': "ⅼʟӏ", 'm': "мμᴍΜϻ", 'n': "пηпɴΝո", 'o': "оοσᴏΟօ", 'p': "рρᴘΡ",
		'q': "ԛգ", 'r': "гʀɾ", 's': "ѕꜱʂ", 't': "тτᴛΤ", 'u': "υսᴜц", 'v': "ѵνᴠ", 'w': "ѡωᴡա", 'x': "хχΧ", 'y': "уγʏΥү", 'z': "ᴢΖʐ",
	} {
		for _, r := range list {
			if m[r] == 0 {
				m[r] = c
			}
		}
	}
	return m
})

// isMark reports whether what follows a square bracket is a mark of a client's or a
// model's own.
func isMark(s string) bool {
	s = skip(s[:min(len(s), longestTag)], "/")
	first, rest := folded(s)
	rest = skip(rest, "")
	second, _ := folded(rest)
	switch first {
	case "inst", "system", "assistant", "human": // and no index[system.id]
		r, _ := utf8.DecodeRuneInString(rest)
		return strings.ContainsRune("]\uff3d:：", r)
	case "request":
		return second == "interrupted"
	}
	return strings.HasPrefix(first, "request-interrupted") || strings.HasPrefix(first, "requestinterrupted")
}

// turnMark finds the colon behind Human or Assistant at the beginning of a line, behind
// any signs of a list, a quotation or emphasis.
func turnMark(line string) (at, n int) {
	line = line[:min(len(line), longestTag)]
	if c := line[0]; c < utf8.RuneSelf && !strings.ContainsRune("hHaA \t*_#>-+|`\"'", rune(c)) {
		return 0, 0
	}
	rest := skip(line, "*_#>-+|`\"'")
	if strings.ContainsAny(line[:len(line)-len(rest)], "\n\r\u2028") { // the next line is looked at for itself
		return 0, 0
	}
	name, behind := folded(rest)
	if name != "human" && name != "assistant" {
		return 0, 0
	}
	behind = skip(behind, "*_`")
	r, n := utf8.DecodeRuneInString(behind)
	if !strings.ContainsRune(":：﹕∶", r) || behind == "" {
		return 0, 0
	}
	return len(line) - len(behind), n
}
