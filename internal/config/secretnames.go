package config

import (
	"slices"
	"strings"

	"cardwright/internal/source"
)

// secretParts mark the name of an environment variable as that of a secret wherever they
// stand in it, secretWords as a whole word between underscores, and secretPrefixes at its
// beginning. storeWords are services whose addresses, when a name ends in URL or URI, hold
// the password.
var (
	secretParts = strings.Fields("TOKEN SECRET PASSWORD PASSWD PASSPHRASE KEY CREDENTIAL PASSCODE PRIVATE COOKIE " +
		"WEBHOOK CONNECTION_STRING CONNECTIONSTRING CONN_STR MNEMONIC")
	secretWords = strings.Fields("AUTH AUTHORIZATION BEARER CRED CREDS DBPASS DSN HMAC JWT NETRC OTP P12 PASS PAT PEM " +
		"PFX PGPASS PHRASE PIN PWD SALT SEED SESSION SIGNATURE")
	storeWords = strings.Fields("AMQP CLICKHOUSE DATABASE DB ELASTICSEARCH JDBC KAFKA LDAP MONGO MONGODB MYSQL NATS PG " +
		"POSTGRES POSTGRESQL RABBITMQ REDIS SMTP")
	secretPrefixes = strings.Fields("AWS_ ACTIONS_ AZURE_ ARM_ GOOGLE_ KUBE")
)

// looksSecret reports whether an environment variable of that name is likely to
// hold a secret. PWD alone is the working directory.
func looksSecret(name string) bool {
	name = strings.ToUpper(name)
	holds := func(part string) bool { return strings.Contains(name, part) }
	begins := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
	word := func(w string) bool { return slices.Contains(secretWords, w) }
	words := strings.Split(name, "_")
	last := words[len(words)-1]
	store := func(w string) bool { return slices.Contains(storeWords, w) }
	if (last == "URL" || last == "URI") && slices.ContainsFunc(words, store) {
		return true
	}
	return slices.ContainsFunc(secretParts, holds) || slices.ContainsFunc(secretPrefixes, begins) ||
		name != "PWD" && slices.ContainsFunc(words, word)
}

// refusal says why vars may not read an environment variable, "" when they may.
// Some systems do not tell letters apart by case: what holds a key is refused in
// any case, and what is allowed has to be spelled as vars spell it.
func (l *loader) refusal(name string) (reason, hint string) {
	switch {
	case l.keys[strings.ToUpper(name)]:
		return "it holds the signing key", "use another variable; vars cannot read one that signing.key names"
	case looksSecret(name) && !slices.Contains(l.AllowEnv, name):
		return "its name looks like that of a secret",
			"vars are published; if this is not a secret, allow it with --allow-env " + name
	}
	return "", ""
}

// findKeys notes the environment variables that hold signing keys: those that
// --set or any signing of the configuration names, whether this run uses it or
// not. The name itself may come from vars.
func (l *loader) findKeys(root, vars *source.Node) {
	note := func(key string) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(key), "env:"); ok {
			l.keys[strings.ToUpper(name)] = true
		}
	}
	for _, assignment := range l.Set {
		if key, value, _ := strings.Cut(assignment, "="); key == "signing.key" {
			note(value)
		}
	}
	quiet := newLoader(l.Options)
	var values lookup
	eachSigning(root, func(key *source.Node) {
		if !strings.Contains(key.Text, "${") {
			note(key.Text)
			return
		}
		if values == nil {
			values = quiet.among(vars, quiet.environmentVariable)
		}
		note(quiet.expand(key, values))
		if quiet.overflown {
			l.reportExpansion(key) // or else a key would stay unknown
		}
	})
}

// eachSigning calls use for the key of every signing at or below n.
func eachSigning(n *source.Node, use func(key *source.Node)) {
	for v := range n.All() {
		signing := v.Get("signing")
		for _, s := range append([]*source.Node{signing}, signing.Elements()...) {
			if key := s.Get("key"); key != nil {
				use(key)
			}
		}
	}
}

// keyStores are the schemes by which other tools name keys that they do not read.
var keyStores = strings.Fields(
	"exec cmd awskms gcpkms azurekms azurekeyvault hashivault k8s pkcs11 kms arn vault https http",
)

// ElsewhereKey says what is wrong with a reference to a key that is kept where
// cardwright does not read keys, and what to do. It returns false for any other.
func ElsewhereKey(ref string) (message, hint string, ok bool) {
	kind, _, found := strings.Cut(ref, ":")
	if !found || !slices.Contains(keyStores, kind) {
		return "", "", false
	}
	return "a key must be file:PATH or env:NAME, not " + kind + ":",
		"for a key in a KMS or HSM, use cardwright sign --print-input and --attach: docs/kms.md", true
}
