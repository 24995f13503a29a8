// Package walk finds the files of a source: it walks over directories that anybody may
// have filled, within bounds, and names what it leaves out.
package walk
