package wire

// The call kinds of sections 4.3 and 4.4 that report what visitors did or think.
const (
	EventQuery           = "query"            // search/pushstat/querylog, section 2.9
	EventClick           = "click"            // search/pushstat/clicklog, section 2.10
	EventFeedback        = "feedback"         // feedback, section 2.8
	EventSummaryFeedback = "summary-feedback" // search/summarize/feedback, section 2.11
	EventAnswerFeedback  = "answer-feedback"  // search/answer/feedback, section 2.11
	EventAnswerClick     = "answer-click"     // search/answer/click, section 2.11
)

// Tracked is the answer to a query or click event, section 2.10.
type Tracked struct {
	ID string `json:"id"`
}

// FeedbackResult is the answer to search feedback, section 2.8.
type FeedbackResult struct {
	Value struct {
		EventID    string `json:"eventId"`
		FeedbackID string `json:"feedbackId"`
	} `json:"value"`
}

// QueryKeys returns the keys of a query event that section 2.9 names, in its order.
func QueryKeys() []string {
	return []string{"sw", "qid", "sz", "ua", "refurl", "refpt", "brl", "pn", "hn", "rc", "fquery", "ban", "bnrs", "rt", "ql", "sid", "qsid"}
}

// ClickKeys returns the keys of a click event that section 2.10 names, in its order.
func ClickKeys() []string {
	return []string{"sw", "qid", "clurl", "cli", "title", "sz", "ua", "refurl", "refpt", "brl", "pn", "hn", "sid", "qsid", "cloi"}
}

// FeedbackKeys returns the keys of search feedback, section 2.8, in its order.
func FeedbackKeys() []string {
	return []string{
		"url", "feedbackId", "rating", "reason", "comment", "sessionId", "ip", "deviceType", "userAgent",
		"browserLanguage", "screenResolution", "applicationName", "applicationVersion",
	}
}

// MismatchError is the error shape of section 7 for tracking calls whose path IDs do not
// match.
type MismatchError struct {
	Message string `json:"Message"`
}
