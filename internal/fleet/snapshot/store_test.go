package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/testsite/deployed"
)

var must = deployed.Must

// rig is a server with a store.
type rig struct {
	bus   *bus.Bus
	store *Store
}

func newRig(t testing.TB) *rig {
	t.Helper()
	b, _ := deployed.Bus(t)
	return &rig{b, New(b)}
}

// bytesOf returns so many bytes of which a part is like no other.
func bytesOf(random *rand.Rand, size int) []byte {
	raw := make([]byte, size)
	for at := 0; at < size; at += 512 {
		copy(raw[at:], fmt.Sprintf("%x", random.Uint64()))
	}
	return raw
}

func write(t testing.TB, path string, raw []byte) {
	t.Helper()
	must(t, os.WriteFile(path, raw, 0o600))
}

func (r *rig) put(t testing.TB, number uint64, raw []byte, before *lease.File) lease.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, raw)
	f, err := r.store.Put(t.Context(), "ledger", "town", number, path, before)
	must(t, err)
	return f
}

// A file whose list of parts fits into no message is refused before anything is stored.
func TestPutRefusesTooLargeFiles(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, nil)
	must(t, os.Truncate(path, maxSize+1)) // takes no room on the disk
	_, err := newRig(t).store.Put(t.Context(), "ledger", "town", 1, path, nil)
	if err == nil || !strings.Contains(err.Error(), "it has more than 4 GiB") {
		t.Errorf("a file of more than 4 GiB: %v", err)
	}
}

// get returns what is stored as f, which must be raw.
func (r *rig) get(t testing.TB, f lease.File, raw []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	must(t, r.store.Get(t.Context(), "ledger", "town", f, path))
	got, err := os.ReadFile(path)
	must(t, err)
	if !bytes.Equal(got, raw) {
		t.Fatalf("what was stored under lease %d, %d bytes, was read otherwise", f.Number, len(raw))
	}
}

// there returns how many messages are stored, and how many ever were.
func (r *rig) there(t testing.TB) (now, ever uint64) {
	t.Helper()
	info, err := r.bus.Files.Info(t.Context())
	must(t, err)
	return info.State.Msgs, info.State.LastSeq
}

func TestOnlyChangedPartsMove(t *testing.T) {
	r, random := newRig(t), rand.New(rand.NewPCG(1, 3))
	raw := bytesOf(random, 30*partSize)
	first := r.put(t, 1, raw, nil)
	_, ever := r.there(t)
	if again := r.put(t, 2, raw, &first); again.Sum != first.Sum {
		t.Errorf("the same file is %+v, was %+v", again, first)
	}
	_, now := r.there(t)
	if now != ever+1 { // the list of its parts
		t.Errorf("%d messages for a file that did not change", now-ever)
	}
	changed := slices.Clone(raw)
	changed[5*partSize]++
	changed = append(changed[:29*partSize], "the end"...)
	second := r.put(t, 3, changed, &first)
	if _, then := r.there(t); then != now+3 {
		t.Errorf("%d messages for two parts and a list", then-now)
	}
	r.get(t, first, raw)
	must(t, r.store.Sweep(t.Context(), "ledger", "town", second))
	if now, _ := r.there(t); now != 30+1 {
		t.Errorf("%d messages are left of a file of 30 parts and its list", now)
	}
	r.get(t, second, changed)
}

// TestGetTakesWhatIsThere: of a file that is there, parts that are right are not fetched.
func TestGetTakesWhatIsThere(t *testing.T) {
	r, random := newRig(t), rand.New(rand.NewPCG(1, 4))
	raw := bytesOf(random, 10*partSize)
	f, path := r.put(t, 1, raw, nil), filepath.Join(t.TempDir(), "file")
	old := slices.Clone(raw[:9*partSize+1])
	old[2*partSize+7]++
	write(t, path, old)
	must(t, r.bus.Conn.Flush())
	before := r.bus.Conn.Stats().InMsgs
	must(t, r.store.Get(t.Context(), "ledger", "town", f, path))
	got, err := os.ReadFile(path)
	must(t, err)
	if n := r.bus.Conn.Stats().InMsgs - before; !bytes.Equal(got, raw) || n != 3 {
		t.Errorf("%d messages for the list and two parts; right: %v", n, bytes.Equal(got, raw))
	}
}

