package office

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var since1900 = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)

func TestFormats(t *testing.T) {
	for _, row := range []struct{ code, value, want string }{
		{"", "36.300000000000004", "36.3"},
		{"General", "0.3333333333333333", "0.333333333333333"},
		{"General", "4722334455", "4722334455"},
		{"General", "1e-07", "1e-07"},
		{"General", "-0.5", "-0.5"},
		{"@", "12", "12"},
		{"0", "12.7", "13"},
		{"00000", "350", "00350"},
		{"0.00", "2", "2.00"},
		{"0.0#", "2.5", "2.5"},
		{"#,##0", "1234567.2", "1,234,567"},
		{`#,##0.00 "kr"`, "1234.5", "1,234.50 kr"},
		{`[$€-407] #,##0.00;[Red]-[$€-407] #,##0.00`, "-1234.5", "-€ 1,234.50"},
		{`"up "0;"down "0;"even"`, "-3", "down 3"},
		{`;;;`, "7", ""},
		{`_-* #,##0_-;-* #,##0_-`, "-1200", "-1,200"},
		{"#,##0,", "1234567", "1,235"},
		{"00 00 00", "123456", "123456"},
		{"0.00E+00", "12345", "12345"},
		{"# ?/?", "0.5", "0.5"},
		{"0%", "0.125", "13%"},
		{"0.0%", "0.125", "12.5%"},
		{"yyyy-mm-dd", "45360", "2024-03-09"},
		{`d\. mmmm yyyy;@`, "45360.75", "2024-03-09"},
		{`[$-407]dddd, d. mmm`, "45360", "2024-03-09"},
		{"mmm-yy", "45360", "2024-03"},
		{"dd/mm/yyyy hh:mm", "45657.99930555555", "2024-12-31 23:59"},
		{"h:mm AM/PM", "0.6041666666666666", "14:30"},
		{"HH:MM:SS", "0.5", "12:00:00"},
		{"mm:ss", "0.001", "01:26"},
		{"[h]:mm", "1.5", "36:00"},
		{"[mm]:ss", "0.0625", "1:30"},
		{"0.00E+00;-0.00E+00", "-12345", "-12345"},
		{"yyyy-mm-dd", "-3", "-3"},
		{"yyyy-mm-dd", "1e14", "100000000000000"},
	} {
		if got := (&workbook{formats: []string{row.code}, zero: since1900}).shown("n", "0", row.value); got != row.want {
			t.Errorf("%s as %q: %q, want %q", row.value, row.code, got, row.want)
		}
	}
	if got := number(43898, "yyyy-mm-dd", time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)); got != "2024-03-09" {
		t.Errorf("from 1904: %q", got)
	}
}

// FuzzShown: no format and no value makes a text that is long, or not UTF-8.
func FuzzShown(f *testing.F) {
	f.Add(`_-* #,##0.00 "kr";[Red]-0%`, 1e14)
	f.Add("yyyy-mm-dd [h]:mm:ss", 2958465.99999999)
	f.Fuzz(func(t *testing.T, code string, value float64) {
		if !utf8.ValidString(code) || !(math.Abs(value) < 1e15) {
			return
		}
		got := number(value, strings.ToValidUTF8(code[:min(len(code), maxFormat)], ""), since1900)
		if !utf8.ValidString(got) || len(got) > 4*maxFormat {
			t.Errorf("%g as %q: %q", value, code, got)
		}
	})
}
