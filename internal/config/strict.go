package config

import (
	"fmt"
	"reflect"
)

// maxStrict bounds, in bytes, a file that ReadStrict reads: it may hold much markup.
const maxStrict = 4 << 20

// ReadStrict reads the TOML file at path into the struct that into points to, as
// strictly as Load reads a configuration: by the tags that Config explains, every
// fault at once in a *Faults. No environment variables are read. When all of the file
// could be read, judge may add faults: of a key of the i-th [[section]]. A file that
// can't be read at all is an error of its own.
func ReadStrict(path string, into any, judge func(fault func(section string, i int, key, text string))) error {
	data, err := readFile(path, maxStrict)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return ParseStrict(path, data, into, judge)
}

// ParseStrict is ReadStrict of what is, or would be, in the file at path.
func ParseStrict(path string, data []byte, into any, judge func(fault func(section string, i int, key, text string))) error {
	if err := bounded(path, data, maxStrict); err != nil {
		return err
	}
	d := &decoder{Config: &Config{file: path, lines: map[string]int{}}, into: reflect.ValueOf(into).Elem(), unread: map[string]bool{}}
	d.decode(withoutMark(data))
	if !d.broken {
		judge(func(section string, i int, key, text string) {
			key = element(section, i) + "." + key
			if !d.unread[key] {
				d.fault(lineOf(d.lines, key), key, "%s", text)
			}
		})
	}
	return asError(d.faults)
}
