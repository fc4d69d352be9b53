package frontier

import (
	"cmp"
	"encoding/binary"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// foreseen marks URLs that a run asks whether or not a page leads to them.
const foreseen = spool.Known | spool.InSitemap | spool.Seeded

// Notes remembers, on disk, the links that tell more than their address: those
// to URLs that nothing but links leads to, whose first one is how they were found,
// and those to files, whose title may be a link's text. Which link counts must not
// depend on the order of the crawl, so it is decided between two waves.
type Notes struct {
	log   *spool.Log
	group *spool.Group
	table *spool.Table // of the run: the value of a URL that is not foreseen is offset+1 of its referrer's note
	texts *spool.Table // fingerprint of a file → offset+1 of the note of its text
	next  int64        // offset where index goes on
}

// OpenNotes opens the notes, and those that an interrupted run left.
func OpenNotes(path string, table *spool.Table, group *spool.Group) (*Notes, error) {
	log, err := spool.OpenLog(path)
	if err != nil {
		return nil, err
	}
	group.Add(log, true)
	return &Notes{log: log, group: group, table: table, texts: spool.NewTable()}, nil
}

// Add notes a link found in a wave when it has a text, or when no page of an earlier
// wave led to url, whose flags were before.
func (n *Notes) Add(wave int, url string, before uint16, link document.Link) {
	if link.Text == "" && before&(foreseen|spool.Sighted) != 0 { // nearly all are
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

type note struct {
	fp   uint64
	wave int
	link document.Link
}

func parseNote(record []byte) note {
	from, text, _ := strings.Cut(string(record[12:]), "\x00")
	return note{binary.BigEndian.Uint64(record), int(binary.BigEndian.Uint32(record[8:])), document.Link{From: from, Text: text}}
}

// Index finds the best links among those of the waves before one. What an
// interrupted run noted of later waves waits: they may not be whole.
func (n *Notes) Index(wave int) {
	for at, record := range n.log.Since(n.next) {
		n.next = at
		link := parseNote(record)
		if link.wave >= wave {
			return
		}
		if link.link.Text != "" {
			n.offer(n.texts, link, at)
		}
		if flags, _ := n.table.Get(link.fp); flags&foreseen == 0 {
			n.offer(n.table, link, at)
		}
	}
}

// offer makes a note the best one of its URL unless a better one is known: the smallest
// depth, then the smallest referrer, then the smallest text wins.
func (n *Notes) offer(best *spool.Table, link note, at int64) {
	_, known := best.Get(link.fp)
	was := n.read(known)
	if known == 0 || cmp.Or(cmp.Compare(link.wave, was.wave), strings.Compare(link.link.From, was.link.From), strings.Compare(link.link.Text, was.link.Text)) < 0 {
		best.SetValue(link.fp, uint64(at)+1)
	}
}

// read returns the note at offset+1; zero for none.
func (n *Notes) read(at uint64) note {
	if at == 0 {
		return note{}
	}
	record, err := n.log.Read(int64(at) - 1)
	if err != nil {
		n.log.Keep(err) // it ends the run
		return note{}
	}
	return parseNote(record)
}

// Text returns the best link with a text to a file.
func (n *Notes) Text(fp uint64) document.Link {
	_, at := n.texts.Get(fp)
	return n.read(at).link
}

// Referrer returns the page by which a URL was found, whose flags and value stand
// in the run's table; empty when it was foreseen.
func (n *Notes) Referrer(flags uint16, value uint64) string {
	if flags&foreseen != 0 {
		return ""
	}
	return n.read(value).link.From
}

// Close closes the file, which stays for a resumed run.
func (n *Notes) Close() error { return cmp.Or(n.group.Remove(n.log), n.log.Close()) }
