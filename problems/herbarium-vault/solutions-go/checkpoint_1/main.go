// A record store for the specimens of a collection.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Exit codes.
const (
	allDone    = 0
	someFailed = 1
	badUsage   = 2
)

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(words []string) int {
	done, err := runWords(words)
	switch {
	case errors.Is(err, errNotUnderstood):
		fmt.Fprintln(os.Stderr, err)
		return badUsage
	case err != nil:
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		return someFailed
	case !done:
		return someFailed
	}
	return allDone
}

// runWords does what the words ask for, and tells whether all was done.
func runWords(words []string) (bool, error) {
	if len(words) < 3 || words[0] != "--dir" {
		return false, errNotUnderstood
	}
	path, words := words[1], words[2:]
	if len(words) == 1 && words[0] == "batch" {
		return runBatch(path)
	}
	request, err := understand(words)
	if err != nil {
		return false, err
	}
	folder, err := openFolder(path)
	if err != nil {
		return false, err
	}
	reply, err := request.do(folder)
	if err != nil {
		return false, err
	}
	say(reply)
	return true, nil
}

func runBatch(path string) (bool, error) {
	folder, err := openFolder(path)
	if err != nil {
		return false, err
	}
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return false, err
	}
	batch := &Batch{folder: folder}
	batch.run(string(text))
	return batch.refused == 0, nil
}

func say(lines []string) {
	os.Stdout.WriteString(joined(lines))
}
