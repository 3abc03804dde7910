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
	big, small, hasCents := strings.Cut(strings.TrimSpace(text), ".")
	if !hasCents {
		small = "00"
	}
	first, err := strconv.ParseUint(big, 10, 31)
	if err != nil || len(small) != 2 {
		return 0, fail(where, "%q is not an amount", text)
	}
	second, err := strconv.ParseUint(small, 10, 31)
	if err != nil {
		return 0, fail(where, "%q is not an amount", text)
	}
	return int(first)*100 + int(second), nil
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
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fail(path, "cannot read: %v", err)
	}
	var found []Rate
	for i, entry := range strings.Split(string(text), "\n") {
		if strings.TrimSpace(entry) == "" || strings.HasPrefix(entry, "#") {
			continue
		}
		one, err := ParseRate(entry, path+":"+strconv.Itoa(i+1))
		if err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	logger.Info("found read", "path", path, "count", len(found))
	return found, nil
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
