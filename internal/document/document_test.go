package document

import "testing"

func TestNumbersForPeople(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 100_000: "100,000", 1_234_567: "1,234,567", -999: "-999", -1000: "-1,000"} {
		if got := Number(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	for want, got := range map[string]string{"1 page": Count(1, "page"), "2,961 pages": Count(2961, "page"), "0 addresses": Count(0, "address")} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
