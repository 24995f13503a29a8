package trials

import (
	"maps"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/source"
	"cardwright/schema"
	"cardwright/schema/schematest"
)

// features is the table. Where keys stand comes last, for it moves the others.
func features() []feature {
	return slices.Concat(agentFeatures(), skillFeatures(), siteFeatures(), placeFeatures())
}

// full is the agent that has every key of a card, or a part of it, but for some keys.
func full(pointer string, but ...string) string {
	root, _ := source.ParseYAML("cardwright.yaml", schematest.Config, diag.ConfigValue)
	n, _ := root.Find("/agents/0" + pointer)
	for _, key := range but {
		n = n.Without(key)
	}
	return schema.WriteCompact(n)
}

// plain is the value of whoever does not care.
var plain = value{name: "-"}

const oauth = `{securitySchemes: {oauth2: {type: oauth2, description: Signs people in.,
  oauth2MetadataUrl: https://id.acme.example/.well-known/oauth-authorization-server, flows: {
    authorizationCode: {authorizationUrl: https://id.acme.example/authorize, tokenUrl: https://id.acme.example/token,
      refreshUrl: https://id.acme.example/refresh, pkceRequired: true, scopes: {book: Book rooms.}},
    clientCredentials: {tokenUrl: https://id.acme.example/token, scopes: {book: Book rooms.}},
    deviceCode: {deviceAuthorizationUrl: https://id.acme.example/device, tokenUrl: https://id.acme.example/token,
      scopes: {book: Book rooms.}}}}}, security: [{oauth2: [book]}]}`

const oldOAuth = `{securitySchemes: {oauth2: {type: oauth2, flows: {
    implicit: {authorizationUrl: https://id.acme.example/authorize, scopes: {book: Book rooms.}},
    password: {tokenUrl: https://id.acme.example/token, scopes: {book: Book rooms.}}}}}, security: [{oauth2: [book]}]}`

const providers = `{auth: {providers: [
  {type: oidc, name: staff, settings: {issuer: https://id.acme.example, audience: ` + private + `}},
  {type: azure_ad, settings: {tenant_id: 5f1b6a2c-0d7e-4f37-9a3e-2f1f7d0c9b11}},
  {type: static_token, settings: {token_env: ` + private + `}}]}}`

const otherSchemes = `{securitySchemes: {
  sso: {type: openIdConnect, description: Staff.,
        openIdConnectUrl: https://id.acme.example/.well-known/openid-configuration},
  session: {type: apiKey, in: cookie, name: session}, tls: {type: mutualTLS, description: Certificates of Acme.}},
  security: [{sso: []}, {session: [], tls: []}]}`

