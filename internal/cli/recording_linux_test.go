package cli_test

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"sitesync/internal/cli"
)

var update = flag.Bool("update", false, "write the recording in docs/edit.svg anew")

// recorded are the commands of the recording, one a night.
var recorded = []string{
	"sed -i 's/two working days/one working day/' site/departments/roads-and-parks.html",
	"sitesync plan -v",
	"sitesync sync",
	"sitesync sync",
}

// TestRecording: docs/edit.svg shows what the commands print today when a page of the sample
// site was edited; -update draws it anew.
func TestRecording(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "site"), os.DirFS("../../testdata/site")); err != nil {
		t.Fatal(err)
	}
	const config = "[site]\nstart = [\"https://www.fjordby.example/\"]\nfolder = \"site\"\n[push]\nbase_url = \"local\"\n"
	if err := os.WriteFile(filepath.Join(dir, "sitesync.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(night int, line string) string {
		var messages bytes.Buffer
		getenv := func(name string) string {
			return map[string]string{"SOURCE_DATE_EPOCH": fmt.Sprint(1_795_370_400 + night*86_400)}[name]
		}
		out := onTerminal(t, func(terminal *os.File) {
			if args := strings.Fields(line); args[0] != "sitesync" {
				cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
				cmd.Dir, cmd.Stdout, cmd.Stderr = dir, terminal, &messages
				if err := cmd.Run(); err != nil {
					t.Errorf("%s: %v\n%s", line, err, &messages)
				}
			} else if code := cli.Run(t.Context(), append(args[1:], "-c", filepath.Join(dir, "sitesync.toml")), strings.NewReader(""), terminal, &messages, getenv); code != 0 {
				t.Errorf("%s: exit code %d\n%s", line, code, &messages)
			}
		})
		return regexp.MustCompile(` in [0-9.a-z]+;`).ReplaceAllString(out, ";") // as long as it takes
	}
	run(0, "sitesync sync")
	film := film{}
	for i, line := range recorded {
		film.types(line)
		film.prints(run(i+1, line))
	}
	const path = "../../docs/edit.svg"
	drawn := film.draw("A page is edited. sitesync plan shows the changed words, sitesync sync sends the change, and the next sync has nothing to do.")
	if *update {
		if err := os.WriteFile(path, drawn, 0o644); err != nil { //nolint:gosec // a picture for everybody
			t.Fatal(err)
		}
	}
	if committed, err := os.ReadFile(path); err != nil || !bytes.Equal(committed, drawn) {
		t.Errorf("%s shows other words than the commands print: go test ./internal/cli -run TestRecording -update (%v)", path, err)
	}
	if len(drawn) > 40_000 {
		t.Errorf("%s has %d bytes", path, len(drawn))
	}
}

// onTerminal returns what use writes to a terminal.
func onTerminal(t *testing.T, use func(terminal *os.File)) string {
	t.Helper()
	far, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("SKIPPED: no terminal: ", err)
	}
	defer far.Close()
	number, err := unix.IoctlGetInt(int(far.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(far.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	near, err := os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("SKIPPED: no terminal: ", err)
	}
	written := make(chan string)
	go func() {
		raw, _ := io.ReadAll(far) // ends with EIO when the near end is closed
		written <- strings.ReplaceAll(string(raw), "\r\n", "\n")
	}()
	use(near)
	near.Close()
	return <-written
}

// A film is a terminal that is written line by line. It needs no script, and without animation
// it is a picture of all lines.
type film struct {
	at    float64 // seconds since its beginning
	lines int
	body  strings.Builder
	moves strings.Builder
}

const (
	filmColumns = 104
	filmLine    = 20  // pixels
	filmLetter  = 8.4 // pixels, of 14 pixels of a monospaced font
	filmEnd     = 22  // seconds
	filmWidth   = filmColumns*84/10 + 32
)

// types has a line typed behind the prompt.
func (f *film) types(line string) {
	begun, y := f.at+0.8, f.lines*filmLine
	f.line(`<tspan class="quiet">$</tspan> ` + html.EscapeString(line))
	n := utf8.RuneCountInString(line)
	f.at = begun + float64(n)*0.03
	fmt.Fprintf(&f.body, `<rect class="cover" style="animation-name:t%d" x="%.1f" y="%d" width="%.1f" height="%d"/>`+"\n", f.lines, 16+2*filmLetter, y+14, float64(n+1)*filmLetter, filmLine)
	fmt.Fprintf(&f.moves, "@keyframes t%d{0%%,%s{transform:none;animation-timing-function:steps(%d)}%s,to{transform:scaleX(0)}}\n", f.lines, share(begun), n, share(f.at))
	f.at += 0.7
}

// prints has all lines of an output appear. One that is too wide is broken at the edge, as terminals do.
func (f *film) prints(out string) {
	colour := ""
	for line := range strings.Lines(out) {
		var drawn strings.Builder
		left := filmColumns
		for i, part := range strings.Split(strings.TrimRight(line, "\n"), "\x1b[") {
			if i > 0 {
				code, rest, _ := strings.Cut(part, "m")
				colour, part = map[string]string{"31": "del", "32": "ins", "36": "patch"}[code], rest
			}
			for runes := []rune(part); len(runes) > 0; {
				if left == 0 {
					f.line(drawn.String())
					drawn.Reset()
					left = filmColumns
				}
				n := min(left, len(runes))
				if text := html.EscapeString(string(runes[:n])); colour == "" {
					drawn.WriteString(text)
				} else {
					fmt.Fprintf(&drawn, `<tspan class="%s">%s</tspan>`, colour, text)
				}
				runes, left = runes[n:], left-n
			}
		}
		f.line(drawn.String())
	}
	f.at += 1.5
	if out != "" {
		f.at += 1.5
		f.lines++
	}
}

func (f *film) line(drawn string) {
	f.lines++
	if drawn == "" {
		return
	}
	fmt.Fprintf(&f.body, `<text style="animation-name:l%d" x="16" y="%d">%s</text>`+"\n", f.lines, f.lines*filmLine+8, drawn)
	fmt.Fprintf(&f.moves, "@keyframes l%d{0%%{opacity:0}%s{opacity:1}}\n", f.lines, share(f.at))
}

func share(seconds float64) string { return fmt.Sprintf("%.2f%%", seconds/filmEnd*100) }

func (f *film) draw(says string) []byte {
	height := f.lines*filmLine + 12
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" xml:space="preserve" role="img" aria-label="%[3]s">
<title>%[3]s</title>
<style>
rect{fill:#fff}
.edge{stroke:#c9cbd3}
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1b1b1f;white-space:pre}
.quiet{fill:#55565e}
.patch{fill:#0b4fae}
.del{fill:#a3161c}
.ins{fill:#14603a}
.cover{transform:scaleX(0);transform-box:fill-box;transform-origin:right}
@media (prefers-color-scheme:dark){
rect{fill:#17181c}
.edge{stroke:#4a4d57}
text{fill:#e9e9ee}
.quiet{fill:#b3b5bf}
.patch{fill:#9cc4ff}
.del{fill:#ff9d99}
.ins{fill:#7ddca3}
}
@media (prefers-reduced-motion:no-preference){
text,.cover{animation-duration:%[4]ds;animation-iteration-count:3}
text{animation-timing-function:step-end}
}
%[5]s</style>
<rect class="edge" x=".5" y=".5" width="%[6]d" height="%[7]d" rx="8"/>
%[8]s</svg>
`, filmWidth, height, html.EscapeString(says), filmEnd, f.moves.String(), filmWidth-1, height-1, f.body.String())
}
