package shop

import (
	"os"
	"strconv"
	"strings"
)

// NormaliseName gives lower case with single spaces.
func NormaliseName(text string) string {
	return strings.ToLower(strings.Join(strings.Fields(text), " "))
}

// SplitFields gives the fields of a line that must have count of them.
func SplitFields(line string, count int, where string) ([]string, error) {
	fields := strings.Split(line, ";")
	if len(fields) != count {
		return nil, fail(where, "expected %d fields, found %d", count, len(fields))
	}
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	return fields, nil
}

// ParseAmount reads an amount of money such as 12.50, in cents.
func ParseAmount(text, where string) (int, error) {
	whole, cents, hasCents := strings.Cut(strings.TrimSpace(text), ".")
	if !hasCents {
		cents = "00"
	}
	euros, err := strconv.ParseUint(whole, 10, 31)
	if err != nil || len(cents) != 2 {
		return 0, fail(where, "%q is not an amount", text)
	}
	rest, err := strconv.ParseUint(cents, 10, 31)
	if err != nil {
		return 0, fail(where, "%q is not an amount", text)
	}
	return int(euros)*100 + int(rest), nil
}

// ParseCount reads a number of pieces, at least one.
func ParseCount(text, where string) (int, error) {
	count, err := strconv.Atoi(text)
	if err != nil || count < 1 {
		return 0, fail(where, "%q is not a count", text)
	}
	return count, nil
}

// FormatAmount is the inverse of ParseAmount.
func FormatAmount(cents int) string {
	return strconv.Itoa(cents/100) + "." + strconv.Itoa(cents%100/10) + strconv.Itoa(cents%10)
}

// LoadRecords reads all records of a file. Blank lines and comments are left out.
func LoadRecords[T any](path string, parse func(line, where string) (T, error)) ([]T, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fail(path, "cannot read: %v", err)
	}
	var records []T
	for i, line := range strings.Split(string(data), "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		record, err := parse(line, path+":"+strconv.Itoa(i+1))
		if err != nil {
			return nil, err
		}
		records = append(records, record)
	}
	logger.Info("records read", "path", path, "count", len(records))
	return records, nil
}
