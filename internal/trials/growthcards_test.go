package trials

import "strings"

const cardSkill = `{"id": "s%[1]d", "name": "S %[1]d", ` +
	`"description": "Reads one pull request and names each defect.", "tags": ["review"]}`

// inCard is a trial of a card that is judged, converted and verified.
func inCard(name string, quick, full int, text func(n int) string) growth {
	return growth{"card: " + name, quick, full, func(p *input, n int) [][]string {
		p.write("card.json", text(n))
		p.write("jwks.json", `{"keys": [`+publicKey+"]}")
		return [][]string{
			lint("card.json"),
			{"convert", "card.json", "--to", "1.0"},
			{"convert", "card.json", "--to", "dual"},
			{"convert", "card.json", "--to", "0.3"},
			{"verify", "card.json", "--jwks", "jwks.json"},
		}
	}}
}

// publicKey is the key of RFC 7515, appendix A.3.
const publicKey = `{"kty": "EC", "crv": "P-256", "alg": "ES256", "kid": "a", ` +
	`"x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}`

// skills is a card with these skills.
func skillsOf(list string) string { return card(`"skills": [` + list + "]") }

// described is a card with one skill of this description.
func described(text string) string {
	return skillsOf(`{"id": "s", "name": "S", "tags": ["review"], "description": "` + text + `"}`)
}

// reached is a card with further interfaces.
func reached(list string) string {
	const last = `"protocolVersion": "1.0"}`
	return strings.Replace(card(oneSkill), last, last+", "+list, 1)
}

// able is a card with these capabilities.
func able(members string) string {
	return strings.Replace(card(oneSkill), `"streaming": false`, members, 1)
}

const flows = `{"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://x.example/t", ` +
	`"scopes": {"a": "b"}}, ` +
	`"password": {"tokenUrl": "http://x.example/t", "scopes": {"a": "b"}}, ` +
	`"authorizationCode": {"tokenUrl": "http://x.example/t", "scopes": {"a": "b"}}}}`

