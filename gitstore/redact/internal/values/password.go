package values

import (
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/keys"
	"github.com/git-sage/git-sage/gitstore/redact/internal/words"
)

// IsUUID reports whether v is written as one, which mostly names something.
func IsUUID(v string) bool {
	return len(v) == 36 && v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-'
}

// Drawn reports whether v is drawn by lot: letters and digits take turns in it.
func Drawn(v string) bool {
	if !Random(v) || strings.ContainsAny(v, "\\:;|\"'`[]") {
		return false
	}
	turns, last := 0, chars.Class(0)
	for i := range len(v) {
		c := chars.Classes[v[i]] & (chars.Digit | chars.Lower | chars.Upper)
		if c == 0 {
			continue
		}
		if last != 0 && c != last {
			turns++
		}
		last = c
	}
	return turns > len(v)/6+1
}

// Special are signs that words of prose and names of code do not have in their midst.
const Special = "!#$%^&*@?+~§€"

// Passwordish reports whether a word that prose tells is a password: letters with digits or
// signs among them, and nothing that is written so for another reason. A strict look, where
// no link says so, wants more: a sign, or digits in the midst of letters.
func Passwordish(v string, strict bool) bool {
	n := utf8.RuneCountInString(v)
	if n < 5 || n > 64 || strict && n < 6 {
		return false
	}
	core := strings.Trim(v, "!?*_#@()[]~'\"")
	if strings.ContainsAny(core, "/\\(){}<>|=[]\"`,;") || strings.Contains(core, "::") || strings.Contains(core, "://") || Technical(core) || IsPath(core) {
		// A slash or two do not make a path of what has signs.
		if !strings.ContainsAny(core, "/") || !strings.ContainsAny(core, Special) || strings.ContainsAny(core, "(){}<>|[]\"`") {
			return false
		}
	}
	var letters, lowers, uppers, digits, signs, within, turns int
	last := byte(0)
	for i := range len(core) {
		c := core[i]
		switch {
		case c >= 0x80 || chars.In(c, chars.Lower):
			letters++
			lowers++
			if chars.In(last, chars.Digit) {
				turns++
			}
		case chars.In(c, chars.Upper):
			letters++
			uppers++
			if chars.In(last, chars.Digit) {
				turns++
			}
		case chars.In(c, chars.Digit):
			digits++
		case strings.IndexByte(Special, c) >= 0:
			signs++
			if letters > 0 && i+1 < len(core) {
				within++
			}
		}
		last = c
	}
	ends := len(v) - len(core)
	switch {
	case letters < 2 || digits == 0 && signs == 0:
		return false
	case strings.IndexByte(core, '@') > 0 && strings.Contains(core[strings.IndexByte(core, '@'):], ".") && signs == 1 && digits == 0: // an address
		return false
	case digits == 0:
		return within > 0 && strings.ContainsAny(core, "!#$%^*@") && (uppers > 0 && lowers > 0 || ends == 0 && !strict && letters > 4)
	case signs > 0:
		return true
	}
	// Letters and digits, with - _ . : between them.
	i := strings.IndexAny(core, "0123456789")
	tail := strings.TrimRight(core, "0123456789")
	switch {
	case digits > letters+2, strings.ContainsAny(core, ":"):
		return false
	case lowers == 0 && strings.IndexByte(core, '-') > 0 && chars.Run(core, strings.IndexByte(core, '-')+1, chars.Digit) == len(core): // ABC-123
		return false
	case uppers == 0 && turns == 0 && strings.ContainsAny(core, "_."): // id_kunde2
		return false
	case lowers == 0 && strings.IndexByte(core, '_') >= 0: // MAX_2
		return false
	case chars.Run(core, 0, chars.Digit) > 0 && chars.Run(core, 0, chars.Digit) < len(core) && core[chars.Run(core, 0, chars.Digit)] == '-': // 12-character
		return false
	case strings.IndexByte(core, '.') > 0 && fileLike(core):
		return false
	case !strict:
		return n >= 6 || uppers > 0 || turns > 0
	}
	leet := turns > 0 && i > 0 && i < len(tail)
	return leet && keys.GradeKey(tail) == keys.None || uppers > 0 && lowers > 0 && n >= 8 && keys.GradeKey(tail) == keys.None || i == 0 && turns > 0 && letters > 4
}

// fileLike reports whether v ends as the name of a file or of a host does.
func fileLike(v string) bool {
	i := strings.LastIndexByte(v, '.')
	ext := v[i+1:]
	return len(ext) > 0 && len(ext) <= 5 && ext == strings.ToLower(ext) && chars.In(ext[0], chars.Lower) && !chars.Mixed(ext)
}

const technicalWords words.List = " sha md base bcrypt argon argonid aes utf utf- rfc oauth rs hs es ps ed x pkcs p http https ipv ip k ks s ec v nist cve iso bit bits byte bytes " +
	"hours h hour min minutes days characters chars char digits digit letters totp u f fido log java python py node go web i nl b n w mp h pbkdf scrypt " +
	"password tls ssl ssh win mac linux crc uuid jwt jws jwe hmac-sha hmacsha sha- aes--gcm aes-gcm aes-cbc x- rsa rsa- curve chacha-poly " +
	"ripemd blake argoni postgres mysql python- java- sql mssql db redis vue react angular bootstrap gen ps php log j mode type step phase version day " +
	"week month q tier level stage part v-rc v-beta users user server host client auth middleware nth st nd rd th kb mb gb gib mib ms mysql neo j qr " +
	"zeichen caractères caracteres stellen jours días tagen tage stunden prod- staging- "

// Technical reports whether v is a term that is written with digits: SHA-256, base64.
func Technical(v string) bool {
	var letters [24]byte
	n := 0
	for i := range len(v) {
		c := v[i]
		if chars.In(c, chars.Digit) || c == '.' {
			continue
		}
		if n == len(letters) {
			return false
		}
		letters[n] = c
		n++
	}
	low := strings.Trim(strings.ToLower(string(letters[:n])), "-_/:")
	return technicalWords.Has(low)
}
