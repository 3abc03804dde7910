// Simulates the boats and locks of a canal.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// Exit codes.
const (
	success    = 0
	refusal    = 1
	usageFault = 2
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, out, faults io.Writer) int {
	command, given, err := parseArguments(commands, args)
	if err != nil {
		fmt.Fprintln(faults, err)
		return usageFault
	}
	lines, err := command.run(given)
	if err != nil {
		fmt.Fprintf(faults, "error: %v\n", err)
		return refusal
	}
	if len(lines) > 0 {
		fmt.Fprintln(out, strings.Join(lines, "\n"))
	}
	return success
}
