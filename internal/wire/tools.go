package wire

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Kind is a kind of search tool, by which editors change search results (specification sections 2.4 to 2.7).
type Kind string

const (
	KindRanking   Kind = "ranking"
	KindQuicklink Kind = "quicklink"
	KindBanner    Kind = "banner"
	KindSynonyms  Kind = "synonyms"
)

// Kinds returns all kinds in the order of the specification.
func Kinds() []Kind { return []Kind{KindRanking, KindQuicklink, KindBanner, KindSynonyms} }

// Path returns the kind's path below the base URL. It has no API version and no final slash (section 9).
func (k Kind) Path() string {
	return map[Kind]string{
		KindRanking: "/api/rankings", KindQuicklink: "/api/quicklinks",
		KindBanner: "/api/banners", KindSynonyms: "/api/synonymsgroup",
	}[k]
}

// ResponseOnly returns the keys that occur only in responses. The key of the tool's ID comes first.
func (k Kind) ResponseOnly() []string {
	switch k {
	case KindBanner:
		return []string{
			"id", "engineIds", "frequency", "daysOfWeek", "cssCode", "jsonOption", "editorType", "brokenLinksFoundAt",
		}
	case KindSynonyms:
		return []string{"groupId"}
	}
	return []string{"id", "brokenLinksFoundAt"}
}

// ID returns the ID in a tool's JSON, which may be a number or a string. It returns 0 for an invalid ID.
func (k Kind) ID(tool []byte) int64 {
	o, _ := ParseObject(tool)
	value, _ := o.Get(k.ResponseOnly()[0])
	id, err := strconv.ParseInt(strings.Trim(string(value), `"`), 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// Term is one entry of the arrays rankingterms, terms and bannerterms.
type Term struct {
	Name string `json:"name"`
}

// Ranking sets the positions of pages in the results of searches for its terms (section 2.4). ID occurs only
// in responses. Audiences is JSON that this program passes on unchanged.
type Ranking struct {
	ID           int64           `json:"id,omitempty"`
	Name         string          `json:"name"`
	WebsiteID    int64           `json:"WebsiteId"`
	Pages        []RankedPage    `json:"pages"`
	RankingTerms []Term          `json:"rankingterms"`
	Audiences    json.RawMessage `json:"audiences,omitempty"`
}

// RankedPage is one entry of Ranking.Pages. Rank is its position. If ShowPage is false, the page is hidden.
type RankedPage struct {
	Rank      int   `json:"rank"`
	ShowPage  bool  `json:"showpage"`
	Page      Page  `json:"page"`
	WebsiteID int64 `json:"websiteid"`
}

// Page identifies the page of a RankedPage.
type Page struct {
	Name       string `json:"name"`
	PageID     string `json:"pageid"`
	PageURL    string `json:"pageurl"`
	Searchable bool   `json:"searchable"`
	WebsiteID  int64  `json:"websiteid"`
}

// Quicklink links a URL to search terms (section 2.5). ID occurs only in responses.
type Quicklink struct {
	ID        int64  `json:"id,omitempty"`
	URL       string `json:"url"`
	WebsiteID int64  `json:"websiteid"`
	Terms     []Term `json:"terms"`
}

// Banner is HTML code for the results of searches for its terms (section 2.6). It is shown between From and
// To, which are RFC 3339 date-times; an empty one sets no limit. ID occurs only in responses.
type Banner struct {
	ID          int64           `json:"id,omitempty"`
	Name        string          `json:"name"`
	HTMLCode    string          `json:"htmlcode"`
	WebsiteID   int64           `json:"websiteid"`
	BannerTerms []Term          `json:"bannerterms,omitempty"`
	IsDisabled  bool            `json:"isDisabled"`
	From        string          `json:"from,omitempty"`
	To          string          `json:"to,omitempty"`
	Audiences   json.RawMessage `json:"audiences,omitempty"`
}

// SynonymGroup is a group of words with one meaning (section 2.7). GroupID occurs only in responses.
type SynonymGroup struct {
	GroupID  int64    `json:"groupId,omitempty"`
	Words    []string `json:"words"`
	Language string   `json:"language"`
}

// Kinds of events, by which clients report the actions and opinions of visitors (sections 2.8 to 2.11).
const (
	EventQuery           = "query"
	EventClick           = "click"
	EventFeedback        = "feedback"
	EventSummaryFeedback = "summary-feedback"
	EventAnswerFeedback  = "answer-feedback"
	EventAnswerClick     = "answer-click"
)

// EventPath returns the path for events of a kind. Query and click events exist only in API v3, all other
// kinds only in v4 (section 9).
func EventPath(kind, customer, engine string) string {
	return fmt.Sprintf("/api/"+map[string]string{
		EventQuery:           "v3/%s/%s/search/pushstat/querylog",
		EventClick:           "v3/%s/%s/search/pushstat/clicklog",
		EventFeedback:        "v4/%s/%s/feedback",
		EventSummaryFeedback: "v4/%s/%s/search/summarize/feedback",
		EventAnswerFeedback:  "v4/%s/%s/search/answer/feedback",
		EventAnswerClick:     "v4/%s/%s/search/answer/click",
	}[kind], customer, engine)
}

// Tracked is the response to an event of kind EventQuery or EventClick (section 2.10).
type Tracked struct {
	ID string `json:"id"`
}

// FeedbackResult is the response to an event of kind EventFeedback (section 2.8).
type FeedbackResult struct {
	Value struct {
		EventID    string `json:"eventId"`
		FeedbackID string `json:"feedbackId"`
	} `json:"value"`
}

// Document is an index entry in the form in which clients send it (section 2.2). Field values stay raw JSON,
// so that the receiver can report a value that is not a string.
type Document struct {
	ID     string                     `json:"id"`
	Fields map[string]json.RawMessage `json:"fields"`
	Type   *string                    `json:"type,omitempty"`
}

// Filter maps field names to conditions. A bulk delete removes the documents that meet all (section 2.3).
type Filter map[string]Condition

// Condition is the condition on one field of a Filter. Operator is Eq, Gte or Lt.
type Condition struct {
	Operator string   `json:"operator"`
	Values   []string `json:"values"`
}

// BulkDeleteResult is the response to a bulk delete, section 4.1.
type BulkDeleteResult struct {
	Success bool   `json:"success"`
	Deleted int    `json:"deleted"`
	Failed  int    `json:"failed"`
	Reason  string `json:"reason"`
}

// Unauthorized is the message when credentials are missing or wrong, section 7.
const Unauthorized = "unauthorized"

// FieldErrors is the error response for search tools, section 7. It maps a field path to its messages.
type FieldErrors map[string][]string
