package crawl

import (
	"math"
	"strconv"
	"strings"
	"time"
)

const robotsBlanks = " \t\v\f\x00"

// ParseRobots reads a robots.txt (RFC 9309) for the crawler with the product
// token agent. It refuses no file: lines that can't be read are skipped. Groups
// for agent are merged; the groups for "*" count only where there is none.
func ParseRobots(body []byte, agent string) *Robots {
	p := robotsParser{agent: productToken(agent)}
	text := strings.TrimPrefix(wholeLines(body), "\uFEFF")
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		p.line(line)
	}
	group := &p.any
	if p.own.named {
		group = &p.own
	}
	sortRobotsRules(group.rules)
	return &Robots{Sitemaps: p.sitemaps, Delay: group.delay, rules: group.rules}
}

// wholeLines returns the part of body that is read. A line that the limit cuts
// is left out: half a rule disallows more than the whole.
func wholeLines(body []byte) string {
	if len(body) <= MaxRobotsBytes {
		return string(body)
	}
	text := string(body[:MaxRobotsBytes])
	return text[:strings.LastIndexAny(text, "\r\n")+1]
}

// robotsGroup is what the merged groups of one product token say.
type robotsGroup struct {
	named bool // there is such a group
	rules []robotsRule
	delay time.Duration

	active      bool // the rules that follow belong to it
	activeDelay bool // a Crawl-delay that follows belongs to it
}

type robotsParser struct {
	agent    string
	own, any robotsGroup
	sitemaps []string

	// A user-agent line after a rule begins a new group. Crawl-delay is no
	// part of the RFC and must not end a group, but belongs only to the
	// user-agent lines right above it.
	afterRule, afterDelay bool
}

func (p *robotsParser) line(line string) {
	line, _, _ = strings.Cut(line, "#")
	line = strings.Trim(line, robotsBlanks)
	key, value := robotsKeyValue(line)
	switch key {
	case "user-agent":
		p.userAgent(value)
	case "allow", "disallow":
		p.rule(key == "allow", line, value)
	case "crawl-delay":
		p.delay(value)
	case "sitemap":
		if value != "" {
			p.sitemaps = append(p.sitemaps, value)
		}
	}
}

func (p *robotsParser) userAgent(value string) {
	for _, group := range []*robotsGroup{&p.own, &p.any} {
		group.active = group.active && !p.afterRule
		group.activeDelay = group.activeDelay && !p.afterRule && !p.afterDelay
	}
	p.afterRule, p.afterDelay = false, false
	group := &p.own
	if value == "*" || strings.HasPrefix(value, "* ") {
		group = &p.any
	} else if p.agent == "" || productToken(value) != p.agent {
		return
	}
	group.named, group.active, group.activeDelay = true, true, true
}

func (p *robotsParser) rule(allow bool, line, value string) {
	p.afterRule = true
	rule, ok := newRobotsRule(allow, line, value)
	for _, group := range []*robotsGroup{&p.own, &p.any} {
		if ok && group.active {
			group.rules = append(group.rules, rule)
		}
	}
}

func (p *robotsParser) delay(value string) {
	p.afterDelay = true
	seconds, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(seconds) || seconds < 0 {
		return
	}
	delay := time.Duration(min(seconds, MaxCrawlDelay.Seconds()) * float64(time.Second))
	for _, group := range []*robotsGroup{&p.own, &p.any} {
		if group.activeDelay {
			group.delay = max(group.delay, delay)
		}
	}
}

// robotsKeyValue splits a line at its colon or, where that gives no known key
// and the line has two words, between them.
func robotsKeyValue(line string) (key, value string) {
	before, after, _ := strings.Cut(line, ":")
	if key = robotsKey(before); key != "" {
		return key, strings.Trim(after, robotsBlanks)
	}
	if words := strings.Fields(line); len(words) == 2 {
		return robotsKey(words[0]), words[1]
	}
	return "", ""
}

// robotsKey returns the key that s means, without regard to case, hyphens and
// usual misspellings; empty for any other.
func robotsKey(s string) string {
	if len(s) > 30 {
		return ""
	}
	switch strings.NewReplacer("-", "", "_", "", " ", "", "\t", "").Replace(strings.ToLower(s)) {
	case "useragent", "useragents":
		return "user-agent"
	case "allow":
		return "allow"
	case "disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw", "disallows":
		return "disallow"
	case "crawldelay":
		return "crawl-delay"
	case "sitemap", "sitemaps", "sitemapurl":
		return "sitemap"
	}
	return ""
}

// productToken returns the product token that s begins with, in lower case:
// RFC 9309, section 2.2.1.
func productToken(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool {
		return r > 0x7F || !isLetter(byte(r)) && r != '-' && r != '_'
	})
	if end >= 0 {
		s = s[:end]
	}
	return strings.ToLower(s)
}
