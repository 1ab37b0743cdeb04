// Package tokens finds tokens by the shapes that vendors give them.
package tokens

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
)

// A shape is a token that begins with a fixed text.
//
// After the prefix come at least min bytes of the class; all that follow are
// taken. A scan that fails costs at most min bytes and one that succeeds is
// jumped over, so the work is linear whatever the text.
type shape struct {
	rule   string
	prefix string
	Class  chars.Class
	min    int
	flags  flag
}

type flag uint8

const (
	alone  flag = 1 << iota // must not continue a word
	exact                   // exactly min bytes
	keep                    // the prefix is no secret
	varied                  // has digits and letters
	nohex                   // is more than hex digits
)

// shapes is the table of vendors' tokens. Prefixes that cannot occur in prose or
// code match anywhere, the others only at the start of a word.
var shapes = []shape{
	// Code hosts.
	{"github-token", "ghp_", chars.Alnum, 36, 0},
	{"github-token", "gho_", chars.Alnum, 36, 0},
	{"github-token", "ghu_", chars.Alnum, 36, 0},
	{"github-token", "ghs_", chars.Jwtc, 36, varied},
	{"github-token", "ghr_", chars.Alnum, 36, 0},
	{"github-token", "github_pat_", chars.Alnum | chars.Dash, 36, 0},
	{"gitlab-token", "glpat-", chars.Jwtc, 20, 0},
	{"gitlab-token", "gldt-", chars.Word, 20, alone},
	{"gitlab-token", "glrt-", chars.Jwtc, 20, alone},
	{"gitlab-token", "glrtr-", chars.Word, 20, alone},
	{"gitlab-token", "glcbt-", chars.Word, 20, alone},
	{"gitlab-token", "glptt-", chars.Alnum, 40, alone},
	{"gitlab-token", "glft-", chars.Word, 20, alone},
	{"gitlab-token", "glimt-", chars.Word, 20, alone},
	{"gitlab-token", "glagent-", chars.Word, 20, alone},
	{"gitlab-token", "glsoat-", chars.Word, 20, alone},
	{"gitlab-token", "gloas-", chars.Alnum, 64, alone},
	{"gitlab-token", "glffct-", chars.Word, 20, alone},
	{"gitlab-token", "GR1348941", chars.Word, 20, alone},
	{"atlassian-token", "ATATT3", chars.Word | chars.B64, 60, alone},
	{"atlassian-token", "ATCTT3", chars.Word | chars.B64, 60, alone},
	{"bitbucket-token", "ATBB", chars.Alnum, 28, alone | varied},
	// Clouds and hosting.
	{"aws-access-key", "AKIA", chars.Digit | chars.Upper, 16, alone | exact},
	{"aws-access-key", "ASIA", chars.Digit | chars.Upper, 16, alone | exact},
	{"aws-access-key", "ABIA", chars.Digit | chars.Upper, 16, alone | exact},
	{"aws-access-key", "ACCA", chars.Digit | chars.Upper, 16, alone | exact},
	{"aws-bedrock-key", "ABSKQmVkcm9ja0FQSUtleS", chars.Base, 80, 0},
	{"google-key", "AIza", chars.Word, 35, alone},
	{"google-token", "ya29.", chars.Word, 20, alone},
	{"google-token", "1//0", chars.Word, 24, alone | varied},
	{"google-client-secret", "GOCSPX-", chars.Word, 20, 0},
	{"digitalocean-token", "dop_v1_", chars.Hexa, 64, 0},
	{"digitalocean-token", "doo_v1_", chars.Hexa, 64, 0},
	{"digitalocean-token", "dor_v1_", chars.Hexa, 64, 0},
	{"heroku-key", "HRKU-", chars.Word, 36, 0},
	{"alibaba-key", "LTAI", chars.Alnum, 16, alone},
	{"databricks-token", "dapi", chars.Hexa, 32, alone},
	{"fly-token", "FlyV1 fm", chars.Word | chars.B64 | chars.Other, 40, 0},
	{"fly-token", "fm2_", chars.Word | chars.B64, 100, alone},
	{"fly-token", "fo1_", chars.Word, 43, alone},
	{"netlify-token", "nfp_", chars.Alnum, 36, alone},
	{"cloudflare-key", "v1.0-", chars.Alnum | chars.Dash, 40, alone | varied},
	{"vault-token", "hvs.", chars.Word, 24, alone},
	{"vault-token", "hvb.", chars.Word, 24, alone},
	{"vault-token", "hvr.", chars.Word, 24, alone},
	{"pulumi-token", "pul-", chars.Hexa, 40, alone},
	{"doppler-token", "dp.pt.", chars.Alnum, 40, alone},
	{"doppler-token", "dp.st.", chars.Jwtc, 40, alone},
	{"planetscale-token", "pscale_tkn_", chars.Jwtc, 32, 0},
	{"planetscale-token", "pscale_pw_", chars.Jwtc, 32, 0},
	{"planetscale-token", "pscale_oauth_", chars.Jwtc, 32, 0},
	{"supabase-key", "sb_secret_", chars.Word, 20, 0},
	{"supabase-key", "sbp_", chars.Hexa, 40, 0},
	{"tailscale-key", "tskey-", chars.Word, 20, alone},
	// Registries of packages.
	{"npm-token", "npm_", chars.Alnum, 36, 0},
	{"pypi-token", "pypi-AgE", chars.Word, 50, 0},
	{"crates-token", "cio", chars.Alnum, 32, alone | exact | varied | nohex},
	{"rubygems-key", "rubygems_", chars.Hexa, 48, 0},
	{"nuget-key", "oy2", chars.Digit | chars.Lower, 43, alone | exact},
	{"docker-token", "dckr_pat_", chars.Word, 20, 0},
	{"docker-token", "dckr_oat_", chars.Word, 20, 0},
	// Chat.
	{"slack-token", "xoxb-", chars.Word, 20, 0},
	{"slack-token", "xoxp-", chars.Word, 20, 0},
	{"slack-token", "xoxa-", chars.Word, 20, 0},
	{"slack-token", "xoxr-", chars.Word, 20, 0},
	{"slack-token", "xoxs-", chars.Word, 20, 0},
	{"slack-token", "xoxo-", chars.Word, 20, 0},
	{"slack-token", "xoxc-", chars.Word, 20, 0},
	{"slack-token", "xoxd-", chars.Word | chars.B64 | chars.Other, 20, 0},
	{"slack-token", "xoxe-", chars.Word, 20, 0},
	{"slack-token", "xoxe.xox", chars.Jwtc, 20, 0},
	{"slack-token", "xapp-", chars.Word, 20, 0},
	{"slack-webhook", "hooks.slack.com/services/", chars.Word | chars.B64, 20, keep},
	{"slack-webhook", "hooks.slack.com/workflows/", chars.Word | chars.B64, 20, keep},
	{"slack-webhook", "hooks.slack.com/triggers/", chars.Word | chars.B64, 20, keep},
	{"discord-webhook", "discord.com/api/webhooks/", chars.Word | chars.B64, 40, keep},
	{"discord-webhook", "discordapp.com/api/webhooks/", chars.Word | chars.B64, 40, keep},
	{"teams-webhook", ".webhook.office.com/webhookb2/", chars.Word | chars.B64 | chars.Other, 36, keep},
	// Payment.
	{"stripe-key", "sk_live_", chars.Alnum, 16, 0},
	{"stripe-key", "sk_test_", chars.Alnum, 16, 0},
	{"stripe-key", "rk_live_", chars.Alnum, 16, 0},
	{"stripe-key", "rk_test_", chars.Alnum, 16, 0},
	{"stripe-key", "sk_org_", chars.Alnum | chars.Dash, 24, 0},
	{"stripe-webhook-secret", "whsec_", chars.Base, 24, 0},
	{"square-token", "sq0atp-", chars.Word, 22, 0},
	{"square-token", "sq0csp-", chars.Word, 43, 0},
	{"square-token", "EAAA", chars.Word, 56, alone | varied},
	{"paypal-token", "access_token$production$", chars.Alnum | chars.Other, 32, 0},
	{"paypal-token", "access_token$sandbox$", chars.Alnum | chars.Other, 32, 0},
	{"paypal-token", "A21AA", chars.Word, 80, alone},
	{"plaid-token", "access-production-", chars.Word, 36, 0},
	{"plaid-token", "access-sandbox-", chars.Word, 36, 0},
	{"flutterwave-key", "FLWSECK", chars.Word, 32, 0},
	{"razorpay-key", "rzp_live_", chars.Alnum, 14, 0},
	{"adyen-key", "AQE", chars.Base, 200, alone},
	// Vendors of models.
	{"anthropic-key", "sk-ant-", chars.Word, 20, 0},
	{"openai-key", "sk-proj-", chars.Word, 20, 0},
	{"openai-key", "sk-svcacct-", chars.Word, 20, 0},
	{"openai-key", "sk-admin-", chars.Word, 20, 0},
	{"openrouter-key", "sk-or-v1-", chars.Hexa, 40, 0},
	{"langfuse-key", "sk-lf-", chars.Word, 30, 0},
	{"openai-key", "sk-", chars.Alnum, 20, alone | varied},
	{"huggingface-token", "hf_", chars.Alnum, 30, alone},
	{"huggingface-token", "api_org_", chars.Alnum, 30, alone},
	{"groq-key", "gsk_", chars.Alnum, 40, alone},
	{"xai-key", "xai-", chars.Alnum, 60, alone},
	{"perplexity-key", "pplx-", chars.Alnum, 40, alone},
	{"replicate-token", "r8_", chars.Alnum, 30, alone},
	{"nvidia-key", "nvapi-", chars.Word, 40, alone},
	{"together-key", "tgp_v1_", chars.Word, 40, 0},
	{"langsmith-key", "lsv2_pt_", chars.Alnum | chars.Dash, 32, 0},
	{"langsmith-key", "lsv2_sk_", chars.Alnum | chars.Dash, 32, 0},
	{"pinecone-key", "pcsk_", chars.Alnum | chars.Dash, 40, 0},
	{"jina-key", "jina_", chars.Word, 40, alone | varied},
	{"tavily-key", "tvly-", chars.Word, 24, alone | varied},
	// Services.
	{"sendgrid-key", "SG.", chars.Jwtc, 60, alone | varied},
	{"mailgun-key", "key-", chars.Hexa, 32, alone | exact},
	{"twilio-key", "SK", chars.Digit | chars.Hexa, 32, alone | exact},
	{"shopify-token", "shpat_", chars.Hexa, 32, 0},
	{"shopify-token", "shpca_", chars.Hexa, 32, 0},
	{"shopify-token", "shppa_", chars.Hexa, 32, 0},
	{"shopify-token", "shpss_", chars.Hexa, 32, 0},
	{"grafana-token", "glc_", chars.Base, 32, alone},
	{"grafana-token", "glsa_", chars.Alnum | chars.Dash, 32, alone},
	{"newrelic-key", "NRAK-", chars.Alnum, 24, alone},
	{"sentry-token", "sntrys_", chars.Base | chars.Dash, 40, 0},
	{"sentry-token", "sntryu_", chars.Hexa, 40, 0},
	{"postman-key", "PMAK-", chars.Word, 40, alone},
	{"linear-key", "lin_api_", chars.Alnum, 32, 0},
	{"linear-key", "lin_oauth_", chars.Alnum, 32, 0},
	{"notion-token", "ntn_", chars.Alnum, 40, alone},
	{"notion-token", "secret_", chars.Alnum, 43, alone | exact | varied},
	{"figma-token", "figd_", chars.Word, 36, alone},
	{"dropbox-token", "sl.", chars.Word, 100, alone},
	{"facebook-token", "EAAC", chars.Alnum, 80, alone},
	{"buildkite-token", "bkua_", chars.Hexa, 40, alone},
	{"circleci-token", "CCIPAT_", chars.Alnum | chars.Dash, 40, 0},
	{"circleci-token", "CCIPRJ_", chars.Alnum | chars.Dash, 40, 0},
	{"dynatrace-token", "dt0c01.", chars.Jwtc, 60, 0},
	{"posthog-key", "phx_", chars.Word, 40, alone},
	{"prefect-key", "pnu_", chars.Alnum, 36, alone},
	{"typeform-token", "tfp_", chars.Jwtc, 40, alone},
	{"onepassword-token", "ops_eyJ", chars.Base | chars.Dash, 100, 0},
	{"artifactory-token", "AKCp", chars.Alnum, 60, alone},
	{"airtable-token", "pat", chars.Alnum | chars.Dot, 70, alone | varied},
	{"algolia-key", "sk_prod_", chars.Alnum, 24, 0},
	{"vercel-token", "vercel_", chars.Alnum, 24, alone | varied},
	{"vercel-token", "vcp_", chars.Alnum, 24, alone | varied},
	{"contentful-token", "CFPAT-", chars.Word, 40, 0},
	{"shippo-token", "shippo_live_", chars.Hexa, 40, 0},
	{"shippo-token", "shippo_test_", chars.Hexa, 40, 0},
	{"readme-key", "rdme_", chars.Alnum, 60, alone},
	{"easypost-key", "EZAK", chars.Alnum, 54, alone | varied},
	{"easypost-key", "EZTK", chars.Alnum, 54, alone | varied},
	{"onepassword-key", "A3-", chars.Upper | chars.Digit | chars.Dash, 30, alone | varied},
	{"brevo-key", "xkeysib-", chars.Alnum | chars.Dash, 60, 0},
	{"brevo-key", "xsmtpsib-", chars.Alnum | chars.Dash, 60, 0},
	{"hubspot-token", "pat-na1-", chars.Alnum | chars.Dash, 32, alone},
	{"hubspot-token", "pat-eu1-", chars.Alnum | chars.Dash, 32, alone},
	{"apify-token", "apify_api_", chars.Alnum, 30, 0},
	{"sourcegraph-token", "sgp_", chars.Alnum | chars.Dash, 40, alone},
	{"render-key", "rnd_", chars.Alnum, 24, alone | varied},
	{"resend-key", "re_", chars.Alnum | chars.Dash, 24, alone | varied},
	{"wakatime-key", "waka_", chars.Alnum | chars.Dash, 36, alone},
	{"mapbox-token", "sk.eyJ", chars.Jwtc, 40, alone},
	{"sonar-token", "squ_", chars.Hexa, 40, alone},
	{"sonar-token", "sqp_", chars.Hexa, 40, alone},
	{"sonar-token", "sqa_", chars.Hexa, 40, alone},
	{"firecrawl-key", "fc-", chars.Hexa, 32, alone},
	{"e2b-key", "e2b_", chars.Hexa, 40, alone},
	{"cerebras-key", "csk-", chars.Alnum, 40, alone},
	{"voyage-key", "pa-", chars.Word, 40, alone | varied},
	{"mailersend-token", "mlsn.", chars.Hexa, 60, alone},
	{"facebook-token", "EAA", chars.Alnum, 90, alone | varied},
	{"bitbucket-token", "BBDC-", chars.Word | chars.B64, 40, alone},
	{"artifactory-token", "cmVmdGtu", chars.Alnum, 50, alone},
	{"gitea-token", "gta_", chars.Alnum, 40, alone},
	{"cloudflare-token", "cfut_", chars.Word, 40, alone},
	{"telnyx-key", "KEY0", chars.Alnum | chars.Dash, 50, alone | varied},
	{"frameio-token", "fio-u-", chars.Word, 60, alone},
	{"duffel-token", "duffel_live_", chars.Word, 40, 0},
	{"duffel-token", "duffel_test_", chars.Word, 40, 0},
	{"lob-key", "live_", chars.Hexa, 35, alone},
	{"ngrok-key", "ak_", chars.Alnum, 40, alone | varied},
	{"retool-key", "retool_01", chars.Alnum, 20, alone},
	{"fireworks-key", "fw_", chars.Alnum, 22, alone | varied},
	{"age-key", "AGE-SECRET-KEY-", chars.Alnum | chars.Dash, 40, 0},
	{"age-key", "age-secret-key-", chars.Alnum | chars.Dash, 40, 0},
}

