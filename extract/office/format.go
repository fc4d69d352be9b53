package office

import (
	"encoding/xml"
	"fmt"
	"maps"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// workbook holds the parts of a workbook to which cells refer by number.
type workbook struct {
	strings []string
	formats []string  // format codes, indexed by cell style
	zero    time.Time // the day that the number 0 stands for
}

const maxFormat = 255 // maximum bytes of a format code, as in Excel

func (p *pack) workbook(rels relations) (*workbook, error) {
	if rels.byKind["worksheet"] == "" {
		return nil, nil
	}
	var shared blocks
	if err := p.chapter(rels.byKind["sharedStrings"], &story{out: &shared, keepEmpty: true}); err != nil {
		return nil, err
	}
	book := &workbook{strings: shared.list, zero: time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)}
	known := maps.Clone(codes)
	err := p.walk(rels.byKind["styles"], handler{start: func(w *walk, e *xml.StartElement) error {
		id, code := attr(e, "", "numFmtId"), attr(e, "", "formatCode")
		switch {
		case families[e.Name.Space] != "sheet" || len(known)+len(book.formats) >= maxListed:
		case e.Name.Local == "numFmt":
			known[id] = code[:min(len(code), maxFormat)]
		case e.Name.Local == "xf" && w.at(1).name.Local == "cellXfs":
			book.formats = append(book.formats, known[id])
		}
		return nil
	}})
	return book, err
}

// shown returns a cell's value as a reader sees it, or "" for an error. kind is the cell's type (ISO/IEC
// 29500-1, 18.18.11); style is the index of the cell's format.
func (b *workbook) shown(kind, style, value string) string {
	switch i, err := strconv.Atoi(value); kind {
	case "s", "e":
		if err == nil && i >= 0 && i < len(b.strings) {
			return b.strings[i]
		}
		return ""
	case "b":
		return strings.ToUpper(strconv.FormatBool(i != 0))
	case "", "n":
		n, err := strconv.ParseFloat(value, 64)
		if err != nil || !(math.Abs(n) < 1e15) {
			return value
		}
		code := ""
		if at, _ := strconv.Atoi(style); at >= 0 && at < len(b.formats) {
			code = b.formats[at]
		}
		return number(n, code, b.zero)
	}
	return value
}

// formatWords matches quoted and escaped text, currencies, colours, conditions and padding in a format code
// (ISO/IEC 29500-1, 18.8.31). Its groups are the text to show. formatPlaces matches digits: "#,##0.0".
var (
	formatWords  = regexp.MustCompile(`"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*[^\]hmsHMS]\]|[_*].`)
	formatPlaces = regexp.MustCompile(`[#0?][#0?,]*(\.[#0?]*)?`)
)

// number returns a number as its format code shows it. Days and times get the forms of ISO 8601. zero is the
// day that the number 0 stands for. Conditions in the format code are ignored, and fractions become decimals.
func number(n float64, code string, zero time.Time) string {
	sections := strings.Split(code, ";")
	section, size := sections[0], n
	if n < 0 && len(sections) > 1 {
		section, size = sections[1], -n
	}
	pattern := strings.ToLower(formatWords.ReplaceAllString(section, ""))
	text := formatWords.ReplaceAllString(section, "$1$2$3")
	at := formatPlaces.FindStringIndex(text)
	switch {
	case strings.ContainsAny(pattern, "ymdhs"):
		return moment(n, pattern, zero)
	case section == "" && code != "":
		return ""
	case at == nil, strings.ContainsAny(pattern, "e/"), formatPlaces.MatchString(text[at[1]:]):
		return strconv.FormatFloat(n, 'g', 15, 64) // 15 digits hide rounding errors
	case strings.Contains(pattern, "%"):
		size *= 100
	}
	return text[:at[0]] + digits(size, text[at[0]:at[1]]) + text[at[1]:]
}

// moment returns n as a day, a time or both, by the letters in pattern (a format code in lower case).
func moment(n float64, pattern string, zero time.Time) string {
	const day, year10000 = 24 * 60 * 60, 2_958_466
	if n < 0 || n >= year10000 {
		return strconv.FormatFloat(n, 'g', 15, 64)
	}
	seconds := int(math.Round(n * day))
	has := func(letters string) bool { return strings.Contains(pattern, letters) }
	layout := ""
	switch {
	case has("["): // a duration: hours are not limited to 24
		return fmt.Sprintf("%d:%02d", seconds/3600, seconds/60%60)
	case has("d"):
		layout = "2006-01-02 "
	case has("y"), !has("h") && !has("s"):
		layout = "2006-01 "
	}
	switch {
	case has("h") && has("s"):
		layout += "15:04:05"
	case has("h"):
		layout += "15:04"
	case has("s"):
		layout += "04:05"
	}
	at := zero.AddDate(0, 0, seconds/day).Add(time.Duration(seconds%day) * time.Second)
	return strings.TrimSpace(at.Format(layout))
}

func digits(n float64, places string) string {
	whole, fraction, _ := strings.Cut(places, ".")
	thousands := strings.TrimRight(whole, ",")
	n /= math.Pow(1000, float64(len(whole)-len(thousands)))
	unit := math.Pow10(min(len(fraction), 15))
	n = math.Round(n*unit) / unit // rounds halves away from zero; FormatFloat would round them to even
	text := strconv.FormatFloat(math.Abs(n), 'f', len(fraction), 64)
	for range strings.Count(fraction, "#") {
		text = strings.TrimSuffix(text, "0")
	}
	text = strings.TrimSuffix(text, ".")
	wholeDigits := strings.Index(text+".", ".")
	text = strings.Repeat("0", max(0, strings.Count(whole, "0")-wholeDigits)) + text
	for at := wholeDigits - 3; at > 0 && strings.Contains(thousands, ","); at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	if n < 0 {
		text = "-" + text
	}
	return text
}
