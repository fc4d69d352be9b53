package site

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestVariantChains: a variant may lead to the site by way of others, and in circles.
func TestVariantChains(t *testing.T) {
	const start, bare, plain, plainBare = "https://www.a.test", "https://a.test", "http://www.a.test", "http://a.test"
	for name, c := range map[string]struct {
		leads map[string]string // "": it leads nowhere; not there: it can't be asked
		want  string            // the homes of the three variants: s for the start origin
	}{
		"each to the site":  {map[string]string{bare: start, plain: start, plainBare: start}, "sss"},
		"one by one":        {map[string]string{bare: start, plain: start, plainBare: bare}, "sss"},
		"by all of them":    {map[string]string{bare: start, plain: bare, plainBare: plain}, "sss"},
		"one is other":      {map[string]string{bare: "", plain: start, plainBare: bare}, "-s-"},
		"in a circle":       {map[string]string{bare: plain, plain: plainBare, plainBare: bare}, "---"},
		"to itself":         {map[string]string{bare: bare, plain: start, plainBare: "https://b.test"}, "-s-"},
		"one is not there":  {map[string]string{plain: start, plainBare: bare}, "?s?"},
		"none can be asked": {nil, "???"},
	} {
		for _, order := range [][]string{{bare, plain, plainBare}, {plainBare, plain, bare}} {
			asked := map[string]int{}
			v := newVariants([]string{start}, nil)
			v.ask = func(variant, _ string) (string, error) {
				asked[variant]++
				leads, ok := c.leads[variant]
				if !ok {
					return "", errors.New("no answer")
				}
				return leads, nil
			}
			for _, origin := range slices.Concat(order, order) {
				v.home(origin)
			}
			got := ""
			for _, origin := range []string{bare, plain, plainBare} {
				switch x := v.all[origin]; {
				case x.home == start:
					got += "s"
				default:
					got += cmp.Or(strings.Repeat("?", min(1, len(x.unsure))), "-")
				}
				if asked[origin] != 1 {
					t.Errorf("%s: %s was asked %d times", name, origin, asked[origin])
				}
			}
			if got != c.want || v.home("https://b.test") != "" || v.home(start) != "" {
				t.Errorf("%s: got %s, want %s", name, got, c.want)
			}
		}
	}
}

func TestFormsOf(t *testing.T) {
	for origin, want := range map[string]string{
		"https://www.a.test":     "[https://www.a.test http://www.a.test https://a.test http://a.test]",
		"http://a.test":          "[https://a.test http://a.test https://www.a.test http://www.a.test]",
		"http://a.test:8080":     "[]",
		"https://93.184.216.34":  "[https://93.184.216.34 http://93.184.216.34]",
		"https://[2606:2800::1]": "[]",
	} {
		if got := fmt.Sprint(formsOf(origin)); got != want {
			t.Errorf("%s: got %s, want %s", origin, got, want)
		}
	}
}
