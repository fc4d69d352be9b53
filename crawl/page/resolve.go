package page

import (
	"net/http"
	"strings"

	"sitesync/internal/weburl"
)

// maxRefused is how many refused links of one page are named.
const maxRefused = 5

// FileLinks returns the links of a file whose canonical URL is fileURL, without texts.
func FileLinks(hrefs []string, fileURL string, canon *weburl.Canonicalizer) Links {
	var reader linkReader
	for _, href := range hrefs {
		if followable(href) {
			reader.links = append(reader.links, Link{URL: href})
		}
	}
	return reader.resolve(canon, fileURL, nil)
}

// resolve turns what was gathered into what ReadLinks returns.
func (r *linkReader) resolve(canon *weburl.Canonicalizer, pageURL string, header http.Header) Links {
	page := Links{NoIndex: r.noIndex, NoFollow: r.noFollow}
	base := pageURL
	if r.base != "" {
		if resolved, err := canon.Resolve(pageURL, r.base); err == nil {
			base = resolved
		}
	}
	page.Found = r.links[:0]
	for _, link := range r.links {
		target, err := canon.Resolve(base, link.URL)
		switch {
		case err != nil && len(page.Refused) < maxRefused:
			page.Refused = append(page.Refused, err.Error())
		case err == nil && target != pageURL:
			page.Found = append(page.Found, Link{URL: target, Text: link.Text})
		}
	}
	for _, link := range r.alternates {
		if target, err := canon.Resolve(base, link.URL); err == nil && target != pageURL && !strings.EqualFold(link.Text, r.lang) {
			page.Alternates = append(page.Alternates, target)
		}
	}
	if r.refresh != "" {
		if target, err := canon.Resolve(base, r.refresh); err == nil && target != pageURL {
			page.Refresh = target
		}
	}
	r.resolveCanonical(&page, canon, base, pageURL, header)
	return page
}

func (r *linkReader) resolveCanonical(page *Links, canon *weburl.Canonicalizer, base, pageURL string, header http.Header) {
	href := r.canonical
	if href == "" {
		href, base = headerCanonical(header), pageURL // RFC 8288, section 3.2: base does not count
	}
	if href == "" {
		return
	}
	var err error
	if page.Canonical, err = canon.Resolve(base, href); err != nil {
		page.BadCanonical = err.Error()
	}
}

// headerCanonical returns the target of the first rel=canonical in the Link
// headers (RFC 8288); empty when there is none.
func headerCanonical(header http.Header) string {
	for _, value := range header.Values("Link") {
		for {
			_, rest, found := strings.Cut(value, "<")
			if !found {
				break
			}
			var target, params string
			if target, rest, found = strings.Cut(rest, ">"); !found {
				break
			}
			params, value = cutUnquoted(rest, ',')
			if weburl.Trim(target) != "" && isCanonicalRel(params) {
				return target
			}
		}
	}
	return ""
}

func isCanonicalRel(params string) bool {
	for params != "" {
		var param string
		param, params = cutUnquoted(params, ';')
		name, value, _ := strings.Cut(param, "=")
		if strings.EqualFold(strings.TrimSpace(name), "rel") {
			return HasToken(strings.Trim(value, "\" \t"), "canonical") // the first rel counts
		}
	}
	return false
}

// cutUnquoted cuts s at the first sep outside quotation marks.
func cutUnquoted(s string, sep byte) (before, after string) {
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == sep && !quoted:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}
