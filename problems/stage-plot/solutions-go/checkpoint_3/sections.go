package main

import (
	"path"
	"regexp"
	"strings"
)

// Section is a part of a file. Number counts the sections of the file; word is empty if the header is
// faulty.
type Section struct {
	number int
	word   string
	names  []string
}

var (
	head         = Section{word: "always"}
	venuePattern = regexp.MustCompile(`^[a-z*][a-z0-9*-]{0,15}$`)
)

// header is what is printed for the header, empty if the section always applies.
func (s Section) header() string {
	if len(s.names) == 0 {
		return ""
	}
	return "[" + s.word + " " + strings.Join(s.names, " ") + "]"
}

func readHeader(number int, line string) (section Section, ok bool) {
	section = Section{number: number}
	inside, behind, found := strings.Cut(line[1:], "]")
	words := wordsOf(inside)
	behind = trim(behind)
	if !found || behind != "" && !strings.HasPrefix(behind, "#") || !isHeader(words) {
		return section, false
	}
	section.word, section.names = words[0], words[1:]
	return section, true
}

func isHeader(words []string) bool {
	switch first(words) {
	case "venue":
		return len(words) > 1 && arePatterns(words[1:])
	case "profile":
		return len(words) == 2 && isName(words[1])
	case "always":
		return len(words) == 1
	}
	return false
}

func arePatterns(words []string) bool {
	for _, word := range words {
		if !venuePattern.MatchString(word) {
			return false
		}
	}
	return true
}

// Performance is where and how we play.
type Performance struct {
	venue    string
	profiles []string
}

func (p Performance) applies(section Section) bool {
	switch section.word {
	case "venue":
		return p.venue != "" && matchesAny(section.names, p.venue)
	case "profile":
		return contains(p.profiles, section.names[0])
	}
	return section.word == "always"
}

func matchesAny(patterns []string, name string) bool {
	for _, pattern := range patterns {
		if matched, err := path.Match(pattern, name); matched && err == nil {
			return true
		}
	}
	return false
}

// rank is how strong a section is within its file; those that do not apply have a rank, too.
func (p Performance) rank(section Section) int {
	switch section.word {
	case "venue":
		return 1
	case "profile":
		return 3 + indexOf(p.profiles, section.names[0])
	}
	return 0
}

// weaker orders the lines of a key, the weakest first.
func (p Performance) weaker(one, other *Setting) bool {
	if one.isDefault() != other.isDefault() {
		return one.isDefault()
	}
	if one.Place.Order != other.Place.Order {
		return one.Place.Order < other.Place.Order
	}
	if rank, otherRank := p.rank(one.Section), p.rank(other.Section); rank != otherRank {
		return rank < otherRank
	}
	return one.Place.Number < other.Place.Number
}
