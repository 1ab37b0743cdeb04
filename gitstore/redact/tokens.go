package redact

import "strings"

// A shape is a token that begins with a fixed text.
//
// After the prefix come at least min bytes of the class; all that follow are
// taken. A scan that fails costs at most min bytes and one that succeeds is
// jumped over, so the work is linear whatever the text.
type shape struct {
	rule   string
	prefix string
	class  class
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
	{"github-token", "ghp_", alnum, 36, 0},
	{"github-token", "gho_", alnum, 36, 0},
	{"github-token", "ghu_", alnum, 36, 0},
	{"github-token", "ghs_", jwtc, 36, varied},
	{"github-token", "ghr_", alnum, 36, 0},
	{"github-token", "github_pat_", alnum | dash, 36, 0},
	{"gitlab-token", "glpat-", jwtc, 20, 0},
	{"gitlab-token", "gldt-", word, 20, alone},
	{"gitlab-token", "glrt-", jwtc, 20, alone},
	{"gitlab-token", "glrtr-", word, 20, alone},
	{"gitlab-token", "glcbt-", word, 20, alone},
	{"gitlab-token", "glptt-", alnum, 40, alone},
	{"gitlab-token", "glft-", word, 20, alone},
	{"gitlab-token", "glimt-", word, 20, alone},
	{"gitlab-token", "glagent-", word, 20, alone},
	{"gitlab-token", "glsoat-", word, 20, alone},
	{"gitlab-token", "gloas-", alnum, 64, alone},
	{"gitlab-token", "glffct-", word, 20, alone},
	{"gitlab-token", "GR1348941", word, 20, alone},
	{"atlassian-token", "ATATT3", word | b64, 60, alone},
	{"atlassian-token", "ATCTT3", word | b64, 60, alone},
	{"bitbucket-token", "ATBB", alnum, 28, alone | varied},
	// Clouds and hosting.
	{"aws-access-key", "AKIA", digit | upper, 16, alone | exact},
	{"aws-access-key", "ASIA", digit | upper, 16, alone | exact},
	{"aws-access-key", "ABIA", digit | upper, 16, alone | exact},
	{"aws-access-key", "ACCA", digit | upper, 16, alone | exact},
	{"aws-bedrock-key", "ABSKQmVkcm9ja0FQSUtleS", base, 80, 0},
	{"google-key", "AIza", word, 35, alone},
	{"google-token", "ya29.", word, 20, alone},
	{"google-token", "1//0", word, 24, alone | varied},
	{"google-client-secret", "GOCSPX-", word, 20, 0},
	{"digitalocean-token", "dop_v1_", hexa, 64, 0},
	{"digitalocean-token", "doo_v1_", hexa, 64, 0},
	{"digitalocean-token", "dor_v1_", hexa, 64, 0},
	{"heroku-key", "HRKU-", word, 36, 0},
	{"alibaba-key", "LTAI", alnum, 16, alone},
	{"databricks-token", "dapi", hexa, 32, alone},
	{"fly-token", "FlyV1 fm", word | b64 | other, 40, 0},
	{"fly-token", "fm2_", word | b64, 100, alone},
	{"fly-token", "fo1_", word, 43, alone},
	{"netlify-token", "nfp_", alnum, 36, alone},
	{"cloudflare-key", "v1.0-", alnum | dash, 40, alone | varied},
	{"vault-token", "hvs.", word, 24, alone},
	{"vault-token", "hvb.", word, 24, alone},
	{"vault-token", "hvr.", word, 24, alone},
	{"pulumi-token", "pul-", hexa, 40, alone},
	{"doppler-token", "dp.pt.", alnum, 40, alone},
	{"doppler-token", "dp.st.", jwtc, 40, alone},
	{"planetscale-token", "pscale_tkn_", jwtc, 32, 0},
	{"planetscale-token", "pscale_pw_", jwtc, 32, 0},
	{"planetscale-token", "pscale_oauth_", jwtc, 32, 0},
	{"supabase-key", "sb_secret_", word, 20, 0},
	{"supabase-key", "sbp_", hexa, 40, 0},
	{"tailscale-key", "tskey-", word, 20, alone},
	// Registries of packages.
	{"npm-token", "npm_", alnum, 36, 0},
	{"pypi-token", "pypi-AgE", word, 50, 0},
	{"crates-token", "cio", alnum, 32, alone | exact | varied | nohex},
	{"rubygems-key", "rubygems_", hexa, 48, 0},
	{"nuget-key", "oy2", digit | lower, 43, alone | exact},
	{"docker-token", "dckr_pat_", word, 20, 0},
	{"docker-token", "dckr_oat_", word, 20, 0},
	// Chat.
	{"slack-token", "xoxb-", word, 20, 0},
	{"slack-token", "xoxp-", word, 20, 0},
	{"slack-token", "xoxa-", word, 20, 0},
	{"slack-token", "xoxr-", word, 20, 0},
	{"slack-token", "xoxs-", word, 20, 0},
	{"slack-token", "xoxo-", word, 20, 0},
	{"slack-token", "xoxc-", word, 20, 0},
	{"slack-token", "xoxd-", word | b64 | other, 20, 0},
	{"slack-token", "xoxe-", word, 20, 0},
	{"slack-token", "xoxe.xox", jwtc, 20, 0},
	{"slack-token", "xapp-", word, 20, 0},
	{"slack-webhook", "hooks.slack.com/services/", word | b64, 20, keep},
	{"slack-webhook", "hooks.slack.com/workflows/", word | b64, 20, keep},
	{"slack-webhook", "hooks.slack.com/triggers/", word | b64, 20, keep},
	{"discord-webhook", "discord.com/api/webhooks/", word | b64, 40, keep},
	{"discord-webhook", "discordapp.com/api/webhooks/", word | b64, 40, keep},
	{"teams-webhook", ".webhook.office.com/webhookb2/", word | b64 | other, 36, keep},
	// Payment.
	{"stripe-key", "sk_live_", alnum, 16, 0},
	{"stripe-key", "sk_test_", alnum, 16, 0},
	{"stripe-key", "rk_live_", alnum, 16, 0},
	{"stripe-key", "rk_test_", alnum, 16, 0},
	{"stripe-key", "sk_org_", alnum | dash, 24, 0},
	{"stripe-webhook-secret", "whsec_", base, 24, 0},
	{"square-token", "sq0atp-", word, 22, 0},
	{"square-token", "sq0csp-", word, 43, 0},
	{"square-token", "EAAA", word, 56, alone | varied},
	{"paypal-token", "access_token$production$", alnum | other, 32, 0},
	{"paypal-token", "access_token$sandbox$", alnum | other, 32, 0},
	{"paypal-token", "A21AA", word, 80, alone},
	{"plaid-token", "access-production-", word, 36, 0},
	{"plaid-token", "access-sandbox-", word, 36, 0},
	{"flutterwave-key", "FLWSECK", word, 32, 0},
	{"razorpay-key", "rzp_live_", alnum, 14, 0},
	{"adyen-key", "AQE", base, 200, alone},
	// Vendors of models.
	{"anthropic-key", "sk-ant-", word, 20, 0},
	{"openai-key", "sk-proj-", word, 20, 0},
	{"openai-key", "sk-svcacct-", word, 20, 0},
	{"openai-key", "sk-admin-", word, 20, 0},
	{"openrouter-key", "sk-or-v1-", hexa, 40, 0},
	{"langfuse-key", "sk-lf-", word, 30, 0},
	{"openai-key", "sk-", alnum, 20, alone | varied},
	{"huggingface-token", "hf_", alnum, 30, alone},
	{"huggingface-token", "api_org_", alnum, 30, alone},
	{"groq-key", "gsk_", alnum, 40, alone},
	{"xai-key", "xai-", alnum, 60, alone},
	{"perplexity-key", "pplx-", alnum, 40, alone},
	{"replicate-token", "r8_", alnum, 30, alone},
	{"nvidia-key", "nvapi-", word, 40, alone},
	{"together-key", "tgp_v1_", word, 40, 0},
	{"langsmith-key", "lsv2_pt_", alnum | dash, 32, 0},
	{"langsmith-key", "lsv2_sk_", alnum | dash, 32, 0},
	{"pinecone-key", "pcsk_", alnum | dash, 40, 0},
	{"jina-key", "jina_", word, 40, alone | varied},
	{"tavily-key", "tvly-", word, 24, alone | varied},
	// Services.
	{"sendgrid-key", "SG.", jwtc, 60, alone | varied},
	{"mailgun-key", "key-", hexa, 32, alone | exact},
	{"twilio-key", "SK", digit | hexa, 32, alone | exact},
	{"shopify-token", "shpat_", hexa, 32, 0},
	{"shopify-token", "shpca_", hexa, 32, 0},
	{"shopify-token", "shppa_", hexa, 32, 0},
	{"shopify-token", "shpss_", hexa, 32, 0},
	{"grafana-token", "glc_", base, 32, alone},
	{"grafana-token", "glsa_", alnum | dash, 32, alone},
	{"newrelic-key", "NRAK-", alnum, 24, alone},
	{"sentry-token", "sntrys_", base | dash, 40, 0},
	{"sentry-token", "sntryu_", hexa, 40, 0},
	{"postman-key", "PMAK-", word, 40, alone},
	{"linear-key", "lin_api_", alnum, 32, 0},
	{"linear-key", "lin_oauth_", alnum, 32, 0},
	{"notion-token", "ntn_", alnum, 40, alone},
	{"notion-token", "secret_", alnum, 43, alone | exact | varied},
	{"figma-token", "figd_", word, 36, alone},
	{"dropbox-token", "sl.", word, 100, alone},
	{"facebook-token", "EAAC", alnum, 80, alone},
	{"buildkite-token", "bkua_", hexa, 40, alone},
	{"circleci-token", "CCIPAT_", alnum | dash, 40, 0},
	{"circleci-token", "CCIPRJ_", alnum | dash, 40, 0},
	{"dynatrace-token", "dt0c01.", jwtc, 60, 0},
	{"posthog-key", "phx_", word, 40, alone},
	{"prefect-key", "pnu_", alnum, 36, alone},
	{"typeform-token", "tfp_", jwtc, 40, alone},
	{"onepassword-token", "ops_eyJ", base | dash, 100, 0},
	{"artifactory-token", "AKCp", alnum, 60, alone},
	{"airtable-token", "pat", alnum | dot, 70, alone | varied},
	{"algolia-key", "sk_prod_", alnum, 24, 0},
	{"vercel-token", "vercel_", alnum, 24, alone | varied},
	{"vercel-token", "vcp_", alnum, 24, alone | varied},
	{"contentful-token", "CFPAT-", word, 40, 0},
	{"shippo-token", "shippo_live_", hexa, 40, 0},
	{"shippo-token", "shippo_test_", hexa, 40, 0},
	{"readme-key", "rdme_", alnum, 60, alone},
	{"easypost-key", "EZAK", alnum, 54, alone | varied},
	{"easypost-key", "EZTK", alnum, 54, alone | varied},
	{"onepassword-key", "A3-", upper | digit | dash, 30, alone | varied},
	{"brevo-key", "xkeysib-", alnum | dash, 60, 0},
	{"brevo-key", "xsmtpsib-", alnum | dash, 60, 0},
	{"hubspot-token", "pat-na1-", alnum | dash, 32, alone},
	{"hubspot-token", "pat-eu1-", alnum | dash, 32, alone},
	{"apify-token", "apify_api_", alnum, 30, 0},
	{"sourcegraph-token", "sgp_", alnum | dash, 40, alone},
	{"render-key", "rnd_", alnum, 24, alone | varied},
	{"resend-key", "re_", alnum | dash, 24, alone | varied},
	{"wakatime-key", "waka_", alnum | dash, 36, alone},
	{"mapbox-token", "sk.eyJ", jwtc, 40, alone},
	{"sonar-token", "squ_", hexa, 40, alone},
	{"sonar-token", "sqp_", hexa, 40, alone},
	{"sonar-token", "sqa_", hexa, 40, alone},
	{"firecrawl-key", "fc-", hexa, 32, alone},
	{"e2b-key", "e2b_", hexa, 40, alone},
	{"cerebras-key", "csk-", alnum, 40, alone},
	{"voyage-key", "pa-", word, 40, alone | varied},
	{"mailersend-token", "mlsn.", hexa, 60, alone},
	{"facebook-token", "EAA", alnum, 90, alone | varied},
	{"bitbucket-token", "BBDC-", word | b64, 40, alone},
	{"artifactory-token", "cmVmdGtu", alnum, 50, alone},
	{"gitea-token", "gta_", alnum, 40, alone},
	{"cloudflare-token", "cfut_", word, 40, alone},
	{"telnyx-key", "KEY0", alnum | dash, 50, alone | varied},
	{"frameio-token", "fio-u-", word, 60, alone},
	{"duffel-token", "duffel_live_", word, 40, 0},
	{"duffel-token", "duffel_test_", word, 40, 0},
	{"lob-key", "live_", hexa, 35, alone},
	{"ngrok-key", "ak_", alnum, 40, alone | varied},
	{"retool-key", "retool_01", alnum, 20, alone},
	{"fireworks-key", "fw_", alnum, 22, alone | varied},
	{"age-key", "AGE-SECRET-KEY-", alnum | dash, 40, 0},
	{"age-key", "age-secret-key-", alnum | dash, 40, 0},
}

