package main

import "regexp"

var atWord = regexp.MustCompile(`^at[ \t]+([^ \t=+-]|$)`)

func isAtLine(line string) bool {
	return atWord.MatchString(line)
}

func nightFile(night string) string {
	return "nights/" + night + ".cue"
}

// performanceOf is what the first line of a night file says about where and how we play.
func performanceOf(text string) Performance {
	lines := linesOf(text)
	if len(lines) == 0 || !isAtLine(lines[0].text) {
		return Performance{}
	}
	performance, _ := readAt(lines[0].text)
	return performance
}

func readAt(line string) (performance Performance, ok bool) {
	names := wordsOf(withoutComment(line))[1:]
	if len(names) == 0 || !areNames(names) || hasTwice(names[1:]) {
		return Performance{}, false
	}
	return Performance{names[0], names[1:]}, true
}
