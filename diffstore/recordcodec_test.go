package diffstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"testing"

	"sitesync/internal/document"
)

// fullRecord has a value in every field, those of its parts included; a field that
// is added to Record later is filled as well.
func fullRecord(t testing.TB) *document.Record {
	t.Helper()
	rec := &document.Record{}
	fillValue(t, reflect.ValueOf(rec).Elem())
	return rec
}

func fillValue(t testing.TB, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Struct:
		for n := range v.NumField() {
			fillValue(t, v.Field(n))
		}
	case reflect.String:
		v.SetString("text — ø")
	case reflect.Int, reflect.Int64:
		v.SetInt(-1 << 40)
	case reflect.Uint8:
		v.SetUint(200)
	case reflect.Uint64:
		v.SetUint(1<<64 - 2)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Array:
		for n := range v.Len() {
			fillValue(t, v.Index(n))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 3, 3))
		fillValue(t, v.Index(1))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		value := reflect.New(v.Type().Elem()).Elem()
		v.SetMapIndex(reflect.ValueOf("Title"), value)
		fillValue(t, value)
		v.SetMapIndex(reflect.ValueOf("name — 日本"), value)
	default:
		t.Fatalf("a record holds a %s: let this test fill it", v.Kind())
	}
}

// records are records with every field, with none, and with each alone.
func records(t testing.TB) []*document.Record {
	full := fullRecord(t)
	list := []*document.Record{full, {}}
	for n := range reflect.TypeFor[document.Record]().NumField() {
		with, without := &document.Record{}, *full
		reflect.ValueOf(with).Elem().Field(n).Set(reflect.ValueOf(full).Elem().Field(n))
		reflect.ValueOf(&without).Elem().Field(n).SetZero()
		list = append(list, with, &without)
	}
	for _, push := range []document.Push{document.PushNone, document.PushOK, document.PushDoubt, document.PushRefused} {
		rec := *full
		rec.Push = push
		list = append(list, &rec)
	}
	return list
}

// TestRecordRoundTrip: nothing of a record is lost on disk; a brief look leaves out
// its fields and nothing else, and tells documents from others all the same.
func TestRecordRoundTrip(t *testing.T) {
	for _, rec := range records(t) {
		rec.ID = "id"
		data := encodeRecord("id", rec)
		got, err := decodeRecord("id", data, false)
		if err != nil || !reflect.DeepEqual(got, rec) {
			t.Fatalf("got %+v, %v; want %+v", got, err, rec)
		}
		brief, err := decodeRecord("id", data, true)
		if err != nil || brief.IsDocument() != rec.IsDocument() || brief.Parked() != rec.Parked() {
			t.Errorf("brief: %+v, %v of %+v", brief, err, rec)
		}
		brief.Fields = rec.Fields
		if !reflect.DeepEqual(brief, rec) {
			t.Errorf("brief: got %+v, want %+v", brief, rec)
		}
	}
}

// TestRecordDamaged: a record that is cut, of another ID, or that differs in any
// byte from what was written, is told.
func TestRecordDamaged(t *testing.T) {
	for _, rec := range records(t) {
		data := encodeRecord("id", rec)
		for n := range data {
			if got, err := decodeRecord("id", data[:n], false); !errors.Is(err, ErrDamaged) {
				t.Fatalf("%d of %d bytes: %+v, %v", n, len(data), got, err)
			}
		}
	}
	data := encodeRecord("id", fullRecord(t))
	for n := range data {
		bad := bytes.Clone(data)
		bad[n] ^= 0x10
		if _, err := decodeRecord("id", bad, n%2 == 0); !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d: %v", n, err)
		}
	}
	if _, err := decodeRecord("ie", data, true); !errors.Is(err, ErrDamaged) {
		t.Errorf("under another ID: %v", err)
	}
}

// FuzzDecodeRecord: what is read from any bytes is read again from what is written
// of it.
func FuzzDecodeRecord(f *testing.F) {
	for _, rec := range records(f) {
		f.Add(encodeRecord("id", rec))
	}
	for _, body := range [][]byte{{0x80, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f}, {0, 0, 0x80, 0, 0}} { // the second: a list of nothing
		f.Add(append(binary.LittleEndian.AppendUint32(nil, checksum("id", body)), body...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := decodeRecord("id", data, true); err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("brief: %v", err)
		}
		rec, err := decodeRecord("id", data, false)
		if err != nil {
			return
		}
		again, err := decodeRecord("id", encodeRecord("id", rec), false)
		if err != nil || len(rec.Fields) != len(again.Fields) {
			t.Fatalf("again: %+v, %v; first %+v", again, err, rec)
		}
		rec.Fields, again.Fields = nil, nil
		if !reflect.DeepEqual(again, rec) {
			t.Errorf("again: %+v; first %+v", again, rec)
		}
	})
}

// TestRecordStaysSmall: what a document's record has to tell bad nights from good ones
// takes 40 bytes at most.
func TestRecordStaysSmall(t *testing.T) {
	rec := fullRecord(t)
	rec.Recent, rec.Led = make([]uint64, document.MaxRecent), 0
	for i := range rec.Recent {
		rec.Recent[i] = 1<<64 - 1
	}
	bare := *rec
	bare.Recent, bare.Ended = nil, false
	if more := len(encodeRecord("id", rec)) - len(encodeRecord("id", &bare)); more > 40 {
		t.Errorf("%d bytes more", more)
	}
}
