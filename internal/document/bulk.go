package document

// Bulk is the one bulk delete of a run.
type Bulk struct {
	Before    string `json:"before"`    // it takes what has an earlier Date_date, YYYY/MM/DD
	Documents int    `json:"documents"` // the forecast: how many those are
}
