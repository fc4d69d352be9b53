package document

import "testing"

func TestIsFile(t *testing.T) {
	for _, row := range []struct {
		path, media string // by the path's name
		file        bool   // answered with that type, or as plain text where it has none
	}{
		{"/a.pdf", MediaPDF, true},
		{"/A.DOCX", MediaDOCX, true},
		{"/a.b.pptx", MediaPPTX, true},
		{".xlsx", MediaXLSX, true},
		{"a.odt", MediaODT, true},
		{"/a/b.txt", MediaText, true},
		{"/a/robots.txt", MediaText, true},
		{"/robots.txt", "", false},
		{"Security.TXT", "", false},
		{"/.well-known/a/b.txt", "", false},
		{"/a.html", "", false},
		{"/txt", "", false},
		{"/a.doc", "", false},
	} {
		media := FileMedia(row.path)
		if media != row.media {
			t.Errorf("%s: %q", row.path, media)
		}
		if media == "" {
			media = MediaText
		}
		if IsFile(media, row.path) != row.file {
			t.Errorf("%s as %s: want %v", row.path, media, row.file)
		}
	}
	if !IsFile(MediaODS, "/download") || IsFile("text/csv", "/a.txt") {
		t.Error("the media type does not decide")
	}
}
