package secret

import (
	"regexp"
	"strings"
	"sync"
)

// tokens lists the credentials that are known by how they begin: what a message
// calls one, its prefixes, and the regular expression of the rest. The formats are
// those that the vendors document, and that the lists of gitleaks, trufflehog and
// the secret scanning of GitHub know (docs/adr/0004-secret-patterns.md).
var tokens = []struct{ what, prefixes, rest string }{
	{"a 1Password service account token", "ops_eyJ", `[\w+/-]{100,}`},
	{"a 1Password secret key", "A3-", `[0-9A-Z]{6}-(?:[0-9A-Z]{11}|[0-9A-Z]{6}-[0-9A-Z]{5})(?:-[0-9A-Z]{5}){3}`},
	{"an Adafruit key", "aio_", `[0-9A-Za-z]{28}`},
	{"an Adobe client secret", "p8e-", `[\w-]{32}`},
	{"an age private key", "AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1", `[0-9A-Z]{50,}`},
	{"an Airtable token", "pat", `[0-9A-Za-z]{14}\.[0-9a-f]{64}`},
	{"an Aiven password", "AVNS_", `[\w-]{18,}`},
	{"an Alibaba Cloud access key", "LTAI", `[0-9A-Za-z]{12,24}`},
	{"an Amazon OAuth secret", "amzn1.oa2-cs.v1.", `[0-9a-f]{64}`},
	{"an Amazon OAuth token", "Atza| Atzr|", `[\w-]{80,}`},
	{"an Anthropic key", "sk-ant-", `[\w-]{20,}`},
	{"an Artifactory key", "AKCp", `[0-9A-Za-z]{60,}`},
	{"an Artifactory token", "cmVmdGtuOjAxO", `[0-9A-Za-z]{40,}`},
	{"an Asana token", "0/ 1/ 2/", `\d{10,}(?:/\d{10,})?:[0-9A-Za-z]{32}`},
	{"an Atlassian token", "ATATT3 ATCTT3 ATSTT3", `[\w=-]{50,}`},
	{
		"an Authress key", "sc_ ext_ scauth_ authress_",
		`[0-9a-z]{5,30}\.[0-9a-z]{4,6}\.acc[_-][0-9a-z-]{10,32}\.[\w+/=-]{30,120}`,
	},
	{"an AWS session token", "IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz", `[\w+/]{100,}={0,2}`},
	{"an Axiom token", "xaat- xapt-", `[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}`},
	{"a Baidu Cloud key", "bce-v3/ALTAK-", `[0-9A-Za-z]{21}/[0-9a-f]{40}`},
	{"a Bannerbear key", "bb_pr_ bb_ma_", `[0-9a-f]{30}`},
	{"a BestTime key", "pri_", `[0-9a-f]{32}`},
	{"a Bitbucket app password", "ATBB", `[0-9A-Za-z]{32}`},
	{"an AWS access key", "AKIA ASIA ABIA ACCA", `[0-9A-Z]{16}`},
	{"an AWS Bedrock key", "ABSK bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t", `[0-9A-Za-z+/]{20,}={0,2}`},
	{"a Bitbucket token", "BBDC-", `[\w+/@-]{40,50}`},
	{"a Braintree token", "access_token$", `(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}`},
	{"a Brevo key", "xkeysib- xsmtpsib-", `[0-9a-f]{64}-[0-9A-Za-z]{16}`},
	{"a Buildkite token", "bkua_ bkct_ bkaj_ bkpt_", `[0-9a-f]{40}`},
	{"a Cerebras key", "csk-", `[0-9a-z]{40,}`},
	{"a CircleCI token", "CCIPAT_ CCIPRJ_", `[0-9A-Za-z]{22}_[0-9a-f]{40}`},
	{"a ClickHouse key", "4b1d", `[0-9A-Za-z]{38}`},
	{"a ClickUp token", "pk_", `\d{7,9}_[0-9A-Z]{32}`},
	{"a Clojars token", "CLOJARS_", `[0-9a-z]{60}`},
	{"a Close key", "api_", `[0-9A-Za-z]{22}\.[0-9A-Za-z]{22}`},
	{"a Cloudflare token", "cfut_ cfat_ cfk_", `[0-9A-Za-z]{40,}`},
	{"a Cloudflare origin key", "v1.0-", `[0-9a-f]{24}-[0-9a-f]{100,}`},
	{"a CockroachDB key", "CCDB1_", `[0-9A-Za-z]{22}_[0-9A-Za-z]{40}`},
	{"a Contentful token", "CFPAT-", `[\w-]{43}`},
	{"a Courier key", "pk_prod_ pk_test_", `[0-9A-Z]{28}`},
	{"a crates.io token", "cio", `[0-9A-Za-z]{32}`},
	{"a Databricks token", "dapi dkea", `[0-9a-f]{32}(?:-\d)?`},
	{"a dbt token", "dbtc_ dbtu_", `[\w-]{35,}`},
	{"a DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", `[0-9a-f]{40,}`},
	{"a Docker swarm token", "SWMTKN-1-", `[0-9a-z]{40,}-[0-9a-z]{25}`},
	{"a Docker token", "dckr_pat_ dckr_oat_", `[\w-]{20,}`},
	{"a Doppler token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", `(?:[\w-]{2,40}\.)?[0-9A-Za-z]{40,44}`},
	{"a Dropbox token", "sl.", `(?:[a-z]\.)?[\w-]{100,}`},
	{"a Duffel token", "duffel_test_ duffel_live_", `[\w=-]{43}`},
	{"a Dynatrace token", "dt0c01. dt0s01. dt0s02. dt0s08. dt0s16. dt0e01.", `[0-9A-Z]{8,24}\.[0-9A-Z]{64}`},
	{"an E2B key", "e2b_", `[0-9a-f]{40}`},
	{"an EasyPost key", "EZAK EZTK", `[0-9A-Za-z]{54}`},
	{"an Elastic key", "essu_", `[0-9A-Za-z+/]{40,}={0,2}`},
	{"an ElevenLabs key", "sk_", `[0-9a-f]{48}`},
	{"an Endor Labs key", "endr+", `[0-9A-Za-z-]{16}`},
	{"an Entra refresh token", "0.A 1.A", `[\w-]{50,}(?:\.\d)?\.Ag[\w-]{250,}`},
	{"a Facebook token", "EAAG EAAB EAAC EAAM", `[0-9A-Za-z]{80,}`},
	{"a Figma token", "figd_ figo_ figu_ figp_ figor_ figur_ figoh_ figuh_", `[\w-]{36,}`},
	{"a Firecrawl key", "fc-", `[0-9a-f]{32}`},
	{"a Fleetbase key", "flb_live_", `[0-9A-Za-z]{20}`},
	{"a Flexport token", "shltm_", `[\w-]{40}`},
	{"a Flutterwave key", "FLWSECK_TEST- FLWSECK-", `[0-9a-zA-Z]{12,}(?:-X)?`},
	{"a Fly.io token", "fo1_ fm1a_ fm1r_ fm2_", `[\w+/=,-]{43,}`},
	{"a Frame.io token", "fio-u-", `[\w=-]{60,}`},
	{"a Fullstory key", "na1.", `[0-9A-Za-z+/]{100}`},
	{"a GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", `[0-9A-Za-z]{30,}`},
	{"a GitHub token", "github_pat_", `\w{22,}`},
	{
		"a GitLab token",
		"glpat- gldt- glrt- glptt- glcbt- glft- glimt- glagent- gloas- glsoat- glffct- glwt- GR1348941", `[\w.-]{20,}`,
	},
	{"a GitLab session", "_gitlab_session=", `[0-9a-f]{32}`},
	{"a Google key", "AIza", `[\w-]{35}`},
	{"a Google key", "AQ.Ab", `[\w-]{30,}`},
	{"a Google OAuth client secret", "GOCSPX-", `[\w-]{24,}`},
	{"a Google access token", "ya29.", `[\w.-]{20,}`},
	{"a Grafana token", "glc_", `[0-9A-Za-z+/]{32,}={0,3}`},
	{"a Grafana token", "glsa_", `[0-9A-Za-z]{32}_[0-9A-Fa-f]{8}`},
	{"a Grafana key", "eyJrIjoi", `[0-9A-Za-z]{60,}={0,3}`},
	{"a Groq key", "gsk_", `[0-9A-Za-z]{40,}`},
	{"a Harness key", "pat. sat.", `[\w-]{22}\.[0-9A-Za-z]{24}\.[0-9A-Za-z]{20}`},
	{"a Heroku key", "HRKU-", `(?:AA[\w-]{58}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})`},
	{"a Honeycomb key", "hcaik_ hcxik_ hcalk_", `[0-9a-z]{58}`},
	{"a HubSpot token", "pat-na1- pat-na2- pat-eu1- pat-ap1-", `[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}`},
	{"a Hugging Face token", "hf_ api_org_", `[0-9A-Za-z]{30,}`},
	{"an Infisical token", "st.", `[0-9a-f]{24}\.[0-9a-f]{32}\.[0-9a-f]{32}`},
	{"an Infracost key", "ico-", `[0-9A-Za-z]{32}`},
	{"an Inngest key", "signkey-prod- signkey-test- signkey-branch-", `[0-9a-f]{64}`},
	{"an Intercom token", "dG9rO", `[0-9A-Za-z+/]{50,}={0,2}`},
	{"an Intra 42 secret", "s-s4t2ud- s-s4t2af- u-s4t2ud- u-s4t2af-", `[0-9a-f]{64}`},
	{"a Klaviyo key", "pk_", `(?:[0-9A-Za-z]{6}_)?[0-9a-f]{34}`},
	{"a LangSmith key", "lsv2_pt_ lsv2_sk_", `[0-9a-f]{32}_[0-9a-f]{10}`},
	{"a Langfuse key", "sk-lf-", `[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}`},
	{"a Lark token", "t- u-", `(?:g[0-9][\w.]{36,48}|[0-9a-f]{40})`},
	{"a LaunchDarkly key", "sdk- api-", `[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}`},
	{"a Lichess token", "lip_", `[0-9A-Za-z]{20}`},
	{"a Linear key", "lin_api_ lin_oauth_", `[0-9A-Za-z]{32,}`},
	{"a live payment key", "live_ test_", `[0-9a-f]{35}`},
	{"a Logfire token", "pylf_v1_", `[a-z]{2}_[0-9A-Za-z]{40,}`},
	{"a Mailgun key", "key-", `[0-9a-f]{32}`},
	{"a Mandrill key", "md-", `[\w-]{22}`},
	{"a Mapbox token", "sk.eyJ tk.eyJ", `[\w-]{20,}\.[\w-]{20,}`},
	{"a Mercury token", "secret-token:mercury_", `[a-z_]+_[0-9A-Za-z]{30,}(?:_[a-z]+)?`},
	{"a MongoDB Atlas secret", "mdb_sa_sk_", `[\w-]{20,}`},
	{"a Neon key", "napi_", `[0-9a-z]{40,}`},
	{"a Netlify token", "nfp_ nfc_ nfo_ nfu_ nfb_", `[0-9A-Za-z]{36,}`},
	{"a New Relic key", "NRAK- NRAA- NRII- NRIQ- NRRA- NRBR-", `[\w-]{19,}`},
	{"an ngrok token", "1 2 3", `[0-9A-Za-z]{26}_\d[0-9A-Za-z]{20}`},
	{"a Notion token", "ntn_", `[0-9A-Za-z]{40,}`},
	{"a Notion token", "secret_", `[0-9A-Za-z]{43}`},
	{"an npm token", "npm_", `[0-9A-Za-z]{30,}`},
	{"a NuGet key", "oy2", `[0-9a-z]{43}`},
	{"an NVIDIA key", "nvapi-", `[\w-]{40,}`},
	{"an Octopus Deploy key", "API-", `[0-9A-Z]{25,32}`},
	{"an OpenAI key", "sk-proj- sk-svcacct- sk-admin- sk-None-", `[\w-]{20,}`},
	{"an OpenRouter key", "sk-or-v1-", `[0-9a-f]{32,}`},
	{"an OpenAI key", "sk-", `[0-9A-Za-z]{20,}`},
	{"an OpenShift token", "sha256~", `[\w-]{43}`},
	{"a Paddle key", "pdl_live_apikey_ pdl_sdbx_apikey_", `[0-9a-z]{26}_[0-9A-Za-z]{22}_[0-9A-Za-z]{3}`},
	{"a Pagar.me key", "ak_live_", `[0-9A-Za-z]{30}`},
	{"a PagerDuty key", "pdus+ pdeu+", `[\w+-]{18,}`},
	{"a PagerDuty key", "u+", `[\w-]{18}`},
	{"a Perplexity key", "pplx-", `[0-9A-Za-z]{40,}`},
	{"a Persona key", "persona_production_ persona_sandbox_", `[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}`},
	{"a pganalyze key", "pgar_ pgaw_", `[0-9A-Za-z]{27}`},
	{"a Photoroom key", "sk_pr_ sandbox_sk_pr_", `[0-9A-Za-z]{1,64}_[0-9A-Fa-f]{40}`},
	{"a Pinecone key", "pcsk_", `[0-9A-Za-z]{5,6}_[0-9A-Za-z]{40,}`},
	{
		"a Plaid token", "access-sandbox- access-production- access-development-",
		`[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}`,
	},
	{"a PlanetScale token", "pscale_tkn_ pscale_oauth_ pscale_pw_", `[\w.=-]{32,}`},
	{"a Portainer token", "ptr_", `[0-9A-Za-z+/]{43}=`},
	{"a private key in base64", "b3BlbnNzaC1rZXktdjE", `[0-9A-Za-z+/]{40,}={0,2}`},
	{"a PostHog key", "phx_", `[0-9A-Za-z]{40,}`},
	{"a Postman key", "PMAK-", `[0-9a-f]{24}-[0-9a-f]{34}`},
	{"a Prefect key", "pnu_ pnb_", `[0-9A-Za-z]{36}`},
	{"a Pulumi token", "pul-", `[0-9a-f]{40}`},
	{"a PyPI token", "pypi-", `[\w-]{50,}`},
	{"a Razorpay key", "rzp_live_ rzp_test_", `[0-9A-Za-z]{14,}`},
	{"a ReadMe key", "rdme_", `[0-9a-z]{70}`},
	{"a Recharge key", "sk_ sk_test_", `\d{1,2}x[123]_[0-9A-Fa-f]{64}`},
	{"a Render key", "rnd_", `[0-9A-Za-z]{28,}`},
	{"a Replicate token", "r8_", `[0-9A-Za-z]{30,}`},
	{"a Resend key", "re_", `[0-9A-Za-z]{8}_[0-9A-Za-z]{24}`},
	{"a Robinhood key", "rh-api-", `[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}`},
	{"a Rootly key", "rootly_", `[0-9a-f]{64}`},
	{"a RubyGems key", "rubygems_", `[0-9a-f]{48}`},
	{"a SaladCloud key", "salad_cloud_", `[0-9A-Za-z]{1,7}_[0-9A-Za-z]{30,}`},
	{"a Salesforce token", "00", `[0-9A-Za-z]{13}![\w.]{96}`},
	{"a Salesforce token", "5Aep861", `[\w.=]{80,}`},
	{"a Sanity token", "sk", `[0-9A-Za-z]{79}(?:[0-9A-Za-z]{99})?`},
	{"a Scalingo token", "tk-us-", `[\w-]{48}`},
	{"a Scaleway key", "SCW", `[0-9A-Z]{17}`},
	{"a SendGrid key", "SG.", `[\w.-]{40,}`},
	{"a Sentry token", "sntrys_ sntryu_ sntrya_ sntryi_", `[\w+/=-]{40,}`},
	{"a SettleMint token", "sm_aat_ sm_pat_ sm_sat_", `[0-9A-Za-z]{16}`},
	{"a Shippo token", "shippo_live_ shippo_test_", `[0-9a-f]{40}`},
	{"a Shopify token", "shpat_ shpss_ shpca_ shppa_ shptka_ shpua_", `[0-9A-Fa-f]{32}`},
	{
		"a Slack token", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- xwfp- xoxe.xoxb- xoxe.xoxp-",
		`[0-9A-Za-z%-]{16,}`,
	},
	{"a Snyk token", "snyk_", `[a-z]{3}\.[0-9A-Za-z]{8}\.[\w.-]{20,}`},
	{"a SonarQube token", "sqp_ squ_ sqa_", `[0-9a-f]{40}`},
	{"a Sourcegraph token", "sgp_", `(?:(?:[0-9A-Fa-f]{16}|local)_)?[0-9A-Fa-f]{40}`},
	{"a Sourcegraph token", "slk_", `[0-9a-f]{64}`},
	{"a Spectral token", "spu-", `[0-9a-z]{32}`},
	{"a Square token", "EAAA", `[\w+=-]{56,60}`},
	{"a Square token", "sq0atp- sq0csp-", `[\w-]{22,}`},
	{"a Stripe client secret", "pi_ seti_", `[0-9A-Za-z]{24}_secret_[0-9A-Za-z]{25}`},
	{"a Stripe key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", `[0-9A-Za-z]{16,}`},
	{"a Stripe webhook secret", "whsec_", `[0-9A-Za-z+/]{24,}=*`},
	{"a Supabase key", "sbp_ sb_secret_", `[\w-]{30,}`},
	{"a Tailscale key", "tskey-", `[a-z]+-[0-9A-Za-z]+-[0-9A-Za-z]{16,}`},
	{"a Tavily key", "tvly-", `[\w-]{28,}`},
	{"a Teamwork token", "tkn.v1_", `[0-9A-Za-z]{71}=`},
	{"a Telnyx key", "KEY", `[0-9A-F]{32}_[0-9A-Za-z]{22}`},
	{"a Tencent Cloud key", "AKID", `[0-9A-Za-z]{32}`},
	{"a Ticket Tailor key", "sk_", `\d{4}_\d{6}_[0-9a-f]{32}`},
	{"a Trello token", "ATTA", `[0-9a-f]{64}(?:[0-9A-F]{8})?`},
	{"a TruffleHog secret", "thog-secret-", `[0-9a-f]{32}`},
	{"a Twilio key", "SK", `[0-9a-f]{32}`},
	{"a Ubidots key", "BBFF-", `[0-9A-Za-z]{30}`},
	{"an UpCloud token", "ucat_", `[0-9A-Za-z]{26}`},
	{"a Val Town token", "vtwn_", `[0-9A-Za-z]{27}`},
	{"a Voiceflow key", "VF. VF.DM. VF.WS.", `[0-9A-Fa-f]{24}\.[0-9A-Za-z]{16}`},
	{"a Volcengine key", "AKLT", `[0-9A-Za-z]{36,60}`},
	{"a WakaTime key", "waka_", `[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}`},
	{"a WooCommerce key", "ck_ cs_", `[0-9a-f]{40}`},
	{"an X bearer token", "AAAAAAAAAAAAAAAAAAAAA", `[\w%/]{80,}`},
	{"a Typeform token", "tfp_", `[\w.-]{40,}`},
	{"a Vault token", "hvs. hvb. hvr.", `[\w-]{20,}`},
	{"a Vercel token", "vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_", `[\w-]{24,}`},
	{"a Weights & Biases key", "wandb_v1_", `[\w-]{40,}`},
	{"an xAI key", "xai-", `\w{40,}`},
	{"a Yandex key", "AQVN y0_", `[\w-]{35,}`},
	{"a Yandex key", "YC", `[\w-]{38}`},
	{"a Yandex token", "t1.", `[\w-]{8,}={0,2}\.[\w-]{86}={0,2}`},
	{"a Zoho token", "1000.", `[0-9a-f]{32}\.[0-9a-f]{32}`},
	{"a Zuplo key", "zpka_", `[0-9a-f]{32}_[0-9a-f]{8}`},
}