func agentFeatures() []feature {
	// A card for both versions cannot be signed, two can.
	signed := func(name, signing string) value {
		return value{
			name: name, agent: "{signing: " + signing + "}", never: []string{"interfaces=dual", "interfaces=0.3"},
			files: map[string]string{"keys/ed.pem": edKey(), "keys/next.json": nextKey},
		}
	}
	return []feature{
		{name: "interfaces", values: []value{
			{name: "1.0", agent: "{interfaces: [{url: /desk/a2a, versions: ['" + schema.Listed.Versions()[0].String() + "']}]}"},
			{name: "0.3", agent: `{interfaces: [{url: /desk/a2a, versions: ["0.3"]}]}`},
			{name: "dual", agent: `{interfaces: [{url: /desk/a2a, versions: ["1.0", "0.3"]}]}`},
			{
				name:  "split",
				agent: `{legacyPath: split, interfaces: [{url: /desk/v1, versions: ["1.0"]}, {url: /desk/v03, versions: ["0.3"]}]}`,
			},
			{
				name: "grpc",
				agent: "{interfaces: [{url: 'grpc.acme.example:443', binding: GRPC, tenant: desk}, " +
					"{url: /desk/rest, binding: HTTP+JSON}]}",
			},
			{name: "insecure", agent: "{interfaces: [{url: 'http://desk.acme.example/'}]}", rule: "interface-insecure"},
			{name: "unknown", agent: `{interfaces: [{url: /desk, versions: ["1"]}]}`, rule: "config-value"},
		}},
		{name: "version", values: []value{
			{name: "1.0.0", agent: "{version: 1.0.0}"},
			{name: "number", agent: "{version: 2}"},
			{name: "variable", agent: "{version: '${release}'}", site: "{vars: {release: '${PAIRS_RELEASE:-3.0.0}'}}"},
			{name: "set", agent: "{version: 1.0.0}", flags: []string{"--set", "version=1.4.0"}},
			{
				name: "secret", agent: "{version: '${release}'}", site: "{vars: {release: '${PAIRS_SECRET}'}}",
				rule: "config-value",
			},
			{
				name: "unset", agent: "{version: '${release}'}", site: "{vars: {release: '${PAIRS_UNSET}'}}",
				rule: "config-variable-unset",
			},
		}},
		{name: "texts", values: []value{
			plain,
			{name: "own", agent: full("", "id", "name", "description", "version", "interfaces", "capabilities",
				"securitySchemes", "security", "defaultInputModes", "defaultOutputModes", "skills")},
			{name: "modes", agent: "{defaultInputModes: [text/plain, application/pdf], defaultOutputModes: [text/markdown]}"},
			{name: "of all", site: `{defaults: {documentationUrl: https://acme.example/all,
				provider: {organization: Acme of All, url: https://acme.example}}}`},
		}},
		{name: "capabilities", values: []value{
			plain,
			{name: "flags", agent: "{capabilities: {streaming: true, pushNotifications: false}}"},
			{name: "all", agent: "{capabilities: " + full("/capabilities", "extendedAgentCard") + "}"},
			{name: "extended", agent: "{capabilities: {extendedAgentCard: true}}", never: []string{"security=-"}},
			{name: "extensions", agent: `{capabilities: {extensions: [{uri: https://acme.example/ext/trace/v1},
				{uri: https://acme.example/ext/cite/v1, description: Cites., required: true, params: {style: short, n: 3}}]}}`},
		}},
		{name: "security", values: []value{
			plain,
			{name: "key or bearer", agent: `{securitySchemes: {
				key: {type: apiKey, in: header, name: X-API-Key, description: Ask us for one.},
				token: {type: http, scheme: bearer, bearerFormat: JWT}}, security: [{key: []}, {token: []}]}`},
			{name: "oauth", agent: oauth},
			{name: "old oauth", agent: oldOAuth},
			{name: "others", agent: otherSchemes},
			{name: "providers", agent: providers},
			{name: "unknown scheme", agent: "{security: [{nobody: []}]}", rule: "security-reference"},
		}},
		{name: "legacy path", values: []value{
			plain,
			{name: "true", agent: "{legacyPath: true}", never: []string{"interfaces=split"}},
			{name: "false", agent: "{legacyPath: false}", never: []string{"interfaces=split"}},
			{
				name: "compat", agent: `{compat: [a2a-go-430], security: [{old: []}],
					securitySchemes: {old: {type: apiKey, in: header, name: X-Old-Key}}}`,
				never: []string{"interfaces=1.0", "interfaces=grpc", "interfaces=split", "signing", "agents"},
			},
		}},
		{name: "signing", values: []value{
			plain,
			signed("env",
				"{key: 'env:PAIRS_KEY', alg: ES256, kid: desk-2026, jku: https://agents.acme.example/.well-known/jwks.json}"),
			signed("file", "{key: 'file:keys/ed.pem', alg: EdDSA, kid: desk-ed, publish: ['file:keys/next.json']}"),
			{name: "unset", agent: "{signing: {key: 'env:PAIRS_UNSET'}}", rule: "config-value"},
			{
				name: "of another key", agent: "{signing: {key: 'file:keys/ed.pem', alg: ES256}}", rule: "config-value",
				root: map[string]string{"keys/ed.pem": edKey()},
			},
		}},
		{name: "rules of the agent", values: []value{
			plain,
			{name: "off", agent: "{rules: {card-documentation-missing: off, security-none: off}}"},
			{name: "raised", agent: "{rules: {provider-missing: warning}}"},
		}},
	}
}

// secretSkill adds a skill whose texts are no one's business.
func secretSkill(name, header string) map[string]string {
	return map[string]string{
		"skills/" + name + "/SKILL.md": skillFile(name, "description: Holds "+name+", "+hidden+".\n"+header, private),
	}
}

