package main

import "fmt"

func explain(book *Book, arguments []string) ([]string, error) {
	name := arguments[0]
	key := book.named(name)
	lines := []string{book.equation(key)}
	for _, setting := range book.layers.all {
		if setting.Key.matches(key) {
			lines = append(lines, explainLine(book, key, setting)...)
		}
	}
	if len(lines) == 1 || key.hasStars() {
		return nil, fail("no key %s", name)
	}
	return lines, nil
}

func explainLine(book *Book, key Key, setting *Setting) []string {
	state := stateOf(book, key, setting)
	lines := []string{fmt.Sprintf("  %s (%s)", asWritten(setting), state)}
	if state != "used" {
		return lines
	}
	for _, target := range setting.Value.references() {
		lines = append(lines, "    "+book.equation(target))
	}
	return unique(lines)
}

func asWritten(setting *Setting) string {
	line := fmt.Sprintf("%s %s %s", setting.names[0], setting.Sign, setting.Text)
	if header := setting.Section.header(); header != "" {
		line = header + " " + line
	}
	return fmt.Sprintf("%s %s", setting.Place, line)
}

func stateOf(book *Book, key Key, setting *Setting) string {
	switch {
	case !book.layers.performance.applies(setting.Section):
		return "does not apply"
	case !isAmong(book.layers.stacks[key], setting):
		return "no group"
	case book.says[key][setting]:
		return "used"
	}
	return "overruled"
}

func isAmong(settings []*Setting, wanted *Setting) bool {
	for _, setting := range settings {
		if setting == wanted {
			return true
		}
	}
	return false
}
