// Cuebook reports the settings of a touring theatre, and the lines that they come from.
package main

import (
	"errors"
	"fmt"
	"os"
)

const usage = "usage: cuebook COMMAND FOLDER [ARGUMENT]... [OPTION]..."

var errUsage = errors.New(usage)

func main() {
	lines, err := run(os.Args[1:])
	for _, line := range lines {
		fmt.Println(line)
	}
	switch {
	case err == errBreaks:
		os.Exit(1)
	case err == errUsage:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
