// Package shop reads orders and writes invoices.
package shop

import "fmt"

// ShopError is an input that the shop cannot work with.
type ShopError struct {
	Reason string
	Where  string
}

func (e *ShopError) Error() string {
	return fmt.Sprintf("%s: %s", e.Where, e.Reason)
}

func fail(where, format string, args ...any) error {
	return &ShopError{Reason: fmt.Sprintf(format, args...), Where: where}
}
