package redact

import (
	"strings"
	"testing"
)

var (
	pemKeyBegin = "-----BEGIN RSA " + "PRIVATE KEY-----"
	pemKeyEnd   = "-----END RSA " + "PRIVATE KEY-----"
	pemKeyBody  = strings.Repeat(fill(64)+"\n", 5) + fill(20) + "==\n"
	pemKey      = pemKeyBegin + "\n" + pemKeyBody + pemKeyEnd
)

func prefixed(prefix, s string) string { return prefix + strings.ReplaceAll(s, "\n", "\n"+prefix) }

// pems are ways in which a private key comes; each ends with "\nend" or "end".
func pems() []string {
	openssh := strings.ReplaceAll(pemKey, "RSA", "OPENSSH")
	return []string{
		"see:\n" + pemKey + "\nend",
		"see:\n" + openssh + "\nend",
		"see:\n" + strings.ReplaceAll(pemKey, "RSA ", "") + "\nend",
		"see:\n" + prefixed("+", pemKey) + "\nend",
		"see:\n" + prefixed("> ", pemKey) + "\nend",
		"see:\n" + prefixed("    ", pemKey) + "\nend",
		"see:\n" + strings.ReplaceAll(pemKey, "\n", "\r\n") + "\r\nend",
		`see: {"private_key":"` + strings.ReplaceAll(pemKey, "\n", `\n`) + `\n","x":1} end`,
		`see: "{\"private_key\":\"` + strings.ReplaceAll(pemKey, "\n", `\\n`) + `\\n\"}" end`,
		"see: " + strings.ReplaceAll(pemKey, "\n", " ") + " end",
		"see:\n" + pemKeyBegin + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n" + pemKeyBody + pemKeyEnd + "\nend",
		// Cut off.
		"see:\n" + pemKeyBegin + "\n" + pemKeyBody + "\nend of it",
		"see:\n" + pemKeyBegin + "\n" + fill(64) + "\n" + fill(64) + "\n" + fill(30) + "\nend of it",
		"see:\n" + prefixed("+", pemKeyBegin+"\n"+fill(64)+"\n"+fill(64)) + "\nend of it",
		`see: {"k":"` + pemKeyBegin + `\n` + fill(64) + `\n` + fill(64) + `"} end`,
		"see:\n" + fill(64) + "\n" + fill(64) + "\n" + fill(20) + "\n" + pemKeyEnd + "\nend",
		"see:\n" + prefixed("+", fill(64)+"\n"+fill(64)+"\n"+fill(20)+"\n"+pemKeyEnd) + "\nend",
	}
}

func TestPrivateKeysGoWhole(t *testing.T) {
	for _, in := range pems() {
		got, _, err := Default().Text(in)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(got, fill(10)) || strings.Count(got, "[redacted:private-key]") != 1 || !strings.HasPrefix(got, "see:") || !strings.Contains(got, "end") {
			t.Errorf("Text(%q)\n = %q", in, got)
		}
	}
}
