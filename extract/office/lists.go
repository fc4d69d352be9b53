package office

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// lists holds the numbered lists of a DOCX (ISO/IEC 29500-1, 17.9) and their counters.
type lists struct {
	levels      map[levelKey]level
	starts      map[levelKey]int  // number at which a level restarts; the restart deletes it
	definitions map[string]string // the ID of each list's definition (abstractNum), by the list's ID
	styles      map[string]listed
	counts      map[string][maxLevel]int // by definition ID: each level's number plus 1, or 0 if unused
}

type levelKey struct {
	id    string // ID of a list or of a definition
	level int
}

type level struct {
	start        int
	format, text string // text is a pattern: "%1.%2." stands for the numbers of two levels
}

// listed says which list a paragraph or a style belongs to. If list is empty, the list of the style applies.
type listed struct {
	style, list string
	level       int
}

const (
	maxLevel     = 9
	maxListed    = 20_000 // maximum of list levels and lists, of styles, and of number and cell formats
	maxLevelText = 64
	maxStyles    = 10 // maximum length of a chain of styles that are based on each other
	maxRoman     = 3999
)

func (l *listed) take(e *xml.StartElement) {
	switch value := attr(e, "word", "val"); e.Name.Local {
	case "pStyle", "basedOn":
		l.style = value
	case "numId":
		l.list = value
	case "ilvl":
		l.level, _ = strconv.Atoi(value)
	}
}

func (p *pack) lists(rels relations) (*lists, error) {
	if rels.byKind["numbering"] == "" {
		return nil, nil
	}
	l := &lists{map[levelKey]level{}, map[levelKey]int{}, map[string]string{}, map[string]listed{},
		map[string][maxLevel]int{}}
	var id levelKey
	err := p.walk(rels.byKind["numbering"], handler{start: func(_ *walk, e *xml.StartElement) error {
		if families[e.Name.Space] == "word" && len(l.levels)+len(l.starts)+len(l.definitions) < maxListed {
			id = l.define(id, e)
		}
		return nil
	}})
	if err != nil {
		return nil, err
	}
	var name string
	err = p.walk(rels.byKind["styles"], handler{start: func(_ *walk, e *xml.StartElement) error {
		switch {
		case families[e.Name.Space] != "word" || len(l.styles) >= maxListed:
		case e.Name.Local == "style":
			name = attr(e, "word", "styleId")
		default:
			s := l.styles[name]
			s.take(e)
			l.styles[name] = s
		}
		return nil
	}})
	return l, err
}

// define reads an element of the numbering part. It returns the level to which the next elements belong.
func (l *lists) define(id levelKey, e *xml.StartElement) levelKey {
	value := attr(e, "word", "val")
	number, _ := strconv.Atoi(value)
	number = max(0, min(number, maxElements))
	one := l.levels[id]
	switch e.Name.Local {
	case "abstractNum":
		return levelKey{id: "of " + attr(e, "word", "abstractNumId")}
	case "num":
		return levelKey{id: attr(e, "word", "numId")}
	case "lvl", "lvlOverride":
		id.level, _ = strconv.Atoi(attr(e, "word", "ilvl"))
		return id
	case "abstractNumId":
		l.definitions[id.id] = "of " + value
		return id
	case "startOverride":
		l.starts[id] = number
		return id
	case "start":
		one.start = number
	case "numFmt":
		one.format = value
	case "lvlText":
		one.text = value[:min(len(value), maxLevelText)]
	default:
		return id
	}
	l.levels[id] = one
	return id
}

// next counts a paragraph and returns its number as a reader sees it, or "" if it has no number.
func (l *lists) next(p listed) string {
	if l == nil {
		return ""
	}
	for range maxStyles {
		if p.list == "" {
			p = l.styles[p.style]
		}
	}
	definition, known := l.definitions[p.list]
	if !known || p.level < 0 || p.level >= maxLevel {
		return ""
	}
	counts, own := l.counts[definition], l.level(p.list, p.level)
	key := levelKey{p.list, p.level}
	if start, anew := l.starts[key]; anew {
		counts[p.level] = start + 1
		delete(l.starts, key)
	} else if counts[p.level]++; counts[p.level] == 1 {
		counts[p.level] = own.start + 1
	}
	clear(counts[p.level+1:])
	for i := range p.level + 1 {
		of := l.level(p.list, i)
		if counts[i] == 0 {
			counts[i] = of.start + 1
		}
		own.text = strings.ReplaceAll(own.text, "%"+strconv.Itoa(i+1), of.shown(counts[i]-1))
	}
	l.counts[definition] = counts
	if own.format == "bullet" || own.format == "none" {
		return ""
	}
	return own.text
}

// level returns a level of a list, or else the same level of the list's definition.
func (l *lists) level(list string, at int) level {
	if own, is := l.levels[levelKey{list, at}]; is && own.text != "" {
		return own
	}
	return l.levels[levelKey{l.definitions[list], at}]
}

// shown returns a number in the format of a level. High numbers, and numbers in other scripts, are in digits.
func (l level) shown(n int) string {
	const letters, repeated = 26, 5
	text := ""
	switch {
	case n > 0 && n <= letters*repeated && strings.HasSuffix(l.format, "Letter"):
		text = strings.Repeat(string(rune('a'+(n-1)%letters)), (n-1)/letters+1)
	case n > 0 && n <= maxRoman && strings.HasSuffix(l.format, "Roman"):
		for i, value := range [...]int{1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1} {
			for ; n >= value; n -= value {
				text += [...]string{"m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"}[i]
			}
		}
	default:
		return strconv.Itoa(n)
	}
	if strings.HasPrefix(l.format, "upper") {
		return strings.ToUpper(text)
	}
	return text
}
