package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sitesync/internal/testsite"
)

// badInput is what a site serves, by mistake or to do harm, in place of a good page
// or file.
type badInput struct {
	path string
	body string
	kind string // Content-Type; empty: the site's own; plain: that, and not compressed
	text string // what the document says of it, when it can be read
	why  string // else a part of the reason why it is unread; "-": it is read without text, and the text once known is kept
}

// plain keeps the site from compressing a body, which would make it a bomb.
const plain = "plain"

func badInputs(t *testing.T) []badInput {
	page := func(text string) string {
		return "<!DOCTYPE html><html lang=en><title>Bad</title><body><main><h1>Bad</h1>" + text + "</main></body></html>"
	}
	const words = "There is a good sentence on this page all the same."
	paragraph := "<p>" + words + "</p>" + strings.Repeat("<p>And another one, so that it is a page like others.</p>", 9)
	pdf, docx := goodFile(t, "building-permit-guide.pdf"), goodFile(t, "daycare-application.docx")
	return []badInput{
		{"/nested", page(strings.Repeat("<div>", 600) + words), "", "", "512"},
		{"/script", page("<script>" + strings.Repeat("var a = 1;\n", 10<<20/11) + "</script>" + paragraph), plain, words, ""},
		{"/empty-tags", page(paragraph + strings.Repeat("<i></i>", 1_000_000)), plain, "", "fetch.memory"},
		{"/nul", page("<p>There is a \x00good sentence on this page all the same.\x00</p>"), "", words, ""},
		{"/utf8", page(paragraph + "<p>\xff\xfe\xc3(\xed\xa0\x80 K\xc3\xb8benhavn</p>"), "text/html; charset=utf-8", "K\u00f8benhavn", ""},
		{"/charset", page(paragraph + "<p>K\xf8benhavns b\xe5dehavn er \xe5ben hele \xe5ret.</p>"), "text/html; charset=utf-8", "K\ufffdbenhavns", ""}, // as browsers show it
		{"/bomb", page(paragraph + strings.Repeat("<i></i>", 1_000_000)), "", "", "200 to 1"},
		{"/picture", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + strings.Repeat("\x00\x01\x80\xffpng", 5000) + "</html>", "text/html", "", "binary"},
		{"/nothing", "", "text/html", "", "empty"},
		{"/page.pdf", page(paragraph), "application/pdf", "", "does not begin as"},
		{"/page.docx", page(paragraph), "", "", "does not begin as"},
		{"/cut.pdf", pdf[:len(pdf)/2], "", "", "damaged"},
		{"/endless.pdf", endlessPDF(), "", "", "pages"},
		{"/password.pdf", lockedPDF(pdf), "", "-", "-"},
		{"/cut.docx", docx[:len(docx)/2], "", "", "cut"},
		{"/bomb.docx", zipBomb(t), "", "", "bomb"},
		{"/entities.docx", entityBomb(t), "", "", "document type"},
	}
}

