package cli_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// tongue is a language that the pages of the nights are written in: sentences with
// gaps for its words.
type tongue struct {
	sentences []string // %a: adjective, %n: noun, %v: verb, %p: place, %d: number, %s: the page's own name
	words     map[byte][]string
}

func english() tongue {
	return tongue{
		[]string{
			"The %a %n of %p %v the %n before the winter comes.",
			"Nobody in %p had seen a %n as %a as the one that %s brought along.",
			"It was %d years ago that the %n first %v the %a %n.",
			"When the %n opens, %s will show the visitors where the %n used to be.",
			"There are %d steps between the %n and the %a %n, and all of them are worth it.",
			"According to the council of %p, the %n %v its %n every summer.",
			"You can write to us about the %a %n, or about anything that %s has to do with.",
			"Most of the people who live in %p think that the %n is too %a.",
			"In the morning the %n %v a %a %n, and in the evening it rests.",
			"We have asked %d neighbours what they would do with the %n, and they agreed.",
			"This %a %n belongs to everybody, which is why the %n has to be open for all.",
			"The price of a %n was %d crowns, and the %n cost a little more than that.",
		},
		map[byte][]string{
			'a': strings.Fields("old quiet golden narrow public wooden distant careful famous ordinary broken gentle northern crowded hidden modern useful heavy bright empty friendly curious silver hollow patient"),
			'n': strings.Fields("harbour library orchard railway theatre meadow kitchen lantern bridge market chapel garden museum workshop ferry school mill tower fountain bakery cinema stadium forest island tunnel bicycle letter painting engine window"),
			'v': strings.Fields("repairs opens follows remembers paints replaces supports answers crosses collects measures borrows protects visits connects"),
			'p': strings.Fields("Northgate Eastfield Millbrook Harrowby Stonewell Ashbourne Kingsford Redcliff Westhaven Lowmoor"),
		},
	}
}

func danish() tongue {
	return tongue{
		[]string{
			"Det %a %n i %p er blevet gjort i stand, og det skal åbnes igen til foråret.",
			"Der er ikke nogen i %p, som har set et %n, der var så %a som det, %s havde med.",
			"For %d år siden blev det første %n bygget af folk, som boede ved siden af.",
			"Når vi åbner, vil %s vise de besøgende, hvor det %a %n plejede at være.",
			"Du kan skrive til os om det %a %n, eller om alt det, som %s har at gøre med.",
			"De fleste af dem, der bor i %p, mener at det gamle %n er alt for %a.",
			"Om morgenen kommer der et %a %n forbi, og om aftenen er her helt stille.",
			"Vi har spurgt %d naboer, hvad de ville gøre med det %a %n, og de var enige.",
			"Byrådet i %p har besluttet, at hvert %n skal være åbent for alle hele året.",
			"Prisen for et %n var %d kroner, men det er ikke længere muligt at få et.",
		},
		map[byte][]string{
			'a': strings.Fields("gamle stille gyldne smalle offentlige fjerne kendte almindelige ødelagte nordlige skjulte moderne nyttige tunge lyse tomme venlige"),
			'n': strings.Fields("bibliotek teater værksted museum tårn hus vindue brev maleri slot skib marked torv køkken stadion spring skilt bageri kloster"),
			'p': strings.Fields("Nørreby Østerup Møllebæk Sandvig Stenløse Vesterhavn Kongsted Rødkær"),
		},
	}
}

// sentence writes the sentence that chance draws.
func (l tongue) sentence(rng *rand.Rand, name string) string {
	var b strings.Builder
	parts := strings.Split(l.sentences[rng.IntN(len(l.sentences))], "%")
	b.WriteString(parts[0])
	for _, part := range parts[1:] {
		switch words := l.words[part[0]]; {
		case part[0] == 's':
			b.WriteString(name)
		case part[0] == 'd':
			fmt.Fprint(&b, 2+rng.IntN(400))
		default:
			b.WriteString(words[rng.IntN(len(words))])
		}
		b.WriteString(part[1:])
	}
	return b.String()
}

// block writes a paragraph: the same for the same seeds.
func (l tongue) block(name string, seeds ...uint64) string {
	rng := rand.New(rand.NewPCG(seeds[0], seeds[1]))
	var all []string
	for range 3 + rng.IntN(4) {
		all = append(all, l.sentence(rng, name))
	}
	return strings.Join(all, " ")
}

// properName is a word that only page n has.
func properName(n int) string {
	const heads, tails = "bdfgjklmnprstvz", "aeiou"
	x := (n*7919 + 13) % (75 * 75 * 75)
	var b strings.Builder
	for range 3 {
		syllable := x % 75
		b.WriteByte(heads[syllable/5])
		b.WriteByte(tails[syllable%5])
		x /= 75
	}
	name := b.String() + "n"
	return strings.ToUpper(name[:1]) + name[1:]
}
