package redact

import (
	"strings"
	"testing"
)

// clean is 4 kB as a checkpoint has them.
var clean = strings.Repeat("Tokens rotate hourly: the gateway (see internal/auth/token.go:42) keeps two keys, so that "+
	"a token signed a moment before the change = still valid. The password policy is unchanged.\n", 4096/180+1)[:4096]

// BenchmarkFresh is what the hook pays: a new redactor and its tables.
func BenchmarkText(b *testing.B) {
	hostile := map[string]string{
		"clean":       clean,
		"secrets":     strings.Repeat("password=hunter2 "+plant+"\n", 60),
		"keys":        "password=",
		"keys2":       "token:",
		"quotes":      `password="token='`,
		"begin":       pemKeyBegin + "\n",
		"begin2":      pemKeyBegin + "\n" + fill(64) + "\n",
		"slashes":     "://a:",
		"slashes2":    "://",
		"ats":         "://u:p@h/@",
		"eyJ":         "ey" + "J",
		"jwt":         "ey" + "Jaaaaaaaaaaaaaaaaaa.",
		"sk":          "sk-",
		"xoxb":        "xo" + "xb-",
		"akia":        "/AK" + "IA" + up(16),
		"dots":        "Maaaaaaaaaaaaaaaaaaaaaaaa.",
		"telegram":    "123456789:AA",
		"placeholder": "[redacted:x]",
		"open":        "[redacted:",
		"brackets":    "token=[\"\",",
		"spaces":      "key        =",
		"basic":       "basic ",
		"bearer":      "Bearer ",
		"a":           "a",
		"one":         "[redacted:x]password",
		"prose":       "password is ",
		"prose2":      "password for the ",
		"prose3":      "password is not5 a ",
		"shell":       "curl mysql -p ",
		"shell2":      "echo \"mysql ",
		"backslashes": "\\",
		"escapes":     `\u0070`,
		"goes on":     "a\\\n",
		"zero width":  "a\u200b",
		"percent":     "%70",
		"base64":      "cGFzc3dvcmQgaXMg",
		"base64 bits": "cGFzc3dvcmQgaXMgcGFzc3dvcmQ= ",
		"colons":      "a:",
		"dollars":     "$2a$",
		"quotes2":     `password "`,
		"pairs":       `name="password" `,
		"values":      "(password) values (",
		"cookies":     "Cookie: a=",
		"entities":    "&#65;",
		"plain":       "the password is sesame ",
		"plain2":      "the password is swordfish.\n",
		"answers":     "password changed it's now it's now ",
		"enters":      "log in as bo and ",
		"tables":      "| password |\n|---|\n",
		"tables2":     "| password ",
		"nested":      `"secret":{"key":`,
		"numbered":    "password 7 ",
		"communities": "snmp-server community ",
		"rules":       "user bo on ",
		"as":          "x as the password",
		"quoted as":   "“x” as the new shared password ",
	}
	for name, unit := range hostile {
		text := strings.Repeat(unit, 10<<20/len(unit))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, _, err := Default().Text(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
