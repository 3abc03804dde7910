package shop

import "testing"

func TestParseRate(t *testing.T) {
	if got, err := ParseRate("EU; 5; 4.90", "r:1"); err != nil || got != (Rate{"eu", 5, 490}) {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := ParseRate("; 5; 4.90", "r:1"); err == nil {
		t.Error("expected an error")
	}
}

func TestShippingCost(t *testing.T) {
	rates := []Rate{{"eu", 5, 490}, {"eu", 9, 690}}
	orders := []Order{{"ada", "pen", 6, 150}}
	if got, err := ShippingCost(orders, rates, "EU"); err != nil || got != 690 {
		t.Errorf("got %d, %v", got, err)
	}
	if _, err := ShippingCost(orders, rates, "US"); err == nil {
		t.Error("expected an error")
	}
}
