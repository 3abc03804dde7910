package main

func areNames(words []string) bool {
	for _, word := range words {
		if !isName(word) {
			return false
		}
	}
	return true
}

func hasTwice(words []string) bool {
	for at, word := range words {
		if contains(words[:at], word) {
			return true
		}
	}
	return false
}

func contains(words []string, wanted string) bool {
	return indexOf(words, wanted) >= 0
}

// indexOf is where a word stands among others, or -1.
func indexOf(words []string, wanted string) int {
	for at, word := range words {
		if word == wanted {
			return at
		}
	}
	return -1
}
