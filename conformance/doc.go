// Package conformance holds cardwright's output against its real readers: the
// official JSON Schema of A2A 0.3.0, the official SDKs for Go and JavaScript,
// jose of npm, the schema of SARIF, and a Markdown parser. It has tests only, and a
// module of its own, so that the product does not depend on them.
package conformance
