package service

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"sitesync/internal/wire"
)

// fieldProblem is a search tool that is refused with the field errors of section 7.
type fieldProblem struct {
	status int
	faults wire.FieldErrors
}

// Error names every path and what is wrong there.
func (p fieldProblem) Error() string {
	var all []string
	for _, path := range slices.Sorted(maps.Keys(p.faults)) {
		all = append(all, path+": "+strings.Join(p.faults[path], ", "))
	}
	return strings.Join(all, "; ")
}

func (p fieldProblem) reply() reply {
	answer, _ := jsonReply(p.status, p.faults) // strings always encode
	return answer
}

// read returns the tool of a body as it is stored, but for its ID. What is wrong with
// synonyms is {message}, since section 7 gives field errors to the other kinds alone.
func (k toolKind) read(c *call) ([]byte, error) {
	faults := wire.FieldErrors{}
	stored := k.check(sent{c.body, "", faults})
	refused := fieldProblem{cmp.Or(c.switches.FieldErrorStatus, http.StatusBadRequest), faults}
	switch {
	case len(faults) == 0:
		return stored, nil
	case faults[""] != nil:
		return nil, badRequest("the body %s", faults[""][0])
	case k.kind == wire.KindSynonyms:
		return nil, badRequest("%s", refused)
	}
	return nil, refused
}

// notThere is the refusal of an ID that no tool of the kind has.
func (k toolKind) notThere(c *call, id int64) error {
	return problem{cmp.Or(c.switches.NotFoundStatus, http.StatusNotFound), fmt.Sprintf("the %s with the ID %d was not found", k.kind, id)}
}

// withID returns a tool, which has members, with its ID before them.
func (k toolKind) withID(id int64, tool []byte) []byte {
	return append(fmt.Appendf(nil, `{"%s":%d,`, k.id, id), tool[1:]...)
}

// toolKey is the key that a tool is stored under.
func toolKey(id int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(id)) }