// Find reports what has the shape of a vendor's token.
func Find(s string, found *spans.Set) {
	t := table()
	for i := 0; i+1 < len(s); i++ {
		pair := int(s[i])<<8 | int(s[i+1])
		if t.pairs[pair>>6]&(1<<(pair&63)) == 0 {
			continue
		}
		for _, k := range t.byFirst[s[i]] {
			from, end := shapes[k].match(s, i)
			if end == 0 {
				continue
			}
			found.Add(shapes[k].rule, from, end)
			if shapes[k].rule == "aws-access-key" || shapes[k].rule == "alibaba-key" {
				findAWSSecret(s, end, found)
			}
			i = end - 1
			break
		}
	}
}

// match returns where the secret at s[at] lies, or an end of 0.
func (p *shape) match(s string, at int) (from, end int) {
	if !strings.HasPrefix(s[at:], p.prefix) || p.flags&alone != 0 && chars.Glued(s, at) {
		return 0, 0
	}
	body := at + len(p.prefix)
	// What decides lies in a window, so that a failure is cheap.
	window := chars.Run(s[:min(len(s), body+max(p.min, 200)+1)], body, p.Class)
	if window < body+p.min {
		if end := p.brokenEnd(s, body, window); end > 0 {
			return at, end
		}
	}
	if window < body+p.min || p.flags&exact != 0 && window != body+p.min || !p.plausible(s[body:window]) {
		return 0, 0
	}
	end = chars.Run(s, window, p.Class)
	if rest := p.restEnd(s, end); rest > 0 {
		return at, rest
	}
	for end > body+p.min && !chars.In(s[end-1], chars.Alnum|chars.B64) { // the full stop or dash after it
		end--
	}
	if p.flags&keep != 0 {
		return body, end
	}
	return at, end
}

