package office

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
)

// maxHeap is how much a hostile file may make the heap grow.
const maxHeap = 100 << 20

// TestHostile: what was made to harm, or is damaged, errs with a reason that names
// it, and is not held in memory.
func TestHostile(t *testing.T) {
	inside := word(`<drawing xmlns="` + transitional + `spreadsheetml/2006/main" r:id="d"/>`)
	word := func(body string) func() []byte { return func() []byte { return docx(t, body) } }
	for _, row := range []struct {
		name string
		make func() []byte
		want string
	}{
		{"zip bomb", func() []byte { return bomb(t, strings.Repeat("<w:p/>", 1<<20), 0) }, "read part x: it is a zip bomb: "},
		{"zip bomb that lies", func() []byte { return bomb(t, strings.Repeat("<w:p/>", 1<<20), 1<<20) }, "zip: not a valid zip file"},
		{"nested archives", func() []byte {
			inner := archive(t, "a.zip", string(archive(t, "b.zip", strings.Repeat("0", 10<<20))))
			return docx(t, "", "word/0.zip", string(inner), "word/1.zip", string(inner))
		}, ""},
		{"drawings in drawings", func() []byte {
			parts := []string{"_rels/.rels", main("word/document.xml"), "word/document.xml", inside,
				"word/_rels/document.xml.rels", rels("d", officeKind+"drawing", "0.xml")}
			for i := range 3000 {
				parts = append(parts, fmt.Sprintf("word/%d.xml", i), inside,
					fmt.Sprintf("word/_rels/%d.xml.rels", i), rels("d", officeKind+"drawing", fmt.Sprintf("%d.xml", i+1)))
			}
			return archiveBy(t, zip.Deflate, parts...)
		}, ""},
		{"entities", func() []byte {
			return archive(t, "_rels/.rels", main("x"), "x", `<!DOCTYPE l [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><l>&b;</l>`)
		}, "document type declaration"},
		{"undeclared entity", word(para(run("&b;"))), "invalid character entity"},
		{"elements", word(strings.Repeat("<w:p/>", maxElements+9)), "before the first text"},
		{"one text", word(para(run(noise(maxNode + 1)))), "a single node holds more than 1 MB"},
		{"one tag", word(`<w:p x="` + noise(maxNode) + `"/>`), "a single node holds more than 1 MB"},
		{"depth", word(strings.Repeat("<w:p>", 1e6)), "nested more than 256 deep"},
		{"properties", func() []byte {
			return archive(t, "_rels/.rels", rels("r", officeKind+"officeDocument", "x", "c", coreKind, "c.xml"), "x", inside, "c.xml", "<a>"+strings.Repeat("<a>", 300))
		}, "read part c.xml: elements are nested"},
		{"entries", func() []byte { return slices.Concat(bytes.Repeat([]byte("PK\x01\x02"), 1e5), docx(t, para(run("x")))) }, "100002 entries"},
		{"cut", func() []byte { b := docx(t, para(run("x"))); return b[:len(b)-40] }, "it may be cut"},
		{"cut inside", word("<w:p>"), "element <p> closed by </body>"},
		{"damaged", func() []byte { return bytes.Replace(docx(t, noise(2000)), []byte("</"), []byte("<<"), 1) }, ""},
		{"no part", func() []byte { return archive(t, "_rels/.rels", main("none.xml")) }, "neither an Office nor an OpenDocument file"},
		{"other archive", func() []byte { return archive(t, "a.html", "<p>") }, "neither an Office nor an OpenDocument file"},
		{"odd encoding", func() []byte {
			return archive(t, "_rels/.rels", `<?xml version="1.0" encoding="x-odd"?><r>`+"\xf8</r>")
		}, "invalid UTF-8"},
		{"old format", func() []byte { return []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 W\x00o\x00r\x00d\x00") }, "Office 97-2003"},
		{"nothing", func() []byte { return nil }, "not a valid zip file"},
	} {
		t.Run(row.name, func(t *testing.T) {
			grown, file, err := peak(row.make())
			if grown > maxHeap {
				t.Errorf("the heap grew by %d MB", grown>>20)
			}
			if err != nil && len(file.Blocks) > 0 || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
				t.Errorf("%d blocks, %v", len(file.Blocks), err)
			}
		})
	}
}

// peak reads body and returns by how much the heap grew meanwhile, at most.
func peak(body []byte) (grown int64, file document.File, err error) {
	runtime.GC()
	before := heap()
	done := make(chan struct{})
	go func() {
		file, err = Read(body)
		close(done)
	}()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for {
		grown = max(grown, heap()-before)
		select {
		case <-done:
			return grown, file, err
		case <-look.C:
		}
	}
}

// heap returns the bytes of objects, live or not yet swept.
func heap() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// bomb makes a DOCX whose main part is compressed, with the size that it claims to
// have; 0: the true one.
func bomb(t *testing.T, body string, claim uint32) []byte {
	file := archiveBy(t, zip.Deflate, "_rels/.rels", main("x"), "x", word(body))
	if claim > 0 {
		at := bytes.LastIndex(file, []byte("PK\x01\x02")) + 24 // of the directory's entry
		binary.LittleEndian.PutUint32(file[at:], claim)
	}
	return file
}

// noise returns text that does not compress well.
func noise(size int) string {
	b := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{}).Read(b)
	return base64.StdEncoding.EncodeToString(b)[:size]
}

// repeat returns text n times, with another number for each %.
func repeat(text string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "%", strconv.Itoa(i*7919)))
	}
	return b.String()
}

