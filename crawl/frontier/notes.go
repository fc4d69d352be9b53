package frontier

import (
	"cmp"
	"encoding/binary"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// foreseen holds the flags of URLs that a run requests even if no page links to them.
const foreseen = spool.Known | spool.InSitemap | spool.Seeded

// Notes stores links on disk, one note for each link that Add keeps. The best note
// of a URL is the one from the earliest wave (see offer); it says which page led to the URL.
// The best note with a link text gives a possible title of a file. Index selects the best notes only after a
// whole wave (a round of requests), so the order of requests within a wave has no effect.
type Notes struct {
	log     *spool.Log
	group   *spool.Group
	table   *spool.Table // offset plus 1 of the best note (see offer) for each URL without a foreseen flag
	texts   *spool.Table // offset plus 1 of the best note with a link text, for each file
	toIndex int64
}

// OpenNotes opens the notes at path that an interrupted run left, or creates the file.
func OpenNotes(path string, table *spool.Table, group *spool.Group) (*Notes, error) {
	log, err := spool.OpenLog(path)
	if err != nil {
		return nil, err
	}
	group.Add(log, true)
	return &Notes{log: log, group: group, table: table, texts: spool.NewTable()}, nil
}

// Add records a link to url on a page of the given wave. before holds the flags that url had before the link
// was found. A link with a text is always recorded. A link without a text is recorded only if it may be the
// first link that led to url.
func (n *Notes) Add(wave int, url string, before uint16, link document.Link) {
	if link.Text == "" && before&(foreseen|spool.Sighted) != 0 {
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
	return note{
		fp: binary.BigEndian.Uint64(record), wave: int(binary.BigEndian.Uint32(record[8:])),
		link: document.Link{From: from, Text: text},
	}
}

// Index selects the best notes of each URL among the notes from waves before the given wave. It stops at the
// first note from a later wave: after an interruption, the notes from such a wave may be incomplete.
func (n *Notes) Index(wave int) {
	for at, record := range n.log.Since(n.toIndex) {
		n.toIndex = at
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

// offer stores the offset of a note in best, unless best has a better note for the URL. The better note has
// the smaller wave. If the waves are equal, the URL of the page with the link decides, then the link text.
func (n *Notes) offer(best *spool.Table, link note, at int64) {
	_, known := best.Get(link.fp)
	was := n.noteAt(known)
	order := cmp.Or(
		cmp.Compare(link.wave, was.wave),
		strings.Compare(link.link.From, was.link.From),
		strings.Compare(link.link.Text, was.link.Text),
	)
	if known == 0 || order < 0 {
		best.SetValue(link.fp, uint64(at)+1)
	}
}

func (n *Notes) noteAt(at uint64) note {
	if at == 0 {
		return note{}
	}
	record, err := n.log.Read(int64(at) - 1)
	if err != nil {
		n.log.Keep(err) // the next Group.Flush returns the error, which ends the run
		return note{}
	}
	return parseNote(record)
}

// Text returns the best link to the file whose URL has the fingerprint fp, among the links that have a text.
// It returns the zero value if no link has a text.
func (n *Notes) Text(fp uint64) document.Link {
	_, at := n.texts.Get(fp)
	return n.noteAt(at).link
}

// Referrer returns the URL of the page whose link led to a target URL. flags and value are the target URL's
// entry in n.table. The result is "" if the run requests the target URL even without a link.
func (n *Notes) Referrer(flags uint16, value uint64) string {
	if flags&foreseen != 0 {
		return ""
	}
	return n.noteAt(value).link.From
}

// Close writes pending notes and closes the file. A resumed run can open the file again.
func (n *Notes) Close() error { return cmp.Or(n.group.Remove(n.log), n.log.Close()) }
