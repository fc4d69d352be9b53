package extract

// Attempt is what one source gave for one field.
type Attempt struct {
	Field  string
	Source string // in the syntax of field rules where there is one
	Value  string // empty: nothing; of a source that lost for its form, what it gave
	Won    bool
}
