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

type costState struct {
	orders []Order
	rates  []Rate
	name   string
	pieces int
	best   int
}

var costSteps = map[int]func(*costState){
	0: func(s *costState) { s.name = NormaliseName(s.name) },
	1: func(s *costState) { for _, o := range s.orders { s.pieces += o.Count } },
	2: func(s *costState) { s.best = -1; for _, r := range s.rates { if r.Zone == s.name { if r.Pieces >= s.pieces { if s.best < 0 || r.Price < s.best { s.best = r.Price } } } } },
}

// ShippingCost gives the cheapest rate that covers all pieces, in cents.
func ShippingCost(orders []Order, rates []Rate, zone string) (int, error) {
	state := &costState{orders: orders, rates: rates, name: zone}
	for i := 0; i < len(costSteps); i++ {
		costSteps[i](state)
	}
	if state.best < 0 {
		logger.Warn("no such rate", "pieces", state.pieces, "zone", state.name)
		return 0, fail(state.name, "no rate for so many pieces")
	}
	return state.best, nil
}
