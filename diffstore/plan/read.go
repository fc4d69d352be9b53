package plan

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"syscall"

	"github.com/klauspost/compress/zstd"

	"sitesync/internal/document"
)

// ErrInvalid means that a file is no complete plan (the changes that a run would send).
var ErrInvalid = errors.New("the file is not a complete plan")

// File is a plan file that Open has read to its end without errors.
type File struct {
	Header  document.PlanHeader
	Trailer document.PlanTrailer
	Path    string
}

// Open reads the whole plan at path. It errs with ErrInvalid unless the plan is complete and its version
// known.
func Open(path string) (*File, error) {
	p := &File{Path: path}
	info, err := os.Stat(path)
	if fault, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, fmt.Errorf("%s can't be opened: %w; sitesync plan -o FILE writes a plan", path, fault.Err)
	}
	if !info.Mode().IsRegular() { // opening a named pipe would block
		return nil, fmt.Errorf("read plan %s: %w: it is no ordinary file", path, ErrInvalid)
	}
	if err := p.verify(); err != nil {
		return nil, unread(path, err)
	}
	return p, nil
}

func unread(path string, err error) error {
	if fault, ok := errors.AsType[syscall.Errno](err); ok {
		return fmt.Errorf("read plan %s: the disk does not give it: %w", path, fault)
	}
	return fmt.Errorf("read plan %s: %w: %w", path, ErrInvalid, err)
}

// Limits on plans of unknown origin. Decoded JSON can take hundreds of times its size in memory.
const (
	maxLine    = 32 << 20  // longest line in bytes, three times the longest document
	maxValues  = 1_000_000 // largest number of commas in a line
	maxObjects = 50_000    // largest number of opening braces in a line
	maxWindow  = 32 << 20  // largest Zstandard window, in bytes
)

// verify reads the whole ZIP archive, to check its checksums, and decodes the file with header and trailer.
func (p *File) verify() error {
	all, err := openZip(p.Path)
	if err != nil {
		return err
	}
	defer func() { _ = all.Close() }()
	var raw []byte
	last := ""
	for _, member := range all.File {
		if order(member.Name) <= order(last) {
			return fmt.Errorf("it has a part %q", member.Name)
		}
		last = member.Name
		in, err := member.Open()
		if err == nil && last == memberEnds {
			raw, err = io.ReadAll(io.LimitReader(in, maxLine))
		} else if err == nil {
			_, err = io.Copy(io.Discard, in)
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", last, err)
		}
	}
	var e ends
	if err := decode(raw, memberEnds, &e); err != nil {
		return err
	}
	if e.Header.Version != Version {
		return fmt.Errorf("format version %d, this program knows %d; plan again", e.Header.Version, Version)
	}
	p.Header, p.Trailer = e.Header, e.Trailer
	return nil
}

func openZip(path string) (*zip.ReadCloser, error) {
	all, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("%w; plan again", err)
	}
	options := []zstd.DOption{
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow),
	}
	all.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(options...))
	return all, nil
}

func (p *File) lines(member string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		err := eachLine(p.Path, member, func(line []byte) bool { return yield(line, nil) })
		if err != nil {
			yield(nil, unread(p.Path, err))
		}
	}
}

func eachLine(path, member string, visit func([]byte) bool) error {
	all, err := openZip(path)
	if err != nil {
		return err
	}
	defer func() { _ = all.Close() }()
	zipped, err := all.Open(member)
	if errors.Is(err, fs.ErrNotExist) { // the plan has no entries of this kind
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = zipped.Close() }()
	var line []byte
	for in := bufio.NewReaderSize(zipped, 1<<16); ; {
		line, err = readLine(in, line[:0])
		switch {
		case err == io.EOF && len(line) > 0:
			return io.ErrUnexpectedEOF
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case !visit(line[:len(line)-1]):
			return nil
		}
	}
}

func readLine(in *bufio.Reader, line []byte) ([]byte, error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return line, fmt.Errorf("it has a line over %s", document.FormatBytes(maxLine))
		case err != bufio.ErrBufferFull:
			return line, err
		}
	}
}

// Heads yields the changes in order, without their documents (Doc).
func (p *File) Heads() iter.Seq2[document.Change, error] { return p.changes(false) }

// Changes yields the changes in order, with their documents (Doc).
func (p *File) Changes() iter.Seq2[document.Change, error] { return p.changes(true) }

func (p *File) changes(withDocs bool) iter.Seq2[document.Change, error] {
	return func(yield func(document.Change, error) bool) {
		var c changeLine
		for line, err := range p.lines(memberChanges) {
			switch {
			case err != nil, c.HasDoc && !withDocs:
			case c.HasDoc:
				c.Doc = bytes.Clone(line)
			default:
				err = decode(line, memberChanges, &c)
				if err == nil && c.HasDoc {
					continue
				}
			}
			if !yield(c.Change, err) || err != nil {
				return
			}
			c = changeLine{}
		}
		if c.HasDoc {
			yield(c.Change, fmt.Errorf("read plan %s: the document of %s is missing: %w", p.Path, c.ID, ErrInvalid))
		}
	}
}

// Find returns the planned change of the document id.
func (p *File) Find(id string) (c document.Change, found bool, err error) {
	for c, err := range p.Changes() {
		if err != nil || c.ID == id {
			return c, err == nil, err
		}
	}
	return c, false, nil
}

func decode(line []byte, member string, v any) error {
	err := errors.New("it holds too many values")
	if bytes.Count(line, []byte(",")) <= maxValues && bytes.Count(line, []byte("{")) <= maxObjects {
		err = json.Unmarshal(line, v)
	}
	if err != nil {
		return fmt.Errorf("decode a line of %s: %w: %w", member, ErrInvalid, err)
	}
	return nil
}

// Pages yields the facts about each page that are shown to the site's owner, in the order of URLs.
func (p *File) Pages() iter.Seq2[document.SitePage, error] {
	return values[document.SitePage](p, memberPages)
}

// Observations yields the records to store when the plan is applied, without a call of the service.
func (p *File) Observations() iter.Seq2[document.Observation, error] {
	return values[document.Observation](p, memberObservations)
}

// Failures yields the pages that could not be read.
func (p *File) Failures() iter.Seq2[document.Failure, error] {
	return values[document.Failure](p, memberFailures)
}

// Moves yields the documents that get another ID.
func (p *File) Moves() iter.Seq2[document.Move, error] { return values[document.Move](p, memberMoves) }

func (p *File) Warnings() iter.Seq2[document.Warning, error] {
	return values[document.Warning](p, memberWarnings)
}

func values[T any](p *File, member string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for line, err := range p.lines(member) {
			var v T
			if err == nil {
				err = decode(line, member, &v)
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}
