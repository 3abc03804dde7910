package main

// Spot is a section of a file, and the lines there that write a key out.
type Spot struct {
	file  string
	lines []*Setting
}

// findSpot is where a command changes a key. Without lines, it is the head of the file.
func findSpot(book *Book, key Key, command Command) (Spot, error) {
	layers := book.layers
	if command.hasFile && !contains(layers.files, command.file) {
		return Spot{}, fail("%s is not in use", command.file)
	}
	lines := decidingLines(book, key, command)
	switch {
	case len(lines) > 0:
		return spotOf(layers, lines[len(lines)-1]), nil
	case command.hasFile:
		return Spot{file: command.file}, nil
	}
	return Spot{file: layers.present[len(layers.present)-1]}, nil
}

// decidingLines has the lines of a key by which a spot may be chosen, the weakest first: those of the
// file, or without a file those that have a say.
func decidingLines(book *Book, key Key, command Command) []*Setting {
	var lines []*Setting
	for _, line := range book.layers.settings {
		chosen := book.says[key][line]
		if command.hasFile {
			chosen = line.Place.File == command.file
		}
		if chosen && line.Key == key {
			lines = append(lines, line)
		}
	}
	return lines
}

// spotOf is the spot in which a line stands.
func spotOf(layers *Layers, strongest *Setting) Spot {
	spot := Spot{file: strongest.Place.File}
	for _, line := range layers.settings {
		isNear := line.Place.Order == strongest.Place.Order && line.Section.number == strongest.Section.number
		if isNear && line.Key == strongest.Key {
			spot.lines = append(spot.lines, line)
		}
	}
	return spot
}

// lineBefore is the number of the line behind which a new one for a key belongs, or 0.
func lineBefore(text string, key Key) int {
	best, number := 0, 0
	for _, line := range headOf(text) {
		if common := line.key.commonParts(key); common >= best {
			best, number = common, line.number
		}
	}
	return number
}
