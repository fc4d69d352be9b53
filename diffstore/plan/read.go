package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
)

// ErrInvalid is returned for a file that is no whole plan.
var ErrInvalid = errors.New("the file is no whole plan")

// File is a plan file that was read to its end once and found whole.
type File struct {
	Header  document.PlanHeader
	Trailer document.PlanTrailer
	path    string
	bounds  [frames + 1]int64 // where the frames begin, and the last one ends
}

// Open reads the plan at path once from end to end. It errs with ErrInvalid when
// the file is cut, damaged, of another version, or no plan at all.
func Open(path string) (*File, error) {
	p := &File{path: path}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open plan: %w", err)
	}
	defer file.Close()
	if err := p.findFrames(file); err != nil {
		return nil, fmt.Errorf("read plan %s: %w", path, err)
	}
	var sums []string
	for frame := range frames {
		sum, err := p.verify(frame)
		if err != nil {
			return nil, fmt.Errorf("read plan %s: %w", path, err)
		}
		sums = append(sums, sum)
	}
	if p.Header.Version != Version {
		return nil, fmt.Errorf("read plan %s: %w: format version %d, this program knows %d", path, ErrInvalid, p.Header.Version, Version)
	}
	if !slices.Equal(sums, p.Trailer.Sums) {
		return nil, fmt.Errorf("read plan %s: %w: it is cut or damaged; plan again", path, ErrInvalid)
	}
	return p, nil
}

// Size returns the size of the plan's file in bytes.
func (p *File) Size() int64 { return p.bounds[frames] }

// verify reads one frame, takes the header and the trailer out of it, and returns
// the checksum of its other lines.
func (p *File) verify(frame int) (string, error) {
	sum := xxhash.New()
	first, ended := true, false
	for line, err := range p.lines(frame) {
		switch {
		case err != nil:
		case ended:
			err = fmt.Errorf("lines behind the trailer: %w", ErrInvalid)
		case frame == frameChanges && first:
			err = decodeLine(line, kindHeader, &p.Header)
		case frame == frameRest && isKind(line, kindTrailer):
			err = decodeLine(line, kindTrailer, &p.Trailer)
			ended = true
		}
		if err != nil {
			return "", err
		}
		if !ended {
			_, _ = sum.Write(line)
			_, _ = sum.Write([]byte{'\n'})
		}
		first = false
	}
	return fmt.Sprintf("%016x", sum.Sum64()), nil
}

// Heads yields the changes in order, without their wire bytes.
func (p *File) Heads() iter.Seq2[document.Change, error] {
	return func(yield func(document.Change, error) bool) {
		for c, err := range section[changeLine](p, frameChanges, kindChange) {
			if !yield(c.Change, err) {
				return
			}
		}
	}
}

// Changes yields the changes in order, each with its wire bytes.
func (p *File) Changes() iter.Seq2[document.Change, error] {
	return func(yield func(document.Change, error) bool) {
		next, stop := iter.Pull2(p.lines(frameDocs))
		defer stop()
		for c, err := range section[changeLine](p, frameChanges, kindChange) {
			if err == nil && c.HasDoc {
				doc, docErr, ok := next()
				if err = docErr; !ok {
					err = fmt.Errorf("read plan %s: the document of %s is missing: %w", p.path, c.ID, ErrInvalid)
				}
				c.Doc = slices.Clone(doc)
			}
			if !yield(c.Change, err) || err != nil {
				return
			}
		}
	}
}

// Observations yields the observations.
func (p *File) Observations() iter.Seq2[document.Observation, error] {
	return section[document.Observation](p, frameRest, kindObserve)
}

// Failures yields the pages that were not read.
func (p *File) Failures() iter.Seq2[document.Failure, error] {
	return section[document.Failure](p, frameRest, kindFailure)
}

// Moves yields the documents that go on under another ID.
func (p *File) Moves() iter.Seq2[document.Move, error] {
	return section[document.Move](p, frameRest, kindMove)
}

// Warnings yields the warnings.
func (p *File) Warnings() iter.Seq2[document.Warning, error] {
	return section[document.Warning](p, frameRest, kindWarning)
}

func section[T any](p *File, frame int, kind string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for line, err := range p.lines(frame) {
			var v T
			if err == nil && !isKind(line, kind) {
				continue
			}
			if err == nil {
				err = decodeLine(line, kind, &v)
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

func isKind(line []byte, kind string) bool {
	const lead = `{"kind":"`
	return len(line) > len(lead)+len(kind) && string(line[:len(lead)]) == lead &&
		string(line[len(lead):len(lead)+len(kind)]) == kind && line[len(lead)+len(kind)] == '"'
}

func decodeLine(line []byte, kind string, v any) error {
	if !isKind(line, kind) {
		return fmt.Errorf("a %s line is missing: %w", kind, ErrInvalid)
	}
	if err := json.Unmarshal(line, v); err != nil {
		return fmt.Errorf("decode %s line: %w: %w", kind, ErrInvalid, err)
	}
	return nil
}
