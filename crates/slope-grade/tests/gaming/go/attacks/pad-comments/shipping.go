package shop

// Rate is the price of shipping up to a number of pieces to a zone.
type Rate struct {
	Zone   string
	Pieces int
	Price  int
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
	price, err := ParseAmount(fields[2], where)
	if err != nil {
		return Rate{}, err
	}
	return Rate{NormaliseName(fields[0]), pieces, price}, nil
}

// LoadRates reads all rates of a file.
func LoadRates(path string) ([]Rate, error) {
	return LoadRecords(path, ParseRate)
}

// ShippingCost gives the cheapest rate that covers all pieces, in cents.
func ShippingCost(orders []Order, rates []Rate, zone string) (int, error) {
	// Normalise the name of the zone.
	name := NormaliseName(zone)
	// Set pieces to 0.
	pieces := 0
	for _, order := range orders {
		pieces += order.Count
	}
	// Set best to -1.
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
	// Return best and nil.
	return best, nil
}
