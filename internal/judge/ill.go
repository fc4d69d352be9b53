package judge

import (
	"fmt"
	"slices"
	"strings"

	"sitesync/internal/document"
)

const collapse = 0.2

// Collapsed reports whether a content of length bytes has under a fifth of the indexed content's length.
func Collapsed(length int, rec *document.Record) bool {
	return float64(length) < collapse*float64(rec.Length)
}

// suspect keeps the indexed text for this run if a page looks broken, and warns. It returns false if the
// previous run saw the same defect. The page's new text is then believed.
func (j *judgement) suspect(ill document.Illness, why string) bool {
	rec := j.Record
	shorter, longer := min(rec.Suspect.Length, ill.Length), max(rec.Suspect.Length, ill.Length)
	again := rec.Suspect.How == ill.How && 5*(longer-shorter) <= longer
	if again && !j.keepsText() {
		return false
	}
	j.verdict.Unseen, j.verdict.Newly = true, rec.Suspect.How == ""
	if !again || rec.Misses > 0 || rec.Since != "" {
		next := j.copyRecord()
		next.Suspect, next.Misses, next.Standing, next.Since = ill, 0, document.Standing{}, ""
		j.look(next)
		j.verdict.Next = next
	}
	if !j.keepsText() {
		why += "; the indexed text is kept; what was read is sent when the next run reads the same again"
		j.verdict.warn("unhealthy", j.URL, why)
	}
	return true
}

// illness says how a page is broken: it returns a key (how) that the next run compares, and a sentence
// (why). Both are empty if the page is sound, or shows again a content that the index held before.
func (j *judgement) illness() (how, why string) {
	c, rec := j.Content, j.Record
	switch {
	case rec == nil || rec.Push != document.PushOK || j.Delta.Same() || j.Returns():
		return "", ""
	case rec.Type == document.FileContent && c.Type == document.PageContent:
		return "page", "a page is shown at the address of a file"
	case j.emptyShell():
		return "shell", "the page is an empty shell: its text needs JavaScript"
	case len(j.Delta.Lost) > 0:
		return "lost " + strings.Join(j.Delta.Lost, " "), "the page lost its " + j.Delta.Lost[0]
	case j.Stranger() && j.Doubled:
		return "stranger", "the page shows a text that has little in common with what the index holds, " +
			"and another page shows the same"
	case Collapsed(c.Length, rec):
		from, to := document.Number(rec.Length), document.Count(c.Length, "byte")
		return "short", fmt.Sprintf("the content shrank from %s to %s", from, to)
	}
	return "", ""
}

func (f *Facts) emptyShell() bool {
	return f.Content != nil && !f.Delta.Same() && slices.Contains(f.Content.Warn, "empty-shell")
}

func (j *judgement) keepsText() bool {
	return j.Content != nil && slices.Contains(j.Content.Warn, fileWithoutText) &&
		slices.Contains(j.Delta.Lost, "Content")
}
