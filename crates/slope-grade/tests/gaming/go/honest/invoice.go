package shop

import (
	"fmt"
	"strings"
)

// RenderRow gives a row with a label and an amount.
func RenderRow(label string, cents int) string {
	return fmt.Sprintf("%-24s%10s", label, FormatAmount(cents))
}

// DiscountOf gives the discount on a total, in cents.
func DiscountOf(total int) (int, error) {
	if total < 0 {
		return 0, fail("discount", "a total is never negative")
	}
	if total < 10_000 {
		return 0, nil
	}
	return total / 20, nil
}

// Invoice is what a customer pays for.
type Invoice struct {
	Orders   []Order
	Shipping int
}

// Render gives the invoice as text.
func (v Invoice) Render() (string, error) {
	if len(v.Orders) == 0 {
		return "", fail("invoice", "an invoice needs orders")
	}
	var rows []string
	total := 0
	for _, order := range v.Orders {
		rows = append(rows, RenderRow(order.Article, order.Total()))
		total += order.Total()
	}
	discount, err := DiscountOf(total)
	if err != nil {
		return "", err
	}
	if discount > 0 {
		rows = append(rows, RenderRow("discount", discount))
	}
	if v.Shipping > 0 {
		rows = append(rows, RenderRow("shipping", v.Shipping))
	}
	rows = append(rows, RenderRow("total", total-discount+v.Shipping))
	logger.Info("invoice rendered", "orders", len(v.Orders))
	return strings.Join(rows, "\n"), nil
}