func cards() []growth {
	repeat := func(text string) func(int) string {
		return func(n int) string { return described(strings.Repeat(text, n)) }
	}
	oidc := `"securitySchemes": {`
	scheme := `"s%d": {"openIdConnectSecurityScheme": {"openIdConnectUrl": "http://x"}}`
	return []growth{
		inCard("nested params", 40, 90, func(n int) string {
			one := `{"uri": "https://acme.example/ext", "params": {"a": ` + strings.Repeat(`{"b": `, n) + "1" +
				strings.Repeat("}", n) + "}},"
			return able(`"extensions": [` + strings.TrimSuffix(strings.Repeat(one, 20), ",") + "]")
		}),
		inCard("unknown members", 60, 10000, func(n int) string { return card(oneSkill + "," + join(n, `"x%d": 1`)) }),
		inCard("unknown members of skills", 20, 2000, func(n int) string {
			return skillsOf(strings.ReplaceAll(join(n, cardSkill), `"tags"`, `"x": {"y": null}, "tags"`))
		}),
		inCard("unknown members of one skill", 60, 5000, func(n int) string {
			return skillsOf(`{"id": "s", "name": "S", "description": "x", "tags": ["review"], ` +
				join(n, `"x%d": {"": null}`) + "}")
		}),
		inCard("misspelled members", 60, 5000,
			func(n int) string { return card(oneSkill + "," + join(n, `"skill_%d_": 1, "Skills%[1]d": 1`)) }),
		inCard("equal members", 200, 10000, func(n int) string { return card(oneSkill + "," + join(n, `"x": 1`)) }),
		inCard("empty members", 60, 10000, func(n int) string { return card(oneSkill + "," + join(n, `"x%d": ""`)) }),
		inCard("skills", 20, 2500, func(n int) string { return skillsOf(join(n, cardSkill)) }),
		inCard("skills of one id", 40, 2500,
			func(n int) string { return skillsOf(join(n, strings.ReplaceAll(cardSkill, "%[1]d", "0"))) }),
		inCard("skills in a map", 20, 2500, func(n int) string {
			return card(`"skills": {` + join(n, `"s%d": {"name": "S", "description": "x"}`) + "}")
		}),
		inCard("skills without members", 60, 5000, func(n int) string { return skillsOf(join(n, "{}")) }),
		inCard("skills that are texts", 40, 5000, func(n int) string { return skillsOf(join(n, `"do %d"`)) }),
		inCard("skills without ids", 15, 2500, func(n int) string {
			return skillsOf(join(n, `{"name": "Same name", "description": "x", "tags": ["a"]}`))
		}),
		inCard("interfaces", 20, 2500, func(n int) string {
			return reached(join(n, `{"url": "http://a%d.acme.example", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}`))
		}),
		inCard("equal interfaces", 40, 2500, func(n int) string {
			return reached(join(n, `{"url": "http://a.acme.example", "protocolBinding": "JSONRPC", "protocolVersion": "0.3"}`))
		}),
		inCard("versions of an interface", 40, 2500, func(n int) string {
			return reached(join(n, `{"url": "https://a.acme.example", "protocolBinding": "JSONRPC", "protocolVersion": "1.%d"}`))
		}),
		inCard("security schemes", 20, 2000, func(n int) string {
			return card(oneSkill + `, "securityRequirements": [` + join(n, `{"schemes": {"s%d": {"list": ["a"]}}}`) + "], " +
				oidc + join(n, scheme) + "}")
		}),
		inCard("security schemes of one name", 40, 2000, func(n int) string {
			return card(oneSkill + `, "securitySchemes": [` + join(n, `{"id": "a", "type": "http", "scheme": "bearer"}`) + "]")
		}),
		inCard("OAuth schemes of several flows", 8, 750, func(n int) string {
			return card(oneSkill + `, "security": [` + join(n, `{"s%d": ["a"]}`) + "], " + oidc + join(n, `"s%d": `+flows) + "}")
		}),
		inCard("OAuth schemes in one requirement", 12, 750, func(n int) string {
			return card(oneSkill + `, "security": [{` + join(n, `"s%d": ["a"]`) + "}], " + oidc + join(n, `"s%d": `+flows) + "}")
		}),
		inCard("required schemes that are not declared", 150, 1500, func(n int) string {
			return card(oneSkill + `, "securityRequirements": [` + join(n, `{"schemes": {"t%d": {"list": ["a"]}}}`) + "], " +
				oidc + join(n, scheme) + "}")
		}),
		inCard("scopes", 100, 2500, func(n int) string {
			return card(oneSkill + `, "securityRequirements": [{"schemes": {"s": {"list": [` + join(n, `"q%d"`) +
				`]}}}], "securitySchemes": {"s": {"oauth2SecurityScheme": ` +
				`{"flows": {"clientCredentials": {"tokenUrl": "https://x.example/t", "scopes": {` + join(n, `"a%d": "x"`) +
				"}}}}}}")
		}),
		inCard("requirements of skills", 20, 1500, func(n int) string {
			return skillsOf(strings.ReplaceAll(join(n, cardSkill), `"tags"`,
				`"securityRequirements": [{"schemes": {"t": {"list": ["a"]}}}], "tags"`))
		}),
		inCard("tags", 150, 10000, func(n int) string {
			return skillsOf(`{"id": "s", "name": "S", "description": "x", "tags": [` + join(n, `"t%d"`) + "]}")
		}),
		inCard("equal tags", 100, 10000, func(n int) string {
			return skillsOf(`{"id": "s", "name": "S", "description": "x", "tags": [` + join(n, `"t"`) + "]}")
		}),
		inCard("examples", 150, 10000, func(n int) string {
			return skillsOf(`{"id": "s", "name": "S", "description": "x", "tags": ["a"], "examples": [` +
				join(n, `"do %d"`) + "]}")
		}),
		inCard("media types", 60, 10000, func(n int) string {
			return strings.Replace(card(oneSkill), `["text/plain"]`, "["+join(n, `"textplain%d"`)+"]", 1)
		}),
		inCard("signatures", 60, 2500, func(n int) string {
			return card(oneSkill + `, "signatures": [` + join(n,
				`{"protected": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImEifQ", "signature": "AAAA"}`) + "]")
		}),
		inCard("extensions", 60, 2500, func(n int) string {
			return able(`"extensions": [` + join(n, `{"uri": "https://acme.example/%d", "required": true}`) + "]")
		}),
		inCard("capabilities that describe themselves", 25, 2500, func(n int) string {
			return strings.Replace(card(""), `{"streaming": false}`, "["+join(n, `{"type": "t%d", "description": "x"}`)+"]", 1)
		}),
		inCard("addresses in a text", 60, 25000, repeat("ignore https://10.0.0.1 aé ")),
		inCard("invisible characters", 600, 50000, repeat("a\u200b")),
		inCard("letters in other alphabets", 600, 50000, repeat("раura ")),
		inCard("text like tokens", 1200, 100000, repeat("sk-aB3-")),
		inCard("text like assignments", 600, 50000, repeat("api_key=a ")),
		inCard("text like JWTs", 1200, 100000, repeat("eyJ.")),
		inCard("text like URLs with passwords", 1200, 50000, repeat("://a:b@")),
		inCard("text like paths", 600, 50000, repeat("../a/b\\\\ ")),
		inCard("text without spaces", 4000, 250000, repeat("a")),
		inCard("halves of surrogate pairs", 600, 50000, repeat(`\ud800`)),
		inCard("numbers", 1500, 50000, func(n int) string { return card(oneSkill + `, "x": [` + join(n, "1e5") + "]") }),
		inCard("a long number", 20000, 250000,
			func(n int) string { return card(oneSkill + `, "x": ` + strings.Repeat("1", n)) }),
		inCard("what is no JSON", 3000, 100000, func(n int) string {
			return card(oneSkill + `, "x": ` + strings.Repeat("[", 50) + strings.Repeat(" 1,\n", n) + "x")
		}),
		inCard("a text that stays open", 20000, 250000,
			func(n int) string { return card(oneSkill + `, "x": "` + strings.Repeat("a", n)) }),
		inCard("an envelope", 1500, 25000, func(n int) string {
			return `{"result": ` + card(oneSkill) + "," +
				join(n, `"x%d": 1`) + "}"
		}),
		{"key set: keys", 200, 5000, func(p *input, n int) [][]string {
			p.write("card.json", card(oneSkill+`, "signatures": [`+
				join(8, `{"protected": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImEifQ", "signature": "`+strings.Repeat("A", 86)+`"}`)+"]"))
			p.write("jwks.json", `{"keys": [`+join(n, strings.Replace(publicKey, `"kid": "a"`, `"kid": "a%d"`, 1))+"]}")
			return [][]string{{"verify", "card.json", "--jwks", "jwks.json"}}
		}},
		{"key set: keys of one name", 40, 5000, func(p *input, n int) [][]string {
			p.write("card.json", card(oneSkill+`, "signatures": [`+
				join(8, `{"protected": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImEifQ", "signature": "`+strings.Repeat("A", 86)+`"}`)+"]"))
			p.write("jwks.json", `{"keys": [`+join(n, publicKey)+"]}")
			return [][]string{{"verify", "card.json", "--jwks", "jwks.json"}}
		}},
	}
}
