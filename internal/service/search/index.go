package search

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	"golang.org/x/sync/errgroup"

	"sitesync/internal/own"
	"sitesync/internal/service/search/words"
)

const (
	// version is that of the layout; it changes with whatever makes an index of before
	// find other than one that is built anew.
	version     = "7"
	versionFile = "version"        // holds it
	markKey     = "sitesync-mark"  // where the index holds the mark of the last Write that had one
	alone       = 500              // documents that one processor indexes: fewer, larger parts are merged less
	saving      = 10 * time.Second // that Close waits for the last documents to be on disk
)

// Index is an open index. Close it after the last call.
type Index struct {
	engine engine

	writing sync.Mutex
	readers []*words.Reader // one for each goroutine of a Write
	unsaved sync.WaitGroup  // batches that are not on disk yet

	asking sync.Mutex
	asker  *words.Reader // of queries

	phrases int        // documents in which one is looked for, the best first
	viewing sync.Mutex // of latest
	latest  *view
}

// Create makes an empty index in a folder, in place of the one that is there. It errs where
// the folder holds anything else.
func Create(dir string) (*Index, error) {
	err := own.Search.Claim(dir)
	if err == nil {
		err = own.Search.Clear(dir)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, versionFile), []byte(version), 0o600)
	}
	var made engine
	if err == nil {
		made, err = start(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("create the search index %s: %w", dir, err)
	}
	return newIndex(made), nil
}

// Open opens the index in a folder. It errs when there is none of this version, when one
// of its files is damaged, and when the last Write on disk had another mark: it holds other
// documents than its owner.
func Open(dir, mark string) (_ *Index, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a cut file that is mapped
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("open the search index %s: %v", dir, p)
		}
	}()
	if err := checkFiles(dir); err != nil {
		return nil, fmt.Errorf("open the search index %s: %w", dir, err)
	}
	opened, err := start(dir)
	if err != nil {
		return nil, fmt.Errorf("open the search index %s: %w", dir, err)
	}
	have, err := opened.mark()
	if err == nil && (mark == "" || string(have) != mark) {
		err = errors.New("it does not have the mark of its owner")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the search index %s: %w", dir, err), opened.Close())
	}
	return newIndex(opened), nil
}

// engine is bleve's index of terms. Its fields, queries and mappings are not used: they
// weigh 28 packages.
type engine struct {
	index.Index
	queue *index.AnalysisQueue
}

// start opens the files of the engine in a folder, or makes them.
func start(dir string) (engine, error) {
	set := settings()
	set["path"] = filepath.Join(dir, "store")
	queue := index.NewAnalysisQueue(4)
	terms, err := scorch.NewScorch(scorch.Name, set, queue)
	if err == nil {
		err = terms.Open()
	}
	if err != nil {
		queue.Close()
	}
	return engine{terms, queue}, err
}

// Close ends what works in the background.
func (e engine) Close() error {
	defer e.queue.Close()
	return e.Index.Close()
}

// mark returns that of the last Write on disk.
func (e engine) mark() ([]byte, error) {
	reader, err := e.Reader()
	if err != nil {
		return nil, err
	}
	have, err := reader.GetInternal([]byte(markKey))
	return have, errors.Join(err, reader.Close())
}

func newIndex(e engine) *Index {
	x := &Index{engine: e, asker: words.NewReader(), phrases: 10_000}
	for range runtime.GOMAXPROCS(0) {
		x.readers = append(x.readers, words.NewReader())
	}
	return x
}

// terms returns what a word of a query is found by.
func (x *Index) terms(language, word string) (terms []string, stop bool) {
	x.asking.Lock()
	defer x.asking.Unlock()
	return x.asker.Terms(language, word)
}

