package trials

import (
	"cmp"
	"crypto/elliptic"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// feature is something that a project can have in several ways. The first value is
// what a project has that does not care.
type feature struct {
	name   string
	values []value
	// shows is what diff names when the cards differ by this feature: a part of a
	// pointer or of a message.
	shows string
}

// value is one way to have a feature.
type value struct {
	name  string
	apply func(p *project)
	// never lists the values that this one excludes: FEATURE=VALUE, or FEATURE for
	// all of its values but the first.
	never []string
	// bad values are refused, with a finding of the rule.
	bad  bool
	rule string
}

// plain is the value of whoever does not care.
func plain() value { return value{name: "-"} }

// exclude reports whether two values cannot stand in one project.
func exclude(f feature, v int, g feature, w int) bool {
	names := func(never []string, f feature, v int) bool {
		return slices.Contains(never, f.name+"="+f.values[v].name) || v > 0 && slices.Contains(never, f.name)
	}
	return names(f.values[v].never, g, w) || names(g.values[w].never, f, v)
}

// describe names the values of a row that are not the first.
func (c *coverage) describe(r row) string {
	var words []string
	for f, v := range r {
		if v > 0 {
			words = append(words, called(c.features[f], c.features[f].values[v]))
		}
	}
	return cmp.Or(strings.Join(words, " "), nothing)
}

// nothing describes the row of the first values.
const nothing = "nothing"

// called is a value in one word.
func called(f feature, v value) string { return strings.ReplaceAll(f.name+"="+v.name, " ", "_") }

// features is the table. Where keys stand comes last, for it moves the others.
func features() []feature {
	return slices.Concat(agentFeatures(), skillFeatures(), siteFeatures(), placeFeatures())
}

// set is a value that sets one key of the agent.
func set(name, key string, v any) value {
	return value{name: name, apply: func(p *project) { p.agent[key] = v }}
}

// site is a value that sets one key of the top level.
func site(name, key string, v any) value {
	return value{name: name, apply: func(p *project) { p.site[key] = v }}
}

// skills is a value that sets one key of the agent's skills.
func skills(name, key string, v any) value {
	return value{name: name, apply: func(p *project) { p.skills()[key] = v }}
}

// flag is a value that is given on the command line.
func flagged(name string, args ...string) value {
	return value{name: name, apply: func(p *project) { p.flags = append(p.flags, args...) }}
}

// both is two values at once, each in files or below keys of its own: a table of fewer
// values needs fewer projects.
func both(name string, a, b value) value {
	return value{name: name, never: slices.Concat(a.never, b.never), apply: func(p *project) {
		a.apply(p)
		b.apply(p)
	}}
}

func (v value) without(never ...string) value {
	v.never = append(v.never, never...)
	return v
}

func (v value) refused(rule string) value {
	v.bad, v.rule = true, rule
	return v
}

func agentFeatures() []feature {
	oauth := object{"type": "oauth2", "description": "Signs people in.", "flows": object{
		"authorizationCode": object{
			"authorizationUrl": "https://id.acme.example/authorize", "tokenUrl": "https://id.acme.example/token",
			"refreshUrl": "https://id.acme.example/refresh", "pkceRequired": true,
			"scopes": object{"book": "Book rooms."},
		},
		"clientCredentials": object{
			"tokenUrl": "https://id.acme.example/token", "refreshUrl": "https://id.acme.example/refresh",
			"scopes": object{"book": "Book rooms."},
		},
		"deviceCode": object{
			"deviceAuthorizationUrl": "https://id.acme.example/device", "tokenUrl": "https://id.acme.example/token",
			"refreshUrl": "https://id.acme.example/refresh", "scopes": object{"book": "Book rooms."},
		},
	}, "oauth2MetadataUrl": "https://id.acme.example/.well-known/oauth-authorization-server"}
	old := object{"type": "oauth2", "flows": object{
		"implicit": object{
			"authorizationUrl": "https://id.acme.example/authorize", "refreshUrl": "https://id.acme.example/refresh",
			"scopes": object{"book": "Book rooms."},
		},
		"password": object{
			"tokenUrl": "https://id.acme.example/token", "refreshUrl": "https://id.acme.example/refresh",
			"scopes": object{"book": "Book rooms."},
		},
	}}
	secured := func(name string, scheme object, scopes ...any) value {
		return value{name: name, apply: func(p *project) {
			id := fmt.Sprint(scheme["type"])
			lookup(p.agent, "securitySchemes")[id] = scheme
			add(p.agent, "security", object{id: append(list{}, scopes...)})
		}}
	}
	interfaces := func(name string, l ...any) value { return set(name, "interfaces", append(list{}, l...)) }
	url := func(u string, versions ...any) object {
		o := object{"url": u}
		if versions != nil {
			o["versions"] = versions
		}
		return o
	}
	// A card for both versions cannot be signed, two can.
	signed := func(name string, signing any) value {
		return value{name: name, never: []string{"interfaces=0.3"}, apply: func(p *project) {
			p.agent["signing"] = signing
			if strings.Contains(fmt.Sprint(p.agent["interfaces"]), "0.3") {
				p.agent["legacyPath"] = "split"
			}
		}}
	}
	return []feature{
		{name: "interfaces", shows: "interface", values: []value{
			interfaces("1.0", url("/desk/a2a")),
			interfaces("0.3", url("/desk/a2a", "0.3")),
			interfaces("dual", url("/desk/a2a", "1.0", "0.3")),
			interfaces("two", url("/desk/a2a/v1", "1.0"), url("/desk/a2a/v03", "0.3")),
			interfaces("old first", url("/desk/a2a/v03", "0.3"), url("/desk/a2a/v1", "1.0")),
			interfaces("grpc", object{"url": "grpc.acme.example:443", "binding": "GRPC", "tenant": "desk"},
				object{"url": "/desk/rest", "binding": "HTTP+JSON"}),
			interfaces("own binding", object{"url": "https://desk.acme.example/", "binding": "https://acme.example/binding/v1"},
				url("/desk/a2a")),
			interfaces("insecure", url("http://desk.acme.example/")).refused("interface-insecure"),
			interfaces("version", url("/desk", "1")).refused("config-value"),
		}},
		{name: "version", shows: "version", values: []value{
			set("1.0.0", "version", "1.0.0"), set("number", "version", 2), set("long", "version", "2026.11.0-rc.1+4711"),
			{name: "variable", apply: func(p *project) {
				p.agent["version"] = "${release}"
				lookup(p.site, "vars")["release"] = "${PAIRS_RELEASE:-3.0.0}"
			}},
			flagged("--set", "--set", "version=1.4.0"),
			{name: "secret", bad: true, rule: "config-variable-secret", apply: func(p *project) {
				p.agent["version"] = "${release}"
				lookup(p.site, "vars")["release"] = "${PAIRS_SECRET}"
			}},
			{name: "unset", bad: true, rule: "config-variable-unset", apply: func(p *project) {
				p.agent["version"] = "${release}"
				lookup(p.site, "vars")["release"] = "${PAIRS_UNSET}"
			}},
		}},
		{name: "documentation", shows: "documentationUrl", values: []value{
			plain(), set("url", "documentationUrl", "https://acme.example/docs"),
			{name: "of all", apply: func(p *project) {
				lookup(p.site,
					"defaults")["documentationUrl"] = "https://acme.example/all"
			}},
		}},
		{name: "icon", shows: "iconUrl", values: []value{plain(), set("url", "iconUrl", "https://acme.example/desk.png")}},
		{name: "provider", shows: "provider", values: []value{
			plain(), set("acme", "provider", object{"organization": "Acme Inc.", "url": "https://acme.example"}),
			{name: "of all", apply: func(p *project) {
				lookup(p.site, "defaults")["provider"] = object{"organization": "Acme of All", "url": "https://acme.example"}
			}},
			set("half", "provider", object{"organization": "Acme Inc."}),
		}},
		{name: "capabilities", shows: "capabilities", values: []value{
			plain(),
			set("streaming", "capabilities", object{"streaming": true, "pushNotifications": false}),
			set("push", "capabilities", object{"pushNotifications": true, "streaming": false}),
			set("history", "capabilities", object{"stateTransitionHistory": true}),
			{name: "extended", apply: func(p *project) {
				p.agent["capabilities"] = object{"extendedAgentCard": true}
			}, never: []string{"security=-"}},
			set("extensions", "capabilities", object{"streaming": true, "extensions": list{
				object{
					"uri": "https://acme.example/ext/cite/v1", "description": "Cites.", "required": true,
					"params": object{"style": "short", "n": 3},
				},
				object{"uri": "https://acme.example/ext/trace/v1"},
			}}),
		}},
		{name: "security", shows: "ecurity", values: []value{
			plain(),
			both("key or bearer",
				secured("", object{"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "Ask us for one."}),
				secured("", object{"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "A token."})),
			secured("oauth", oauth, "book"),
			secured("old oauth", old, "book"),
			both("oidc, or cookie with tls", secured("", object{
				"type": "openIdConnect", "description": "Staff.",
				"openIdConnectUrl": "https://id.acme.example/.well-known/openid-configuration",
			}), value{apply: func(p *project) {
				maps.Copy(lookup(p.agent, "securitySchemes"), object{
					"session": object{"type": "apiKey", "in": "cookie", "name": "session"},
					"tls":     object{"type": "mutualTLS", "description": "Certificates of Acme."},
				})
				add(p.agent, "security", object{"session": list{}, "tls": list{}})
			}}),
			{name: "providers", apply: func(p *project) {
				p.agent["auth"] = object{"providers": list{
					object{"type": "oidc", "name": "staff", "settings": object{
						"issuer":   "https://id.acme.example",
						"audience": private,
					}},
					object{"type": "azure_ad", "settings": object{"tenant_id": "5f1b6a2c-0d7e-4f37-9a3e-2f1f7d0c9b11"}},
					object{"type": "static_token", "settings": object{"token_env": private}},
				}}
			}},
			{name: "unknown scheme", bad: true, rule: "security-reference", apply: func(p *project) {
				p.agent["security"] = list{object{"nobody": list{}}}
			}},
		}},
		{name: "input modes", shows: "InputModes", values: []value{plain(), set("two", "defaultInputModes",
			list{"text/plain", "application/pdf"})}},
		{name: "output modes", shows: "OutputModes", values: []value{plain(), set("two", "defaultOutputModes",
			list{"text/markdown", "application/json"})}},
		{name: "legacy path", values: []value{
			plain(), set("true", "legacyPath", true), set("false", "legacyPath", false),
			set("split", "legacyPath", "split").without("interfaces=1.0", "interfaces=0.3", "interfaces=grpc",
				"interfaces=own binding"),
		}},
		{name: "compat", values: []value{plain(), set("a2a-go", "compat", list{"a2a-go-430"}).
			without("interfaces=1.0", "interfaces=grpc", "interfaces=own binding", "legacy path=split", "signing", "agents")}},
		{name: "signing", values: []value{
			plain(),
			signed("env", object{
				"key": "env:PAIRS_KEY", "alg": "ES256", "kid": "desk-2026",
				"jku": "https://agents.acme.example/.well-known/jwks.json",
			}),
			withKeys(signed("file", object{
				"key": "file:keys/ed.pem", "kid": "desk-ed", "alg": "EdDSA",
				"publish": list{"keys/next.json"},
			})),
			withKeys(signed("others", list{
				object{"key": "file:keys/p384.pem", "alg": "ES384"}, object{"key": "file:keys/rsa.pem", "alg": "RS256"},
			})),
			{name: "key in a skill", bad: true, rule: "agent-skills-file", never: []string{
				"interfaces=0.3",
				"published skills=-",
			}, apply: func(p *project) {
				signed("", object{"key": "file:skills/rooms/card.json", "kid": "desk-jwk"}).apply(p)
				p.beside["skills/rooms/card.json"] = jwk()
			}},
			withKeys(signed("two", list{object{"key": "env:PAIRS_KEY", "kid": "desk-2026"}, object{
				"key": "file:keys/ed.pem",
				"kid": "desk-ed",
			}})),
			signed("sdk", object{"key": "env:PAIRS_KEY", "kid": "desk-2026", "compat": "sdk"}),
			signed("unset", object{"key": "env:PAIRS_UNSET", "alg": "ES512"}).refused("config-value"),
		}},
		{name: "agent's rules", values: []value{
			plain(),
			set("off", "rules", object{"card-documentation-missing": "off", "security-none": "off"}),
			set("raised", "rules", object{"provider-missing": "warning"}),
			// A team lowers no rule that guards, and none below what the configuration says.
			set("no guard", "rules", object{"secret-value": "off"}).refused("config-authority").without(inConfiguration()...),
			value{name: "below the floor", apply: func(p *project) {
				lookup(p.site, "rules")["provider-missing"] = "warning"
				p.agent["rules"] = object{"provider-missing": "off"}
			}}.refused("config-authority").without(append(inConfiguration(), "rules")...),
		}},
	}
}

// inConfiguration are the places of an agent that are no team's.
func inConfiguration() []string {
	return []string{"agent in=agents", "agent in=defaults", "agent in=environment", "agent in=environment's defaults"}
}

// withKeys puts the keys beside the file that names them.
func withKeys(v value) value {
	apply := v.apply
	v.apply = func(p *project) {
		apply(p)
		p.beside["keys/ed.pem"], p.beside["keys/next.json"] = edKey(), nextKey
		p.beside["keys/p384.pem"], p.beside["keys/rsa.pem"] = ecKey(elliptic.P384()), rsaKey()
	}
	return v
}

func skillFeatures() []feature {
	source := func(name string, o object, files map[string]string) value {
		return value{name: name, apply: func(p *project) { p.from(o, files) }}
	}
	return []feature{
		{name: "source", shows: "/", values: []value{
			plain(),
			both("mcp, card, fast-agent bearer",
				both("", source("", object{"type": "mcp", "path": "mcp/tools.json"}, mcpFiles()),
					source("", object{"type": "card", "path": "old/agent.json"}, oldCard())),
				source("", object{"type": "fast-agent", "path": "crew", "bearer": true}, crewFiles())),
			both("packs, fast-agent",
				source("", object{"type": "packs", "path": "packs", "exclude": list{"draft.*"}},
					packFiles()),
				source("", object{
					"type": "fast-agent", "path": "crew", "exclude": list{"draft*"},
				}, crewFiles())),
			source("forge", object{"type": "forge", "path": "forge", "exclude": list{"skills/draft*"}},
				forgeFiles()),
			source("forge built", object{"type": "forge", "path": "forge", "built": true}, forgeFiles()),
			source("whole card", object{"type": "card", "path": "old/agent.json", "whole": true}, oldCard()),
			source("plugin", object{
				"type": "plugin", "path": "plugin", "exclude": list{"draft*"},
			}, pluginFiles()),
			{name: "package", apply: func(p *project) {
				p.from(object{"type": "package", "path": "npm"}, packageFiles())
				delete(p.agent, "version")
			}, never: []string{"version"}},
			source("missing", object{"type": "mcp", "path": "mcp/none.json"}, nil).refused("source-unreadable"),
			source("outside", object{"type": "skills", "path": "../../../outside"}, nil).refused("config-value"),
		}},
		{name: "more skills", shows: "/", values: []value{
			plain(),
			source("nested", object{"type": "skills", "path": "more", "exclude": list{"drafts"}}, moreFiles()),
			source("flat", object{"type": "skills", "path": "more", "flat": true}, moreFiles()),
			{name: "linked", apply: func(p *project) {
				p.from(object{"type": "skills", "path": "linked"}, moreFiles())
				p.beside["linked/here/SKILL.md"] = skillFile("here", "", private)
				p.links["linked/parking"] = "../more/parking"
			}},
			{name: "same id", apply: func(p *project) {
				p.from(object{"type": "skills", "path": "more"}, map[string]string{
					"more/rooms-2/SKILL.md": skillFile("rooms", "description: Something else about "+private+".\n", ""),
				})
			}, bad: true, rule: "source-id-collision"},
		}},
		{name: "include", shows: "/", values: []value{
			plain(),
			{name: "include", apply: func(p *project) {
				p.skill("salaries", "", "Ask first.")
				p.skill("zones", "", "Ask somebody else.")
				p.skills()["include"] = list{"[!z]*"}
			}},
			{name: "exclude", apply: func(p *project) {
				p.skill("salaries", "description: Lists salaries, "+hidden+".\n", private)
				p.skills()["exclude"] = list{"sal*"}
			}},
			{name: "extended", apply: func(p *project) {
				p.skill("salaries", "description: Lists salaries, "+hidden+".\n", private)
				p.skills()["extended"] = list{"sal*"}
			}, never: []string{"security=-"}},
			{name: "extended of all", apply: func(p *project) { // which a team adds to
				p.skill("salaries", "description: Lists salaries, "+hidden+".\n", private)
				lookup(p.site, "defaults", "skills")["extended"] = list{"sal*"}
				p.skills()["extended"] = list{"wages"}
			}, never: append(inConfiguration(), "security=-", "agents=team")},
			{name: "extended written", apply: func(p *project) {
				p.skill("salaries", "description: Lists salaries, "+hidden+".\n", private)
				p.skills()["extended"] = list{"sal*"}
				p.flags = append(p.flags, "--private-out", "extended")
			}, never: []string{"security=-"}},
		}},
		{name: "visibility", shows: "/", values: []value{
			plain(),
			{name: "header and added hidden", apply: func(p *project) {
				p.skill("board", "description: Holds board papers, "+hidden+".\nmetadata: {a2a-visibility: hidden}\n", private)
				add(p.skills(), "add", object{
					"id": "minutes", "name": "Minutes " + hidden, "description": "Holds the minutes, " + hidden + ".",
					"tags": list{hidden}, "visibility": "hidden",
				})
			}},
			{name: "misspelt, invocation", apply: func(p *project) {
				p.skill("board", "description: Holds board papers, "+hidden+".\nmetadata: {a2a-visibilty: hidden}\n", private)
				p.skill("memos", "disable-model-invocation: true\n", private)
				for _, s := range p.skills()["from"].(list) { //nolint:errcheck // of the table
					if s := s.(object); s["path"] == "skills" { //nolint:errcheck // of the table
						s["respectInvocation"] = true
					}
				}
			}},
			{name: "header extended", apply: func(p *project) {
				p.skill("board", "description: Holds board papers, "+hidden+".\nmetadata: {a2a-visibility: extended}\n", private)
			}, never: []string{"security=-", "agents=copy"}},
			{name: "overlay hidden", apply: func(p *project) {
				p.skill("board", "description: Holds board papers, "+hidden+".\n", private)
				lookup(p.skills(), "overlay", "board")["visibility"] = "hidden"
				lookup(p.skills(), "overlay", "rooms")["visibility"] = "public"
			}},
			{name: "overlay extended", apply: func(p *project) {
				p.skill("board", "description: Holds board papers, "+hidden+".\n", private)
				lookup(p.skills(), "overlay", "board")["visibility"] = "extended"
				add(p.skills(), "add", object{
					"id": "papers", "name": "Papers " + hidden, "description": "Finds papers, " + hidden + ".",
					"tags": list{hidden}, "visibility": "extended",
				})
			}, never: []string{"security=-", "agents=copy"}},
		}},
		{name: "overlay", shows: "skill", values: []value{
			plain(),
			{name: "all", apply: func(p *project) {
				maps.Copy(lookup(p.skills(), "overlay", "rooms"), object{
					"name": "Rooms", "description": "Books a room of the right size.", "tags": list{"rooms", 7},
					"examples": list{"Book a room", "Free a room"}, "inputModes": list{"text/plain"},
					"outputModes": list{"application/json"},
				})
			}},
			{name: "secured", apply: func(p *project) {
				lookup(p.skills(), "overlay", "rooms")["security"] = list{object{"extra": list{}}}
				lookup(p.agent, "securitySchemes")["extra"] = object{"type": "apiKey", "in": "header", "name": "X-Extra"}
			}},
			{name: "of nobody", apply: func(p *project) {
				lookup(p.skills(), "overlay", "room")["name"] = "Rooms"
			}},
		}},
		{name: "added", shows: "skill", values: []value{
			plain(),
			{name: "one", apply: func(p *project) {
				add(p.skills(), "add", object{
					"id": "chat", "name": "Chat", "description": "Answers questions about the office.", "tags": list{"chat", 1},
					"examples": list{"Where is the kitchen?", "Who has the key?"}, "inputModes": list{"text/plain"},
					"outputModes": list{"text/plain"},
					"security":    list{object{"chat": list{}}}, "visibility": "public",
				})
				lookup(p.agent, "securitySchemes")["chat"] = object{"type": "apiKey", "in": "query", "name": "chat"}
			}},
			{name: "incomplete", bad: true, rule: "config-value", apply: func(p *project) {
				add(p.skills(), "add", object{"id": "chat"})
			}},
		}},
		{name: "default tags", shows: "tag", values: []value{plain(), skills("two", "defaultTags", list{"office", 2026})}},
		{name: "schemas", values: []value{plain(), skills("published", "publishSchemas", true)}},
		{name: "odd names", shows: "skill", values: []value{
			plain(),
			{name: "letters", apply: func(p *project) {
				p.beside["skills/räume und küche/SKILL.md"] = skillFile("küche", "metadata: {a2a-tags: \"küche\"}\n", private)
			}},
			{name: "case", apply: func(p *project) {
				p.beside["skills/Parking-Lot/skill.md"] = skillFile("Parking Lot", "title: \"Parking <lot> & more\"\n", private)
			}},
			{name: "no name", apply: func(p *project) {
				p.beside["skills/plants/SKILL.md"] = "---\ndescription: Waters the plants of the office: daily.\n---\n" + private +
					"\n"
			}},
		}},
	}
}

func siteFeatures() []feature {
	return []feature{
		{name: "agents", values: []value{
			plain(),
			{name: "two", apply: func(p *project) { p.other = travelDesk() }, never: []string{"layout=single"}},
			{name: "copy", apply: func(p *project) {
				p.other = travelDesk()
				lookup(p.other, "skills")["from"] = list{object{"type": "skills", "path": "skills"}}
				p.files["skills/rooms/SKILL.md"] = p.beside["skills/rooms/SKILL.md"]
			}, never: []string{"layout=single", "include=exclude", "published skills", "skill error"}},
			{name: "team", apply: func(p *project) { p.third = financeDesk() }, never: []string{
				"layout=single", "include=exclude", "published skills", "skill error", "visibility=header extended",
				"visibility=overlay extended",
			}},
		}},
		{name: "layout", values: []value{
			plain(), site("auto", "layout", "auto"), site("single", "layout", "single"), site("path", "layout", "path"),
			site("host", "layout", "host"),
			{name: "own path", apply: func(p *project) {
				p.site["layout"], p.agent["path"] = "path", "offices/desk"
			}},
		}},
		{name: "base URL", shows: "interface", values: []value{
			plain(), site("path", "baseUrl", "https://acme.example/agents/"), flagged("--base-url", "--base-url",
				"https://other.acme.example"),
		}},
		{name: "out", values: []value{
			plain(), site("out", "out", "public/cards"), flagged("--out", "--out", "flagged"),
		}},
		{name: "server", values: []value{
			plain(),
			site("all", "servers", list{
				"apache", "caddy", "cloudflare", "nginx", "s3", "vercel",
			}),
			site("files", "servers", list{"htaccess", "netlify"}),
			site("pages", "servers", list{"github-pages"}),
			flagged("--server", "--server", "nginx", "--server", "s3"),
			flagged("elsewhere", "--server", "caddy", "--server", "cloudflare", "--server-dir", "servers"),
			site("unknown", "servers", list{"ngnix"}).refused("config-value"),
		}},
		{name: "cache", values: []value{plain(), site("short", "cacheControl", "public, max-age=60")}},
		{name: "cors", values: []value{
			plain(), site("true", "cors", true), site("false", "cors", false),
		}},
		{name: "deprecation", values: []value{plain(), {name: "dates", apply: func(p *project) {
			p.site["deprecation"], p.site["sunset"] = "2026-01-01", "2027-12-31"
		}}}},
		{name: "catalog", values: []value{plain(), {name: "true", apply: func(p *project) {
			p.site["catalog"], p.site["publisher"] = true, "acme.example"
		}}}},
		{name: "page", values: []value{plain(), site("html", "html", true)}},
		{name: "published skills", values: []value{
			plain(),
			publish("some", list{"rooms", "sal*", "board", "keys"}),
			publish("all", list{"*"}).without("more skills", "odd names", "source=plugin"),
		}},
		{name: "rules", values: []value{
			plain(),
			site("lowered", "rules", object{"security-none": "off", "skill-tags-missing": "info"}),
			site("raised", "rules", object{"secret-value": "error", "source-empty": "error"}),
			site("unknown", "rules", object{"skill-tags-mising": "off"}).refused("config-key-unknown"),
		}},
		{name: "policy", values: []value{plain(), {name: "noted", apply: func(p *project) {
			p.site["policies"] = list{"policies/icon.json"}
			p.site["rules"] = object{"policy": "warning"}
			p.files["policies/icon.json"] = "{\"required\": [\"iconUrl\"], \"$comment\": \"" + private + "\"}\n"
		}}}},
		{name: "unknown key", values: []value{plain(), site("near", "publishr",
			"acme.example").refused("config-key-unknown")}},
		{name: "findings", values: []value{plain(), flagged("--all", "--all"), flagged("--fail-on error", "--fail-on",
			"error")}},
	}
}

// publish is a value that publishes whole skills with files that are not to be published.
func publish(name string, settings list) value {
	return value{name: name, apply: func(p *project) {
		p.site["agentSkills"] = settings
		p.beside["skills/rooms/README.md"] = "How to book.\n"
		p.beside["skills/rooms/.env"] = "PORT=" + private + "\n"
		p.beside["skills/rooms/id_rsa"] = private + "\n"
		p.beside["skills/rooms/scripts/run.sh"] = "#!/bin/sh\necho ready\n"
		p.skill("rooms",
			"metadata: {a2a-tags: \"rooms, calendar\", a2a-examples: \"Book a room for six\\nWhich rooms are free?\"}\n",
			"See [how](README.md).")
	}}
}

// financeDesk is the agent of another team, which reads the skills of the first agent.
func financeDesk() object {
	return object{
		"id": "finance", "name": "Finance Desk", "description": "Explains invoices, and corrects wrong ones.",
		"host": "finance.acme.example", "version": "1.0.0", "legacyPath": true,
		"interfaces": list{object{"url": "/finance/a2a", "versions": list{"1.0"}}},
	}
}

func travelDesk() object {
	return object{
		"id": "travel", "name": "Travel Desk", "description": "Books trains and flights, and explains the travel policy.",
		"host": "travel.acme.example", "version": "1.0.0", "legacyPath": true,
		"interfaces": list{object{"url": "/travel/a2a", "versions": list{"1.0"}}},
		"skills": object{"add": list{object{
			"id": "train", "name": "Book a train",
			"description": "Books a train between two cities.", "tags": list{"travel"},
		}}},
	}
}

func placeFeatures() []feature {
	in := func(where string) value {
		return value{name: where, apply: func(p *project) {
			p.agentIn = where
			if strings.HasPrefix(where, "environment") {
				p.flags = append(p.flags, "--env", "staging")
			}
		}}
	}
	return []feature{
		{name: "agent in", values: []value{
			in("agents"), in("defaults"), in("include"), in("include's defaults"), in("environment"),
			in("environment's defaults"),
		}},
		{name: "site in", values: []value{
			plain(),
			{name: "extends", apply: func(p *project) { p.siteIn = "extends" }},
			{name: "environment", apply: func(p *project) {
				p.siteIn = "environment"
				if !slices.Contains(p.flags, "--env") {
					p.flags = append(p.flags, "--env", "staging")
				}
			}},
		}},
		{name: "text", values: []value{
			plain(),
			{name: "CRLF", apply: func(p *project) { p.style = "CRLF" }},
			{name: "BOM", apply: func(p *project) { p.style = "BOM" }},
			{name: "no last newline", apply: func(p *project) { p.style = "no last newline" }},
		}},
		{name: "configuration", values: []value{
			plain(),
			{name: "yml", apply: func(p *project) { p.config = "cardwright.yml" }},
			{name: "named", apply: func(p *project) {
				p.config = "agents-of-acme.yaml"
				p.flags = append(p.flags, "--config", p.config)
			}},
		}},
	}
}
