package shop

import "testing"

func TestNormaliseName(t *testing.T) {
	if got := NormaliseName("  Ada   Lovelace "); got != "ada lovelace" {
		t.Errorf("got %q", got)
	}
}

func TestParseAmount(t *testing.T) {
	if got, err := ParseAmount("12.50", "f:1"); err != nil || got != 1250 {
		t.Errorf("got %d, %v", got, err)
	}
	if _, err := ParseAmount("-1", "f:1"); err == nil {
		t.Error("expected an error")
	}
}

func TestParseCount(t *testing.T) {
	if got, err := ParseCount("4", "f:1"); err != nil || got != 4 {
		t.Errorf("got %d, %v", got, err)
	}
	if _, err := ParseCount("0", "f:1"); err == nil {
		t.Error("expected an error")
	}
}