func TestDamagedFilesAreRefused(t *testing.T) {
	r, random, ctx := newRig(t), rand.New(rand.NewPCG(1, 5)), t.Context()
	raw := bytesOf(random, 3*partSize+10)
	bomb := r.store.enc.EncodeAll(make([]byte, 64<<20), nil)
	long := r.store.enc.EncodeAll(append(slices.Clone(raw[partSize:2*partSize]), 'x'), nil)
	swapped := r.store.enc.EncodeAll(raw[:partSize], nil)
	name := func(f lease.File, part int) string {
		l, err := r.store.list(ctx, "ledger", "town", f)
		must(t, err)
		return l[part].token()
	}
	for what, test := range map[string]struct {
		data []byte // nil: removed
		list bool
		want error
		says string
	}{
		"a part is missing":         {nil, false, bus.ErrMissing, "fetch the ledger of town: part 2 of 4: it is missing on the server"},
		"the list is missing":       {nil, true, bus.ErrMissing, "fetch the ledger of town: read the list of parts of the ledger of town: it is missing on the server"},
		"a part is noise":           {[]byte("noise"), false, ErrDamaged, "part 2 of 4: it is not what was stored"},
		"a part is cut":             {long[:len(long)/2], false, ErrDamaged, "part 2 of 4"},
		"a part is longer":          {long, false, ErrDamaged, "part 2 of 4"},
		"a part is another":         {swapped, false, ErrDamaged, "part 2 of 4: it is not what was stored: its checksum is wrong"},
		"a part is a bomb":          {bomb, false, ErrDamaged, "part 2 of 4"},
		"a part is empty":           {[]byte{}, false, ErrDamaged, "part 2 of 4"},
		"the list is noise":         {[]byte("noise"), true, ErrDamaged, "list of parts"},
		"the list is a bomb":        {bomb, true, ErrDamaged, "list of parts"},
		"the list is of other size": {swapped, true, ErrDamaged, "in place of"},
	} {
		f, path := r.put(t, 7, raw, nil), filepath.Join(t.TempDir(), "file")
		write(t, path, []byte("as it was"))
		token := name(f, 1)
		if test.list {
			token = f.Sum
		}
		must(t, r.bus.DropFiles(ctx, bus.File("ledger", "town", 7, token)))
		if test.data != nil {
			must(t, r.bus.PutFile(ctx, bus.File("ledger", "town", 7, token), test.data))
		}
		err := r.store.Get(ctx, "ledger", "town", f, path)
		if !errors.Is(err, test.want) || !strings.Contains(fmt.Sprint(err), test.says) {
			t.Errorf("%s: %v", what, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != "as it was" {
			t.Errorf("%s: the file that was there is %.20q, %v", what, got, err)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".sitesync-*")); len(left) > 0 {
			t.Errorf("%s: %s is left", what, left)
		}
		must(t, r.store.Sweep(ctx, "ledger", "town", lease.File{Number: 99}))
	}
}

// TestWrongStatesAreRefused: what a state says of a file is not believed.
func TestWrongStatesAreRefused(t *testing.T) {
	r, random := newRig(t), rand.New(rand.NewPCG(1, 6))
	f := r.put(t, 7, bytesOf(random, 2*partSize), nil)
	for what, lie := range map[string]func(f *lease.File){
		"a byte more":        func(f *lease.File) { f.Size++ },
		"a byte less":        func(f *lease.File) { f.Size-- },
		"a thousand times":   func(f *lease.File) { f.Size *= 1000 },
		"more than can be":   func(f *lease.File) { f.Size = 1 << 62 },
		"less than nothing":  func(f *lease.File) { f.Size = -1 },
		"another number":     func(f *lease.File) { f.Number = 6 },
		"a sum with a dot":   func(f *lease.File) { f.Sum = "a." + f.Sum[2:] },
		"a sum of wildcards": func(f *lease.File) { f.Sum = strings.Repeat("*", 64) },
		"another sum":        func(f *lease.File) { f.Sum = strings.Repeat("0", 64) },
		"a short sum":        func(f *lease.File) { f.Sum = f.Sum[:62] },
	} {
		other := f
		lie(&other)
		err := r.store.Get(t.Context(), "ledger", "town", other, filepath.Join(t.TempDir(), "file"))
		if !errors.Is(err, ErrDamaged) && !errors.Is(err, bus.ErrMissing) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestPutMendsWhatIsLost: parts of the file before that the server lost are stored again.
func TestPutMendsWhatIsLost(t *testing.T) {
	r, random, ctx := newRig(t), rand.New(rand.NewPCG(1, 7)), t.Context()
	raw := bytesOf(random, 5*partSize)
	for _, lost := range []string{"", "*"} {
		f := r.put(t, 1, raw, nil)
		token := lost
		if token == "" {
			l, err := r.store.list(ctx, "ledger", "town", f)
			must(t, err)
			token = l[2].token()
		}
		must(t, r.bus.DropFiles(ctx, bus.File("ledger", "town", 1, token)))
		r.get(t, r.put(t, 2, raw, &f), raw)
		must(t, r.bus.DropFiles(ctx, bus.File("ledger", "town", 1, token)))
		r.get(t, r.put(t, 1, raw, &f), raw)
	}
}

// TestLateSweepRemovesNothingInUse plays workers that commit in the order of their numbers, some of which
// die before the commit, and sweep whenever they come to it: the last one last of all, or the
// first one after all others.
func TestLateSweepRemovesNothingInUse(t *testing.T) {
	r, ctx := newRig(t), t.Context()
	for seed := range uint64(5) {
		random := rand.New(rand.NewPCG(seed, 8))
		must(t, r.store.Sweep(ctx, "ledger", "town", lease.File{Number: 99}))
		raw := bytesOf(random, 6*partSize)
		var committed *lease.File
		var latest []byte
		var late []lease.File // sweeps that are still to come
		for number := uint64(1); number < 12; number++ {
			for range random.IntN(4) {
				raw[random.IntN(len(raw))] ^= 1
			}
			f := r.put(t, number, raw, committed)
			if random.IntN(4) == 0 { // it dies: what it stored belongs to nobody
				continue
			}
			committed, latest = &f, slices.Clone(raw)
			late = append(late, f)
			for len(late) > 0 && random.IntN(3) > 0 {
				i := random.IntN(len(late))
				must(t, r.store.Sweep(ctx, "ledger", "town", late[i]))
				late = slices.Delete(late, i, i+1)
			}
			r.get(t, f, raw)
		}
		for _, f := range append(late, *committed) {
			must(t, r.store.Sweep(ctx, "ledger", "town", f))
			r.get(t, *committed, latest)
		}
		there, err := r.bus.ListFiles(ctx, "ledger", "town")
		must(t, err)
		left := 0
		for number, tokens := range there {
			if number <= committed.Number {
				left += len(tokens)
			}
		}
		if left != parts(committed.Size)+1 {
			t.Errorf("seed %d: %d messages are left of a file of %d parts and its list", seed, left, parts(committed.Size))
		}
	}
}
