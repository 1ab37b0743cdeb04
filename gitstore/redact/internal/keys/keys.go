// Package keys judges names: how much a key such as DB_PASSWORD promises that its value is a secret.
package keys

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/words"
)

// A Grade says how much a key promises that its value is a secret.
type Grade uint8

const (
	None   Grade = iota
	Weak         // credentials, tokens, api_key_id: the value must look random
	medium       // token, api_key: the value must not look like a word
	Strong       // password: any value that is no placeholder
)

// GradeOf says what a word at the end of a key means.
func GradeOf(w string) Grade {
	switch {
	case strongWords.Has(w):
		return Strong
	case mediumWords.Has(w):
		return medium
	case weakWords.Has(w):
		return Weak
	}
	return None
}

const (
	strongWords words.List = " password passwd passphrase passcode passwort pwd pass pw pswd mnemonic kennwort mdp senha wachtwoord contrasena " +
		"bindpw rootpw requirepass masterauth storepass keypass psk wpapsk sshpass "
	mediumWords words.List = " secret token apikey accesskey secretkey privatekey authkey bearer authorization authtoken" +
		" accesstoken clientsecret accountkey "
	weakWords words.List = " secrets tokens passwords apikeys credential credentials creds auth cookie sig "
)

// endings are those whose suffix tells: DBPASSWORD, mytoken.
var endings = []string{"password", "passwd", "passphrase", "secret", "token", "apikey", "secretkey", "privatekey"}

// Owners make a "key" behind them a secret one: api key, signing key.
const Owners words.List = " api access secret private signing encryption encrypt master account auth service deploy " +
	"storage shared app application subscription admin client webhook hmac jwt session cipher symmetric root role " +
	"consumer license user primary secondary integration write "

// denials are words behind a secret's name that make it a fact about one:
// token count, password policy.
const denials words.List = " count counts type types name names url uri urls endpoint endpoints expiry expires expire " +
	"expiration expired ttl policy policies length len limit limits size budget usage used field fields ref refs " +
	"file files path paths dir rotation rotate rotated rotates lifetime age max min total estimate estimated per " +
	"input output cache cached prompt completion price cost window header headers param params prefix suffix " +
	"format pattern regex regexp rule rules label labels hint placeholder strength score store storage manager " +
	"provider scope scopes audience issuer at date time timestamp created updated valid invalid validator " +
	"validation verified required optional enabled disabled exists present set status state error errors message " +
	"kind class source method mode algorithm alg version index position offset ring vault engine group bucket " +
	"table column schema model handler middleware factory server generator generate reset forgot change changed " +
	"page link rate management flow exchange review leak leaks scan scanning detection redaction docs fingerprint " +
	"lookup interval duration hours days seconds minutes ms number rates based is has should no without support " +
	"ization ize izer hasher hashers validators handlers providers managers "

// MaxLength bounds how far back a key is read.
const MaxLength = 80

// GradeKey judges a key such as DB_PASSWORD, clientSecret, "api key" or x-api-key.
func GradeKey(key string) Grade {
	if len(key) > MaxLength || !MayBeKey(key) {
		return None
	}
	words := Split(key)
	for i := len(words) - 1; i >= 0; i-- {
		w := words[i]
		g := gradeWord(words, i)
		switch {
		case g != None:
			return capped(g, words[i+1:])
		case denials.Has(w):
			return None
		}
	}
	if n := len(words); n > 1 && words[n-1] == "key" && words[0] != "gpg" && words[0] != "pgp" && words[0] != "public" && strings.ToUpper(key) == key {
		return Weak // STRIPE_KEY
	}
	return None
}

// capped lowers a grade for the words behind: an id of a secret is one only if
// it looks random.
func capped(g Grade, behind []string) Grade {
	for _, w := range behind {
		if w == "id" || w == "ids" || w == "hash" {
			return Weak
		}
	}
	return g
}

func gradeWord(words []string, i int) Grade {
	w := words[i]
	if w == "key" || w == "keys" {
		if i == 0 || !Owners.Has(words[i-1]) {
			return None
		}
		if w == "keys" || words[i-1] == "user" || words[i-1] == "primary" || words[i-1] == "secondary" {
			return Weak
		}
		return medium
	}
	if g := GradeOf(w); g != None {
		return g
	}
	for _, e := range endings {
		if strings.HasSuffix(w, e) {
			return GradeOf(e)
		}
	}
	return None
}

// MayBeKey is a quick look before words are split.
func MayBeKey(key string) bool {
	for i := 0; i+1 < len(key); i++ {
		switch [2]byte{key[i] | 0x20, key[i+1] | 0x20} {
		case [2]byte{'p', 'a'}, [2]byte{'p', 'w'}, [2]byte{'s', 'e'}, [2]byte{'t', 'o'}, [2]byte{'k', 'e'},
			[2]byte{'c', 'r'}, [2]byte{'a', 'u'}, [2]byte{'s', 'i'}, [2]byte{'c', 'o'}, [2]byte{'b', 'e'}, [2]byte{'m', 'n'}, [2]byte{'m', 'd'}, [2]byte{'p', 's'}, [2]byte{'w', 'a'}:
			return true
		}
	}
	return false
}

// Split returns the words of a key in lower case: clientSecret2 and
// CLIENT_SECRET_2 are both client, secret. Digits belong to no word.
func Split(key string) []string {
	words := make([]string, 0, 6)
	start := -1
	cut := func(i int) {
		if start >= 0 && i > start {
			words = append(words, strings.ToLower(key[start:i]))
		}
		start = -1
	}
	for i := range len(key) {
		switch {
		case !chars.In(key[i], chars.Lower|chars.Upper):
			cut(i)
			continue
		case start >= 0 && chars.In(key[i], chars.Upper) && chars.In(key[i-1], chars.Lower):
			cut(i)
		case start >= 0 && chars.In(key[i], chars.Upper) && i+1 < len(key) && chars.In(key[i+1], chars.Lower) && i > start:
			cut(i) // the K of APIKey
		}
		if start < 0 {
			start = i
		}
	}
	cut(len(key))
	return words
}

// NameLike reports whether v may be the name of what holds a secret, such as
// db_password or oauth2Token2: it ends as one, and what no name has is not in it,
// neither a sign nor a digit in the midst of a word (hunter2secret).
func NameLike(v string) bool {
	if GradeKey(strings.TrimRight(v, "0123456789")) == None || strings.ContainsAny(v, "!@#$%^&*?") {
		return false
	}
	for i := 1; i < len(v); i++ {
		if chars.In(v[i], chars.Lower) && chars.In(v[i-1], chars.Digit) {
			return false
		}
	}
	return true
}