// TestLimits: a file that is merely long gives its first text; one that has given
// none by then errs. The budget is a small one.
func TestLimits(t *testing.T) {
	text := noise(1 << 19)
	for _, row := range []struct {
		name string
		body []byte
		cut  full
	}{
		{"text", docx(t, strings.Repeat(para(run(text)), 6)), errText},
		{"one paragraph", docx(t, para(strings.Repeat(run(text), 6))), errText},
		{"rows", docx(t, "<w:tbl>"+strings.Repeat(tr(text[:4000], text[:4000]), 400)+"</w:tbl>"), errText},
		{"elements", docx(t, strings.Repeat(para(run(text[:20])+"<w:r/>"), 10_000)), errElements},
		{"elements alone", docx(t, strings.Repeat("<w:p/>", 30_000)), ""},
		{"bytes", docx(t, strings.Repeat("<!--"+text+"-->", 10)), ""},
		{"bytes of properties", archive(t, "_rels/.rels", rels("r", officeKind+"officeDocument", "x", "c", coreKind, "c"), "c", "<a>"+strings.Repeat(text+"<a/>", 10)+"</a>", "x", word(para(run("x")))), ""},
		{"slides again and again", archive(t, "_rels/.rels", main("p"), "p", `<sldIdLst xmlns="`+transitional+`presentationml/2006/main" xmlns:r="`+transitional+`officeDocument/2006/relationships">`+repeat(`<sldId r:id="%"/>`, 5000)+`</sldIdLst>`,
			"_rels/p.rels", `<r>`+repeat(`<Relationship Id="%" Type="/slide" Target="p"/>`, 5000)+`</r>`), ""},
	} {
		p, err := openPack(row.body)
		if err != nil {
			t.Fatal(err)
		}
		p.left, p.elements, p.out.size = 4<<20, 20_000, maxText-1<<20
		file, err := p.result()
		size := len(strings.Join(file.Blocks, ""))
		if full(file.Cut) != row.cut {
			t.Errorf("%s: cut %q", row.name, file.Cut)
		}
		if row.cut != "" && (err != nil || size < 1<<16 || size > 3<<19) || row.cut == "" && (err != errLong || size > 0) {
			t.Errorf("%s: %d bytes in %d blocks, %v", row.name, size, len(file.Blocks), err)
		}
	}
}

// TestLong: the longest text that is kept costs no more memory than a bomb may.
func TestLong(t *testing.T) {
	grown, file, err := peak(docx(t, para(strings.Repeat(run(noise(1<<19)), maxText>>19+2))))
	if err != nil || len(file.Blocks) != 1 || len(file.Blocks[0]) != maxText || grown > maxHeap {
		t.Errorf("%d blocks, %v; the heap grew by %d MB", len(file.Blocks), err, grown>>20)
	}
}

// TestNoText: a password or pictures alone are no fault of the file.
func TestNoText(t *testing.T) {
	cfb := "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + utf16("Root EncryptedPackage")
	locked := docx(t, para(run("x")))
	locked[6] |= 1 // the first part's local header
	at := bytes.Index(locked, []byte("PK\x01\x02"))
	locked[at+8] |= 1
	for name, row := range map[string]struct {
		body []byte
		want string
	}{
		"encrypted":              {[]byte(cfb), "it asks for a password"},
		"encrypted archive":      {locked, "it asks for a password"},
		"encrypted OpenDocument": {archive(t, "META-INF/manifest.xml", `<m:manifest xmlns:m="`+openSpace+`manifest:1.0"><m:encryption-data/></m:manifest>`, "content.xml", "\x00"), "it asks for a password"},
		"pictures":               {docx(t, para("<w:drawing/>")), "it holds no text, or pictures alone"},
	} {
		if file, err := Read(row.body); err != nil || file.NoText != row.want || len(file.Blocks) > 0 {
			t.Errorf("%s: %+v, %v", name, file, err)
		}
	}
}

// TestManyLists: lists and styles without end number some paragraphs and harm none, nor
// does a number longer than any.
func TestManyLists(t *testing.T) {
	space := ` xmlns:w="` + transitional + `wordprocessingml/2006/main"`
	var numbering, styles strings.Builder
	numbering.WriteString(`<w:numbering` + space + `>`)
	styles.WriteString(`<w:styles` + space + `>`)
	for i := range maxListed {
		fmt.Fprintf(&numbering, `<w:abstractNum w:abstractNumId="%d"><w:lvl w:ilvl="0"><w:lvlText w:val="%%1%s"/></w:lvl></w:abstractNum><w:num w:numId="%d"><w:abstractNumId w:val="%d"/></w:num>`, i, strings.Repeat("x", i%100), i, i)
		fmt.Fprintf(&styles, `<w:style w:styleId="s%d"><w:basedOn w:val="s%d"/></w:style>`, i, i+1)
	}
	body := ""
	for _, list := range []int{7, 99, maxListed - 1} {
		body += para(fmt.Sprintf(`<w:pPr><w:numPr><w:numId w:val="%d"/></w:numPr></w:pPr>`, list) + run("text"))
	}
	body += para(`<w:pPr><w:pStyle w:val="s0"/></w:pPr>` + run("styled"))
	file, err := Read(docx(t, body, "word/_rels/document.xml.rels", rels("n", officeKind+"numbering", "n.xml", "s", officeKind+"styles", "s.xml"), "word/n.xml", numbering.String()+"</w:numbering>", "word/s.xml", styles.String()+"</w:styles>"))
	want := []string{"0xxxxxxx text", "0" + strings.Repeat("x", maxLevelText-2) + " text", "text", "styled"}
	if err != nil || !slices.Equal(file.Blocks, want) {
		t.Errorf("%q, %v; want %q", file.Blocks, err, want)
	}
}
