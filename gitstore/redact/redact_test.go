package redact

import (
	"strings"
	"testing"
)

// alpha is what made-up tokens are made of: no scanner knows them in this file,
// because they are put together at run time.
const alpha = "a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ"

func fill(n int) string { return strings.Repeat(alpha, n/len(alpha)+1)[:n] }

func hexn(n int) string { return strings.Repeat("0f1e2d3c4b5a6978", n/16+1)[:n] }

func up(n int) string { return strings.ToUpper(fill(n)) }

// secrets are texts with a secret between « and », and the rule that finds it.
var secrets = map[string]string{
	"push with «gh" + "p_" + fill(36) + "» today":                                  "github-token",
	"«github_" + "pat_" + fill(22) + "_" + fill(59) + "»":                          "github-token",
	"https://x:«gh" + "s_" + fill(36) + "»@github.com/o/r":                         "github-token",
	"«gl" + "pat-" + fill(20) + "».":                                               "gitlab-token",
	"«AT" + "BB" + fill(32) + "»":                                                  "bitbucket-token",
	"id «AK" + "IA" + up(16) + "»":                                                 "aws-access-key",
	"AWS_SESSION=«AS" + "IA" + up(16) + "»,x":                                      "aws-access-key",
	"aws_secret_access_key = «" + fill(38) + "/+»":                                 "secret-value",
	"«AI" + "za" + fill(35) + "»":                                                  "google-key",
	"«ya" + "29." + fill(60) + "»":                                                 "google-token",
	"«dop" + "_v1_" + hexn(64) + "»":                                               "digitalocean-token",
	"HEROKU_API_KEY=«01234567-89ab-cdef-0123-456789abcdef»":                        "secret-value",
	"DefaultEndpointsProtocol=https;AccountKey=«" + fill(86) + "==»;Endpoint=x":    "secret-value",
	"x «abc8Q" + "~" + fill(34) + "»":                                              "azure-client-secret",
	"«np" + "m_" + fill(36) + "»":                                                  "npm-token",
	"«py" + "pi-AgE" + fill(80) + "»":                                              "pypi-token",
	"«ci" + "o" + fill(32) + "»":                                                   "crates-token",
	"«ruby" + "gems_" + hexn(48) + "»":                                             "rubygems-key",
	"«xo" + "xb-123456789012-" + fill(24) + "»":                                    "slack-token",
	"https://hooks.slack" + ".com/services/«T0AAAAAAA/B0BBBBBBB/" + fill(24) + "»": "slack-webhook",
	"«M" + fill(23) + ".Gabcde." + fill(38) + "»":                                  "discord-token",
	"bot «123456789:" + "AA" + fill(33) + "»":                                      "telegram-token",
	"«sk" + "_live_" + fill(24) + "»":                                              "stripe-key",
	"«wh" + "sec_" + fill(32) + "»":                                                "stripe-webhook-secret",
	"«sq0" + "atp-" + fill(22) + "»":                                               "square-token",
	"«access_token" + "$production$" + fill(16) + "$" + hexn(32) + "»":             "paypal-token",
	"«sk" + "-ant-api03-" + fill(93) + "-AA»":                                      "anthropic-key",
	"«sk" + "-proj-" + fill(48) + "»":                                              "openai-key",
	"«sk" + "-" + fill(48) + "»":                                                   "openai-key",
	"«hf" + "_" + fill(34) + "»":                                                   "huggingface-token",
	"«sb" + "_secret_" + fill(31) + "»":                                            "supabase-key",
	"«AGE-" + "SECRET-KEY-1" + up(58) + "»":                                        "age-key",
	"user: root, pass: «3cY#lyTFXu17»":                                             "password",
	"user: root, password: «3c#lyTFXu17»":                                          "password",
	"Als Passwort habe ich «zsx_2u2Tiq38» gesetzt.":                                "password",
	"Usa la clave de acceso “«epf!4qO43R42»” para entrar.":                         "secret-value",
	"the default credentials (admin / «Winter2024!») still work":                   "password",
	"Our Datadog API key («" + hexn(32) + "») leaked":                              "secret-value",
	"line\\n«gh" + "p_" + fill(36) + "»\\nline":                                    "github-token",
	"line\\n«AK" + "IA" + up(16) + "»\\nline":                                      "aws-access-key",
	"\\u003c«AK" + "IA" + up(16) + "»\\u003e":                                      "aws-access-key",
	"?id%3D«AK" + "IA" + up(16) + "»":                                              "aws-access-key",
	`{"path":"a\/b","é":"\u00e9 «gh` + "o_" + fill(36) + `»"}`:                     "github-token",
	`{"type":"image/png","api_key_id":"«gh` + "p_" + fill(36) + `»"}`:              "github-token",
	`{"«gl` + "pat-" + fill(20) + `»": 1}`:                                         "gitlab-token",
	`{"signature":"«gh` + "p_" + fill(36) + `»"}`:                                  "github-token",
	"curl -H 'Authorization: Bearer «" + fill(40) + "»'":                           "bearer-token",
	"Authorization: Basic «dXNlcjpwYXNzd29yZA==»":                                  "basic-auth",
	"Authorization: token «" + fill(40) + "»":                                      "secret-value",
	"«ey" + "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ." + fill(43) + "»":          "jwt",
	"postgres://u:«p»@h/db":                                                        "url-password",
	"postgres://app:«pass»@db.example.com:5432/x?sslmode=off":                      "url-password",
	"redis://:«s3cr/t»@cache:6379":                                                 "url-password",
	"https://«" + fill(40) + "»@git.example.com/r.git":                             "url-password",
	"mongodb+srv://admin:«Tr0ub4dor&3»@c0.mongodb.net":                             "url-password",
	"DB_PASSWORD='«three words»'":                                                  "password",
	"use password=«Tr0ub4dor&3x9» there":                                           "password",
	"/login?user=u&password=«Tr0ub4dor&3x9»&next=/":                                "password",
	"DB_PASSWORD=«hunter2»":                                                        "password",
	"export DB_PASS=«sw0rdfish»":                                                   "password",
	"SMTP_PASSWORD=«swordfish»":                                                    "password",
	"password: «hunter2»":                                                          "password",
	"password: «hunter2secret»":                                                    "password",
	"  password: «swordfish»  # old":                                               "password",
	"**Password:** «hunter2»":                                                      "password",
	"Password: `«hunter2»`":                                                        "password",
	`{"password": "«hunter2»"}`:                                                    "password",
	`{\"password\": \"«hunter2»\"}`:                                                "password",
	`"{\\\"password\\\": \\\"«hunter2»\\\"}"`:                                      "password",
	`password="«a b c»"`:                                                           "password",
	`set password = '«a b c»' in psql`:                                             "password",
	`password: "«a b c»"`:                                                          "password",
	`{"password":"«go to it ox»"}`:                                                 "password",
	`login(password="«the cat sat on a mat»")`:                                     "password",
	`password="«i am so it»", user="x"`:                                            "password",
	`{"db":{"passwd":"«correct horse battery staple»"}}`:                           "password",
	`{"password":"«first one»","password":"x"}`:                                    "password",
	`password = "«a\"b\\»"`:                                                        "password",
	"password = '''«hunter2»'''":                                                   "password",
	`:password => "«hunter2»"`:                                                     "password",
	"mysql --password «hunter2» -h db":                                             "password",
	"mysql --password=«hunter2»":                                                   "password",
	"x password=«Hunter2!secret9»":                                                 "password",
	"mysql --password=«Hunter2!secret9» -u root":                                   "password",
	"mysql --password «Hunter2!secret9» -u root":                                   "password",
	"connect(host=h, password=«Hunter2!secret9»)":                                  "password",
	"run with PASSWORD=«hunter2secret» now":                                        "password",
	"x password=«hunter2secret» y":                                                 "password",
	"machine h login me password «hunter2»":                                        "password",
	"<password>«hunter2»</password>":                                               "password",
	"spring.datasource.password=«hunter2»":                                         "password",
	"Server=x;Password=«hunter2»;Database=y":                                       "password",
	"+  API_TOKEN: «" + hexn(32) + "»":                                             "secret-value",
	"SECRET_KEY_BASE=«" + hexn(64) + "»":                                           "secret-value",
	"> client_secret: «" + fill(30) + "»":                                          "secret-value",
	"const apiKey = \"«" + fill(24) + "»\";":                                       "secret-value",
	"apiKey: '«" + fill(24) + "»',":                                                "secret-value",
	"API key: «" + fill(24) + "»":                                                  "secret-value",
	"X-Api-Key: «" + fill(24) + "»":                                                "secret-value",
	"https://h/x?access_token=«" + fill(24) + "»&a=b":                              "secret-value",
	`private_key = "«` + fill(44) + `»"`:                                           "secret-value",
	`"auth": "«` + fill(44) + `»"`:                                                 "secret-value",
	`"tokens": ["«` + fill(20) + `»", "short"]`:                                    "secret-value",
	"token: «ab12hook34cd56ef»":                                                    "secret-value",
	"PASSWORD=«webhook-9-tail»":                                                    "password",
	"${DB_PASSWORD}\nDB_PASSWORD=«${X:-hunter2}»":                                  "password",
	"STRIPE_KEY=«" + fill(24) + "»":                                                "secret-value",
	"\ttoken := \"«" + fill(24) + "»\" // gitleaks:allow":                          "secret-value",
}

