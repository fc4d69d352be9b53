package judge

import (
	"slices"

	"sitesync/internal/document"
)

const (
	trustWindow  = 1000 // checks that count
	lastmodProof = 50   // truths before a host's lastmod is believed
)

// Observe returns trust after one more check of a hint that claimed a page
// unchanged: a lie when the page's document had changed all the same.
func Observe(trust document.Trust, lie bool) document.Trust {
	trust.Checks++
	trust.Lies = slices.DeleteFunc(slices.Clone(trust.Lies), func(n int) bool { return n <= trust.Checks-trustWindow })
	if lie {
		trust.Lies = append(trust.Lies, trust.Checks)
	}
	return trust
}

// TrustValidators reports whether a host's ETag and Last-Modified are believed:
// from the start, until they lie in more than 1 % of the last 1,000 checks.
func TrustValidators(trust document.Trust) bool {
	return len(trust.Lies)*100 <= min(trust.Checks, trustWindow)
}

// TrustLastmod reports whether a host's sitemap lastmod is believed: after 50
// truths, and as long as it lies in at most 1 % of the last 1,000 checks.
func TrustLastmod(trust document.Trust) bool {
	return trust.Checks-len(trust.Lies) >= lastmodProof && TrustValidators(trust)
}
