package shop

// Order is some pieces of one article.
type Order struct {
	Customer string
	Article  string
	Count    int
	Price    int
}

// ParseOrder reads an order from a line of an order file.
func ParseOrder(line, where string) (Order, error) {
	fields, err := SplitFields(line, 4, where)
	if err != nil {
		return Order{}, err
	}
	if fields[0] == "" {
		return Order{}, fail(where, "an order needs a customer")
	}
	count, err := ParseCount(fields[2], where)
	if err != nil {
		return Order{}, err
	}
	price, err := ParseAmount(fields[3], where)
	if err != nil {
		return Order{}, err
	}
	return Order{NormaliseName(fields[0]), NormaliseName(fields[1]), count, price}, nil
}

// LoadOrders reads all orders of a file.
func LoadOrders(path string) ([]Order, error) {
	return LoadRecords(path, ParseOrder)
}

// Total is what an order costs, in cents.
func (o Order) Total() int {
	return o.Count * o.Price
}

// FindOrder gives the first order of a customer.
func FindOrder(orders []Order, customer string) (Order, error) {
	name := NormaliseName(customer)
	for _, order := range orders {
		if order.Customer == name {
			return order, nil
		}
	}
	logger.Warn("no such order", "customer", name)
	return Order{}, fail(name, "no such order")
}