// commands are lines of shell that hold a secret between « and ».
var commands = []string{
	"lftp -u deploy,«qz9Lm4Rt» sftp://files.example.com",
	"plink -pw «qz9Lm4Rt» host",
	"xfreerdp /u:bob /p:«qz9Lm4Rt» /v:host",
	"cmdkey /add:host /user:bob /pass:«qz9Lm4Rt»",
	"schtasks /create /ru bob /rp «qz9Lm4Rt» /tn nightly",
	"rar a -hp«qz9Lm4Rt» backup.rar data",
	"zip -P«qz9Lm4Rt» a.zip data",
	"sqlcmd -S host -U sa -P«qz9Lm4Rt»",
	"wpa_passphrase home-net «qz9Lm4Rt»",
	"rclone obscure «qz9Lm4Rt»",
	"mc alias set store https://s3.example.com key-id «qz9Lm4Rt7Wp2»",
	"sqlplus scott/«qz9Lm4Rt»@orcl",
	"echo bob:«qz9Lm4Rt» | chpasswd",
	"curl -u \\\n  bob:«qz9Lm4Rt» https://example.com",
	"false || sshpass -p «qz9Lm4Rt» ssh host",
}

func TestTextFindsSecretsOfCommands(t *testing.T) {
	for _, text := range commands {
		in := strings.NewReplacer("«", "", "»", "").Replace(text)
		before, rest, _ := strings.Cut(text, "«")
		_, after, _ := strings.Cut(rest, "»")
		if got, _, err := Default().Text(in); err != nil || got != before+"[redacted:password]"+after {
			t.Errorf("Text(%q) = %q, %v", in, got, err)
		}
	}
}

