package diffstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
)

// What bbolt's file is made of: pages of one size, each with a head and elements, which may go
// on in the pages behind it. The first two hold a fileHead, of which the later one counts that
// is whole.
type (
	pageHead struct {
		Number      uint64
		Kind, Count uint16
		More        uint32 // pages behind it
	}
	branchElement struct {
		At, Key uint32
		Page    uint64
	}
	leafElement struct{ Kind, At, Key, Value uint32 } // At is from its beginning on; Key and Value are sizes
	bucketHead  struct{ Root, Sequence uint64 }
	fileHead    struct {
		Magic, Version, PageSize, Flags    uint32
		Root, Sequence, Free, Pages, Write uint64
	}
)

const (
	boltMagic   = 0xED0CDAED
	elementSize = 16 // of pageHead, bucketHead and the elements
	branchPage  = 1
	leafPage    = 2
	maxPage     = 64 << 20 // bytes, with those behind it
)

func decodeTo(v any, raw []byte) bool {
	_, err := binary.Decode(raw, binary.LittleEndian, v)
	return err == nil
}

// tree reads a ledger's file without bbolt, which a damaged page can make end the process, or
// go round in a circle. A page that is not what leads to it says costs what stands in and below
// it, and no more.
type tree struct {
	file     *os.File
	end      int64 // of the file
	pageSize int64
	met      map[uint64]bool
	lost     int // pages that could not be read, or not in full
	buckets  map[string][]byte
	magic    bool // a head says that bbolt wrote it
}

func openTree(path string) (*tree, error) {
	file, err := os.Open(path) //nolint:gosec // a file of our own
	if err != nil {
		return nil, fmt.Errorf("read ledger: %w", err)
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read ledger: %w", err), file.Close())
	}
	t := &tree{file: file, end: info.Size(), met: map[uint64]bool{}, buckets: map[string][]byte{}}
	return t, t.walk(t.root(), func(key string, value []byte) error {
		t.buckets[key] = value
		return nil
	})
}

// bucket visits what is stored in a bucket, if there is such a bucket.
func (t *tree) bucket(name string, visit func(key string, value []byte) error) error {
	var head bucketHead
	if !decodeTo(&head, t.buckets[name]) { // an older ledger lacks some
		return nil
	}
	if head.Root == 0 { // a small one stands in place of its address
		return t.elements(t.buckets[name][elementSize:], visit)
	}
	return t.walk(head.Root, visit)
}

// isBolt reports whether bbolt wrote the file: a head says so, or a page holds its own number.
func (t *tree) isBolt() bool {
	raw := make([]byte, 8)
	for n := uint64(2); !t.magic; n++ {
		if _, err := t.file.ReadAt(raw, int64(n)*int64(os.Getpagesize())); err != nil {
			return false
		}
		t.magic = binary.LittleEndian.Uint64(raw) == n
	}
	return true
}

// root returns the page where the tree begins; where no head is whole, one that is not there.
func (t *tree) root() (page uint64) {
	const size = 56 // of a fileHead; its checksum stands behind it
	latest, raw := uint64(0), make([]byte, elementSize+size+8)
	for at := int64(0); at <= 64<<10; at = max(512, 2*at) {
		if _, err := t.file.ReadAt(raw, at); err != nil {
			break
		}
		var head fileHead
		if !decodeTo(&head, raw[elementSize:]) || head.Magic != boltMagic {
			continue
		}
		t.magic = true
		sum := fnv.New64a()
		_, _ = sum.Write(raw[elementSize:][:size])
		if sum.Sum64() == binary.LittleEndian.Uint64(raw[elementSize+size:]) && head.PageSize >= elementSize && head.PageSize <= maxPage && head.Write >= latest {
			latest, page, t.pageSize = head.Write, head.Root, int64(head.PageSize)
		}
	}
	return page
}

// walk visits what is stored in a page and below it, in the order of keys.
func (t *tree) walk(page uint64, visit func(key string, value []byte) error) error {
	var raw []byte
	if t.pageSize > 0 && page <= uint64(t.end/t.pageSize) && !t.met[page] {
		at, head := int64(page)*t.pageSize, pageHead{}
		raw = make([]byte, elementSize)
		_, err := t.file.ReadAt(raw, at)
		if err == nil && decodeTo(&head, raw) && head.Number == page {
			raw = make([]byte, min(t.pageSize*(1+int64(head.More)), t.end-at, maxPage))
			_, err = t.file.ReadAt(raw, at)
		}
		if err != nil || head.Number != page {
			raw = nil
		}
	}
	t.met[page] = true
	return t.elements(raw, visit)
}

// elements visits those of one page.
func (t *tree) elements(raw []byte, visit func(key string, value []byte) error) error {
	var head pageHead
	var below []uint64
	whole := decodeTo(&head, raw) && (head.Kind == branchPage || head.Kind == leafPage)
	for n := 1; n <= int(head.Count); n++ {
		element := raw[min(n*elementSize, len(raw)):]
		var branch branchElement
		var leaf leafElement
		switch {
		case head.Kind == branchPage && decodeTo(&branch, element):
			below = append(below, branch.Page)
		case head.Kind == leafPage && decodeTo(&leaf, element) && int(leaf.At)+int(leaf.Key)+int(leaf.Value) <= len(element):
			key, value := element[leaf.At:][:leaf.Key], element[leaf.At+leaf.Key:][:leaf.Value]
			if err := visit(string(key), value); err != nil {
				return err
			}
		default:
			whole = false
		}
	}
	if !whole {
		t.lost++
	}
	for _, page := range below {
		if err := t.walk(page, visit); err != nil {
			return err
		}
	}
	return nil
}
