// Package schema says what an Agent Card is: a model that favours no protocol
// version, its wire forms for A2A 1.0, 0.3 and both at once, the JSON Schemas
// of everything cardwright reads or writes, and validation against them.
//
// It is pure: values in, values out. Positions stay out of the model; rules
// and faults speak of members by RFC 6901 pointer.
package schema