// What stands in HTML, XML or JSON is found as if it stood there plainly, and nothing of it
// is left.
func TestTextFindsWhatIsEscaped(t *testing.T) {
	for in, secret := range map[string]string{
		"&lt;password&gt;qz9Lm4Rt7&lt;/password&gt;":     "qz9Lm4Rt7",
		"password=&quot;qz9Lm4Rt7&quot;":                 "qz9Lm4Rt7",
		"password=&apos;qz9Lm4Rt7&apos;":                 "qz9Lm4Rt7",
		"password:&nbsp;qz9Lm4Rt7":                       "qz9Lm4Rt7",
		"user=u&amp;password=qz9Lm4Rt7&amp;next=1":       "qz9Lm4Rt7",
		"password=&#34;qz9Lm4Rt7&#x22;":                  "qz9Lm4Rt7",
		"pass\u200bword=qz9Lm4Rt7":                       "qz9Lm4Rt7",
		"password=qz9\u2060Lm4\U000e0041Rt7":             "Lm4",
		"passw\u180eord=qz9Lm4Rt7":                       "qz9Lm4Rt7",
		`{"cmd":"curl -u \\\n bob:qz9Lm4Rt7 https://h"}`: "qz9Lm4Rt7",
	} {
		if got, _, err := Default().Text(in); err != nil || strings.Contains(got, secret) {
			t.Errorf("Text(%q) = %q, %v", in, got, err)
		}
	}
}

func TestTextFindsSecrets(t *testing.T) {
	for text, rule := range secrets {
		in := strings.NewReplacer("«", "", "»", "").Replace(text)
		before, rest, _ := strings.Cut(text, "«")
		_, after, _ := strings.Cut(rest, "»")
		want := before + "[redacted:" + rule + "]" + after
		got, found, err := Default().Text(in)
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("Text(%q)\n got %q\nwant %q", in, got, want)
		}
		if len(found) != 1 || found[0] != (Finding{rule, 1}) {
			t.Errorf("Text(%q) found %v, want %s once", in, found, rule)
		}
	}
}

// What stands below a token is none of it, unless it looks like the rest of one.
func TestBelowAToken(t *testing.T) {
	token := "gh" + "p_" + fill(36)
	line := strings.Repeat("word ", 9) + token + "\n"
	for _, next := range []string{"TestRotateTokenV2Handler", "9fceb02d0ae598e95dc970b74767f19372d61af8", "and so on", ""} {
		if got := mustText(t, Default(), line+next); !strings.HasSuffix(got, "]\n"+next) {
			t.Errorf("%q", got)
		}
	}
	if got := mustText(t, Default(), token+"\n"+fill(40)); !strings.Contains(got, "]\n"+fill(40)) {
		t.Errorf("a short line is not broken: %q", got)
	}
}
