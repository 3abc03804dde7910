package main

// below is the target of the reference to what weaker lines say.
const below Key = "^"

// Written is what a line says: a value, the parts of a text or list, or a reference to a target.
type Written struct {
	Value
	Parts  []Written
	Target Key
}
