package field

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// The sources of Title. A heading that the <title> repeats is the page's name, and
// the rest of the <title> the site's. The spare ones are for pages without any other, and for
// those whose only one the profile knows to be the site's.
var (
	titleSources = []source{
		{"h1 in title", (*Evidence).agreed},
		{"h1 like title", (*Evidence).alike},
		{"og:title", func(v *Evidence) string { return v.withoutSite(v.Found.Meta("og:title")) }},
		{"title", func(v *Evidence) string { return v.withoutSite(v.Found.Title) }},
		{"h1", func(v *Evidence) string { return v.heading(isOwnH1) }},
		{"h1 of the frame", func(v *Evidence) string { return v.heading(isH1) }},
	}
	spareTitles = []source{{"heading", func(v *Evidence) string {
		return v.heading(func(h markup.Head) bool { return h.Own && !slices.Contains(v.titles, h.Text) })
	}}, pathName}
	pathName = source{"path", func(v *Evidence) string { return nameOf(v.Page.URL) }}
	hostName = source{"host", func(v *Evidence) string { return markup.Clean(weburl.Host(v.Page.URL)) }}
	linkText = source{"link-text", func(v *Evidence) string { return markup.Clean(v.Page.Link.Text) }}
	fileName = source{"file-name", func(v *Evidence) string { return readable(document.FileName(v.Page.Header)) }}
)

// fileTitles returns the candidates for a file's title, best first. A file
// without text is named by its link before its metadata.
func (v *Evidence) fileTitles() []string {
	own := source{"meta:title", func(v *Evidence) string { return v.useful(v.File.Title) }}
	sources := []source{own, {"first line", func(v *Evidence) string { return headingLike(v.Blocks) }}, linkText}
	switch {
	case len(v.Blocks) == 0:
		sources = []source{linkText, own}
	case v.File.Sheet != "": // a row of data is no heading
		sources = []source{own, linkText, {"sheet", func(v *Evidence) string { return v.useful(v.File.Sheet) }}}
	}
	sources = append(sources, fileName, pathName, hostName)
	return v.candidates(nil, sources, len(sources))
}

// useful returns a name that a file gives, "" where it says nothing.
func (v *Evidence) useful(name string) string {
	name = markup.Clean(name)
	if isUselessTitle(markup.Clip(name, maxTitle), cmp.Or(fileName.get(v), nameOf(v.Page.URL))) {
		return ""
	}
	return name
}

// candidates adds what the sources give to titles, until there are as many.
func (v *Evidence) candidates(titles []string, sources []source, most int) []string {
	for i := range sources {
		value := markup.Clip(sources[i].get(v), maxTitle)
		v.note(Attempt{"Title", sources[i].name, value, len(titles) == 0 && value != ""})
		if value != "" && len(titles) < most && !slices.Contains(titles, value) {
			titles = append(titles, value)
		}
	}
	return titles
}

func isH1(h markup.Head) bool { return h.Node.DataAtom == atom.H1 }

func isOwnH1(h markup.Head) bool { return isH1(h) && h.Own }

func (v *Evidence) heading(want func(markup.Head) bool) string {
	if i := slices.IndexFunc(v.Found.Heads, want); i >= 0 {
		return v.Found.Heads[i].Text
	}
	return ""
}

// agreed returns the heading of the page's own that the <title> begins with, else one that
// stands at its end; a h1 before the others. The site's name is
// none of these. Without a <title> it is the h1.
func (v *Evidence) agreed() string {
	if v.Found.Title == "" {
		return v.heading(isOwnH1)
	}
	agree := func(with func(title, name string) bool, h1 bool) string {
		return v.heading(func(h markup.Head) bool {
			return h.Own && (isH1(h) || !h1) && with(v.Found.Title, h.Text) && !v.isSite(h.Text)
		})
	}
	return v.withoutSite(cmp.Or(agree(leads, true), agree(leads, false), agree(trails, true), agree(trails, false)))
}

// alike returns the first h1 of the page's own if a third of its words are in the page's
// titles: sites write these for search engines, and the h1 for readers.
func (v *Evidence) alike() string {
	name := v.withoutSite(v.heading(isOwnH1))
	named, titled, shared := termsOf(name), termsOf(v.Found.Title+" "+v.Found.Meta("og:title")), 0
	for _, word := range named {
		if slices.Contains(titled, word) {
			shared++
		}
	}
	if shared == 0 || 3*shared < len(named) || v.isSite(name) {
		return ""
	}
	return name
}

