// Package jsonschema checks documents against JSON Schemas, ours and those that
// users wrote, and reports faults in our own words with their place.
//
// It is the only user of santhosh-tekuri/jsonschema, and knows nothing of cards.
package jsonschema
