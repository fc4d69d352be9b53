package diffstore

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"sitesync/internal/document"
)

// ErrPlan is returned for a file that is no whole plan.
var ErrPlan = errors.New("the file is no whole plan")

// Plan is a plan file that was read to its end once and found whole.
type Plan struct {
	Header  document.PlanHeader
	Trailer document.PlanTrailer
	path    string
}

// OpenPlan reads the plan at path once from end to end. It errs with ErrPlan when
// the file is cut, damaged, of another version, or no plan at all.
func OpenPlan(path string) (*Plan, error) {
	p := &Plan{path: path}
	sum := xxhash.New()
	lines := 0
	for line, err := range p.lines() {
		if err != nil {
			return nil, err
		}
		switch {
		case lines == 0:
			err = decodeLine(line, kindHeader, &p.Header)
		case isKind(line, kindTrailer):
			err = decodeLine(line, kindTrailer, &p.Trailer)
		case p.Trailer.Sum != "":
			err = fmt.Errorf("lines behind the trailer: %w", ErrPlan)
		}
		if err != nil {
			return nil, fmt.Errorf("read plan %s: %w", path, err)
		}
		if p.Trailer.Sum == "" {
			_, _ = sum.Write(line)
		}
		lines++
	}
	if p.Header.Version != PlanVersion {
		return nil, fmt.Errorf("read plan %s: %w: format version %d, this program knows %d", path, ErrPlan, p.Header.Version, PlanVersion)
	}
	if p.Trailer.Sum != fmt.Sprintf("%016x", sum.Sum64()) {
		return nil, fmt.Errorf("read plan %s: %w: it is cut or damaged; plan again", path, ErrPlan)
	}
	return p, nil
}

// Changes yields the changes in order, each with its wire bytes.
func (p *Plan) Changes() iter.Seq2[document.Change, error] {
	return func(yield func(document.Change, error) bool) {
		var pending *document.Change
		for line, err := range p.lines() {
			switch {
			case err != nil:
				yield(document.Change{}, err)
				return
			case pending != nil:
				pending.Doc = bytes.Clone(line)
				if !yield(*pending, nil) {
					return
				}
				pending = nil
			case isKind(line, kindChange):
				var c changeLine
				if err := decodeLine(line, kindChange, &c); err != nil {
					yield(document.Change{}, err)
					return
				}
				if c.HasDoc {
					pending = &c.Change
				} else if !yield(c.Change, nil) {
					return
				}
			case !isKind(line, kindHeader):
				return
			}
		}
	}
}

// Observations yields the observations.
func (p *Plan) Observations() iter.Seq2[document.Observation, error] {
	return section[document.Observation](p, kindObserve)
}

// Failures yields the pages that were not read.
func (p *Plan) Failures() iter.Seq2[document.Failure, error] {
	return section[document.Failure](p, kindFailure)
}

// Moves yields the documents that go on under another ID.
func (p *Plan) Moves() iter.Seq2[document.Move, error] { return section[document.Move](p, kindMove) }

// Warnings yields the warnings.
func (p *Plan) Warnings() iter.Seq2[document.Warning, error] {
	return section[document.Warning](p, kindWarning)
}

func section[T any](p *Plan, kind string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for line, err := range p.lines() {
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

// lines yields the lines of the file, each valid until the next.
func (p *Plan) lines() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		file, err := os.Open(p.path)
		if err != nil {
			yield(nil, fmt.Errorf("open plan: %w", err))
			return
		}
		defer file.Close()
		zip, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
		if err != nil {
			yield(nil, fmt.Errorf("open plan: %w", err))
			return
		}
		defer zip.Close()
		in := bufio.NewReaderSize(zip, 1<<16)
		for {
			line, err := readLine(in)
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(nil, fmt.Errorf("read plan %s: %w: %v", p.path, ErrPlan, err))
				return
			}
			if !yield(line, nil) {
				return
			}
		}
	}
}

func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		long := bytes.Clone(line)
		rest, restErr := in.ReadBytes('\n')
		line, err = append(long, rest...), restErr
	}
	if err == io.EOF && len(line) > 0 {
		return nil, io.ErrUnexpectedEOF
	}
	return bytes.TrimSuffix(line, []byte("\n")), err
}

func isKind(line []byte, kind string) bool {
	const lead = `{"kind":"`
	return len(line) > len(lead)+len(kind) && string(line[:len(lead)]) == lead &&
		string(line[len(lead):len(lead)+len(kind)]) == kind && line[len(lead)+len(kind)] == '"'
}

func decodeLine(line []byte, kind string, v any) error {
	if !isKind(line, kind) {
		return fmt.Errorf("a %s line is missing: %w", kind, ErrPlan)
	}
	if err := json.Unmarshal(line, v); err != nil {
		return fmt.Errorf("decode %s line: %w: %v", kind, ErrPlan, err)
	}
	return nil
}
