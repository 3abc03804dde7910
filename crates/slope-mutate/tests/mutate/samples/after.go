package shop

import (
	"errors"
	"fmt"
	"log"
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

func load(path string, limit int) ([]string, error) {
	if path == "" {
		return nil, errors.New("no path")
	}
	rows := []string{}
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	if errors.Is(err, errMissing) {
		limit = 0
	}
	rows = parseLine(text, ";")
	price := priceOf(limit, 3)
	weight := weightOf(limit, 2)
	log.Println("done")
	fmt.Println(price, weight)
	if strings.Contains(text, "a") {
		limit = price
	}
	return rows, nil
}

func report(rows []string, out *Writer) {
	if rows != nil {
		out.Write(rows)
		out.Flush()
	}
}