// How a token looks that a terminal broke at the end of a line: so many bytes stand in that line
// at least, of these so many behind the prefix, and so many in the next of one that is long enough
// without them; before these are at most so many blanks.
const leastLine, leastBroken, leastRest, mostIndent = 60, 6, 16, 10

// brokenEnd returns where a token ends of which s[body:window] is too little, or 0.
func (p *shape) brokenEnd(s string, body, window int) int {
	next := p.nextLine(s, window)
	if next == 0 || window-body < leastBroken {
		return 0
	}
	end := chars.Run(s[:min(len(s), next+max(p.min, 200)+1)], next, p.Class)
	joined := s[body:window] + s[next:end]
	if len(joined) < p.min || !chars.Mixed(s[next:end]) || !chars.Mixed(joined) || !p.plausible(joined) {
		return 0
	}
	return chars.Run(s, end, p.Class)
}

// restEnd returns where the rest ends of a token that is long enough at s[:at], or 0: the next
// line begins with what no name is.
func (p *shape) restEnd(s string, at int) int {
	next := p.nextLine(s, at)
	if next == 0 {
		return 0
	}
	end := chars.Run(s[:min(len(s), next+200)], next, p.Class)
	digits := 0
	for i := next; i < end; i++ {
		if chars.In(s[i], chars.Digit) {
			digits++
		}
	}
	if set, _ := chars.Kinds(s[next:end]); end-next < leastRest || digits < 2 || set&chars.Upper == 0 || set&chars.Lower == 0 {
		return 0
	}
	return chars.Run(s, end, p.Class)
}