// kind is one way in which a credential is known.
type kind struct {
	what  string
	sign  string // part of every such credential
	whole bool   // the sign begins a word
	match matcher
}

// index has the kinds by the first bytes of their signs.
type index struct {
	words [256][]kind // whose signs begin a word
	inner [256][]kind
}

var kinds = sync.OnceValue(func() *index {
	var all index
	add := func(k kind) {
		list := &all.inner[k.sign[0]]
		if k.whole {
			list = &all.words[k.sign[0]]
		}
		*list = append(*list, k)
	}
	for _, t := range tokens {
		rest := lazy("^(?:" + t.rest + ")")
		for prefix := range strings.FieldsSeq(t.prefixes) {
			add(kind{t.what, prefix, true, func(text string, sign int) (start, end int, ok bool) {
				end, ok = endOfToken(text, sign+len(prefix), rest())
				return sign, end, ok
			}})
		}
	}
	for _, s := range shapes {
		for sign := range strings.FieldsSeq(s.signs) {
			add(kind{s.what, sign, s.whole, s.match})
		}
	}
	return &all
})

// lazy returns an expression that is compiled when it is first used: few texts hold
// what even begins like a credential.
func lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// longestToken is how much of a text an expression is matched with, in bytes.
const longestToken = 2 << 10

