package secret

import (
	"encoding/base64"
	"math"
	"strings"
)

// tokenKind is a kind of credential that is known by its prefix.
type tokenKind struct {
	prefix, what string
	min, max     int // characters behind the prefix
	class        func(byte) bool
}

const endless = math.MaxInt

// tokenKinds lists the longer of two prefixes first.
var tokenKinds = []tokenKind{
	{"AKIA", "an AWS access key", 16, 16, isUpperNum},
	{"ASIA", "an AWS access key", 16, 16, isUpperNum},
	{"github_pat_", "a GitHub token", 22, endless, isWord},
	{"ghp_", "a GitHub token", 30, endless, isAlnum},
	{"gho_", "a GitHub token", 30, endless, isAlnum},
	{"ghu_", "a GitHub token", 30, endless, isAlnum},
	{"ghs_", "a GitHub token", 30, endless, isAlnum},
	{"ghr_", "a GitHub token", 30, endless, isAlnum},
	{"glpat-", "a GitLab token", 20, endless, isTokenByte},
	{"gldt-", "a GitLab token", 20, endless, isTokenByte},
	{"glrt-", "a GitLab token", 20, endless, isTokenByte},
	{"glptt-", "a GitLab token", 20, endless, isTokenByte},
	{"glcbt-", "a GitLab token", 20, endless, isTokenByte},
	{"xoxa-", "a Slack token", 16, endless, isTokenByte},
	{"xoxb-", "a Slack token", 16, endless, isTokenByte},
	{"xoxc-", "a Slack token", 16, endless, isTokenByte},
	{"xoxd-", "a Slack token", 16, endless, isTokenByte},
	{"xoxe-", "a Slack token", 16, endless, isTokenByte},
	{"xoxp-", "a Slack token", 16, endless, isTokenByte},
	{"xoxr-", "a Slack token", 16, endless, isTokenByte},
	{"xoxs-", "a Slack token", 16, endless, isTokenByte},
	{"xapp-", "a Slack token", 16, endless, isTokenByte},
	{"sk_live_", "a Stripe key", 16, endless, isAlnum},
	{"sk_test_", "a Stripe key", 16, endless, isAlnum},
	{"rk_live_", "a Stripe key", 16, endless, isAlnum},
	{"rk_test_", "a Stripe key", 16, endless, isAlnum},
	{"whsec_", "a Stripe webhook secret", 24, endless, isAlnum},
	{"sk-ant-", "an Anthropic key", 20, endless, isTokenByte},
	{"sk-proj-", "an OpenAI key", 20, endless, isTokenByte},
	{"sk-svcacct-", "an OpenAI key", 20, endless, isTokenByte},
	{"sk-admin-", "an OpenAI key", 20, endless, isTokenByte},
	{"sk-or-v1-", "an OpenRouter key", 32, endless, isAlnum},
	{"sk-", "an OpenAI key", 20, endless, isAlnum},
	{"AIza", "a Google key", 35, 35, isTokenByte},
	{"GOCSPX-", "a Google OAuth client secret", 24, endless, isTokenByte},
	{"ya29.", "a Google access token", 20, endless, isTokenByte},
	{"hf_", "a Hugging Face token", 30, endless, isAlnum},
	{"npm_", "an npm token", 30, endless, isAlnum},
	{"pypi-", "a PyPI token", 50, endless, isTokenByte},
	{"gsk_", "a Groq key", 40, endless, isAlnum},
	{"xai-", "an xAI key", 40, endless, isAlnum},
	{"r8_", "a Replicate token", 30, endless, isAlnum},
	{"SG.", "a SendGrid key", 40, endless, isTokenByte},
	{"AGE-SECRET-KEY-1", "an age private key", 50, endless, isUpperNum},
}

func isUpperNum(b byte) bool { return 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' }

func isAlnum(b byte) bool { return isUpperNum(b) || 'a' <= b && b <= 'z' }

func isWord(b byte) bool { return isAlnum(b) || b == '_' }

// isTokenByte tells whether b can be part of a token: base64url, and dots
// between its parts.
func isTokenByte(b byte) bool { return isWord(b) || b == '-' || b == '.' }

// shortToken is the least length of what findToken looks at.
const shortToken = 16

func findToken(text string) (Match, bool) {
	for start := 0; start+shortToken <= len(text); {
		// Seen from its end, a stretch of prose is known for no token at its last
		// space or so, and most of it need not be looked at.
		end := start + shortToken
		begin := end
		for begin > start && isTokenByte(text[begin-1]) {
			begin--
		}
		if begin > start {
			start = begin
			continue
		}
		for end < len(text) && isTokenByte(text[end]) {
			end++
		}
		if what, prefix, length := knownToken(text[start:end]); what != "" {
			return Match{what, start, start + length, prefix}, true
		}
		start = end
	}
	return Match{}, false
}

// knownToken tells what kind of credential a run of token characters is, and
// how many characters of it are the prefix and all of it.
func knownToken(run string) (what string, prefix, length int) {
	const jwt = "eyJ" // {" in base64
	if strings.HasPrefix(run, jwt) {
		run = strings.TrimRight(run, ".")
		if isJWT(run) {
			return "a JSON Web Token", len(jwt), len(run)
		}
		return "", 0, 0
	}
	for _, k := range tokenKinds {
		rest, ok := strings.CutPrefix(run, k.prefix)
		if !ok {
			continue
		}
		n := 0
		for n < len(rest) && k.class(rest[n]) {
			n++
		}
		if n >= k.min && n <= k.max && k.plausible(rest[:n]) {
			return k.what, len(k.prefix), len(k.prefix) + n
		}
	}
	return "", 0, 0
}

// plausible tells whether what stands behind the prefix may be a credential.
// The shortest prefix begins ordinary words as well.
func (k tokenKind) plausible(body string) bool {
	const monotonous = 1.5 // bits per character of a few characters over and over
	if k.prefix == "sk-" {
		return random(body)
	}
	return entropy(body) >= monotonous && !IsFiller(body)
}

// isJWT tells whether run is a JWS in compact form (RFC 7515 section 7.1).
func isJWT(run string) bool {
	parts := strings.Split(run, ".")
	if len(parts) != 3 || len(parts[1]) < 8 || len(parts[2]) < 8 {
		return false
	}
	header, err := base64.RawURLEncoding.DecodeString(parts[0])
	return err == nil && strings.Contains(string(header), `"alg"`)
}
