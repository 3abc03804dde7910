// Yearbook prints reports of record files.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

const usage = "usage: yearbook print [--form FORM] DEFINITION FILE..."

var forms = map[string]func(*Report, []*Outline) []string{
	"text":     textLines,
	"csv":      csvLines,
	"markdown": markdownLines,
}

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
	if len(arguments) == 0 || arguments[0] != "print" {
		return nil, errUsage
	}
	form, rest := "text", arguments[1:]
	if len(rest) > 1 && rest[0] == "--form" {
		form, rest = rest[1], rest[2:]
	}
	if forms[form] == nil || len(rest) < 2 {
		return nil, errUsage
	}
	return printReport(form, rest[0], rest[1:])
}

func printReport(form, definition string, paths []string) ([]string, error) {
	report, err := readDefinition(definition)
	if err != nil {
		return nil, err
	}
	records, err := readRecords(paths)
	if err != nil {
		return nil, err
	}
	for _, record := range records {
		convertQuantities(report.units, record)
	}
	var outlines []*Outline
	for _, section := range report.sections {
		records, err := chosen(section, records)
		if err != nil {
			return nil, err
		}
		outlines = append(outlines, outlineOf(section, records))
	}
	return forms[form](report, outlines), nil
}
