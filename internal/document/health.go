package document

// HealthGroup is what the documents of one group looked like that a run read: those
// that a host answers unchanged are not among them.
type HealthGroup struct {
	Group   string        `json:"group"`            // a host's address, that of a first folder of it, a type, or OtherGroups
	Groups  int           `json:"groups,omitempty"` // how many OtherGroups sums up
	Read    int           `json:"read"`
	Changed int           `json:"changed"` // of those, new or not what the index holds
	Known   int           `json:"known"`   // of those read, acknowledged before
	Worse   int           `json:"worse"`   // of those known, with a field lost or under a fifth of their length
	Fields  []FieldHealth `json:"fields,omitempty"`
}

// OtherGroups is the name of what sums up the groups that are too many to be kept,
// without their fields.
const OtherGroups = "others"

// FieldHealth is one field of a group's documents.
type FieldHealth struct {
	Name string `json:"name"`
	FieldFigures
	FellFrom *FieldFigures `json:"fell_from,omitempty"` // of an earlier run, where it is much less now
}

// FieldFigures sum up a field's values.
type FieldFigures struct {
	Fill   float64 `json:"fill"`   // share of the documents that have the field
	Median int     `json:"median"` // bytes of those that have it, to about 6 %
}
