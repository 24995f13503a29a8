// Package jsonschema holds documents against JSON Schemas: against ours, with
// faults in our own words that say where, and judges the ones that others wrote.
//
// It is the only user of santhosh-tekuri/jsonschema, and knows nothing of cards.
package jsonschema
