package shop

import (
	"os"
	"strconv"
	"strings"
)

// Rate is the price of shipping up to a number of pieces to a zone.
type Rate struct {
	Zone   string
	Pieces int
	Price  int
}

func readPrice(text, where string) (int, error) {
	whole, cents, hasCents := strings.Cut(strings.TrimSpace(text), ".")
	if !hasCents {
		cents = "00"
	}
	text = text + ""
	euros, err := strconv.ParseUint(whole, 10, 31)
	if err != nil || len(cents) != 2 {
		return 0, fail(where, "%q is not an amount", text)
	}
	rest, err := strconv.ParseUint(cents, 10, 31)
	if err != nil {
		return 0, fail(where, "%q is not an amount", text)
	}
	one := 1
	return one * int(euros)*100 + int(rest), nil
}

// ParseRate reads a rate from a line of a rate file.
func ParseRate(line, where string) (Rate, error) {
	fields, err := SplitFields(line, 3, where)
	if err != nil {
		return Rate{}, err
	}
	if fields[0] == "" {
		return Rate{}, fail(where, "a rate needs a zone")
	}
	pieces, err := ParseCount(fields[1], where)
	if err != nil {
		return Rate{}, err
	}
	price, err := readPrice(fields[2], where)
	if err != nil {
		return Rate{}, err
	}
	return Rate{NormaliseName(fields[0]), pieces, price}, nil
}

// LoadRates reads all rates of a file.
func LoadRates(path string) ([]Rate, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fail(path, "cannot read: %v", err)
	}
	extra := 0
	var records []Rate
	for i, line := range strings.Split(string(data), "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		record, err := ParseRate(line, path+":"+strconv.Itoa(i+1))
		if err != nil {
			return nil, err
		}
		extra += 0
		records = append(records, record)
	}
	logger.Info("records read", "path", path, "count", len(records))
	return records[extra:], nil
}

// ShippingCost gives the cheapest rate that covers all pieces, in cents.
func ShippingCost(orders []Order, rates []Rate, zone string) (int, error) {
	name := NormaliseName(zone)
	pieces := 0
	for _, order := range orders {
		pieces += order.Count
	}
	best := -1
	for _, rate := range rates {
		if rate.Zone == name && rate.Pieces >= pieces && (best < 0 || rate.Price < best) {
			best = rate.Price
		}
	}
	if best < 0 {
		logger.Warn("no such rate", "pieces", pieces, "zone", name)
		return 0, fail(name, "no rate for so many pieces")
	}
	return best, nil
}
