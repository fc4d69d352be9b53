package robots

import (
	"bytes"
	"strings"
	"testing"

	"sitesync/internal/document"
)

// TestCompare: three nights after a robots.txt that closes /private, by what is served.
func TestCompare(t *testing.T) {
	const good = "User-agent: *\nDisallow: /private\nSitemap: /maps.xml\n"
	for _, c := range []struct {
		file File
		why  string // why it is not a robots.txt; empty: it is
		kept string // the copy of the next night
	}{
		{File{Fault: "answered 404"}, "answered 404", good},
		{File{Body: []byte(good), Fault: "answered 302"}, "answered 302", good},
		{File{}, "is empty", good},
		{File{Body: []byte("\xEF\xBB \n")}, "is empty", good},
		{File{Body: []byte("\uFEFF \r\n\t")}, "is empty", good},
		{File{Body: []byte("\n<!doctype html><p>Allow: me to explain")}, "is an HTML page", good},
		{File{Body: []byte("not found")}, "holds no line of a robots.txt", good},
		{File{Body: []byte("# nothing here")}, "holds no line of a robots.txt", good},
		{File{Body: []byte("User-agent: *\nDisallow:")}, "", ""},
		{File{Body: []byte("Sitemap: /maps.xml")}, "", ""},
		{File{Body: []byte("User-agent: other\nDisallow: /")}, "", ""},
		{File{Body: []byte("User-agent: *\nDisallow: /a")}, "", "User-agent: *\nDisallow: /a"},
	} {
		was := document.RobotsCopy{File: []byte(good)}
		now, lost := Compare(c.file, "sitesync", was)
		if string(now.File) != c.kept || (lost != nil) != (c.why != "") {
			t.Fatalf("%q: kept %q, lost %v", c.file, now.File, lost)
		}
		if lost == nil {
			continue
		}
		why, closed := lost.Closes("/private/a?b")
		if _, open := lost.Closes("/public"); !closed || open || !strings.Contains(why, c.why) || !strings.HasSuffix(why, "Disallow: /private") {
			t.Errorf("%q: closed %t, %s", c.file, closed, why)
		}
		if text := lost.Warning(); now.Lost != 1 || !strings.Contains(text, c.why+" (run 1)") || !strings.Contains(text, "1 page now") || len(lost.Alarms()) != 1 || lost.Rules().Sitemaps[0] != "/maps.xml" {
			t.Errorf("%q: %+v, %s, %q", c.file, now, text, lost.Alarms())
		}
		second, lost := Compare(c.file, "sitesync", now)
		if _, closed := lost.Closes("/private"); !closed || second.Lost != 2 {
			t.Errorf("%q, the second night: %+v, closed %t", c.file, second, closed)
		}
		third, lost := Compare(c.file, "sitesync", second)
		if _, closed := lost.Closes("/private"); closed || third.File != nil || lost.Alarms() != nil || lost.Rules() != nil || !strings.Contains(lost.Warning(), "for 3 runs") {
			t.Errorf("%q, the third night: %+v, closed %t, %s", c.file, third, closed, lost.Warning())
		}
		if _, lost = Compare(c.file, "sitesync", third); lost != nil {
			t.Errorf("%q, the fourth night: lost", c.file)
		}
		back, lost := Compare(File{Body: []byte(good)}, "sitesync", second)
		if string(back.File) != good || back.Lost != 0 || lost != nil {
			t.Errorf("%q, back in the third night: %+v", c.file, back)
		}
	}
}

// TestLongFile: of a file that is too long a copy is kept that ends with a whole line.
func TestLongFile(t *testing.T) {
	body := []byte("User-agent: *\nDisallow: /a\n" + strings.Repeat("# filler /a\n", MaxBytes/12))
	file := File{Body: append(body, "Disallow: /last"...)}
	now, _ := Compare(file, "", document.RobotsCopy{})
	if len(now.File) > MaxBytes || !bytes.HasSuffix(now.File, []byte("/a\n")) {
		t.Errorf("kept %d bytes", len(now.File))
	}
	if text := file.Over(); !strings.Contains(text, "the first 512 KB") {
		t.Errorf("over: %q", text)
	}
	if text := (File{Body: file.Body[:MaxBytes]}).Over(); text != "" {
		t.Errorf("not over: %q", text)
	}
}
