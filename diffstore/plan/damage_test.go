package plan_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	planfile "sitesync/diffstore/plan"
)

// smallPlan returns the bytes of a plan with a line or two of each kind.
func smallPlan(t testing.TB) []byte {
	t.Helper()
	c := fullPlan()
	c.changes = append(c.changes[:2], c.changes[len(c.changes)-3:]...)
	path := filepath.Join(t.TempDir(), "plan")
	c.save(t, path)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func openBytes(t testing.TB, path string, raw []byte) (*planfile.File, error) {
	t.Helper()
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return planfile.Open(path)
}

// TestPlanDamaged: no plan that was cut or altered anywhere is accepted, unless the
// bit that changed means nothing (Zstandard has a few) and the plan is the same.
func TestPlanDamaged(t *testing.T) {
	t.Parallel()
	good := smallPlan(t)
	path := filepath.Join(t.TempDir(), "plan")
	whole, err := openBytes(t, path, good)
	if err != nil {
		t.Fatal(err)
	}
	want, err := readContents(whole)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	refused := func(plan *planfile.File, err error, what string, n int) {
		t.Helper()
		if err == nil {
			got, err := readContents(plan)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s %d of %d: accepted, with other contents (%v)", what, n, len(good), err)
			}
		} else if !errors.Is(err, planfile.ErrInvalid) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s %d of %d: %v", what, n, len(good), err)
		}
	}
	alter := func(n int, b byte) {
		t.Helper()
		if _, err := file.WriteAt([]byte{b}, int64(n)); err != nil {
			t.Fatal(err)
		}
	}
	for n, b := range good {
		for _, flip := range []byte{1 << (n % 8), 0xff} {
			alter(n, b^flip)
			plan, err := planfile.Open(path)
			refused(plan, err, "byte", n)
		}
		alter(n, b)
	}
	for n := len(good) - 1; n >= 0; n-- {
		if err := file.Truncate(int64(n)); err != nil {
			t.Fatal(err)
		}
		if _, err := planfile.Open(path); !errors.Is(err, planfile.ErrInvalid) || !strings.Contains(err.Error(), path) {
			t.Errorf("cut at %d of %d: %v", n, len(good), err)
		}
	}
	for n, more := range []string{"tail", strings.Repeat("<html>\n</html>\n", 9), string(good)} {
		plan, err := openBytes(t, path, append(bytes.Clone(good), more...))
		refused(plan, err, "with more behind", n)
	}
}

// planLines are the lines of each frame of a plan, with their ends.
type planLines [3][][]byte

// ends is the size of the frame at a plan's end, which says where the others begin.
const ends = 8 + 2*8

func unpack(t testing.TB, raw []byte) (p planLines) {
	t.Helper()
	dec, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer dec.Close()
	bounds := []uint64{0, binary.LittleEndian.Uint64(raw[len(raw)-16:]), binary.LittleEndian.Uint64(raw[len(raw)-8:]), uint64(len(raw) - ends)}
	for n := range p {
		text, err := dec.DecodeAll(raw[bounds[n]:bounds[n+1]], nil)
		if err != nil {
			t.Fatal(err)
		}
		p[n] = slices.DeleteFunc(bytes.SplitAfter(text, []byte("\n")), func(line []byte) bool { return len(line) == 0 })
	}
	return p
}

func (p planLines) pack(t testing.TB) []byte {
	t.Helper()
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Close()
	tail := []byte{0x50, 0x2a, 0x4d, 0x18, 16, 0, 0, 0}
	var raw []byte
	for n, lines := range p {
		if n > 0 {
			tail = binary.LittleEndian.AppendUint64(tail, uint64(len(raw)))
		}
		raw = enc.EncodeAll(bytes.Join(lines, nil), raw)
	}
	return append(raw, tail...)
}

