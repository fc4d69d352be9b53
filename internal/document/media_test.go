package document

import (
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNames(t *testing.T) {
	for _, row := range []struct{ path, media, file string }{
		{"/a.pdf", MediaPDF, MediaPDF},
		{"/A.DOCX", MediaDOCX, MediaDOCX},
		{"/a.b.dotm", MediaDOCX, MediaDOCX},
		{".xltx", NameMedia(".xlsx"), NameMedia(".xlsx")},
		{"a.ott", "application/vnd.oasis.opendocument.text", NameMedia(".odt")},
		{"/a.pptx/b.ppsx", NameMedia(".pptx"), NameMedia(".potm")},
		{"/a/b.txt", MediaText, MediaText},
		{"/a/robots.txt", MediaText, MediaText},
		{"/robots.txt", "", ""},
		{"Security.TXT", "", ""},
		{"/.well-known/a/b.txt", "", ""},
		{"/.well-known/a.pdf", MediaPDF, MediaPDF},
		{"/a.html", MediaHTML, ""},
		{"/a.xhtml", MediaXHTML, ""},
		{"/txt", "", ""},
		{"/a.png", "image/png", ""},
		{"/a.pn", "", ""},
		{"/a.doc", "application/msword", ""},
	} {
		if media, file := NameMedia(row.path), FileMedia(row.path); media != row.media || file != row.file {
			t.Errorf("%s: %q, %q", row.path, media, file)
		}
	}
	for word, is := range formats {
		switch {
		case !slices.Contains([]string{"page", "file", "left", "asset", "vague"}, is.role), formats[is.media].media != is.media, strings.ToLower(word) != word:
			t.Errorf("%s: %+v", word, is)
		case is.role == "left" && !strings.Contains(WhyNoDocument(word), path.Ext("a"+is.ext)+" files ("):
			t.Error(WhyNoDocument(word))
		}
	}
}

// TestMediaOf: what a body is, by the fields of its answer, its address and its first bytes.
func TestMediaOf(t *testing.T) {
	const page, zip, pdf = " \n<!doctype html><p>Text", "PK\x03\x04", "%PDF-1.7\n"
	octets := "application/octet-stream"
	for _, row := range []struct {
		types, path, head string // Content-Types, with line feeds between
		name              string // the Content-Disposition
		media             string
		file              bool
	}{
		// a Content-Type as browsers take it
		{types: "text/html, text/html; charset=utf-8", media: MediaHTML},
		{types: "text/html\ntext/html", media: MediaHTML},
		{types: "TEXT/HTML , */*", media: MediaHTML},
		{types: "image/png, text/html", head: zip, media: MediaHTML},
		{types: "text/html, image/png", head: page, media: "image/png"},
		{types: "text/html, charset=utf-8", media: MediaHTML},
		{types: `text/html; title="a, image/png"`, media: MediaHTML},
		{types: "text/html;;charset=utf-8", media: MediaHTML},
		{types: "image/png", path: "/a.pdf", head: pdf, media: "image/png"},
		{types: "application/xml", head: page, media: "application/xml"},
		// none: what is seen in the body
		{head: page, media: MediaHTML},
		{types: "text/html charset=utf-8", head: page, media: MediaHTML},
		{types: "html", head: "<!-- a --><b>", media: MediaHTML},
		{types: "*/*", head: page, media: MediaHTML},
		{types: "unknown/unknown", head: page, media: MediaHTML},
		{types: "application/Unknown", head: "Text <p>", media: MediaText},
		{types: "text/", head: "<rss>", media: MediaText},
		{types: "nosniff", head: page, media: MediaText},
		{types: ";", head: "<?xml version='1.0'?><rss>", media: "text/xml"},
		{types: "/", head: `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">`, media: MediaXHTML},
		{types: "a b", head: pdf, media: MediaPDF, file: true},
		{types: "pdf", head: zip, media: "application/zip"},
		{head: "GIF89a", media: "image/gif"},
		{path: "/a.pdf", head: page, media: MediaPDF, file: true},
		{types: "*/*", path: "/a.txt", head: "Text", media: MediaText, file: true},
		{path: "/a.htm", head: "Text", media: MediaHTML},
		{media: ""},
		// plain text
		{types: "text/plain", head: page, media: MediaText},
		{types: "text/plain", path: "/a.html", head: page, media: MediaText},
		{types: "text/plain", path: "/a.txt", media: MediaText, file: true},
		{types: "text/plain; charset=utf-8", head: pdf, media: MediaPDF, file: true},
		{types: "text/plain", path: "/a.docx", head: zip + "\x14\x00", media: MediaDOCX, file: true},
		{types: "text/plain", path: "/a.docx", head: "Text\x1b\f", media: MediaText},
		{types: "text/plain", path: "/a.html", head: "BMW and OTTO", media: MediaText},
		{types: "text/plain", path: "/a.doc", head: "\xd0\xcf\x11\xe0\x01", media: "application/msword"},
		{types: "text/plain", path: "/a", head: "\x00", media: octets},
		{types: "text/plain", path: "/a.html", head: "\xff\xfeT\x00", media: MediaText},
		{types: "text/plain", path: "/a?b", name: "attachment; filename=notes.txt", head: "Text", media: MediaText, file: true},
		// downloads
		{types: octets, path: "/a.pdf", media: MediaPDF, file: true},
		{types: octets, path: "/a.html", media: MediaHTML},
		{types: octets, path: "/a", head: pdf, media: octets},
		{types: "application/x-download", path: "/a.ashx", name: `attachment; filename="a.PDF"`, media: MediaPDF, file: true},
		{types: "application/force-download", path: "/a.pdf", name: "attachment; filename=data", media: MediaPDF, file: true},
		{types: "application/zip", path: "/a.pdf", name: "attachment; filename=b.xlsm", media: NameMedia(".xlsx"), file: true},
		{types: "application/pdf", path: "/a", name: "attachment; filename=b.html", media: MediaPDF, file: true},
		{types: "image/png", path: "/a", name: "attachment; filename=b.pdf", media: "image/png"},
		// formats and their sisters
		{types: "application/x-pdf", path: "/a", media: MediaPDF, file: true},
		{types: "application/vnd.ms-word.document.macroEnabled.12", path: "/a", media: MediaDOCX, file: true},
		{types: "application/vnd.openxmlformats-officedocument.presentationml.slideshow", path: "/a", media: NameMedia(".pptx"), file: true},
		{types: "application/vnd.oasis.opendocument.text-template", path: "/a", media: NameMedia(".odt"), file: true},
		{types: "application/msword", path: "/a.docx", media: MediaDOCX, file: true},
		{types: "application/msword", path: "/a", media: "application/msword"},
		{types: octets, path: "/a.rtf", media: "application/rtf"},
	} {
		header := http.Header{}
		for field := range strings.Lines(row.types) {
			header.Add("Content-Type", strings.TrimSpace(field))
		}
		if row.types == "nosniff" {
			header = http.Header{"X-Content-Type-Options": {"NoSniff"}}
		}
		if row.name != "" {
			header.Set("Content-Disposition", row.name)
		}
		if media, file := MediaOf(header, row.path, []byte(row.head)); media != row.media || file != row.file {
			t.Errorf("%q %s %q %q: %s, file %v", row.types, row.path, row.name, row.head, media, file)
		}
	}
}

func TestContentTypeParameters(t *testing.T) {
	for _, row := range []struct{ field, want string }{
		{"text/html; charset=utf-8, text/html", " charset=utf-8"},
		{"text/html; charset=a, text/html; charset=b", " charset=b"},
		{"text/html; charset=a, text/plain", ""},
		{"text/html, charset=a", ""},
		{`text/html; a="x, y"; CHARSET=b, */*; charset=c`, ` a="x, y"; CHARSET=b`},
		{`text/html; charset="a\", b`, ` charset="a\", b`},
	} {
		if _, got := ContentType(http.Header{"Content-Type": {row.field}}); got != row.want {
			t.Errorf("%s: %q", row.field, got)
		}
	}
}

func TestFileName(t *testing.T) {
	for _, row := range []struct{ field, want string }{
		{"", ""},
		{"attachment", ""},
		{`attachment; filename="Harbour report.pdf"`, "Harbour report.pdf"},
		{`inline; FileName*=UTF-8''Harbour%20rules.pdf`, "Harbour rules.pdf"},
		{`attachment; filename="a.doc"; filename*=utf-8'da'r%C3%B8d.pdf`, "rød.pdf"},
		{`attachment; filename*=ISO-8859-1''r%F8d.pdf; filename=a.doc`, "rød.pdf"},
		{`attachment; filename*=broken; filename=a.doc`, "a.doc"},
		{`attachment; filename=Harbour report.pdf; size=7`, "Harbour report.pdf"},
		{`filename = "a.pdf"`, "a.pdf"},
		{`attachment; filename="a.pdf"; filename="b.pdf"`, "a.pdf"},
		{`attachment; name="x; filename=b.exe"; filename="a.pdf"`, "a.pdf"},
		{`attachment; filename="the \"best\" one.pdf"`, `the "best" one.pdf`},
		{`attachment; filename="C:\temp\a.pdf"`, "a.pdf"},
		{`attachment; filename="../../etc/a.pdf`, "a.pdf"},
		{`attachment; filename="a%2Fb%20c.pdf"`, "b c.pdf"},
		{`attachment; filename="100% r.pdf"`, "100% r.pdf"},
		{"attachment; filename=\"r\xc3\xb8d.pdf\"", "rød.pdf"},
		{"attachment; filename=r\xf8d.pdf", "rød.pdf"},
		{`attachment; filename="=?UTF-8?Q?r=C3=B8d.pdf?="`, "rød.pdf"},
	} {
		if got := FileName(http.Header{"Content-Disposition": {row.field}}); got != row.want {
			t.Errorf("%s: %q", row.field, got)
		}
	}
}

// FuzzMediaOf: whatever the fields hold, a type is one that can be shown, a file has a name
// without folders, and the first bytes change no type that is known without them.
func FuzzMediaOf(f *testing.F) {
	f.Add(`text/html; a="b, c`, `attachment; filename*=UTF-8''a%2Fb.pdf`, "/a.docx", []byte("%PDF-"))
	f.Add("text/plain,\xff/*", "filename=\"a\\", "/", []byte("\x00<html>"))
	f.Fuzz(func(t *testing.T, contentType, disposition, path string, head []byte) {
		header := http.Header{"Content-Type": {contentType}, "Content-Disposition": {disposition}}
		media, isFile := MediaOf(header, path, head)
		before, wasFile := MediaOf(header, path, nil)
		if name := FileName(header); !utf8.ValidString(name) || strings.ContainsAny(name, `/\`) {
			t.Errorf("the name %q", name)
		}
		if !utf8.ValidString(media) || isFile && !IsFile(media) || isFile && IsHTML(media) || media == "" && len(head) > 0 {
			t.Errorf("%q, %v", media, isFile)
		}
		if before != "" && before != MediaText && (before != media || wasFile != isFile) {
			t.Errorf("%q, then %q", before, media)
		}
	})
}
