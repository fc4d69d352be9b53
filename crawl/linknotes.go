package crawl

import (
	"cmp"
	"encoding/binary"
	"errors"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// foreseen marks URLs that a run asks whether or not a page leads to them.
const foreseen = spool.Known | spool.InSitemap | spool.Seeded

// linkNotes remembers, on disk, the links that tell more than their address: those
// to URLs that nothing but links leads to, whose first one is how they were found,
// and those to files, whose title may be a link's text. Which link counts must not
// depend on the order of the crawl, so it is told between two waves.
type linkNotes struct {
	log   *spool.Log
	group *spool.Group
	table *spool.Table // of the run: the value of a URL that is not foreseen is offset+1 of its referrer's note
	texts *spool.Table // fingerprint of a file → offset+1 of the note of its text
	next  int64        // offset where index goes on
}

func openLinkNotes(path string, table *spool.Table, group *spool.Group) (*linkNotes, error) {
	log, err := spool.OpenLog(path)
	if err != nil {
		return nil, err
	}
	group.Add(log, true)
	return &linkNotes{log: log, group: group, table: table, texts: spool.NewTable()}, nil
}

// add notes a link found in a wave when it has a text, or when no page of an earlier
// wave led to url, whose flags were before.
func (n *linkNotes) add(wave int, url string, before uint16, link document.Link) {
	if link.Text == "" && before&(foreseen|spool.Sighted) != 0 { // as are nearly all
		return
	}
	fp := spool.Fingerprint(url)
	if _, note := n.table.Get(fp); link.Text == "" && note != 0 {
		return
	}
	record := binary.BigEndian.AppendUint64(make([]byte, 0, 13+len(link.From)+len(link.Text)), fp)
	record = binary.BigEndian.AppendUint32(record, uint32(wave))
	record = append(record, link.From...)
	record = append(record, 0)
	n.log.Append(append(record, link.Text...))
}

type linkNote struct {
	fp   uint64
	wave int
	link document.Link
}

func parseLinkNote(record []byte) linkNote {
	from, text, _ := strings.Cut(string(record[12:]), "\x00")
	return linkNote{binary.BigEndian.Uint64(record), int(binary.BigEndian.Uint32(record[8:])), document.Link{From: from, Text: text}}
}

// before orders notes: the smallest depth, then the smallest referrer, then the
// smallest text wins.
func (n linkNote) before(o linkNote) bool {
	return cmp.Or(cmp.Compare(n.wave, o.wave), strings.Compare(n.link.From, o.link.From), strings.Compare(n.link.Text, o.link.Text)) < 0
}

// index finds the best links among those of the waves before one. What an
// interrupted run noted of later waves waits: they may not be whole.
func (n *linkNotes) index(wave int) {
	for at, record := range n.log.Since(n.next) {
		n.next = at
		note := parseLinkNote(record)
		if note.wave >= wave {
			return
		}
		if note.link.Text != "" {
			n.offer(n.texts, note, at)
		}
		if flags, _ := n.table.Get(note.fp); flags&foreseen == 0 {
			n.offer(n.table, note, at)
		}
	}
}

// offer makes a note the best one of its URL unless a better one is known.
func (n *linkNotes) offer(best *spool.Table, note linkNote, at int64) {
	if _, known := best.Get(note.fp); known != 0 && !note.before(n.read(known)) {
		return
	}
	best.SetValue(note.fp, uint64(at)+1)
}

// read returns the note at offset+1; zero for none.
func (n *linkNotes) read(at uint64) linkNote {
	if at == 0 {
		return linkNote{}
	}
	record, err := n.log.Read(int64(at) - 1)
	if err != nil {
		return linkNote{}
	}
	return parseLinkNote(record)
}

// text returns the best link with a text to a file.
func (n *linkNotes) text(fp uint64) document.Link {
	_, at := n.texts.Get(fp)
	return n.read(at).link
}

// referrer returns the page by which a URL was found, whose flags and value stand
// in the run's table; empty when it was foreseen.
func (n *linkNotes) referrer(flags uint16, value uint64) string {
	if flags&foreseen != 0 {
		return ""
	}
	return n.read(value).link.From
}

func (n *linkNotes) close() error { return errors.Join(n.group.Remove(n.log), n.log.Close()) }