// findTokens reports what has the shape of a vendor's token.
func findTokens(s string, found *spans) {
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
			found.add(shapes[k].rule, from, end)
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
	if !strings.HasPrefix(s[at:], p.prefix) || p.flags&alone != 0 && glued(s, at) {
		return 0, 0
	}
	body := at + len(p.prefix)
	// What decides lies in a window, so that a failure is cheap.
	window := run(s[:min(len(s), body+max(p.min, 200)+1)], body, p.class)
	if window < body+p.min || p.flags&exact != 0 && window != body+p.min || !p.plausible(s[body:window]) {
		return 0, 0
	}
	end = run(s, window, p.class)
	for end > body+p.min && !in(s[end-1], alnum|b64) { // the full stop or dash after it
		end--
	}
	if p.flags&keep != 0 {
		return body, end
	}
	return at, end
}

// plausible tells a token from its image in documentation: xxxx, EXAMPLE.
func (p *shape) plausible(body string) bool {
	set, distinct := kinds(body)
	if distinct < 5 || strings.HasSuffix(body, "EXAMPLE") {
		return false
	}
	if p.flags&varied != 0 && (set&digit == 0 || set&(lower|upper) == 0) {
		return false
	}
	return p.flags&nohex == 0 || run(body, 0, hexa) < len(body)
}

// findAWSSecret looks for the secret that goes with an access key: 40 bytes of
// base64 that stand alone within the next 200.
func findAWSSecret(s string, at int, found *spans) {
	stop := min(len(s), at+200)
	for at < stop {
		end := run(s[:min(len(s), at+41)], at, base)
		if n := end - at; (n == 40 || n == 30 && run(s, at, alnum) == end) && mixed(s[at:end]) && run(s[at:end], 0, hexa) < n {
			found.add("aws-secret-key", at, end)
			return
		}
		at = run(s[:stop], at, base) + 1
	}
}