func skillFeatures() []feature {
	return []feature{
		{name: "source", values: []value{
			plain,
			{
				name:  "mcp and card",
				agent: "{skills: {from: [{type: mcp, path: mcp/tools.json}, {type: card, path: old/agent.json}]}}",
				files: joined(mcpFiles(), oldCard()),
			},
			{
				name: "forge", agent: "{skills: {from: [{type: forge, path: forge, exclude: ['skills/draft*']}]}}",
				files: forgeFiles(),
			},
			{name: "whole card", agent: "{skills: {from: [{type: card, path: old/agent.json, whole: true}]}}", files: oldCard()},
			{
				name: "plugin", agent: "{skills: {from: [{type: plugin, path: plugin, exclude: ['draft*']}]}}",
				files: pluginFiles(),
			},
			{name: "missing", agent: "{skills: {from: [{type: mcp, path: mcp/none.json}]}}", rule: "source-unreadable"},
			{name: "outside", agent: "{skills: {from: [{type: skills, path: ../../../outside}]}}", rule: "config-value"},
		}},
		{name: "lists", values: []value{
			plain,
			{
				name: "include", agent: "{skills: {include: ['[!z]*']}}",
				files: map[string]string{"skills/zones/SKILL.md": skillFile("zones", "", private)},
			},
			{name: "exclude", agent: "{skills: {exclude: ['sal*']}}", files: secretSkill("salaries", "")},
			{
				name: "extended", agent: "{skills: {extended: ['sal*']}}", files: secretSkill("salaries", ""),
				never: []string{"security=-"},
			},
			{
				name: "extended written", agent: "{skills: {extended: ['sal*']}}", files: secretSkill("salaries", ""),
				flags: []string{"--private-out", "extended"}, never: []string{"security=-"},
			},
		}},
		{name: "visibility", values: []value{
			plain,
			{
				name:  "hidden",
				files: secretSkill("board", "metadata: {a2a-visibility: hidden}\n"),
				agent: "{skills: {add: [{id: minutes, name: Minutes " +
					hidden + ", description: Holds the minutes., tags: [" + hidden + "], visibility: hidden}]}}",
			},
			{name: "misspelt", files: secretSkill("board", "metadata: {a2a-visibilty: hidden}\n")},
			{name: "extended", files: secretSkill("board", "a2a-visibility: extended\n"), never: []string{"security=-"}},
			{
				name: "overlay", agent: "{skills: {overlay: {board: {visibility: hidden}, rooms: {visibility: public}}}}",
				files: secretSkill("board", ""),
			},
		}},
		{name: "overlay", values: []value{
			plain,
			{name: "all", agent: "{skills: {overlay: {rooms: " + full("/skills/add/0", "id", "security") + "}}}"},
			{name: "secured", agent: `{securitySchemes: {extra: {type: apiKey, in: header, name: X-Extra}},
				skills: {overlay: {rooms: {security: [{extra: []}]}}}}`},
			{name: "of nobody", agent: "{skills: {overlay: {room: {name: Rooms}}}}"},
		}},
		{name: "added", values: []value{
			plain,
			{
				name: "one", files: map[string]string{"skills/keys/SKILL.md": skillFile("keys", "", private)},
				agent: `{securitySchemes: {chat: {type: apiKey, in: query, name: chat}}, skills: {defaultTags: [office, 2026],
				publishSchemas: true,
				add: [{id: chat, name: Chat, description: Answers questions about the office., tags: [chat, 1],
				examples: ["Where is the kitchen?", "Who has the key?"], inputModes: [text/plain], outputModes: [text/plain],
				security: [{chat: []}], visibility: public}]}}`,
			},
			{name: "incomplete", agent: "{skills: {add: [{id: chat}]}}", rule: "config-value"},
		}},
		{name: "odd names", values: []value{
			plain,
			{
				name: "letters",
				files: map[string]string{
					"skills/räume und küche/SKILL.md": skillFile("küche", "metadata: {a2a-tags: \"küche\"}\n", private),
				},
			},
			{
				name: "case",
				files: map[string]string{
					"skills/Parking-Lot/skill.md": skillFile("Parking Lot", "title: \"Parking <lot> & more\"\n", private),
				},
			},
			{
				name: "no name",
				files: map[string]string{
					"skills/plants/SKILL.md": "---\ndescription: Waters the plants of the office: daily.\n---\n",
				},
			},
		}},
	}
}

func joined(sets ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, m := range sets {
		maps.Copy(all, m)
	}
	return all
}

const travelDesk = `{id: travel, name: Travel Desk,
  description: "Books trains and flights, and explains the travel policy.",
  host: travel.acme.example, version: 1.0.0, legacyPath: true, interfaces: [{url: /travel/a2a, versions: ["1.0"]}],
  skills: {add: [{id: train, name: Book a train, description: Books a train between two cities., tags: [travel]}]}}`

