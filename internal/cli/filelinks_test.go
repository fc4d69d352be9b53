package cli_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"sitesync/internal/testsite"
)

// wordFile is a DOCX file whose main part is what write writes, with links to targets.
func wordFile(t *testing.T, write func(io.Writer) error, targets ...string) string {
	t.Helper()
	const relation = `<Relationship Id="rId%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" Target="%s"%s/>`
	var links strings.Builder
	for i, target := range targets {
		fmt.Fprintf(&links, relation, i+1, "hyperlink", target, ` TargetMode="External"`)
	}
	relations := func(list string) string {
		return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` + list + `</Relationships>`
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range []struct{ name, text string }{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`},
		{"_rels/.rels", relations(fmt.Sprintf(relation, 1, "officeDocument", "word/document.xml", ""))},
		{"word/_rels/document.xml.rels", relations(links.String())},
		{"word/document.xml", ""},
	} {
		w, err := z.Create(part.name)
		if err == nil && part.text == "" {
			err = write(w)
		} else if err == nil {
			_, err = io.WriteString(w, part.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// linkingFile is a DOCX file whose paragraphs are links.
func linkingFile(t *testing.T, targets ...string) string {
	return wordFile(t, func(w io.Writer) error {
		_, err := io.WriteString(w, `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>`)
		for i := range targets {
			if err == nil {
				_, err = fmt.Fprintf(w, `<w:p><w:hyperlink r:id="rId%d"><w:r><w:t>Link number %d of the file</w:t></w:r></w:hyperlink></w:p>`, i+1, i+1)
			}
		}
		if err == nil {
			_, err = io.WriteString(w, `</w:body></w:document>`)
		}
		return err
	}, targets...)
}

// TestFileLinks: with site.file_links what only files lead to is found and stays, also
// on the night after, when the files answer 304; turned off, nothing is lost, for what
// is known is asked all the same.
func TestFileLinks(t *testing.T) {
	w := newTown(t)
	w.site.HTML("/", "Home", "<p>Welcome to the town.</p>", "/guide.docx")
	w.site.Set("/guide.docx", testsite.Page{Body: linkingFile(t, "/behind", "mailto:a@b.test", "http://elsewhere.test/", "next.docx#top")})
	w.site.Set("/next.docx", testsite.Page{Body: linkingFile(t, w.site.URL()+"/last")})
	w.site.HTML("/behind", "Behind", "<p>Only a file leads here.</p>")
	w.site.HTML("/last", "Last", "<p>Only a file behind a file leads here.</p>")
	config := w.configure(t, "town", w.base, 4)
	w.run(t, 0, "1800000000", "sync", "-c", config)
	if got := index(t, w.service, w.site.URL()); len(got) != 2 {
		t.Fatalf("without site.file_links: %q", got)
	}
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, bytes.Replace(text, []byte("[fetch]\n"), []byte("file_links = true\n[fetch]\n"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, epoch := range []string{"1800086400", "1800172800"} {
		w.run(t, 0, epoch, "sync", "-c", config)
		if got := index(t, w.service, w.site.URL()); len(got) != 5 || got["/behind"] == "" || got["/last"] == "" {
			t.Errorf("with site.file_links: %q", got)
		}
	}
	if out := w.run(t, 0, "1800172900", "explain", "-c", config, w.site.URL()+"/last"); !strings.Contains(out, "/next.docx") {
		t.Errorf("explain does not tell the file that leads to the page:\n%s", out)
	}
	if err := os.WriteFile(config, text, 0o600); err != nil {
		t.Fatal(err)
	}
	w.run(t, 0, "1800259200", "sync", "-c", config)
	if got := index(t, w.service, w.site.URL()); len(got) != 5 {
		t.Errorf("without site.file_links again: %q", got)
	}
}
