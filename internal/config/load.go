package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
)

const maxFile = 256 << 10 // bytes of a configuration file; a larger file is probably the wrong one

// Load reads the configuration file at path. getenv returns environment variables. If the file can be read
// but has faults, the error is a *Faults with all of them.
func Load(path string, getenv func(string) string) (*Config, error) {
	data, err := readFile(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no %s: sitesync init URL writes one, or name another with -c FILE", path)
	}
	if err != nil {
		return nil, fmt.Errorf("read the configuration (name another file with -c): %w", err)
	}
	return Parse(path, data, getenv)
}

// Local returns the configuration without a file: the defaults, and push.base_url = "local".
func Local() *Config {
	c := Default()
	c.Push.BaseURL = localBase
	c.settle("")
	return &c
}

// readFile reads up to most+1 bytes of a file. The extra byte shows the caller that the file is too long.
func readFile(path string, most int) ([]byte, error) {
	f, err := os.Open(path) //nolint:gosec // the user of the program chose the path
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, int64(most)+1))
}

func bounded(path string, data []byte, most int) error {
	if len(data) > most {
		return fmt.Errorf("%s is larger than %d KiB", path, most>>10)
	}
	return nil
}

// Parse does the same as Load, but gets the content of the file in data. Parameter file is the path of the
// file, for messages and for relative paths in data.
func Parse(file string, data []byte, getenv func(string) string) (*Config, error) {
	if err := bounded(file, data, maxFile); err != nil {
		return nil, err
	}
	c := Default()
	c.file, c.lines = file, map[string]int{}
	d := &decoder{Config: &c, into: reflect.ValueOf(&c).Elem(), getenv: getenv, unread: map[string]bool{}}
	d.decode(data)
	if !d.invalid {
		if d.lines["push.api_key"] == 0 && d.Push.APIKeyFile == "" && !d.unread["push.api_key_file"] {
			key, _ := d.expand(lineOf(d.lines, "push.api_key"), "push.api_key", "${SITESYNC_API_KEY}")
			d.Push.APIKey = Secret(key)
		}
		d.together()
	}
	if len(d.faults) > 0 {
		return nil, asError(d.faults)
	}
	c.settle(filepath.Dir(file))
	return &c, nil
}

func (d *decoder) together() {
	d.missing(len(d.Site.Start) == 0, "site.start", `name the site's first page, such as ["https://www.example.com/"]`)
	if d.Site.Folder != "" && len(d.Site.Start) > 1 {
		d.fault(d.lines["site.folder"], "site.folder",
			"stands for one address, but site.start names %d", len(d.Site.Start))
	}
	if d.Push.APIKeyFile != "" && (d.Push.APIKey != "" || d.unread["push.api_key"]) {
		d.fault(d.lines["push.api_key_file"], "push.api_key_file",
			"is set together with push.api_key: remove one of the two")
	}
	if d.Delete.Bulk && !d.Push.SoleWriter && !d.unread["push.sole_writer"] {
		d.fault(d.lines["delete.bulk"], "delete.bulk",
			"needs push.sole_writer: a filter also hits what others wrote to the crawler ID")
	}
	d.auth()
	d.fields()
	if m := d.Notify.Mail; len(m.To) > 0 {
		d.missing(m.SMTP == "", "notify.mail.smtp",
			`name the server that takes the mail, such as "smtp.example.com:587"`)
		d.missing(m.From == "", "notify.mail.from", `give the address that it comes from, such as "web@example.com"`)
	}
	for i, rule := range d.Delete.Retention {
		name := element("delete.retention", i)
		d.missing(len(rule.Where) == 0, name+".where", `name the paths that the rule covers, such as ["/news/**"]`)
		d.missing(rule.Before == Before{}, name+".before", `give an age such as "2y" or a day such as "2024/01/01"`)
	}
}

func (d *decoder) auth() {
	lineOfOrigin := map[string]int{}
	for i := range d.Fetch.Auth {
		a, name := d.Fetch.Auth[i], element("fetch.auth", i)
		line, has := d.lines[name], func(key string) bool { return d.lines[name+"."+key] > 0 }
		d.missing(a.Origin == "", name+".origin",
			"name the origin that gets these credentials, such as https://staging.example.com")
		if has("user") != has("password") || !has("user") && !has("headers") && len(a.Headers) == 0 {
			d.fault(line, name, "needs both user and password, or headers")
		}
		if first := lineOfOrigin[a.Origin]; first > 0 {
			d.fault(line, name+".origin", "has credentials already, on line %d: put them together", first)
		}
		if a.Origin != "" {
			lineOfOrigin[a.Origin] = line
		}
	}
}

