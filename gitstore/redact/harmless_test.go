package redact

import (
	"strings"
	"testing"
)

// harmless are texts that look a little like secrets and must stay as they are.
var harmless = []string{
	"the password is rotated hourly",
	"The token: expires after 15 minutes, see docs",
	"Thesis: tokens rotate hourly",
	"Refresh token: rotate every hour",
	"secret: kubernetes-manifests",
	"Password: required",
	"password: string",
	"token: string;",
	"password?: Optional[str] = None",
	"api_key: str",
	"token_estimate: 12000",
	"checkpoint_tokens: 523",
	"max_tokens=4096",
	`"usage":{"input_tokens":12345,"cache_creation_input_tokens":123456789012345678}`,
	"token: 2026-11-21",
	"PASS: TestLogin2024 (0.01s)",
	"PWD=/home/user/project",
	`env = append(env, "PWD="+dir1234)`,
	`s := "password="+pw1234`,
	"tokens = 2*maxConcurrency1 + minTokens",
	`"comma-separated-tokens": ["comma-separated-tokens@2.0.3", ""]`,
	`password = os.Getenv("DB_PASSWORD")`,
	`password: process.env.DB_PASSWORD,`,
	`token := r.Header.Get("X-Token")`,
	"password=password",
	"connect(host=h, password=db_password2, token=oauth2Token)",
	"mysql --password=$MYSQL_PASSWORD and --password=oauth2_secret",
	"self.token = token",
	"const token = await fetchToken(user)",
	"secret = config.secret_value",
	"password = var.db_password",
	"token: ${{ secrets.GITHUB_TOKEN }}",
	"TOKEN=$GITHUB_TOKEN make",
	"API_KEY=${API_KEY:-changeme}",
	"PASSWORD=$(cat /run/secrets/db)",
	"password: <your password>",
	"api_key: your-api-key-here",
	"password: ********",
	"password: changeme",
	"token: xxxxxxxx-xxxx",
	"OPENAI_API_KEY=sk-...",
	"password_file: /run/secrets/db_password",
	"secret: op://vault/item/field",
	"password: !vault |",
	`fmt.Printf("token=%s", tok)`,
	`"password=" + pw + "&user=" + u`,
	`if password == "" { return }`,
	`{"password":{"type":"string","description":"The password to use"}}`,
	`"password": "is not set"`,
	`password="is not set"`,
	`password="can not be set"`,
	`password = "must be at least 8 characters"`,
	`"password": "set by ops"`,
	`password: "a key for the vault"`,
	`the password="a long one in the vault" of ours`,
	`"password": "must be at least 8 characters"`,
	`"tokenUrl": "https://login.example.com/oauth2/v2.0/token"`,
	`grant_type=refresh_token`,
	`secretKeyRef: {name: db-credentials, key: password}`,
	`type Token struct { Secret string }`,
	"postgres://user:${DB_PASSWORD}@localhost/db",
	"postgres://user:<password>@localhost/db",
	"postgres://user:***@localhost/db",
	"https://example.com:8080/@scope/pkg",
	"http://[::1]:80/@x",
	"git@github.com:owner/repo.git and ssh://git@github.com/owner/repo",
	"https://packages.example.org/@types/node/-/node-20.1.0.tgz",
	"mail me at https://a.example/x?to=a@b.example",
	"Basic knowledge of Bearer authentication-schemes-for-everybody",
	"Basic YWJjZGVm",
	"sk-fading-circle-container-wrapper and risk-management-department-2024",
	"npm_config_registry npm_package_dependencies_something_long_here",
	"AKIAIOSFODNN7EXAMPLE",
	"ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
	"ghp_ is the prefix of GitHub's personal tokens",
	"-----BEGIN PRIVATE KEY----- opens it and -----END PRIVATE KEY----- closes it",
	"-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----",
	"commit 8d3f7a1c9b2e4f6a8c0d1e3f5a7b9c1d3e5f7a9b",
	"8d3f7a1c9b2e4f6a8c0d1e3f5a7b9c1d3e5f7a9b8d3f7a1c9b2e4f6a8c0d1e3f",
	`"uuid":"550e8400-e29b-41d4-a716-446655440000","parentUuid":null`,
	"github.com/spf13/cobra v1.10.2 h1:DMTTonx5m65Ic0GOoRY2c16WCbHxOOw6xxezuLaBpcU=",
	`"integrity": "sha512-9Xm2bTqJ1yQ3xH0kH2LzvVn3x1lq7Vt7C6l8y0W8fG4b1R2sT5uY7iO9pA1sD3fG5hJ7kL9zX1cV3bN5mQ7wEw=="`,
	"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
	`{"type":"tool_use","id":"toolu_01A09q90qw90lq917835lq9","name":"Bash"}`,
	`{"id":"msg_01XFDUDYJgAACzvnptvVoYEL","session_id":"0f2c7a9e-1b3d-4e5f-8a7b-9c0d1e2f3a4b"}`,
	"/home/me/.claude/projects/-home-me-work-app/0f2c7a9e-1b3d-4e5f-8a7b-9c0d1e2f3a4b.jsonl",
	"e=>{var t=e.token;return t&&t.key===n.key}",
	"function(e,t){this.password=e,this.token=t}",
	"author: Ada Lovelace\nkeywords: auth, jwt, tokens\nkey: sort_key\nprimary_key: id",
	"tokens: [auth, jwt]",
	"monkey: banana12345678901",
	"[redacted:github-token] and token: [redacted:secret-value].",
	"password=[redacted:password]",
	"Session tokens: JWT vs opaque (decision pending)",
	"token bucket: 100 per second",
	"The secret: sessions are signed with a rotating key.",
	"eyJ is how base64 of a JSON object begins",
	"k1:v1=k2:v2",
	"1.2.3.4 example.com. a.b.c.d",
	"Sources: src1 supports, src2 contradicts — https://datatracker.ietf.org/doc/html/rfc7519#section-4.1",
	"`token` (string): the opaque token",
	"authorization: required",
	"Authorization: Bearer <token>",
	"curl -H \"Authorization: Bearer $TOKEN\" https://api.example.com",
	"secret_name = \"prod/db/main-2024-0001\"",
	"passwordResetTokenLifetimeMinutes: 30m1234567890abcdef",
}

func TestTextLeavesTheRestAlone(t *testing.T) {
	for _, in := range harmless {
		got, found, err := Default().Text(in)
		if err != nil {
			t.Fatal(err)
		}
		if got != in || len(found) > 0 {
			t.Errorf("Text(%q) = %q, %v", in, got, found)
		}
	}
	all := strings.Join(harmless, "\n")
	if got, found, _ := Default().Text(all); got != all {
		t.Errorf("together they give %v", found)
	}
}
