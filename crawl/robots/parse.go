package robots

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const blanks = " \t\v\f\x00"

// Parse reads a robots.txt (RFC 9309) for the crawler whose product token is agent. All groups for agent are
// merged. The groups for "*" count only if no group names agent.
func Parse(body []byte, agent string) *Rules {
	p := parser{agent: ProductToken(agent)}
	endsLine := func(c rune) bool { return c == '\n' || c == '\r' }
	for line := range strings.FieldsFuncSeq(string(unmarked(body)), endsLine) {
		p.readLine(line)
	}
	group := &p.any
	if p.own.named {
		group = &p.own
	}
	slices.SortStableFunc(group.rules, func(a, b rule) int { return b.rank - a.rank })
	return &Rules{Sitemaps: p.sitemaps, Delay: group.delay, rules: group.rules, lines: p.lines}
}

// unmarked returns body without its byte order mark. A mark may be cut to its first one or two bytes, which
// are also removed, because they would make the first line unreadable.
func unmarked(body []byte) []byte {
	for _, b := range []byte("\uFEFF") {
		if len(body) == 0 || body[0] != b {
			break
		}
		body = body[1:]
	}
	return body
}

type group struct {
	named bool
	rules []rule
	delay time.Duration

	takesRules, takesDelay bool
}

type parser struct {
	agent    string
	own, any group
	sitemaps []string
	lines    int

	// afterRule and afterDelay say what followed the latest user-agent line. After a rule, the next
	// user-agent line begins a new group. After only a Crawl-delay, it joins the group: later rules apply to
	// all agents of the group. A later Crawl-delay applies to the new agent only.
	afterRule, afterDelay bool
}

func (p *parser) readLine(line string) {
	line, _, _ = strings.Cut(line, "#")
	line = strings.Trim(line, blanks)
	key, value := splitLine(line)
	if key != "" {
		p.lines++
	}
	switch key {
	case "user-agent":
		for _, group := range []*group{&p.own, &p.any} {
			group.takesRules = group.takesRules && !p.afterRule
			group.takesDelay = group.takesDelay && !p.afterRule && !p.afterDelay
		}
		p.afterRule, p.afterDelay = false, false
		group := &p.own
		if value == "*" || strings.HasPrefix(value, "* ") {
			group = &p.any
		} else if p.agent == "" || ProductToken(value) != p.agent {
			return
		}
		group.named, group.takesRules, group.takesDelay = true, true, true
	case "allow", "disallow":
		p.afterRule = true
		rule, ok := newRule(key == "allow", line, value)
		for _, group := range []*group{&p.own, &p.any} {
			if ok && group.takesRules {
				group.rules = append(group.rules, rule)
			}
		}
	case "crawl-delay":
		p.afterDelay = true
		seconds, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(seconds) || seconds < 0 {
			return
		}
		delay := time.Duration(min(seconds, maxDelay.Seconds()) * float64(time.Second))
		for _, group := range []*group{&p.own, &p.any} {
			if group.takesDelay {
				group.delay = max(group.delay, delay)
			}
		}
	case "sitemap":
		if value != "" {
			p.sitemaps = append(p.sitemaps, value)
		}
	}
}

// splitLine splits a line at its colon. If the text before the colon is no known key and the line has two
// words, it splits the line between the words.
func splitLine(line string) (key, value string) {
	before, after, _ := strings.Cut(line, ":")
	key = keys[keyForm(before)]
	if key != "" {
		return key, strings.Trim(after, blanks)
	}
	if words := strings.Fields(line); len(words) == 2 {
		return keys[keyForm(words[0])], words[1]
	}
	return "", ""
}

var keys = map[string]string{
	"useragent": "user-agent", "useragents": "user-agent",
	"allow":    "allow",
	"disallow": "disallow", "dissallow": "disallow", "dissalow": "disallow", "disalow": "disallow",
	"diasllow": "disallow", "disallaw": "disallow", "disallows": "disallow",
	"crawldelay": "crawl-delay",
	"sitemap":    "sitemap", "sitemaps": "sitemap", "sitemapurl": "sitemap",
}

func keyForm(s string) string {
	if len(s) > 30 {
		return ""
	}
	return strings.NewReplacer("-", "", "_", "", " ", "", "\t", "").Replace(strings.ToLower(s))
}

// ProductToken returns the product token that s begins with, in lower case (RFC 9309, section 2.2.1).
func ProductToken(s string) string { return strings.ToLower(productToken.FindString(s)) }

var productToken = regexp.MustCompile("^[a-zA-Z_-]*")
