package shipping

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

// LoadRates reads all rates of a file.
func LoadRates(path string) ([]Rate, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, Fail(path, "cannot read: %v", err)
	}
	var records []Rate
	for i, line := range strings.Split(string(data), "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		record, err := ParseRate(line, path+":"+strconv.Itoa(i+1))
		if err != nil {
			return nil, err
		}
		records = append(records, record)
	}
	Logger.Info("records read", "path", path, "count", len(records))
	return records, nil
}

// ParseRate reads a rate from a line of a rate file.
func ParseRate(line, where string) (Rate, error) {
	fields := strings.Split(line, ";")
	if len(fields) == 3 {
		if strings.TrimSpace(fields[0]) != "" {
			pieces, err := strconv.Atoi(strings.TrimSpace(fields[1]))
			if err == nil {
				if pieces >= 1 {
					whole, cents, hasCents := strings.Cut(strings.TrimSpace(fields[2]), ".")
					euros, err := strconv.ParseUint(whole, 10, 31)
					if err == nil {
						if hasCents {
							if len(cents) == 2 {
								rest, err := strconv.ParseUint(cents, 10, 31)
								if err == nil {
									return Rate{strings.ToLower(strings.Join(strings.Fields(fields[0]), " ")), pieces, int(euros)*100 + int(rest)}, nil
								} else {
									return Rate{}, Fail(where, "not an amount")
								}
							} else {
								return Rate{}, Fail(where, "not an amount")
							}
						} else {
							return Rate{strings.ToLower(strings.Join(strings.Fields(fields[0]), " ")), pieces, int(euros) * 100}, nil
						}
					} else {
						return Rate{}, Fail(where, "not an amount")
					}
				} else {
					return Rate{}, Fail(where, "not a count")
				}
			} else {
				return Rate{}, Fail(where, "not a count")
			}
		} else {
			return Rate{}, Fail(where, "a rate needs a zone")
		}
	} else {
		return Rate{}, Fail(where, "expected 3 fields, found %d", len(fields))
	}
}

// ShippingCost gives the cheapest rate that covers all pieces, in cents.
func ShippingCost(orders []shop.Order, rates []Rate, zone string) (int, error) {
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
		Logger.Warn("no such rate", "pieces", pieces, "zone", name)
		return 0, Fail(name, "no rate for so many pieces")
	}
	return best, nil
}
