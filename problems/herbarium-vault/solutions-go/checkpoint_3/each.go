package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	numberForm = regexp.MustCompile(`^(?:0|[1-9][0-9]{0,5})$`)
	hashes     = regexp.MustCompile(`#+`)
)

// eachLine is a line that is run once for each number.
type eachLine struct {
	first, last int
	line        string
}

func readEach(line string) (eachLine, error) {
	words := strings.SplitN(line, " ", 4)
	if len(words) < 4 {
		return eachLine{}, errNotUnderstood
	}
	first, err := readNumber(words[1])
	if err != nil {
		return eachLine{}, err
	}
	last, err := readNumber(words[2])
	if err != nil {
		return eachLine{}, err
	}
	if first > last {
		return eachLine{}, errors.New("bad range")
	}
	return eachLine{first: first, last: last, line: words[3]}, nil
}

func readNumber(text string) (int, error) {
	if !numberForm.MatchString(text) {
		return 0, fmt.Errorf("bad number '%s'", text)
	}
	return strconv.Atoi(text)
}

// numbered is the line with each run of # replaced by the number.
func (e eachLine) numbered(number int) string {
	return hashes.ReplaceAllStringFunc(e.line, func(run string) string {
		return fmt.Sprintf("%0*d", len(run), number)
	})
}

// isEach tells whether a line is for each of some numbers.
func isEach(line string) bool {
	name, _, _ := strings.Cut(line, " ")
	return name == "each"
}

func (b *Batch) each(line string) ([]string, error) {
	each, err := readEach(line)
	if err != nil {
		return nil, err
	}
	refusedBefore := b.refused
	var replies strings.Builder
	for number := each.first; number <= each.last; number++ {
		replies.WriteString(joined(b.reply(b.single(each.numbered(number)))))
	}
	refused := b.refused - refusedBefore
	done := each.last - each.first + 1 - refused
	sum := checksum([]byte(replies.String()))
	return []string{fmt.Sprintf("each: %d done, %d refused, %s", done, refused, sum)}, nil
}
