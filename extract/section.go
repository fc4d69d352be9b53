package extract

import (
	"errors"
	"fmt"
	"slices"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"github.com/cespare/xxhash/v2"
	"golang.org/x/net/html"
)

// section is the owner's word on the main content of a part of the site.
type section struct {
	match   func(url string) bool
	content goquery.Matcher // nil: found
	exclude []goquery.Matcher
	sum     uint64 // of the rule; zero where there is none
}

// compileSections compiles every selector once. Its error names each faulty one
// by its key.
func (e *Extractor) compileSections() error {
	base, err := section{}.with("extract", e.options.Content, e.options.Exclude)
	errs := []error{err}
	e.section = base
	for i, rule := range e.options.Sections {
		s, err := base.with(fmt.Sprintf("extract.section[%d]", i), rule.Content, rule.Exclude)
		s.match = rule.Where.Match
		s.sum = xxhash.Sum64String(fmt.Sprintf("section %q %q", rule.Content, rule.Exclude))
		e.sections, errs = append(e.sections, s), append(errs, err)
	}
	return errors.Join(errs...)
}

// with returns the section with other content, where some is named, and more
// excluded.
func (s section) with(key, content string, exclude []string) (section, error) {
	var errs []error
	compile := func(key, selector string) goquery.Matcher {
		compiled, err := cascadia.Compile(selector)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: read CSS selector %q: %w", key, selector, err))
		}
		return compiled
	}
	if content != "" {
		s.content = compile(key+".content", content)
	}
	s.exclude = slices.Clone(s.exclude)
	for i, selector := range exclude {
		s.exclude = append(s.exclude, compile(fmt.Sprintf("%s.exclude[%d]", key, i), selector))
	}
	return s, errors.Join(errs...)
}

// sectionOf returns the first section that a URL is in, else what holds for all.
func (e *Extractor) sectionOf(url string) *section {
	for i := range e.sections {
		if s := &e.sections[i]; s.match == nil || s.match(url) {
			return s
		}
	}
	return &e.section
}

// pick is what the owner's selectors say of an element.
type pick int

const (
	pickContent pick = iota + 1
	pickExclude
)

// pick finds what the owner's selectors name; nil where there are none.
func (s *section) pick(root *html.Node) map[*html.Node]pick {
	if s.content == nil && len(s.exclude) == 0 {
		return nil
	}
	page := goquery.NewDocumentFromNode(root)
	picks := make(map[*html.Node]pick)
	if s.content != nil {
		for _, n := range page.FindMatcher(s.content).Nodes {
			picks[n] = pickContent
		}
	}
	for _, m := range s.exclude {
		for _, n := range page.FindMatcher(m).Nodes {
			picks[n] = pickExclude
		}
	}
	return picks
}

// withSection returns a fingerprint with the rule of a URL's section added.
func (e *Extractor) withSection(sum uint64, url string) uint64 {
	return sum*0x9E3779B97F4A7C15 + e.sectionOf(url).sum
}
