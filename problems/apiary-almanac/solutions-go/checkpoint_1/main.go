// Yearbook prints reports of record files.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

const usage = "usage: yearbook print DEFINITION FILE..."

var errUsage = errors.New(usage)

func main() {
	lines, err := run(os.Args[1:])
	switch {
	case err == errUsage:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	case err != nil:
		fmt.Fprintf(os.Stderr, "error: %s\n", err)
		os.Exit(1)
	}
	fmt.Println(strings.Join(lines, "\n"))
}

func run(arguments []string) ([]string, error) {
	if len(arguments) < 3 || arguments[0] != "print" {
		return nil, errUsage
	}
	return printReport(arguments[1], arguments[2:])
}

func printReport(definition string, paths []string) ([]string, error) {
	report, err := readDefinition(definition)
	if err != nil {
		return nil, err
	}
	records, err := readRecords(paths)
	if err != nil {
		return nil, err
	}
	return textLines(report, outlineOf(report.section, chosen(report.section, records))), nil
}
