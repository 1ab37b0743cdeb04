package redact

import "strings"

// A grade says how much a key promises that its value is a secret.
type grade uint8

const (
	none   grade = iota
	weak         // credentials, tokens, api_key_id: the value must look random
	medium       // token, api_key: the value must not look like a word
	strong       // password: any value that is no placeholder
)

// gradeOf says what a word at the end of a key means.
func gradeOf(w string) grade {
	switch {
	case strongWords.has(w):
		return strong
	case mediumWords.has(w):
		return medium
	case weakWords.has(w):
		return weak
	}
	return none
}

const (
	strongWords words = " password passwd passphrase passcode passwort pwd pass pw pswd mnemonic kennwort mdp senha wachtwoord contrasena " +
		"bindpw rootpw requirepass masterauth storepass keypass psk wpapsk sshpass "
	mediumWords words = " secret token apikey accesskey secretkey privatekey authkey bearer authorization authtoken" +
		" accesstoken clientsecret accountkey "
	weakWords words = " secrets tokens passwords apikeys credential credentials creds auth cookie sig "
)

// endings are those whose suffix tells: DBPASSWORD, mytoken.
var endings = []string{"password", "passwd", "passphrase", "secret", "token", "apikey", "secretkey", "privatekey"}

// keyOwners make a "key" behind them a secret one: api key, signing key.
const keyOwners words = " api access secret private signing encryption encrypt master account auth service deploy " +
	"storage shared app application subscription admin client webhook hmac jwt session cipher symmetric root role " +
	"consumer license user primary secondary integration write "

// denials are words behind a secret's name that make it a fact about one:
// token count, password policy.
const denials words = " count counts type types name names url uri urls endpoint endpoints expiry expires expire " +
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

// words is a list of words between blanks. A search costs less than a map would
// cost each process at its start.
type words string

func (l words) has(w string) bool {
	if w == "" || strings.IndexByte(w, ' ') >= 0 {
		return false
	}
	for at := 0; ; at++ {
		i := strings.Index(string(l[at:]), w)
		if i < 0 {
			return false
		}
		if at += i; at > 0 && l[at-1] == ' ' && l[at+len(w)] == ' ' {
			return true
		}
	}
}

// maxKey bounds how far back a key is read.
const maxKey = 80

// gradeKey judges a key such as DB_PASSWORD, clientSecret, "api key" or x-api-key.
func gradeKey(key string) grade {
	if len(key) > maxKey || !mayBeKey(key) {
		return none
	}
	words := splitKey(key)
	for i := len(words) - 1; i >= 0; i-- {
		w := words[i]
		g := gradeWord(words, i)
		switch {
		case g != none:
			return capped(g, words[i+1:])
		case denials.has(w):
			return none
		}
	}
	if n := len(words); n > 1 && words[n-1] == "key" && words[0] != "gpg" && words[0] != "pgp" && words[0] != "public" && strings.ToUpper(key) == key {
		return weak // STRIPE_KEY
	}
	return none
}

// capped lowers a grade for the words behind: an id of a secret is one only if
// it looks random.
func capped(g grade, behind []string) grade {
	for _, w := range behind {
		if w == "id" || w == "ids" || w == "hash" {
			return weak
		}
	}
	return g
}

func gradeWord(words []string, i int) grade {
	w := words[i]
	if w == "key" || w == "keys" {
		if i == 0 || !keyOwners.has(words[i-1]) {
			return none
		}
		if w == "keys" || words[i-1] == "user" || words[i-1] == "primary" || words[i-1] == "secondary" {
			return weak
		}
		return medium
	}
	if g := gradeOf(w); g != none {
		return g
	}
	for _, e := range endings {
		if strings.HasSuffix(w, e) {
			return gradeOf(e)
		}
	}
	return none
}

// mayBeKey is a quick look before words are split.
func mayBeKey(key string) bool {
	for i := 0; i+1 < len(key); i++ {
		switch [2]byte{key[i] | 0x20, key[i+1] | 0x20} {
		case [2]byte{'p', 'a'}, [2]byte{'p', 'w'}, [2]byte{'s', 'e'}, [2]byte{'t', 'o'}, [2]byte{'k', 'e'},
			[2]byte{'c', 'r'}, [2]byte{'a', 'u'}, [2]byte{'s', 'i'}, [2]byte{'c', 'o'}, [2]byte{'b', 'e'}, [2]byte{'m', 'n'}, [2]byte{'m', 'd'}, [2]byte{'p', 's'}, [2]byte{'w', 'a'}:
			return true
		}
	}
	return false
}

// splitKey returns the words of a key in lower case: clientSecret2 and
// CLIENT_SECRET_2 are both client, secret. Digits belong to no word.
func splitKey(key string) []string {
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
		case !in(key[i], lower|upper):
			cut(i)
			continue
		case start >= 0 && in(key[i], upper) && in(key[i-1], lower):
			cut(i)
		case start >= 0 && in(key[i], upper) && i+1 < len(key) && in(key[i+1], lower) && i > start:
			cut(i) // the K of APIKey
		}
		if start < 0 {
			start = i
		}
	}
	cut(len(key))
	return words
}