func termsOf(title string) []string {
	return strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// leads reports whether title is name, or name, a separator and more.
func leads(title, name string) bool {
	return len(title) >= len(name) && strings.EqualFold(title[:len(name)], name) &&
		(len(title) == len(name) || markup.IsSeparator(title[len(name):]))
}

// trails reports whether title is something, a separator and name.
func trails(title, name string) bool {
	at := len(title) - len(name)
	if at <= 0 || !utf8.RuneStart(title[at]) || !strings.EqualFold(title[at:], name) {
		return false
	}
	before := strings.TrimRight(title[:at], " ")
	r, size := utf8.DecodeLastRuneInString(before)
	return markup.IsSeparator(before[len(before)-size:]+" ") || at > len(before) && strings.ContainsRune("-/", r)
}

// nameOf makes a readable name of the last part of a URL's path: of a file,
// without its extension. It is empty where the path holds no letter or digit.
func nameOf(address string) string {
	parts := segments(address)
	if len(parts) == 0 {
		return ""
	}
	return readable(parts[len(parts)-1])
}

// readable makes a title of a file name.
func readable(last string) string {
	if ext := path.Ext(last); len(ext) > 1 && len(ext) <= 6 && markup.HasLetter(ext) {
		last = strings.TrimSuffix(last, ext)
	}
	return markup.Clip(titled(last), maxTitle)
}

// titled makes a name of an address part or a file name: separators become
// spaces, the first letter a capital.
func titled(s string) string {
	s = markup.Clean(strings.NewReplacer("-", " ", "_", " ", "+", " ").Replace(s))
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// The titles that programs write on their own, beside those of markup's lists: names of a
// template, and names and paths of files.
var (
	templateTitle = regexp.MustCompile(`(?i)template|skabelon|vorlage|dokumentmall`)
	fileTitle     = regexp.MustCompile(`(?i)\.(do[ct][xm]?|pdf|indd|qxd|qxp|p(pt|ps|ot)[xm]?|xl[st][xm]?|o[dt][tpsg]|rtf|txt|tex|dvi|e?ps|tiff?|jpe?g|png|pages|pub|cdr|ai|psd|html?|aspx?|php|p65|pmd|fm|wpd)$`)
	letter        = regexp.MustCompile(`\pL`)
	pathTitle     = regexp.MustCompile(`^/|^\\\\|://|^[\x00-\x7f]:[\\/]`)
)

// isUselessTitle reports whether the title in a file's metadata says nothing of
// the file: see the lists and patterns; also the file's own name, and what has no letter.
func isUselessTitle(title, own string) bool {
	name := strings.TrimRight(strings.ToLower(strings.Trim(title, "()[]<> ")), "0123456789 _.-")
	isDefault := slices.Contains(markup.Listed("untitled"), name) || markup.BeginsAny(name, "windowed")
	return !markup.HasLetter(title) || isDefault || templateTitle.MatchString(title) || fileTitle.MatchString(title) ||
		pathTitle.MatchString(title) || strings.EqualFold(titled(title), own)
}

// headingLike returns the first of a file's first blocks that reads like a
// heading: 4 to 120 characters, mostly letters, and no sentence.
func headingLike(blocks []document.Block) string {
	for _, b := range blocks[:min(len(blocks), 5)] {
		s := b.Text
		count := utf8.RuneCountInString(s)
		if count < 4 || count > 120 || strings.Contains(s, ". ") && strings.HasSuffix(s, ".") {
			continue
		}
		letters := len(letter.FindAllString(s, -1))
		if last, _ := utf8.DecodeLastRuneInString(s); !strings.ContainsRune(".,;:", last) && letters*2 > count {
			return s
		}
	}
	return ""
}

// Bounds of a description that is taken from the content, in bytes; maxAbove in blocks.
const (
	leastLead  = 20
	leastProse = 40
	maxLead    = 300
	maxAbove   = 6 // of which one is the title
)

// descriptionField is what the page says of itself.
var descriptionField = defaultField{"Description", slices.Concat(
	metas("description"), []source{og("description")}, metas("twitter:description", "dcterms.description", "dc.description"),
), clipped(maxDescription)}

// fileDescription is the link to a file that has no text.
var fileDescription = defaultField{"Description", []source{{linkText.name, func(v *Evidence) string {
	if len(v.Blocks) > 0 {
		return ""
	}
	return linkText.get(v)
}}}, clipped(maxDescription)}

// Lead returns the first good sentences of the content, for pages that say nothing of
// themselves: those behind its title, where it has some. Lines of code, banners and what the law
// asks for do not count.
func Lead(blocks []document.Block, title string) string {
	isTitle := func(b document.Block) bool { return strings.EqualFold(b.Text, title) }
	at := slices.IndexFunc(blocks[:min(len(blocks), maxAbove)], isTitle) + 1
	for _, least := range [...]int{leastProse, leastLead} {
		for _, b := range slices.Concat(blocks[at:], blocks[:at]) {
			if isLead(b.Text, least) && !isTitle(b) {
				return cutSentence(b.Text)
			}
		}
	}
	return ""
}

// isLead reports whether a block of so many bytes begins like a sentence and ends like one, and
// speaks of its page.
func isLead(s string, least int) bool {
	first, _ := utf8.DecodeRuneInString(s)
	quoted := strings.ContainsRune("\"'“„«‘([¿¡「『", first)
	if unicode.IsLower(first) || !unicode.IsLetter(first) && !unicode.IsDigit(first) && !quoted {
		return false
	}
	return isProse(s, least) && !markup.BeginsAny(strings.ToLower(s), "legal") && !markup.HoldsAny(s, "banner")
}

// isProse reports whether a text of at least so many bytes ends like a sentence, or a longer one
// holds an end of one.
func isProse(s string, least int) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	ends := strings.ContainsRune(`.!?…:"”»。।؟۔`, last)
	return len(s) >= least && ends || len(s) >= leastProse && strings.Contains(s, ". ")
}

// cutSentence cuts s to maxLead bytes: after the last sentence that fits, else
// after the last word.
func cutSentence(s string) string {
	if len(s) <= maxLead {
		return s
	}
	head := markup.Clip(s, maxLead)
	end := max(strings.LastIndex(head, ". "), strings.LastIndex(head, "! "), strings.LastIndex(head, "? "))
	if end >= maxLead/5 {
		return head[:end+1]
	}
	head = markup.Clip(s, maxLead-len("…"))
	if space := strings.LastIndexByte(head, ' '); space > 0 {
		head = head[:space]
	}
	return head + "…"
}