// missing adds a fault for key if absent is true, unless key or its section already has a fault or
// names an environment variable that is not set.
func (d *decoder) missing(absent bool, key, text string) {
	if absent && !d.unread[key] && !d.unread[key[:strings.LastIndexByte(key, '.')]] {
		d.fault(lineOf(d.lines, key), key, "is missing: %s", text)
	}
}

// settle resolves relative paths against dir, and sets the defaults that depend on other keys.
func (c *Config) settle(dir string) {
	c.folderAsWritten = c.Site.Folder
	for _, path := range c.paths() {
		if *path != "" && !filepath.IsAbs(*path) {
			*path, c.relativePaths = filepath.Join(dir, *path), append(c.relativePaths, path)
		}
	}
	command := c.Notify.Command
	if len(command) > 0 && filepath.Base(command[0]) != command[0] && !filepath.IsAbs(command[0]) {
		command[0] = filepath.Join(dir, command[0]) // a name without a folder is searched in PATH
	}
	fill(&c.Store.Work, c.Store.Path+".work")
	fill(&c.Serve.Path, c.Store.Path+".service")
	fill(&c.Tools.Backups, c.Store.Path+".tools")
	if c.Push.Local() { // the local service needs no account
		fill(&c.Push.CustomerID, 10000001)
		fill(&c.Push.EngineID, 1)
		fill(&c.Push.CrawlerID, "local")
	}
	fill(&c.Push.QueueCrawlerID, c.Push.CrawlerID)
}

func (c *Config) paths() []*string {
	return []*string{
		&c.Site.Folder, &c.Fetch.CAFile, &c.Fetch.Cookies, &c.Fetch.Browser, &c.Extract.Cache,
		&c.Store.Path, &c.Store.Work, &c.Push.APIKeyFile, &c.Push.CAFile, &c.Serve.Path,
		&c.Tools.File, &c.Tools.Backups, &c.Notify.CAFile, &c.Metrics.File,
	}
}

// Own returns the paths of the configuration file and of all files and folders that the file names. The crawl
// of a site.folder must leave them out.
func (c *Config) Own() []string {
	own := []string{c.file}
	for _, path := range c.paths() {
		own = append(own, *path)
	}
	return own
}

func fill[T comparable](into *T, value T) { *into = cmp.Or(*into, value) }

// Warnings returns one line for each file that holds a secret and that other users of this machine can read.
func (c *Config) Warnings() (warnings []string) {
	if len(c.clearSecrets) > 0 && ReadableByOthers(c.file) {
		warnings = append(warnings, c.file+" holds "+shown(c.clearSecrets[len(c.clearSecrets)-1])+
			" and other users can read it: chmod 600 the file, or use ${NAME}")
	}
	for _, file := range [][2]string{{"the key", c.Push.APIKeyFile}, {"the cookies", c.Fetch.Cookies}} {
		if file[1] != "" && ReadableByOthers(file[1]) {
			warnings = append(warnings, "other users can read "+file[0]+" in "+file[1]+": chmod 600 the file")
		}
	}
	return warnings
}

// ReadableByOthers reports whether other users can read a file, by its mode. It is always false on Windows.
func ReadableByOthers(path string) bool {
	info, err := os.Stat(path)
	return err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o044 != 0
}

// Judge checks the values that ReadStrict has read. For each wrong key, it calls fault with the name of the
// [[section]] that holds the key, and i, the index of this section from 0.
type Judge = func(fault func(section string, i int, key, text string))

const maxStrict = 4 << 20 // bytes of a file that ReadStrict reads; it may hold much HTML

// ReadStrict reads the TOML file at path into the struct that into points to. The struct has tags like
// Config. Environment variables are not replaced. If the file is valid TOML, judge may add faults of its own.
// If there are faults, the error is a *Faults with all of them.
func ReadStrict(path string, into any, judge Judge) error {
	data, err := readFile(path, maxStrict)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return ParseStrict(path, data, into, judge)
}

// ParseStrict does the same as ReadStrict, but gets the content of the file in data.
func ParseStrict(path string, data []byte, into any, judge Judge) error {
	if err := bounded(path, data, maxStrict); err != nil {
		return err
	}
	c := &Config{file: path, lines: map[string]int{}}
	d := &decoder{Config: c, into: reflect.ValueOf(into).Elem(), unread: map[string]bool{}}
	d.decode(data)
	if !d.invalid {
		judge(func(section string, i int, key, text string) {
			key = element(section, i) + "." + key
			if !d.unread[key] {
				d.fault(lineOf(d.lines, key), key, "%s", text)
			}
		})
	}
	return asError(d.faults)
}
