package main

// below is the target of the reference to what weaker lines say.
const below Key = "^"

// Written is what a line says: a value, the parts of a text or list, or a reference to a target.
type Written struct {
	Value
	Parts  []Written
	Target Key
}

// references has the keys to which a written value refers, from left to right.
func (w Written) references() []Key {
	if w.Kind == kindReference && w.Target != below {
		return []Key{w.Target}
	}
	var keys []Key
	for _, part := range w.Parts {
		keys = append(keys, part.references()...)
	}
	return keys
}

// literal has the characters of a text; it is not ok for anything else and for a text with references.
func (w Written) literal() (characters string, ok bool) {
	for _, part := range w.Parts {
		if part.Kind == kindReference {
			return "", false
		}
		characters += part.Text
	}
	return characters, w.Kind == kindText
}

// renamed has all references led to the last names of their keys.
func (w Written) renamed(renames *Renames) Written {
	if w.Kind == kindReference {
		w.Target = renames.last(w.Target)
	}
	var parts []Written
	for _, part := range w.Parts {
		parts = append(parts, part.renamed(renames))
	}
	w.Parts = parts
	return w
}
