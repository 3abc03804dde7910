package shop

import (
	"errors"
	"fmt"
	"strings"
)

func parseLine(line string, separator string) []string {
	fields := []string{}
	for i := 0; i < 3; i++ {
		part := strings.TrimSpace(line)
		if part != "" {
			fields = append(fields, part)
		}
	}
	return fields
}

func priceOf(count, unit int) int {
	total := count * unit
	return total
}

func weightOf(count, unit int) int {
	weight := count + unit
	return weight
}
