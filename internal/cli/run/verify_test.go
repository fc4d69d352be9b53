package run

import "testing"

func TestFromDifference(t *testing.T) {
	a, b := fromDifference("The bees of the town live in a large hive", "The bees of the town live in a large tree")
	if a != " town live in a large hive" || b != " town live in a large tree" {
		t.Errorf("%q, %q", a, b)
	}
	if a, b := fromDifference("", "x"); a != "" || b != "x" {
		t.Errorf("%q, %q", a, b)
	}
}
