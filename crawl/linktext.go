package crawl

import (
	"cmp"
	"encoding/binary"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// linkTexts remembers, on disk, the links that lead to files: a file's title may
// be the text of its link, and which link that is must not depend on the order of
// the crawl.
type linkTexts struct {
	log   *spool.Log
	group *spool.Group
	best  *spool.Table // fingerprint of a file → offset+1 of its best link
}

func openLinkTexts(path string, group *spool.Group) (*linkTexts, error) {
	log, err := spool.OpenLog(path)
	if err != nil {
		return nil, err
	}
	group.Add(log, true)
	return &linkTexts{log: log, group: group, best: spool.NewTable()}, nil
}

// add notes a link from a page in a wave to a file.
func (t *linkTexts) add(url string, wave int, from, text string) {
	record := binary.BigEndian.AppendUint64(nil, spool.Fingerprint(url))
	record = binary.BigEndian.AppendUint32(record, uint32(wave))
	record = append(record, from...)
	record = append(record, 0)
	t.log.Append(append(record, text...))
}

type linkNote struct {
	fp   uint64
	wave uint32
	link document.Link
}

func parseLinkNote(record []byte) linkNote {
	from, text, _ := strings.Cut(string(record[12:]), "\x00")
	return linkNote{binary.BigEndian.Uint64(record), binary.BigEndian.Uint32(record[8:]), document.Link{From: from, Text: text}}
}

// before orders notes: the smallest depth, then the smallest referrer, then the
// smallest text wins.
func (n linkNote) before(o linkNote) bool {
	return cmp.Or(cmp.Compare(n.wave, o.wave), strings.Compare(n.link.From, o.link.From), strings.Compare(n.link.Text, o.link.Text)) < 0
}

// index finds the best link of each file.
func (t *linkTexts) index() error {
	if err := t.group.Flush(); err != nil {
		return err
	}
	for at, record := range t.log.All() {
		note := parseLinkNote(record)
		if note.link.Text == "" {
			continue
		}
		if best, found := t.note(note.fp); found && !note.before(best) {
			continue
		}
		t.best.SetValue(note.fp, uint64(at)+1)
	}
	return nil
}

func (t *linkTexts) note(fp uint64) (linkNote, bool) {
	_, at := t.best.Get(fp)
	if at == 0 {
		return linkNote{}, false
	}
	record, err := t.log.Read(int64(at) - 1)
	if err != nil {
		return linkNote{}, false
	}
	return parseLinkNote(record), true
}

// of returns the best link to a file; zero before index.
func (t *linkTexts) of(fp uint64) document.Link {
	note, _ := t.note(fp)
	return note.link
}

func (t *linkTexts) close() error {
	err := t.group.Remove(t.log)
	if closeErr := t.log.Close(); err == nil {
		err = closeErr
	}
	return err
}