// endOfToken returns where a token ends whose rest begins at an offset, and whether
// it is one. Where only what it spells speaks against that, nothing in it is one
// either.
func endOfToken(text string, from int, rest *regexp.Regexp) (end int, ok bool) {
	at := rest.FindStringIndex(text[from:min(len(text), from+longestToken)])
	if at == nil {
		return 0, false
	}
	end = from + at[1]
	if at[1] == longestToken {
		end = endOf(text, end, isTokenByte)
	} else if end < len(text) && isWord(text[end]) {
		return 0, false
	}
	return end, plausible(text[from:min(end, from+longestToken)])
}

// plausible reports whether what stands behind a prefix may be a credential: no
// placeholder, no words with hyphens between them, and not a few characters over
// and over.
func plausible(body string) bool {
	const monotonous = 1.5 // bits per character
	return isMixed(body) && entropy(body) >= monotonous && !IsFiller(body)
}

func isAlnum(b byte) bool { return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z' }

func isWord(b byte) bool { return isAlnum(b) || b == '_' }

// isTokenByte reports whether b can be part of a token: base64url, and dots
// between its parts.
func isTokenByte(b byte) bool { return isWord(b) || b == '-' || b == '.' }

// shortToken is the least length of a stretch without spaces that is looked at.
const shortToken = 16

// findTokens finds the credentials that have no space in them.
func findTokens(text string) (found []Match) {
	for start := 0; start+shortToken <= len(text); {
		// Seen from its end, a stretch of prose is known for no token at its last
		// space or so, and most of it need not be looked at.
		end := start + shortToken
		begin := end
		for begin > start && !isSpace(text[begin-1]) {
			begin--
		}
		if begin > start {
			start = begin
			continue
		}
		for end < len(text) && !isSpace(text[end]) {
			end++
		}
		found = append(found, findIn(text, start, end)...)
		start = end
	}
	return found
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

// findIn finds the credentials that begin in a stretch of a text.
func findIn(text string, from, to int) (found []Match) {
	all := kinds()
	for i := from; i < to; {
		m, end := firstOf(all.inner[text[i]], text, i)
		if end == 0 && (i == 0 || !isAlnum(text[i-1])) {
			m, end = firstOf(all.words[text[i]], text, i)
		}
		if m.End > 0 {
			found = append(found, m)
		}
		i = max(i+1, end)
	}
	if start, end := endOfHeader(text, from, to); end > 0 {
		found = append(found, Match{What: "the credentials of a request", Start: start, End: end})
	}
	return found
}

// firstOf returns the credential of the first of the kinds that has its sign at an
// offset, and up to where nothing else needs to be looked for.
func firstOf(list []kind, text string, at int) (m Match, behind int) {
	for i := range list {
		k := &list[i]
		if len(text)-at < len(k.sign) || text[at:at+len(k.sign)] != k.sign {
			continue
		}
		start, end, ok := k.match(text, at)
		if ok {
			m = Match{What: k.what, Start: start, End: end}
			if start == at {
				m.known = len(k.sign)
			}
			return m, end
		}
		behind = max(behind, end)
	}
	return m, behind
}
