package diffstore

import (
	"encoding/binary"
	"hash/fnv"
	"io"
	"os"
)

// What bbolt writes (its internal/common): pages with a header, of elements that say
// where their key and value lie.
const (
	pageHeader  = 16 // id 8, flags 2, count 2, overflow 4
	pageElement = 16
	pageBranch  = 0x01
	pageLeaf    = 0x02
	pageFree    = 0x10
	leafBucket  = 0x01
	metaSize    = 64
	metaMagic   = 0xED0CDAED
	deepest     = 40 // levels; a tree of bbolt has four or five
)

// pageFile reads the pages of a ledger's file, whatever is in them: nothing that
// stands there is believed, and a page that is not sound is passed over. It is for
// one goroutine.
type pageFile struct {
	file io.ReaderAt
	size int64
	page int64 // bytes
	root uint64
	free uint64 // the page that lists the free ones
	seen map[uint64]bool
	bad  int // pages, of those that others name
}

// openPages finds the size of pages and the root of the last transaction; the root
// is 0 where neither of the two pages that name it is sound.
func openPages(file io.ReaderAt, size int64) *pageFile {
	f := &pageFile{file: file, size: size, page: int64(os.Getpagesize()), // as bbolt has it where no page says otherwise
		seen: map[uint64]bool{}}
	var last uint64
	for _, at := range []int64{0, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536} {
		b := make([]byte, pageHeader+metaSize)
		if _, err := file.ReadAt(b, at); err != nil {
			break
		}
		m := b[pageHeader:]
		page := int64(binary.LittleEndian.Uint32(m[8:]))
		sum := fnv.New64a()
		_, _ = sum.Write(m[:56])
		if binary.LittleEndian.Uint32(m) != metaMagic || binary.LittleEndian.Uint64(m[56:]) != sum.Sum64() || page < 512 || at != 0 && at != page {
			continue
		}
		if tx := binary.LittleEndian.Uint64(m[48:]); f.root == 0 || tx > last {
			f.page, f.root, f.free, last = page, binary.LittleEndian.Uint64(m[16:]), binary.LittleEndian.Uint64(m[32:]), tx
		}
	}
	return f
}

// read returns a page with what overflows it, each once; nil for what is none.
func (f *pageFile) read(id uint64) []byte {
	pages := uint64(f.size / f.page)
	if id < 2 || id >= pages || f.seen[id] {
		return nil
	}
	head := make([]byte, pageHeader)
	if _, err := f.file.ReadAt(head, int64(id)*f.page); err != nil || binary.LittleEndian.Uint64(head) != id {
		return nil
	}
	more := uint64(binary.LittleEndian.Uint32(head[12:]))
	if more >= pages-id {
		return nil
	}
	page := make([]byte, int64(more+1)*f.page)
	if _, err := f.file.ReadAt(page, int64(id)*f.page); err != nil {
		return nil
	}
	f.seen[id] = true
	return page
}

// hasPage reports whether there is any page that can be read.
func (f *pageFile) hasPage() bool {
	for id := uint64(2); id < uint64(f.size/f.page); id++ {
		if f.read(id) != nil {
			return true
		}
	}
	return false
}

// part returns the bytes of a page that an element names; false when they are not
// all in it.
func part(page []byte, at, size uint64) ([]byte, bool) {
	if at > uint64(len(page)) || size > uint64(len(page))-at {
		return nil, false
	}
	return page[at : at+size], true
}

// element returns the numbers of a page's n-th element: four of 32 bits, of which
// the last two are one of 64 in a branch. It returns nil where the page has none.
func element(page []byte, n int) []byte {
	e, ok := part(page, uint64(pageHeader+n*pageElement), pageElement)
	if !ok || n >= int(binary.LittleEndian.Uint16(page[10:])) {
		return nil
	}
	return e
}

// leaf visits the elements of a leaf page.
func (f *pageFile) leaf(page []byte, visit func(flags uint32, key, value []byte)) {
	for n := 0; ; n++ {
		e := element(page, n)
		if e == nil {
			return
		}
		keySize, valueSize := uint64(binary.LittleEndian.Uint32(e[8:])), uint64(binary.LittleEndian.Uint32(e[12:]))
		at := uint64(pageHeader+n*pageElement) + uint64(binary.LittleEndian.Uint32(e[4:]))
		both, ok := part(page, at, keySize+valueSize)
		if !ok {
			f.bad++
			continue
		}
		visit(binary.LittleEndian.Uint32(e), both[:keySize], both[keySize:])
	}
}

// tree visits the leaves' elements of the tree below a page, in order.
func (f *pageFile) tree(id uint64, depth int, visit func(flags uint32, key, value []byte)) {
	page := f.read(id)
	if page == nil || depth > deepest {
		f.bad++
		return
	}
	switch binary.LittleEndian.Uint16(page[8:]) {
	case pageLeaf:
		f.leaf(page, visit)
	case pageBranch:
		for n := 0; ; n++ {
			e := element(page, n)
			if e == nil {
				return
			}
			f.tree(binary.LittleEndian.Uint64(e[8:]), depth+1, visit)
		}
	default:
		f.bad++
	}
}

// buckets visits what the buckets hold, those that wanted says.
func (f *pageFile) buckets(wanted func(name string) bool, visit func(bucket, key string, value []byte)) {
	if f.root == 0 {
		f.bad++
		return
	}
	f.tree(f.root, 0, func(flags uint32, name, head []byte) {
		if flags&leafBucket == 0 || len(head) < 16 || !wanted(string(name)) {
			return
		}
		each := func(_ uint32, key, value []byte) { visit(string(name), string(key), value) }
		if root := binary.LittleEndian.Uint64(head); root != 0 {
			f.tree(root, 0, each)
		} else {
			f.inline(head, each)
		}
	})
}

// inline visits the elements of a small bucket, which lies in its parent's page
// behind a head that names no root.
func (f *pageFile) inline(head []byte, visit func(flags uint32, key, value []byte)) {
	if len(head) >= 16+pageHeader && binary.LittleEndian.Uint64(head) == 0 {
		f.leaf(head[16:], visit)
	}
}

// passFree counts the pages that are known to be free as seen.
func (f *pageFile) passFree() {
	page := f.read(f.free)
	if page == nil || binary.LittleEndian.Uint16(page[8:]) != pageFree {
		return
	}
	ids := page[pageHeader:]
	count := uint64(binary.LittleEndian.Uint16(page[10:]))
	if count == 0xFFFF { // more than fit: the first number is the count
		count, ids = binary.LittleEndian.Uint64(ids), ids[8:]
	}
	for ; count > 0 && len(ids) >= 8; count, ids = count-1, ids[8:] {
		f.seen[binary.LittleEndian.Uint64(ids)] = true
	}
}

// strays visits the elements of all leaf pages that nothing led to, but for those
// that are free: what a lost page named.
func (f *pageFile) strays(visit func(key string, value []byte)) {
	f.passFree()
	each := func(_ uint32, key, value []byte) { visit(string(key), value) }
	for id := uint64(2); id < uint64(f.size/f.page); id++ {
		if page := f.read(id); page != nil && binary.LittleEndian.Uint16(page[8:]) == pageLeaf {
			f.leaf(page, func(flags uint32, key, value []byte) {
				if each(flags, key, value); flags&leafBucket != 0 {
					f.inline(value, each)
				}
			})
		}
	}
}
