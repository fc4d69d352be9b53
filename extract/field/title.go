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

// The sources of Title, best first. If titleSources give fewer than two titles, spareTitles are tried too. A
// second title is needed if the first turns out to be text that the site's pages share.
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

// fileTitles returns the candidates for a file's title, best first. For a file without text, the text of the
// link to the file comes before the file's metadata.
func (v *Evidence) fileTitles() []string {
	own := source{"meta:title", func(v *Evidence) string { return v.useful(v.File.Title) }}
	sources := []source{own, {"first line", func(v *Evidence) string { return headingLike(v.Blocks) }}, linkText}
	switch {
	case len(v.Blocks) == 0:
		sources = []source{linkText, own}
	case v.File.Sheet != "": // the first line of a sheet is data, not a heading
		sources = []source{own, linkText, {"sheet", func(v *Evidence) string { return v.useful(v.File.Sheet) }}}
	}
	sources = append(sources, fileName, pathName, hostName)
	return v.candidates(nil, sources, len(sources))
}

func (v *Evidence) useful(name string) string {
	name = markup.Clean(name)
	if isUselessTitle(markup.Clip(name, maxTitle), cmp.Or(fileName.get(v), nameOf(v.Page.URL))) {
		return ""
	}
	return name
}

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

// agreed returns the heading with which the title element begins, or else the heading at its end. An h1 comes
// before other headings. A heading that names the site is skipped. Without a title element, agreed returns
// the h1.
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

// alike returns the page's h1 if at least a third of its words are in the title element or og:title. Sites
// write the h1 for readers, but the title element and og:title for search engines.
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
	return strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

func leads(title, name string) bool {
	return len(title) >= len(name) && strings.EqualFold(title[:len(name)], name) &&
		(len(title) == len(name) || markup.IsSeparator(title[len(name):]))
}

func trails(title, name string) bool {
	at := len(title) - len(name)
	if at <= 0 || !utf8.RuneStart(title[at]) || !strings.EqualFold(title[at:], name) {
		return false
	}
	before := strings.TrimRight(title[:at], " ")
	r, size := utf8.DecodeLastRuneInString(before)
	return markup.IsSeparator(before[len(before)-size:]+" ") || at > len(before) && strings.ContainsRune("-/", r)
}

func nameOf(address string) string {
	parts := segments(address)
	if len(parts) == 0 {
		return ""
	}
	return readable(parts[len(parts)-1])
}

func readable(last string) string {
	if ext := path.Ext(last); len(ext) > 1 && len(ext) <= 6 && markup.HasLetter(ext) {
		last = strings.TrimSuffix(last, ext)
	}
	return markup.Clip(titled(last), maxTitle)
}

func titled(s string) string {
	s = markup.Clean(strings.NewReplacer("-", " ", "_", " ", "+", " ").Replace(s))
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// Patterns of titles that programs write: names of templates, names of files, and paths.
var (
	templateTitle = regexp.MustCompile(`(?i)template|skabelon|vorlage|dokumentmall`)
	fileTitle     = regexp.MustCompile(`(?i)\.(do[ct][xm]?|pdf|indd|qxd|qxp|p(pt|ps|ot)[xm]?|xl[st][xm]?|o[dt][tpsg]|` +
		`rtf|txt|tex|dvi|e?ps|tiff?|jpe?g|png|pages|pub|cdr|ai|psd|html?|aspx?|php|p65|pmd|fm|wpd)$`)
	letter    = regexp.MustCompile(`\pL`)
	pathTitle = regexp.MustCompile(`^/|^\\\\|://|^[\x00-\x7f]:[\\/]`)
)

// isUselessTitle reports whether a title in a file's metadata says nothing about the file: a program wrote
// it, it has no letter, or it equals own, the file's name.
func isUselessTitle(title, own string) bool {
	name := strings.TrimRight(strings.ToLower(strings.Trim(title, "()[]<> ")), "0123456789 _.-")
	isDefault := slices.Contains(markup.Listed("untitled"), name) || markup.BeginsAny(name, "windowed")
	return !markup.HasLetter(title) || isDefault || templateTitle.MatchString(title) || fileTitle.MatchString(title) ||
		pathTitle.MatchString(title) || strings.EqualFold(titled(title), own)
}

// headingLike returns the first of a file's first five blocks that reads like a heading, not like a sentence:
// 4 to 120 characters, most of them letters. It returns "" if no block does.
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

const (
	leastLead  = 20  // minimum bytes of a sentence if no sentence has leastProse bytes
	leastProse = 40  // minimum bytes of a sentence
	maxLead    = 300 // maximum bytes of a description
	maxAbove   = 6   // number of blocks at the top of the content in which Lead looks for the title
)

var descriptionField = defaultField{"Description", slices.Concat(
	metas("description"), []source{og("description")},
	metas("twitter:description", "dcterms.description", "dc.description"),
), clipped(maxDescription)}

var fileDescription = defaultField{"Description", []source{{linkText.name, func(v *Evidence) string {
	if len(v.Blocks) > 0 {
		return ""
	}
	return linkText.get(v)
}}}, clipped(maxDescription)}

// Lead returns the first block of the content that reads like a sentence, cut to 300 bytes, or "". Blocks
// after the title are tried first. Banners and legal notices do not count.
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

func isLead(s string, least int) bool {
	first, _ := utf8.DecodeRuneInString(s)
	quoted := strings.ContainsRune("\"'“„«‘([¿¡「『", first)
	if unicode.IsLower(first) || !unicode.IsLetter(first) && !unicode.IsDigit(first) && !quoted {
		return false
	}
	return isProse(s, least) && !markup.BeginsAny(strings.ToLower(s), "legal") && !markup.HoldsAny(s, "banner")
}

// isProse reports whether s has at least the given bytes and ends like a sentence. If s has leastProse bytes
// or more, a sentence that ends inside s is enough.
func isProse(s string, least int) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	ends := strings.ContainsRune(`.!?…:"”»。।؟۔`, last)
	return len(s) >= least && ends || len(s) >= leastProse && strings.Contains(s, ". ")
}

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