// settings are those of the engine. A Write does not wait for the disk, as the owner's mark
// tells what got there. Batches go there as they are, and many are merged at once, so that
// few documents are merged twice: the usual one of 100 is no smaller than the floor.
func settings() map[string]any {
	return map[string]any{
		"unsafe_batch":           true,
		"bolt_timeout":           "1s",
		"numSnapshotsToKeep":     1,
		"scorchPersisterOptions": map[string]any{"MemoryPressurePauseThreshold": 0},
		"scorchMergePlanOptions": map[string]any{
			"MaxSegmentsPerTier": 30, "SegmentsPerMergeTask": 30, "TierGrowth": 30.0, "FloorSegmentSize": 100,
			"MaxSegmentSize": 5_000_000, "MaxSegmentFileSize": 4_000_000_000, "ReclaimDeletesWeight": 2.0,
		},
	}
}

// Close closes the index once it is on disk. What does not get there in time, on a full
// disk say, is lost, and Open then misses its mark.
func (x *Index) Close() error {
	saved := make(chan struct{})
	go func() {
		x.unsaved.Wait()
		close(saved)
	}()
	select {
	case <-saved:
	case <-time.After(saving):
	}
	x.viewing.Lock() // no view is made from here on
	defer x.viewing.Unlock()
	x.forget()
	if err := x.engine.Close(); err != nil {
		return fmt.Errorf("close the search index: %w", err)
	}
	return nil
}

// Write puts documents in, in place of those with their keys, and takes others out. They
// are found when it returns. mark is what Open is to know the index by from now on; with
// "" none will do. It errs with ctx's error when ctx ends it; some of the documents may be
// found then.
func (x *Index) Write(ctx context.Context, puts []Document, deletes []Key, mark string) error {
	x.writing.Lock()
	defer x.writing.Unlock()
	last := index.NewBatch()
	err := x.add(ctx, last, puts)
	if err == nil { // the mark comes last: what is on disk with it is whole
		for _, key := range deletes {
			last.Delete(key.id())
		}
		last.SetInternal([]byte(markKey), []byte(mark))
		err = x.apply(last)
	}
	if err != nil {
		return fmt.Errorf("write %d documents to the search index: %w", len(puts), err)
	}
	return nil
}

// add adds documents to a batch; many are applied at once instead, a part of them by each
// processor.
func (x *Index) add(ctx context.Context, last *index.Batch, puts []Document) error {
	parts := 1
	if len(puts) > alone {
		parts = len(x.readers)
	}
	var group errgroup.Group
	for n := range parts {
		group.Go(func() error {
			batch := last
			if parts > 1 {
				batch = index.NewBatch()
			}
			for i := n; i < len(puts); i += parts {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				batch.Update(entry(x.readers[n], puts[i]))
			}
			if parts > 1 {
				return x.apply(batch)
			}
			return nil
		})
	}
	return group.Wait()
}

// apply applies a batch, which is unsaved until the engine says otherwise.
func (x *Index) apply(batch *index.Batch) error {
	x.unsaved.Add(1)
	saved := sync.OnceFunc(x.unsaved.Done)
	batch.SetPersistedCallback(func(error) { saved() })
	err := x.engine.Batch(batch)
	if err != nil {
		saved()
	}
	return err
}

// checkFiles errs unless the index in a folder is of this version and each segment has
// the checksum at its end: the engine trusts its files, and maps them into memory.
func checkFiles(dir string) error {
	have, err := os.ReadFile(filepath.Join(dir, versionFile)) //nolint:gosec // a file of our own
	if err != nil {
		return err
	}
	if string(have) != version {
		return fmt.Errorf("its version is %q, not %q", have, version)
	}
	segments, err := filepath.Glob(filepath.Join(dir, "store", "*.zap"))
	if err != nil {
		return err
	}
	for _, path := range segments {
		if err := checkSegment(path); err != nil {
			return fmt.Errorf("segment %s: %w", filepath.Base(path), err)
		}
	}
	return nil
}

func checkSegment(path string) error {
	file, err := os.Open(path) //nolint:gosec // a file of our own
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	sum, want := crc32.NewIEEE(), make([]byte, 4)
	if _, err := io.CopyN(sum, file, max(0, info.Size()-4)); err != nil {
		return err
	}
	if _, err := io.ReadFull(file, want); err != nil {
		return err
	}
	if binary.BigEndian.Uint32(want) != sum.Sum32() {
		return errors.New("its checksum is wrong")
	}
	return nil
}
