package main

import (
	"fmt"
	"regexp"
	"sort"
	"strings"
)

func move(command Command, folder *Folder) ([]string, error) {
	if _, err := openBook(folder, command.performance, command.night); err != nil {
		return nil, err
	}
	old, err := requireKey(command.arguments[1])
	if err != nil {
		return nil, err
	}
	fresh, err := requireKey(command.arguments[2])
	if err != nil {
		return nil, err
	}
	texts := allTexts(folder)
	if err := requireFree(texts, old, fresh); err != nil {
		return nil, err
	}
	return renameAll(command, folder, texts, map[Key]Key{old: fresh})
}

// allTexts has the texts of all files that say something for any night, by name.
func allTexts(folder *Folder) map[string]string {
	texts := map[string]string{}
	waiting := append(append([]string{schemaFile}, layerNames...), folder.nights()...)
	for len(waiting) > 0 {
		name := waiting[0]
		waiting = waiting[1:]
		_, known := texts[name]
		text, ok := folder.read(name)
		if known || !ok {
			continue
		}
		texts[name] = text
		if name != schemaFile {
			waiting = append(waiting, includedBy(name, text)...)
		}
	}
	return texts
}

func includedBy(name, text string) []string {
	var names []string
	for _, include := range includesOf(text) {
		if include.path != "" && !include.isLate {
			names = append(names, include.from(name))
		}
	}
	return names
}

func sortedNames(texts map[string]string) []string {
	var names []string
	for name := range texts {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// requireFree refuses to move a key that no line writes out, or to a name that one does.
func requireFree(texts map[string]string, old, fresh Key) error {
	var isSet bool
	var taken *Setting
	for _, name := range sortedNames(texts) {
		for _, line := range settingsOf(name, texts[name]) {
			isSet = isSet || line.Key == old
			if taken == nil && line.Key == fresh {
				taken = line
			}
		}
	}
	if !isSet {
		return fail("%s is set nowhere", old)
	}
	if taken != nil {
		return fail("%s is set in %s", fresh, taken.Place)
	}
	return nil
}

func settingsOf(name, text string) []*Setting {
	if name == schemaFile {
		return nil
	}
	reader := newReader(0, name, false)
	reader.read(text)
	return reader.wellFormed
}

// renameAll puts other names for keys into all texts, and tells how many lines it changes in each.
func renameAll(command Command, folder *Folder, texts map[string]string, names map[Key]Key) ([]string, error) {
	changes := map[string]string{}
	var told []string
	for _, name := range sortedNames(texts) {
		document := newDocument(texts[name])
		if count := renameIn(document, name, names); count > 0 {
			changes[name] = document.text()
			told = append(told, fmt.Sprintf("%s: %d", name, count))
		}
	}
	if _, err := finish(command, folder, changes); err != nil {
		return nil, err
	}
	return told, nil
}

// renameIn renames in one document; it is how many lines are changed.
func renameIn(document *Document, name string, names map[Key]Key) int {
	if name == schemaFile {
		return renameInSchema(document, names)
	}
	count := 0
	for _, setting := range settingsOf(name, document.text()) {
		line := &document.lines[setting.Place.Number-1]
		renamed := renameInLine(*line, setting, names)
		if renamed != *line {
			count++
		}
		*line = renamed
	}
	return count
}

func renameInSchema(document *Document, names map[Key]Key) int {
	count := 0
	for _, declaration := range readSchema(document.text()).declarations {
		if fresh, found := names[declaration.key]; found {
			line := &document.lines[declaration.place.Number-1]
			*line = renameFirst(*line, declaration.key, fresh)
			count++
		}
	}
	return count
}

func renameFirst(text string, old, fresh Key) string {
	return strings.Replace(text, string(old), string(fresh), 1)
}

func renameInLine(line string, setting *Setting, names map[Key]Key) string {
	start := valueStart(line)
	before, behind := line[:start], line[start+len(setting.Text):]
	if fresh, found := names[setting.Key]; found {
		before = renameFirst(before, setting.Key, fresh)
	}
	return before + renameReferences(setting.Text, names) + behind
}

// escapeOrReference finds references; what follows a backslash begins none.
var escapeOrReference = regexp.MustCompile(`\\.|\$\{[^}]*\}`)

func renameReferences(text string, names map[Key]Key) string {
	return escapeOrReference.ReplaceAllStringFunc(text, func(found string) string {
		key := strings.TrimSuffix(strings.TrimPrefix(found, "${"), "}")
		if fresh, renamed := names[Key(key)]; renamed && strings.HasPrefix(found, "${") {
			return "${" + string(fresh) + "}"
		}
		return found
	})
}
