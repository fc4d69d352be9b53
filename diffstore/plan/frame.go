package plan

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/klauspost/compress/zstd"
)

// findFrames reads, from the skippable frame at the end, where the frames begin.
func (p *File) findFrames(file *os.File) error {
	const size = 8 + 8*(frames-1)
	info, err := file.Stat()
	if err != nil {
		return err
	}
	end := info.Size() - size
	tail := make([]byte, size)
	if end < 0 {
		return ErrInvalid
	}
	if _, err := file.ReadAt(tail, end); err != nil {
		return err
	}
	if binary.LittleEndian.Uint32(tail) != skippableMagic || binary.LittleEndian.Uint32(tail[4:]) != size-8 {
		return ErrInvalid
	}
	for i := 1; i < frames; i++ {
		p.bounds[i] = int64(binary.LittleEndian.Uint64(tail[8*i:]))
		if p.bounds[i] <= p.bounds[i-1] || p.bounds[i] >= end {
			return ErrInvalid
		}
	}
	p.bounds[frames] = end
	return nil
}

// lines yields the lines of one frame, each valid until the next.
func (p *File) lines(frame int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		file, err := os.Open(p.path)
		if err != nil {
			yield(nil, fmt.Errorf("open plan: %w", err))
			return
		}
		defer file.Close()
		begin, end := p.bounds[frame], p.bounds[frame+1]
		zip, err := zstd.NewReader(io.NewSectionReader(file, begin, end-begin), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
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
				yield(nil, fmt.Errorf("read plan %s: %w: %w", p.path, ErrInvalid, err))
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
