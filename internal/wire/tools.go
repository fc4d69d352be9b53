package wire

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Kind is one of the four kinds of search tools (specification sections 2.4 to 2.7).
type Kind string

// The kinds of search tools.
const (
	KindRanking   Kind = "ranking"
	KindQuicklink Kind = "quicklink"
	KindBanner    Kind = "banner"
	KindSynonyms  Kind = "synonyms"
)

// Kinds returns the kinds in the order of the specification.
func Kinds() []Kind { return []Kind{KindRanking, KindQuicklink, KindBanner, KindSynonyms} }

// Path returns the path of a kind below the base address: without version and
// without a slash at the end (section 9).
func (k Kind) Path() string {
	return map[Kind]string{KindRanking: "/api/rankings", KindQuicklink: "/api/quicklinks", KindBanner: "/api/banners", KindSynonyms: "/api/synonymsgroup"}[k]
}

// ResponseOnly returns the keys of a kind that only answers hold, the key of its ID first.
func (k Kind) ResponseOnly() []string {
	switch k {
	case KindBanner:
		return []string{"id", "engineIds", "frequency", "daysOfWeek", "cssCode", "jsonOption", "editorType", "brokenLinksFoundAt"}
	case KindSynonyms:
		return []string{"groupId"}
	}
	return []string{"id", "brokenLinksFoundAt"}
}

// ID returns the ID in the service's JSON of a tool, be it a number or a text, and 0
// when it holds none.
func (k Kind) ID(tool []byte) int64 {
	o, _ := ParseObject(tool)
	value, _ := o.Get(k.ResponseOnly()[0])
	id, err := strconv.ParseInt(strings.Trim(string(value), `"`), 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// Term is one entry of rankingterms, terms and bannerterms.
type Term struct {
	Name string `json:"name"`
}

// Ranking is a ranking, section 2.4, without the keys that only answers hold, apart from
// its ID; the entries of Audiences are opaque.
type Ranking struct {
	ID           int64           `json:"id,omitempty"`
	Name         string          `json:"name"`
	WebsiteID    int64           `json:"WebsiteId"`
	Pages        []RankedPage    `json:"pages"`
	RankingTerms []Term          `json:"rankingterms"`
	Audiences    json.RawMessage `json:"audiences,omitempty"`
}

// RankedPage is one entry of a ranking's pages: Rank is a position, ShowPage tells
// whether the page is shown or hidden.
type RankedPage struct {
	Rank      int   `json:"rank"`
	ShowPage  bool  `json:"showpage"`
	Page      Page  `json:"page"`
	WebsiteID int64 `json:"websiteid"`
}

// Page is the page of a RankedPage.
type Page struct {
	Name       string `json:"name"`
	PageID     string `json:"pageid"`
	PageURL    string `json:"pageurl"`
	Searchable bool   `json:"searchable"`
	WebsiteID  int64  `json:"websiteid"`
}

// Quicklink is a quicklink, section 2.5. ID is of answers only.
type Quicklink struct {
	ID        int64  `json:"id,omitempty"`
	URL       string `json:"url"`
	WebsiteID int64  `json:"websiteid"`
	Terms     []Term `json:"terms"`
}

// Banner is a banner, section 2.6. From and To are RFC 3339 date-times, empty for
// none. ID is of answers only, whose further keys are left out.
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

// SynonymGroup is a group of synonyms, section 2.7. GroupID is of answers only.
type SynonymGroup struct {
	GroupID  int64    `json:"groupId,omitempty"`
	Words    []string `json:"words"`
	Language string   `json:"language"`
}

// The call kinds of sections 4.3 and 4.4 that report what visitors did or think.
const (
	EventQuery           = "query"            // section 2.9
	EventClick           = "click"            // section 2.10
	EventFeedback        = "feedback"         // section 2.8
	EventSummaryFeedback = "summary-feedback" // section 2.11
	EventAnswerFeedback  = "answer-feedback"  // section 2.11
	EventAnswerClick     = "answer-click"     // section 2.11
)

// EventPath returns the path of a kind's call for a customer and an engine: tracking is v3
// alone, the rest v4 (section 9).
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

// Document is an index entry as it is sent, section 2.2. Fields stay raw so that
// a receiver can name the value that is no string.
type Document struct {
	ID     string                     `json:"id"`
	Fields map[string]json.RawMessage `json:"fields"`
	Type   *string                    `json:"type,omitempty"`
}

// Filter is a bulk-delete filter, section 2.3: keys are field names, ANDed.
type Filter map[string]Condition

// Condition is one key of a Filter. Operators that appear: Eq, Gte, Lt.
type Condition struct {
	Operator string   `json:"operator"`
	Values   []string `json:"values"`
}

// BulkDeleteResult is the answer to a bulk delete, section 4.1.
type BulkDeleteResult struct {
	Success bool   `json:"success"`
	Deleted int    `json:"deleted"`
	Failed  int    `json:"failed"`
	Reason  string `json:"reason"`
}

// Unauthorized is the message when credentials are missing or wrong, section 7.
const Unauthorized = "unauthorized"

// FieldErrors is the error shape of section 7 for search tools: messages keyed
// by field path.
type FieldErrors map[string][]string
