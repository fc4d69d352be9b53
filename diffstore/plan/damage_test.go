package plan_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	planfile "sitesync/diffstore/plan"
	"sitesync/internal/document"
)

// smallPlan returns the bytes of a plan with a line or two of each kind.
func smallPlan(t testing.TB) []byte {
	t.Helper()
	c := fullPlan()
	c.pages = c.pages[:2]
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

// member is one part of a plan.
type member struct{ name, text string }

func unpack(t testing.TB, raw []byte) (members []member) {
	t.Helper()
	file, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	file.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor())
	for _, f := range file.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, member{f.Name, string(text)})
	}
	return members
}

func pack(t testing.TB, members []member, options ...zstd.EOption) []byte {
	t.Helper()
	var raw bytes.Buffer
	file := zip.NewWriter(&raw)
	file.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor(options...))
	for _, m := range members {
		out, err := file.CreateHeader(&zip.FileHeader{Name: m.name, Method: zstd.ZipMethodWinZip})
		if err == nil {
			_, err = io.WriteString(out, m.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return raw.Bytes()
}

// The places of members in a plan.
const (
	pages = iota
	changes
	observations
	failures
	moves
	warnings
	ends // the header and the trailer
)

// TestPlanAltered: a plan whose members are not those of a plan is refused, however it is packed.
func TestPlanAltered(t *testing.T) {
	good := unpack(t, smallPlan(t))
	if !reflect.DeepEqual(unpack(t, pack(t, good)), good) {
		t.Fatal("packing changes the members")
	}
	replace := func(n int, old, with string) func([]member) []member {
		return func(p []member) []member {
			if !strings.Contains(p[n].text, old) {
				t.Fatalf("no %q in %s", old, p[n].name)
			}
			p[n].text = strings.Replace(p[n].text, old, with, 1)
			return p
		}
	}
	without := func(n int) func([]member) []member {
		return func(p []member) []member { return slices.Delete(p, n, n+1) }
	}
	twice := func(n int) func([]member) []member {
		return func(p []member) []member { return slices.Insert(p, n, p[n]) }
	}
	swap := func(a, b int) func([]member) []member {
		return func(p []member) []member { p[a], p[b] = p[b], p[a]; return p }
	}
	tests := map[string]func([]member) []member{
		"longer than is read": func(p []member) []member { p[ends].text = strings.Repeat(" ", 32<<20) + p[ends].text; return p },
		"no header":           replace(ends, `"header":`, `"leader":`),
		"two headers":         func(p []member) []member { return slices.Insert(p, 0, p[ends]) },
		"no ends":             without(ends),
		"two of a kind":       twice(changes),
		"more behind":         func(p []member) []member { return append(p, p[warnings]) },
		"of another kind":     func(p []member) []member { p[moves].name = "movies.jsonl"; return p },
		"another version":     replace(ends, `"version":3`, `"version":4`),
		"version of a kind":   replace(ends, `"version":3`, `"version":"2"`),
		"members swapped":     swap(observations, changes),
		"nothing":             func([]member) []member { return nil },
	}
	tests["end lost"] = func(p []member) []member {
		p[ends].text = p[ends].text[:len(p[ends].text)-2]
		return p
	}
	path := filepath.Join(t.TempDir(), "plan")
	for name, alter := range tests {
		bad := pack(t, alter(slices.Clone(good)))
		_, err := openBytes(t, path, bad)
		if !errors.Is(err, planfile.ErrInvalid) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		if name == "another version" && !strings.Contains(err.Error(), "version 4, this program knows 3; plan again") {
			t.Errorf("%s: %v", name, err)
		}
	}
	good[ends].text = strings.Repeat(" ", 4<<20) + good[ends].text
	for size, want := range map[int]error{32 << 20: nil, 64 << 20: planfile.ErrInvalid} {
		if _, err := openBytes(t, path, pack(t, good, zstd.WithWindowSize(size))); !errors.Is(err, want) {
			t.Errorf("a window of %d bytes: %v", size, err)
		}
	}
	if _, err := planfile.Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}

// TestPlanTooRich: what a few bytes of a plan could make is bounded before it is made.
func TestPlanTooRich(t *testing.T) {
	next := &document.Record{Looks: make([]document.Look, 50_001)}
	for name, c := range map[string]document.Change{
		"holds too many values": {ID: "fields", Fields: make([]string, 1_000_001)}, "too many values": {ID: "looks", Next: next},
		"a line over 33.6 MB": {ID: "doc", Doc: []byte(strings.Repeat("x", 32<<20+1))},
	} {
		path := filepath.Join(t.TempDir(), "plan")
		w, err := planfile.Create(path, document.PlanHeader{})
		if err == nil {
			err = errors.Join(w.Change(c), w.Close(document.PlanTrailer{}))
		}
		if err != nil {
			t.Fatal(err)
		}
		plan, err := planfile.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range plan.Changes() {
			if !errors.Is(err, planfile.ErrInvalid) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// FuzzOpenPlan: whatever the bytes, as a file or as the members of one, opening and
// reading ends without a panic and says what is wrong.
func FuzzOpenPlan(f *testing.F) {
	good := smallPlan(f)
	members := unpack(f, good)
	f.Add(good, []byte("{}"), []byte("{}"))
	f.Add([]byte(members[changes].text), []byte(members[observations].text), []byte(members[ends].text))
	f.Add([]byte("{\"id\":\"x\",\"has_doc\":true}\n"), []byte("\n"), []byte("{}"))
	f.Add([]byte("no plan"), []byte(""), []byte("\n"))
	path := filepath.Join(f.TempDir(), "plan")
	f.Fuzz(func(t *testing.T, first, second, third []byte) {
		altered := slices.Clone(members)
		altered[changes].text, altered[observations].text, altered[ends].text = string(first), string(second), string(third)
		for _, raw := range [][]byte{first, pack(t, altered)} {
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
