package tally

import (
	"fmt"
	"strings"
	"testing"

	"sitesync/internal/document"
)

// TestBody: one notice is one Body, whatever is the page's own in it; another text is not.
func TestBody(t *testing.T) {
	const notice = "We are sorry: the page %s was not found on this server. Please use the search or go back to the front page. Request %s, %d."
	of := func(url, title, id string, n int) document.Print {
		return printOf(url, []string{title}, title+"\n"+fmt.Sprintf(notice, strings.TrimPrefix(url, "https://a.test"), id, n))
	}
	first := of("https://a.test/news/council-votes.html", "The council votes", "4f5e6d7c8b9a", 12)
	for i, other := range []document.Print{
		of("https://a.test/news/harbour-is-open.html", "The harbour is open", "beefbeefbeef", 99),
		of("https://a.test/about/people.html", "People", "00ffee11", 3),
		of("https://a.test/da/om", "About the town", "a1", 3),      // words of two letters
		of("https://a.test/search", "Search the archive", "a1", 3), // "search" is a word of the notice
	} {
		if !first.Near(other) {
			t.Errorf("%d: %x is not near %x", i, other, first)
		}
	}
	var texts []document.Print
	for i := range 50 {
		words := strings.Fields("harbour council bicycle library orchard railway theatre meadow kitchen lantern gravel winter summer office letter ticket garden bridge museum school")
		var text []string
		for n := range 60 {
			text = append(text, words[(i*7+n*(i%11+3))%len(words)]+strings.Repeat("x", (n*i)%5))
		}
		texts = append(texts, printOf(fmt.Sprintf("https://a.test/%d", i), nil, strings.Join(text, " ")))
	}
	for i, a := range texts {
		if a.Near(first) {
			t.Errorf("text %d is near the notice", i)
		}
	}
	with, without := printOf("https://a.test/1", nil, body1+" Open from nine to four."), printOf("https://a.test/2", nil, body1+" Open from ten to five.")
	if !with.Like(without) || with.Like(first) {
		t.Errorf("%x and %x are like each other", with, without)
	}
	text := "Roads\n" + body1 + "\nOpening hours\n" + body1
	if a, b := printOf("https://a.test/1", []string{"Roads"}, text), printOf("https://a.test/1", []string{"Roads", "Opening hours", "Roads"}, text); a != b {
		t.Errorf("a candidate between counts: %x, %x", a, b)
	}
	if a, b := printOf("https://a.test/", nil, "12 34 a1"), printOf("https://a.test/", nil, ""); a != 0 || b != 0 || a.Near(b) {
		t.Errorf("too little to tell: %x, %x", a, b)
	}
}

func printOf(url string, titles []string, content string) document.Print {
	return new(Printer).Of(url, titles, content)
}

const body1 = "This is a text about one subject of the town and about nothing else in the whole wide world, as far as anybody knows."
