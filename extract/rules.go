package extract

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"sitesync/extract/rule"
	"sitesync/internal/document"
)

// fieldRule is an [[extract.field]], compiled.
type fieldRule struct {
	Field
	from       []rule.Source
	transforms []rule.Transform
	hash       uint64
}

// compileFields compiles Options.Fields; its faults come joined, each naming its
// key.
func (e *Extractor) compileFields() error {
	var errs []error
	fault := func(i int, key string, value string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("extract.field[%d].%s: %q %w", i, key, value, err))
		}
	}
	spelled := map[string]string{}
	for i, f := range e.options.Fields {
		r := fieldRule{Field: f, hash: f.fingerprint(e.options.Multi)}
		fault(i, "name", f.Name, rule.CheckName(f.Name))
		if first, ok := spelled[strings.ToLower(f.Name)]; ok && first != f.Name {
			fault(i, "name", f.Name, fmt.Errorf("must be written as before, %q", first))
		}
		spelled[strings.ToLower(f.Name)] = f.Name
		for j, text := range f.From {
			source, err := rule.ParseSource(text)
			fault(i, fmt.Sprintf("from[%d]", j), text, err)
			r.from = append(r.from, source)
		}
		for j, text := range f.Transform {
			transform, err := rule.ParseTransform(text)
			fault(i, fmt.Sprintf("transform[%d]", j), text, err)
			r.transforms = append(r.transforms, transform)
		}
		if f.Name == "Date" { // one day, in the form that the service compares
			r.transforms = append(r.transforms, rule.Transform{Op: rule.Date}, rule.Transform{Op: rule.First})
		}
		e.fields = append(e.fields, r)
	}
	return errors.Join(errs...)
}

// fingerprint is of all that can move the field of a page that the rule applies to.
func (f Field) fingerprint(multi string) uint64 {
	return xxhash.Sum64String(fmt.Sprintf("%q %q %q %q %t %q", f.Name, f.From, f.Transform, f.Map, f.Required, multi))
}

func (r *fieldRule) applies(url string) bool { return r.Where.Match == nil || r.Where.Match(url) }

// withFields adds to a rule fingerprint the field rules that apply to a URL, in
// their order.
func (e *Extractor) withFields(sum uint64, url string) uint64 {
	for i := range e.fields {
		if r := &e.fields[i]; r.applies(url) {
			sum = sum*0x9E3779B97F4A7C15 + r.hash
		}
	}
	return sum
}

// rule gives the draft what the owner's rules say. Those for one field are tried in
// their order, and so are the sources of each; the first that gives a value wins,
// and none other is looked at unless v.trace wants all. It errs when a required
// field gets no value.
func (e *Extractor) rule(d *document.Draft, v *evidence) error {
	if len(e.fields) == 0 {
		return nil
	}
	given := map[string]string{}
	var required []string
	for i := range e.fields {
		r := &e.fields[i]
		if !r.applies(v.page.URL) {
			continue
		}
		if r.Required {
			required = append(required, r.Name)
		}
		e.try(r, v, given)
	}
	for _, name := range required {
		if given[name] == "" {
			return fmt.Errorf("extract.field %q is required, and no source of it gives a value here: mend the page, or change the rule's from, where or required", name)
		}
	}
	d.Ruled = given
	if content, ok := given["Content"]; ok {
		d.Blocks = blocksOf(content)
		given["Content"] = string(appendContent(nil, d.Blocks))
		d.Warn = slices.DeleteFunc(d.Warn, func(kind string) bool { return kind == WarnEmptyShell || kind == WarnNoContent || kind == WarnFileText })
	}
	return nil
}

// try asks the sources of one rule and puts the first value into given, unless the
// field has one.
func (e *Extractor) try(r *fieldRule, v *evidence, given map[string]string) {
	for i := range r.from {
		if given[r.Name] != "" && v.trace == nil {
			return
		}
		value := choose(e.transform(r, e.values(&r.from[i], v)), e.options.Multi)
		won := value != "" && given[r.Name] == ""
		if won {
			given[r.Name] = value
		}
		v.tell(Attempt{r.Name, r.from[i].String(), value, won})
	}
}

// tell notes an attempt where explain asks for it. What a rule gives takes the field
// from the default that won before.
func (v *evidence) tell(a Attempt) {
	if v.trace == nil {
		return
	}
	for i := range *v.trace {
		if before := &(*v.trace)[i]; before.Field == a.Field {
			before.Won = before.Won && !a.Won
		}
	}
	*v.trace = slices.Insert(*v.trace, v.told, a)
	v.told++
}

// choose makes one value of those that are left, by extract.multi. Only line feeds
// break it.
func choose(values []string, multi string) string {
	if len(values) == 0 {
		return ""
	}
	value := values[0]
	if separator, ok := strings.CutPrefix(multi, "join:"); ok {
		value = strings.Join(values, separator)
	}
	lines := strings.Split(value, "\n")
	for i, line := range lines {
		lines[i] = clean(line)
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// blocksOf returns the lines of a text.
func blocksOf(text string) []document.Block {
	var blocks []document.Block
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			blocks = append(blocks, document.Block{Hash: xxhash.Sum64String(line), Text: line})
		}
	}
	return blocks
}
