module cardwright/conformance/discovery

go 1.26.8

require (
	cardwright v0.0.0
	github.com/google/go-cmp v0.7.0
)

require (
	github.com/BurntSushi/toml v1.5.0 // indirect
	github.com/adrg/frontmatter v0.2.0 // indirect
	github.com/bmatcuk/doublestar/v4 v4.10.4 // indirect
	github.com/go-jose/go-jose/v4 v4.1.8 // indirect
	github.com/gowebpki/jcs v1.0.2 // indirect
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	gopkg.in/yaml.v2 v2.3.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace cardwright => ../..
