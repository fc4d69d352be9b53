package testsite

import (
	"math/bits"
	"strings"
)

// draw is a small random sequence, the same for the same seeds in every
// version of Go (splitmix64).
type draw struct{ state uint64 }

func newDraw(n int, version uint32) draw {
	d := draw{uint64(n)<<32 | uint64(version)}
	return draw{d.next()} // neighbouring seeds would give the same sequence, shifted
}

func (d *draw) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n - 1.
func (d *draw) below(n int) int {
	high, _ := bits.Mul64(d.next(), uint64(n))
	return int(high)
}

func (d *draw) word() string { return vocabulary[d.below(len(vocabulary))] }

// phrase appends n words, the first with a capital letter.
func (d *draw) phrase(dst []byte, n int) []byte {
	start := len(dst)
	for i := range n {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, d.word()...)
	}
	dst[start] -= 'a' - 'A'
	return dst
}

// prose appends sentences.
func (d *draw) prose(dst []byte, sentences int) []byte {
	for i := range sentences {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = d.phrase(dst, 7+d.below(12))
		dst = append(dst, '.')
	}
	return dst
}

// section returns the first segment of a page's path.
func section(n int) string { return sections[n%len(sections)] }

var sections = [...]string{
	"news", "services", "departments", "events", "contact", "planning",
	"schools", "housing", "transport", "culture", "democracy", "help",
}

var vocabulary = strings.Fields(`
access account address adult advice age agenda agreement allowance annual answer appeal
application appointment archive area arrange article artist asset assembly attend autumn balance
bench benefit bicycle board book borough bridge budget building bus business calendar care
carer centre certificate change charge child choice citizen city claim clean climate collect
college comment committee community complaint concert condition consult contract cost council
course court culture cycle daily damage date deadline debate decision delivery department
deposit detail district document drain drive early edition elderly election electric emergency
energy enquiry entrance environment estate evening event evidence exhibition expert family farm
fee field finance flood footpath forest form foundation garden gallery gate grant green ground
group guide hall harbour health hearing heating heritage highway history holiday home hospital
house income inform inspect invite island issue item journey junction kitchen lake land language
law leader learn lease leisure letter level library licence light list local lodge lunch main
manage map market mayor measure meeting member memorial message minute mobile modern money month
morning museum music nature neighbour network night notice nursery office officer open opinion
order outdoor owner page paper parish park parking partner path patrol pavement payment pension
people permit picture place plan plant play plot point policy pollution pool population port post
price printed prize process profile programme project property proposal protect public pupil
quality quarter question quiet railway reader record recycle region register renew rent repair
report request reserve resident resource result review river road roof room route rule safety
school season seat service shelter shop signal site skill social space speech sport spring
square staff stage station storm street student study summer support survey table target tax
teacher team tenant theatre ticket timber time tower town track trade traffic training transport
travel tree trust tunnel university update urban valley value vehicle venue village visit
volunteer vote waste water week welfare wheel window winter wood work workshop yard young youth
`)
