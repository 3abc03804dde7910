package main

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

var (
	wordForm           = regexp.MustCompile(`"[^"]*"|[^\s"]+`)
	wholeForm          = regexp.MustCompile(`^[0-9]{1,6}$`)
	expressionWordForm = regexp.MustCompile(`"[^"]*"|[=!<>]+|[-+*/&(),]|[^\s"=!<>*/&(),+-]+`)
)

// Words are the words of one line, taken from left to right. The first fault is kept; after it
// there are no more words.
type Words struct {
	words []string
	at    int
	err   error
}

func wordsOf(line string) *Words {
	words := &Words{}
	if strings.Count(line, `"`)%2 == 1 {
		words.fail("quote is not closed")
		return words
	}
	words.words = wordForm.FindAllString(line, -1)
	if first := words.next(); first == "where" || first == "compute" {
		words.words = expressionWordForm.FindAllString(line, -1)
	}
	return words
}

func (w *Words) fail(format string, arguments ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, arguments...)
	}
}

// reject refuses the word that was taken last.
func (w *Words) reject() {
	if w.err == nil {
		w.fail("%s is not expected", w.words[w.at-1])
	}
}

func (w *Words) more() bool { return w.err == nil && w.at < len(w.words) }

// next is the next word, which is not taken. It is empty at the end.
func (w *Words) next() string {
	if !w.more() {
		return ""
	}
	return w.words[w.at]
}

func (w *Words) take() string {
	if !w.more() {
		w.fail("line ends too early")
		return ""
	}
	w.at++
	return w.words[w.at-1]
}

// took takes the next word if it is this one.
func (w *Words) took(word string) bool {
	found := w.more() && w.next() == word
	if found {
		w.at++
	}
	return found
}

// expect takes a word for which a condition holds.
func (w *Words) expect(isExpected func(string) bool) string {
	word := w.take()
	if !isExpected(word) {
		w.reject()
	}
	return word
}

func (w *Words) oneOf(allowed ...string) string {
	return w.expect(func(word string) bool { return contains(allowed, word) })
}

func (w *Words) field() string { return w.expect(nameForm.MatchString) }

func (w *Words) text() string {
	return strings.Trim(w.expect(isQuoted), `"`)
}

func isQuoted(word string) bool { return strings.HasPrefix(word, `"`) }

func (w *Words) number() *big.Rat {
	number, ok := numberOf(w.take())
	if !ok {
		w.reject()
		return new(big.Rat)
	}
	return number.Rat
}

// whole takes a whole number between two limits.
func (w *Words) whole(name string, least, most int) int {
	word := w.take()
	number, err := strconv.Atoi(word)
	if err != nil || !wholeForm.MatchString(word) || number < least || number > most {
		w.fail("%s must be from %d to %d", name, least, most)
	}
	return number
}

// end expects that there are no more words.
func (w *Words) end() {
	if w.more() {
		w.take()
		w.reject()
	}
}

func contains(words []string, wanted string) bool {
	for _, word := range words {
		if word == wanted {
			return true
		}
	}
	return false
}