// TestPlanAltered: a plan that was edited and packed again is refused as well.
func TestPlanAltered(t *testing.T) {
	good := unpack(t, smallPlan(t))
	if !reflect.DeepEqual(unpack(t, good.pack(t)), good) {
		t.Fatal("packing changes the lines")
	}
	last := len(good[2]) - 1 // the trailer
	replace := func(frame int, old, with string) func(*planLines) {
		return func(p *planLines) {
			raw := bytes.Join(p[frame], nil)
			if !bytes.Contains(raw, []byte(old)) {
				t.Fatalf("no %q in frame %d", old, frame)
			}
			p[frame] = [][]byte{bytes.Replace(raw, []byte(old), []byte(with), 1)}
		}
	}
	tests := map[string]func(*planLines){
		"no header":          func(p *planLines) { p[0] = p[0][1:] },
		"two headers":        func(p *planLines) { p[0] = append([][]byte{p[0][0]}, p[0]...) },
		"header alone":       func(p *planLines) { p[0] = p[0][:1] },
		"no trailer":         func(p *planLines) { p[2] = p[2][:last] },
		"two trailers":       func(p *planLines) { p[2] = append(p[2], p[2][last]) },
		"lines behind":       func(p *planLines) { p[2] = append(p[2], p[2][0]) },
		"trailer alone":      func(p *planLines) { p[2] = p[2][last:] },
		"no sums":            replace(2, `"sums":[`, `"was":[`),
		"another sum":        replace(2, `"sums":["`, `"sums":["0`),
		"op":                 replace(0, `"op":"put"`, `"op":"delete"`),
		"held":               replace(0, `"state":"held"`, `"state":"planned"`),
		"generation":         replace(0, `"generation":18446744073709551615`, `"generation":1`),
		"another version":    replace(0, `"version":1`, `"version":2`),
		"no version":         replace(0, `"version":1`, `"version":0`),
		"version of a kind":  replace(0, `"version":1`, `"version":"1"`),
		"document":           replace(1, `plain`, `plane`),
		"document less":      func(p *planLines) { p[1] = p[1][1:] },
		"document more":      func(p *planLines) { p[1] = append(p[1], p[1][0]) },
		"documents swapped":  func(p *planLines) { p[1][0], p[1][1] = p[1][1], p[1][0] },
		"documents joined":   replace(1, "}\n{", "}{"),
		"document empty":     replace(1, "}\n{", "}\n\n{"),
		"observation":        replace(2, pageID(92), pageID(91)),
		"observation less":   func(p *planLines) { p[2] = p[2][1:] },
		"frames swapped":     func(p *planLines) { p[0], p[1] = p[1], p[0] },
		"changes joined":     replace(0, "}\n{\"kind\":\"change\"", "}{\"kind\":\"change\""),
		"nothing":            func(p *planLines) { *p = planLines{} },
		"objects of no kind": func(p *planLines) { *p = planLines{{[]byte("{}\n")}, {[]byte("{}\n")}, {[]byte("{}\n")}} },
	}
	for frame := range good {
		tests[fmt.Sprint("end of a line lost in frame ", frame)] = func(p *planLines) {
			end := len(p[frame]) - 1
			p[frame][end] = bytes.TrimSuffix(p[frame][end], []byte("\n"))
		}
	}
	path := filepath.Join(t.TempDir(), "plan")
	for name, alter := range tests {
		var bad planLines
		for frame := range good {
			bad[frame] = slices.Clone(good[frame])
		}
		alter(&bad)
		if _, err := openBytes(t, path, bad.pack(t)); !errors.Is(err, planfile.ErrInvalid) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := planfile.Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}

// TestPlanOtherVersion: a plan of another version says so.
func TestPlanOtherVersion(t *testing.T) {
	lines := unpack(t, smallPlan(t))
	lines[0][0] = bytes.Replace(lines[0][0], []byte(`"version":1`), []byte(`"version":7`), 1)
	_, err := openBytes(t, filepath.Join(t.TempDir(), "plan"), lines.pack(t))
	if !errors.Is(err, planfile.ErrInvalid) || !strings.Contains(err.Error(), "version 7") {
		t.Errorf("got %v", err)
	}
}

// FuzzOpenPlan: whatever the bytes, as a file or as the lines of one, opening and
// reading ends without a panic and says what is wrong.
func FuzzOpenPlan(f *testing.F) {
	good := smallPlan(f)
	lines := unpack(f, good)
	f.Add(good, []byte("{}"), []byte("{}"))
	f.Add(bytes.Join(lines[0], nil), bytes.Join(lines[1], nil), bytes.Join(lines[2], nil))
	f.Add([]byte("{\"kind\":\"header\",\"version\":1}\n"), []byte("\n"), []byte("{\"kind\":\"trailer\"}\n"))
	f.Add([]byte("no plan"), []byte(""), []byte("\n"))
	path := filepath.Join(f.TempDir(), "plan")
	f.Fuzz(func(t *testing.T, changes, docs, rest []byte) {
		for _, raw := range [][]byte{changes, planLines{{changes}, {docs}, {rest}}.pack(t)} {
			plan, err := openBytes(t, path, raw)
			if err == nil {
				_, err = readContents(plan)
			}
			if err != nil && !errors.Is(err, planfile.ErrInvalid) {
				t.Errorf("got %v", err)
			}
		}
	})
}
