package pdf

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParagraphs(t *testing.T) {
	l := func(text string, y, size float64) line { return line{text: text, y: y, size: size} }
	text := strings.Repeat("The text of a column is long. ", 3)
	table := []struct {
		name  string
		pages [][]line
		want  []string
	}{
		{"nothing", nil, nil},
		{"lines", [][]line{{l("one", 100, 10), l("two", 88, 10), l("three", 76, 10)}}, []string{"one two three"}},
		{"gap", [][]line{{l("one", 100, 10), l("two", 88, 10), l("three", 70, 10)}}, []string{"one two", "three"}},
		{"double spaced", [][]line{{l("one", 100, 10), l("two", 70, 10), l("three", 40, 10)}}, []string{"one two three"}},
		{"column", [][]line{{l("one", 100, 10), l("two", 88, 10), l("three", 100, 10)}}, []string{"one two", "three"}},
		{"sentence over columns", [][]line{{l(text+"It goes", 100, 10), l("1 A note", 88, 8), l("on there", 100, 10)}}, []string{text + "It goes on there", "1 A note"}},
		{"sentence over pages", [][]line{{l(text+"It is divi-", 100, 10)}, {l("2", 120, 10), l("ded", 100, 10), l("And on.", 88, 10)}}, []string{text + "It is divided And on.", "2"}},
		{"sentence that ends", [][]line{{l(text, 100, 10)}, {l("again", 100, 10)}}, []string{text, "again"}},
		{"size", [][]line{{l("Head of", 100, 20), l("two lines", 76, 20), l("text", 60, 10), l("goes on", 48, 10)}}, []string{"Head of two lines", "text goes on"}},
		{"items", [][]line{{l("• one", 100, 10), l("and more", 88, 10), l("• two", 76, 10)}}, []string{"• one and more", "• two"}},
		{"hyphen", [][]line{{l("repre-", 100, 10), l("sented by Anne-", 88, 10), l("Marie, 2-", 76, 10), l("fold, so\u00adft\u00ad", 64, 10), l("ware", 52, 10)}}, []string{"represented by Anne-Marie, 2-fold, software"}},
		{"hyphens that stay", [][]line{{l("in-", 52, 10), l("and outside of 2024-", 40, 10), l("2026, ISO-", 28, 10), l("IEC -", 16, 10), l("end", 4, 10)}},
			[]string{"in- and outside of 2024-2026, ISO-IEC - end"}},
		{"no spaces", [][]line{{l("港の計画", 100, 10), l("について", 88, 10), l("2026年、", 76, 10), l("Web サイト", 64, 10)}}, []string{"港の計画について2026年、Web サイト"}},
	}
	for _, row := range table {
		if got := paragraphs(row.pages); !slices.Equal(got, row.want) {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
}

// TestLong: lines and words without end take time in proportion.
func TestLong(t *testing.T) {
	const many = 50_000
	var long line
	var lines []line
	for i := range many {
		at := float64(i) * 20
		long.words = append(long.words, word{text: "a", from: at, to: at + 9, generated: true})
		lines = append(lines, line{text: "aaaa-", y: -at, size: 9, words: []word{{text: "a", from: 0, to: 9}, {text: "b", from: 40, to: 49}}})
	}
	if got := columns([]line{long}, maxSplits); len(got) != 1 || len(got[0].words) != many {
		t.Errorf("%d lines", len(got))
	}
	if long.finish(); len(long.text) != 2*many-1 {
		t.Errorf("%d bytes", len(long.text))
	}
	if got := columns(lines, maxSplits); len(got) != many {
		t.Errorf("%d lines", len(got))
	}
	if got := paragraphs([][]line{lines}); len(got) != 1 || len(got[0]) != 4*many+1 {
		t.Errorf("%d blocks", len(got))
	}
}

func TestDate(t *testing.T) {
	for in, want := range map[string]string{
		"D:20260131235900+01'00'": "2026-01-31T22:59:00Z", "D:20260131235900-0800": "2026-02-01T07:59:00Z", "D:20260131235900+01": "2026-01-31T22:59:00Z",
		"D:20260131235900Z00'00'": "2026-01-31T23:59:00Z", "D:20260131": "2026-01-31T00:00:00Z",
		"": "", "D:": "", "D:2026": "", "Monday": "", "D:20261331": "", "D:199": "",
	} {
		got := date(in)
		if got.IsZero() != (want == "") || want != "" && got.Format(time.RFC3339) != want {
			t.Errorf("%q: got %s, want %q", in, got, want)
		}
	}
}

func FuzzDate(f *testing.F) {
	f.Add("D:20260131235900+01'00'")
	f.Fuzz(func(t *testing.T, stamp string) {
		if at := date(stamp); !at.IsZero() && (at.Year() < -1 || at.Year() > 10000) {
			t.Errorf("%q became %s", stamp, at)
		}
	})
}