// nextLine returns where the line behind s[at] begins, behind its indentation, if a terminal may
// have broken a token there, or 0. Only what no prose has at its beginning may be broken.
func (p *shape) nextLine(s string, at int) int {
	if p.flags&^varied != 0 || at < leastLine || strings.IndexByte(s[at-leastLine:at], '\n') >= 0 {
		return 0
	}
	next := at
	if strings.HasPrefix(s[next:], "\r\n") {
		next++
	}
	if next == len(s) || s[next] != '\n' {
		return 0
	}
	for next++; next < len(s) && s[next] == ' ' && next-at < mostIndent; {
		next++
	}
	return next
}

// plausible tells a token from its image in documentation: xxxx, EXAMPLE.
func (p *shape) plausible(body string) bool {
	set, distinct := chars.Kinds(body)
	if distinct < 5 || strings.HasSuffix(body, "EXAMPLE") {
		return false
	}
	if p.flags&varied != 0 && (set&chars.Digit == 0 || set&(chars.Lower|chars.Upper) == 0) {
		return false
	}
	return p.flags&nohex == 0 || chars.Run(body, 0, chars.Hexa) < len(body)
}

// findAWSSecret looks for the secret that goes with an access key: 40 bytes of
// base64 that stand alone within the next 200.
func findAWSSecret(s string, at int, found *spans.Set) {
	stop := min(len(s), at+200)
	for at < stop {
		end := chars.Run(s[:min(len(s), at+41)], at, chars.Base)
		if n := end - at; (n == 40 || n == 30 && chars.Run(s, at, chars.Alnum) == end) && chars.Mixed(s[at:end]) && chars.Run(s[at:end], 0, chars.Hexa) < n {
			found.Add("aws-secret-key", at, end)
			return
		}
		at = chars.Run(s[:stop], at, chars.Base) + 1
	}
}
