package search

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"golang.org/x/sync/errgroup"
)

// version is that of the layout; it changes with whatever makes an index of before
// find other than one that is built anew.
const version = "1"

// markFile is the file that says which version and making an index is of.
const markFile = "making"

// markKey is where the index holds the mark of the last Write.
const markKey = "sitesync-mark"

// Index is an open index. Close it after the last call.
type Index struct {
	bleve bleve.Index

	writing sync.Mutex
	readers []*reader // one for each goroutine of a Write

	asking sync.Mutex
	asker  *reader // of queries
}

// Create makes an empty index in a folder, in place of what is there. making is what
// Open is to know it by.
func Create(dir, making string) (*Index, error) {
	err := os.RemoveAll(dir)
	var made bleve.Index
	if err == nil {
		made, err = bleve.NewUsing(dir, bleve.NewIndexMapping(), scorch.Name, scorch.Name, settings())
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, markFile), []byte(version+" "+making), 0o600)
	}
	if err != nil {
		return nil, fmt.Errorf("create the search index %s: %w", dir, err)
	}
	return newIndex(made), nil
}

// Open opens the index in a folder. It errs when there is none of this version and
// making, when one of its files is damaged, and when the mark of the last Write that is
// in it is not one of those that sound names: it then fell back behind what was
// persisted, or is ahead of its owner.
func Open(dir, making string, sound func(mark uint64) bool) (_ *Index, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a cut file that is mapped
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("open the search index %s: %v", dir, p)
		}
	}()
	if err := checkFiles(dir, version+" "+making); err != nil {
		return nil, fmt.Errorf("open the search index %s: %w", dir, err)
	}
	opened, err := bleve.OpenUsing(dir, settings())
	if err != nil {
		return nil, fmt.Errorf("open the search index %s: %w", dir, err)
	}
	raw, err := opened.GetInternal([]byte(markKey))
	mark, _ := strconv.ParseUint(string(raw), 10, 64)
	if err == nil && !sound(mark) {
		err = fmt.Errorf("it holds what was written up to %d", mark)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the search index %s: %w", dir, err), opened.Close())
	}
	return newIndex(opened), nil
}

func newIndex(b bleve.Index) *Index {
	x := &Index{bleve: b, asker: newReader()}
	for range runtime.GOMAXPROCS(0) {
		x.readers = append(x.readers, newReader())
	}
	return x
}

// settings are those of the engine. Batches are not waited for to be on disk, since the
// owner is told by a call; they go there as they are, and many are merged at once, so that
// few documents are merged twice.
func settings() map[string]any {
	return map[string]any{
		"unsafe_batch":           true,
		"bolt_timeout":           "1s",
		"numSnapshotsToKeep":     1,
		"scorchPersisterOptions": map[string]any{"MemoryPressurePauseThreshold": 0},
		"scorchMergePlanOptions": map[string]any{
			"MaxSegmentsPerTier": 30, "SegmentsPerMergeTask": 30, "TierGrowth": 30.0, "FloorSegmentSize": 1500,
			"MaxSegmentSize": 5_000_000, "MaxSegmentFileSize": 4_000_000_000, "ReclaimDeletesWeight": 2.0,
		},
	}
}

// Close closes the index. What was not persisted is lost.
func (x *Index) Close() error {
	if err := x.bleve.Close(); err != nil {
		return fmt.Errorf("close the search index: %w", err)
	}
	return nil
}

// Write puts documents in, in place of those with their keys, and takes others out.
// mark numbers this Write, higher than those before. They are found when it returns;
// persisted is called once they are on disk, from another goroutine, and never when the
// index is closed before. It errs with ctx's error when ctx ends it; some of them may be
// found then.
func (x *Index) Write(ctx context.Context, puts []Document, deletes []Key, mark uint64, persisted func()) error {
	x.writing.Lock()
	defer x.writing.Unlock()
	var left atomic.Int64
	left.Store(int64(len(x.readers)))
	var group errgroup.Group
	for n, r := range x.readers {
		group.Go(func() error {
			batch := x.bleve.NewBatch()
			batch.SetInternal([]byte(markKey), strconv.AppendUint(nil, mark, 10))
			batch.SetPersistedCallback(func(err error) {
				if err == nil && left.Add(-1) == 0 {
					persisted()
				}
			})
			return x.writePart(ctx, batch, r, every(puts, n, len(x.readers)), every(deletes, n, len(x.readers)))
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("write %d documents to the search index: %w", len(puts), err)
	}
	return nil
}

func (x *Index) writePart(ctx context.Context, batch *bleve.Batch, r *reader, puts iter.Seq[Document], deletes iter.Seq[Key]) error {
	for doc := range puts {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := batch.IndexAdvanced(r.entry(doc)); err != nil {
			return err
		}
	}
	for key := range deletes {
		batch.Delete(key.id())
	}
	return x.bleve.Batch(batch)
}

// every returns each n-th of all from the first on.
func every[T any](all []T, first, n int) iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := first; i < len(all) && yield(all[i]); i += n {
		}
	}
}