func goodFile(t *testing.T, name string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("..", "..", "testdata", "site", "files", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// endlessPDF has a tree of pages that holds itself.
func endlessPDF() string {
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	table := "xref\n0 3\n0000000000 65535 f \n"
	for i, object := range []string{"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000000 >>"} {
		table += fmt.Sprintf("%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	return fmt.Sprintf("%s%strailer\n<< /Root 1 0 R /Size 3 >>\nstartxref\n%d\n%%%%EOF\n", b.String(), table, b.Len())
}

// lockedPDF makes a file ask for a password that nobody knows.
func lockedPDF(pdf string) string {
	secret := strings.Repeat("ab", 32)
	lock := fmt.Sprintf("<< /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <%s> /U <%s> >> /ID [<00> <00>] ", secret, secret)
	at := strings.LastIndex(pdf, "trailer")
	return pdf[:at] + strings.Replace(pdf[at:], "<<", lock, 1)
}

// zipBomb is a document of 300 kB that becomes 300 MB.
func zipBomb(t *testing.T) string {
	blank := bytes.Repeat([]byte("<w:p/>"), 1<<20/6)
	return wordFile(t, func(w io.Writer) error {
		_, err := io.WriteString(w, `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`)
		for range 300 {
			if err == nil {
				_, err = w.Write(blank)
			}
		}
		return err
	})
}

// entityBomb defines an entity by ten others, nine times over.
func entityBomb(t *testing.T) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><!DOCTYPE w:document [<!ENTITY e0 "ha">`)
	for i := range 9 {
		fmt.Fprintf(&b, `<!ENTITY e%d "%s">`, i+1, strings.Repeat(fmt.Sprintf("&e%d;", i), 10))
	}
	b.WriteString(`]><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>&e9;</w:t></w:r></w:p></w:body></w:document>`)
	return wordFile(t, func(w io.Writer) error {
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// serveGood puts a good page or file at every address, and one that stays good.
func serveGood(t *testing.T, w *town, bad []badInput) {
	links := []string{"/steady", "/steady.pdf"}
	w.site.HTML("/steady", "Steady", "<p>This page is good every night.</p>")
	w.site.Set("/steady.pdf", testsite.Page{Body: strings.Replace(goodFile(t, "building-permit-guide.pdf"), "Fjordby", "Skovby!", 1)})
	for i, b := range bad {
		links = append(links, b.path)
		switch filepath.Ext(b.path) {
		case ".pdf": // each another file, or they would be one document
			w.site.Set(b.path, testsite.Page{Body: goodFile(t, "building-permit-guide.pdf") + fmt.Sprintf("%% %d\n", i)})
		case ".docx":
			w.site.Set(b.path, testsite.Page{Body: goodFile(t, "daycare-application.docx") + strings.Repeat("\x00", i)})
		default:
			w.site.HTML(b.path, "Good "+b.path, fmt.Sprintf("<p>This is a good page, number %d, as it was before the trouble, and it says so at some length: of the town hall and its clock, of the library and its books, of the harbour and its ships.</p>", i))
		}
	}
	w.site.HTML("/", "Home", "<p>Welcome to the town.</p>", links...)
}

func serveBad(w *town, bad []badInput) {
	for _, b := range bad {
		page := testsite.Page{Body: b.body}
		switch b.kind {
		case "":
		case plain:
			page.Header = map[string]string{"Content-Encoding": "identity"}
		default:
			page.Header = map[string]string{"Content-Type": b.kind}
		}
		w.site.Set(b.path, page)
	}
}

// TestBadInput: whatever a site serves in place of good pages and files, the run goes
// on; each is read sensibly, or unread with a reason that names it, and what the index
// holds of it stays.
func TestBadInput(t *testing.T) {
	t.Parallel()
	bad := badInputs(t)
	w := newTown(t)
	serveGood(t, w, bad)
	config := w.configure(t, "town", w.base, 4)
	w.run(t, 0, "1800000000", "sync", "-c", config)
	before := index(t, w.service, w.site.URL())
	if len(before) != len(bad)+3 {
		t.Fatalf("the good site gave %d documents, want %d: %q", len(before), len(bad)+3, before)
	}
	for path, content := range before {
		if content == "" {
			t.Errorf("%s: the good document has no text", path)
		}
	}

	serveBad(w, bad)
	for night, epoch := range []string{"1800086400", "1800172800"} { // a second look changes nothing
		w.checkBad(t, fmt.Sprint("night ", night+1), bad, before, w.run(t, 3, epoch, "sync", "--format", "json", "-c", config))
	}

	serveGood(t, w, bad)
	// Some get much shorter as they come back, and wait for a night. All pages are read,
	// for of the few that changed these are more than half, which has a brake of its own.
	w.run(t, 0, "1800259200", "sync", "--full", "-c", config)
	w.run(t, 0, "1800345600", "sync", "--full", "-c", config)
	for path, content := range index(t, w.service, w.site.URL()) {
		if content != before[path] {
			t.Errorf("%s did not come back to what it was: %q", path, content)
		}
	}
}

// TestBadInputFromTheBeginning: what can't be read is no document, and empties none.
func TestBadInputFromTheBeginning(t *testing.T) {
	t.Parallel()
	bad := badInputs(t)
	w := newTown(t)
	serveGood(t, w, nil)
	var links []string
	for _, b := range bad {
		links = append(links, b.path)
	}
	serveBad(w, bad)
	w.site.HTML("/", "Home", "<p>Welcome to the town.</p>", append(links, "/steady")...)
	w.checkBad(t, "first night", bad, map[string]string{}, w.run(t, 3, "1800000000", "sync", "--format", "json", "-c", w.configure(t, "town", w.base, 4)))
}

// checkBad holds a run's result and the index against what is wanted of each item.
func (w *town) checkBad(t *testing.T, name string, bad []badInput, before map[string]string, out string) {
	t.Helper()
	var result struct {
		Failed   []struct{ URL, Error string }
		Warnings []struct{ Kind, URL string }
	}
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		t.Fatal(err)
	}
	failed, warned := map[string]string{}, map[string]string{}
	for _, f := range result.Failed {
		failed[strings.TrimPrefix(f.URL, w.site.URL())] = f.Error
	}
	for _, n := range result.Warnings {
		warned[strings.TrimPrefix(n.URL, w.site.URL())] += n.Kind
	}
	after := index(t, w.service, w.site.URL())
	for _, b := range bad {
		content, found := after[b.path]
		old, known := before[b.path]
		switch why, unread := failed[b.path]; {
		case b.why == "-":
			if unread || !found || content != old || warned[b.path] == "" {
				t.Errorf("%s: %s: unread %q, in the index: %v with %.60q, warned of %q", name, b.path, why, found, content, warned[b.path])
			}
		case b.why == "":
			if unread || !strings.Contains(content, b.text) {
				t.Errorf("%s: %s: unread %q, the index holds %.200q, which lacks %q", name, b.path, why, content, b.text)
			}
		case !unread || !strings.Contains(why, b.why):
			t.Errorf("%s: %s is unread for %q, want one that names %q; the index holds %.80q", name, b.path, why, b.why, content)
		case found != known || content != old:
			t.Errorf("%s: %s is unread, and the index holds %.80q in place of %.80q", name, b.path, content, old)
		}
	}
	if !strings.Contains(after["/steady"], "good every night") {
		t.Errorf("%s: the good page beside them is %q", name, after["/steady"])
	}
}