func siteFeatures() []feature {
	return []feature{
		{name: "agents", values: []value{
			plain,
			{name: "two", apply: func(p *project) { p.other = parsed(travelDesk) }, never: []string{"layout=single"}},
		}},
		{name: "layout", values: []value{
			plain,
			{name: "auto", site: "{layout: auto}"},
			{name: "single", site: "{layout: single}"},
			{name: "host", site: "{layout: host}"},
			{name: "path", site: "{layout: path}", agent: "{path: offices/desk}"},
		}},
		{
			name:   "base URL",
			values: []value{plain, {name: "flag", flags: []string{"--base-url", "https://other.acme.example/agents/"}}},
		},
		{
			name: "out",
			values: []value{
				plain, {name: "key", site: "{out: public/cards}"}, {name: "flag", flags: []string{"--out", "flagged"}},
			},
		},
		{name: "server", values: []value{
			plain,
			{
				name: "all",
				site: "{servers: [" + strings.Join(hosting.Targets(), ", ") + "], cacheControl: 'public, max-age=60', cors: false}",
			},
			{name: "pages", site: "{servers: [github-pages], cors: true}"},
			{
				name: "flags", flags: []string{"--server", "caddy", "--server", "nginx", "--server-dir", "servers"},
				site: `{deprecation: "2026-01-01", sunset: "2027-12-31"}`,
			},
			{name: "unknown", site: "{servers: [ngnix]}", rule: "config-value"},
		}},
		{name: "lists of agents", values: []value{
			plain,
			{name: "catalog", site: "{catalog: true, publisher: acme.example}"},
			{name: "page", site: "{html: true}"},
		}},
		{name: "published skills", values: []value{plain, {
			name: "some", site: "{agentSkills: [rooms, 'sal*', board]}", files: map[string]string{
				"skills/rooms/SKILL.md":       skillFile("rooms", roomsHeader, "See [how](README.md)."),
				"skills/rooms/README.md":      "How to book.\n",
				"skills/rooms/.env":           "PORT=" + private + "\n",
				"skills/rooms/id_rsa":         private + "\n",
				"skills/rooms/scripts/run.sh": "#!/bin/sh\necho ready\n",
			},
		}}},
		{name: "rules", values: []value{
			plain,
			{name: "lowered", site: "{rules: {security-none: off, skill-tags-missing: info, secret-value: error}}"},
			{
				name: "policy", site: "{policies: [policies/icon.json], rules: {policy: warning}}",
				root: map[string]string{"policies/icon.json": "{\"required\": [\"iconUrl\"], \"$comment\": \"" + private + "\"}\n"},
			},
			{name: "unknown", site: "{rules: {skill-tags-mising: off}}", rule: "config-key-unknown"},
		}},
		{
			name: "findings",
			values: []value{
				plain, {name: "all", flags: []string{"--all"}}, {name: "fail on", flags: []string{"--fail-on", "error"}},
			},
		},
	}
}

func placeFeatures() []feature {
	in := func(where string) value {
		v := value{name: where, apply: func(p *project) { p.agentIn = where }}
		if where == "environment's defaults" {
			v.apply = func(p *project) { p.agentIn = where; p.staging() }
		}
		return v
	}
	style := func(name string) value { return value{name: name, apply: func(p *project) { p.style = name }} }
	// Files of teams do not sign.
	included := func(where string) value { v := in(where); v.never = []string{"signing"}; return v }
	return []feature{
		{name: "agent in", values: []value{
			in("agents"), in("defaults"), included("include"), included("include's defaults"), in("environment's defaults"),
		}},
		{name: "site in", values: []value{plain, {
			name: "environment", never: []string{"agents=two"},
			apply: func(p *project) { p.siteIn = "environment"; p.staging() },
		}}},
		{name: "text", values: []value{style("-"), style("CRLF"), style("BOM"), style("no last newline")}},
		{name: "configuration", values: []value{plain, {name: "named", apply: func(p *project) {
			p.config = "agents-of-acme.yaml"
			p.flags = append(p.flags, "--config", p.config)
		}}}},
	}
}

// staging has commands take the environment of that name.
func (p *project) staging() {
	if !slices.Contains(p.flags, "--env") {
		p.flags = append(p.flags, "--env", "staging")
	}
}
