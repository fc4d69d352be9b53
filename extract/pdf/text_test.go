package pdf

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestParagraphs(t *testing.T) {
	table := []struct {
		name  string
		lines []line
		want  []string
	}{
		{"nothing", nil, nil},
		{"lines", []line{{"one", 100, 10}, {"two", 88, 10}, {"three", 76, 10}}, []string{"one two three"}},
		{"gap", []line{{"one", 100, 10}, {"two", 88, 10}, {"three", 70, 10}}, []string{"one two", "three"}},
		{"double spaced", []line{{"one", 100, 10}, {"two", 70, 10}, {"three", 40, 10}}, []string{"one two three"}},
		{"column", []line{{"one", 100, 10}, {"two", 88, 10}, {"three", 100, 10}}, []string{"one two", "three"}},
		{"size", []line{{"Head of", 100, 20}, {"two lines", 76, 20}, {"text", 60, 10}, {"goes on", 48, 10}}, []string{"Head of two lines", "text goes on"}},
		{"items", []line{{"• one", 100, 10}, {"and more", 88, 10}, {"• two", 76, 10}}, []string{"• one and more", "• two"}},
		{"hyphen", []line{{"repre-", 100, 10}, {"sented by Anne-", 88, 10}, {"Marie, 2-", 76, 10}, {"fold, soft\u00ad", 64, 10}, {"ware", 52, 10}}, []string{"represented by Anne- Marie, 2- fold, software"}},
		{"no spaces", []line{{"港の計画", 100, 10}, {"について", 88, 10}, {"2026", 76, 10}}, []string{"港の計画について 2026"}},
	}
	for _, row := range table {
		if got := paragraphs(row.lines); !slices.Equal(got, row.want) {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"DIS\ufffeCLAIMED repre\ufffesented Anne\ufffeMarie 3\ufffefold":  "DISCLAIMED represented Anne-Marie 3-fold",
		"1. Introduction . . . . . . . . . . . 12 and so on ... .... end": "1. Introduction . . . 12 and so on ... end",
		"a\u00a0b\tc\x00\x02d\ufffd\ue000e\u0085f  g":                     "a b cde f g",
		"": "",
	} {
		if got := plain(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestDate(t *testing.T) {
	for in, want := range map[string]string{
		"D:20260131235900+01'00'": "2026-01-31T22:59:00Z", "D:20260131235900-0800": "2026-02-01T07:59:00Z", "D:20260131235900+01": "2026-01-31T22:59:00Z",
		"D:20260131235900Z00'00'": "2026-01-31T23:59:00Z", "D:20260131": "2026-01-31T00:00:00Z", " 2026013": "2026-01-01T00:00:00Z", "D:2026": "2026-01-01T00:00:00Z",
		"": "", "D:": "", "Monday": "", "D:20261331": "", "D:199": "",
	} {
		got := date(in)
		if got.IsZero() != (want == "") || want != "" && got.Format(time.RFC3339) != want {
			t.Errorf("%q: got %s, want %q", in, got, want)
		}
	}
}

func TestWithoutRepeated(t *testing.T) {
	pages := func(texts ...string) (pages [][]line) {
		for _, text := range texts {
			var lines []line
			for s := range strings.SplitSeq(text, "|") {
				lines = append(lines, line{text: s})
			}
			pages = append(pages, lines)
		}
		return pages
	}
	table := []struct {
		name  string
		pages [][]line
		want  string
	}{
		{"head and foot", pages("T|a|1", "T|b|2", "T|c|3", "T|d|4", "T|e|5"), "T a 1 b c d e"},
		{"few pages", pages("T|a", "T|b", "T|c", "T|d"), "T a T b T c T d"},
		{"a title page", pages("Name", "T|b|Page 2 of 6", "T|c|Page 3 of 6", "T|d|Page 4 of 6", "T|e|Page 5 of 6"), "Name T b Page 2 of 6 c d e"},
		{"numbers that are no page's", pages("Item 7|a", "Item 9|b", "Item 4|c", "Item 1|d", "Item 3|e"), "Item 7 a Item 9 b Item 4 c Item 1 d Item 3 e"},
		{"in the middle", pages("a|b|X|c|d", "e|f|X|g|h", "i|j|X|k|l", "m|n|X|o|p", "q|r|X|s|t"), "a b X c d e f X g h i j X k l m n X o p q r X s t"},
	}
	for _, row := range table {
		var got []string
		for _, lines := range withoutRepeated(row.pages) {
			for _, l := range lines {
				got = append(got, l.text)
			}
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("DIS\ufffeCLAIMED . . . . . . 12\x00", "D:20260131235900+01'00'")
	f.Fuzz(func(t *testing.T, text, stamp string) {
		if s := plain(text); !utf8.ValidString(s) && utf8.ValidString(text) || strings.ContainsAny(s, "\x00\n\r") {
			t.Errorf("%q became %q", text, s)
		}
		if at := date(stamp); !at.IsZero() && (at.Year() < -1 || at.Year() > 10000) {
			t.Errorf("%q became %s", stamp, at)
		}
	})
}
