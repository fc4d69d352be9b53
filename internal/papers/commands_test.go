package papers

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sitesync/internal/cli"
)

const (
	wordForm = `(?:"[^"]*"|'[^']*'|[^\s"'|;&()<>#][^\s"'|;&()<>]*)+`
	begins   = `(?m)(?:^|[|;&(])\s*(?:(?:[A-Z_]+=\S+|sudo(?: -u \S+)?|exec|if|then|do|!) +)*(?:[\w./-]*/)?`
)

// A word of a shell; a call where a command of a script begins; a call anywhere, as in a unit.
var (
	aWord    = regexp.MustCompile(wordForm)
	inScript = regexp.MustCompile(begins + `(?:sitesync|go run \.)((?: +` + wordForm + `)*)(>?)`)
	inUnit   = regexp.MustCompile(`[ /=]sitesync((?: +` + wordForm + `)+)(>?)`)
)

// calls returns the arguments of each call of sitesync in a text, as a shell would pass them on.
func calls(form *regexp.Regexp, text string) (all [][]string) {
	for _, found := range form.FindAllStringSubmatch(strings.ReplaceAll(text, "\\\n", ""), -1) {
		var args []string
		for _, word := range aWord.FindAllString(found[1], -1) {
			args = append(args, strings.NewReplacer(`"`, "", "'", "").Replace(word))
		}
		if last := len(args) - 1; found[2] != "" && last >= 0 && len(args[last]) == 1 { // 2>file
			args = args[:last]
		}
		all = append(all, args)
	}
	return all
}

// TestCalls: scripts are read as a shell reads them.
func TestCalls(t *testing.T) {
	for script, want := range map[string][][]string{
		"sitesync b 'c d' \"e $f\" # g\nh":                           {{"b", "c d", "e $f"}},
		"A=1 B=\"$(sitesync d)\" e f >g 2>&1 | sudo sitesync h && i": {{"d"}, {"h"}},
		"/usr/bin/sitesync \\\n  b 2>f\nif go run . c; then d; fi":   {{"b"}, {"c"}},
		"echo sitesync a; sitesync --b=c x#y":                        {{"--b=c", "x#y"}},
	} {
		if got := calls(inScript, script); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q; want %q", script, got, want)
		}
	}
}

// takes errs unless a command takes the arguments: flags exist, values fit, their number is right.
func takes(args []string) error {
	root := cli.Command()
	cmd, rest, err := root.Find(args)
	if err == nil {
		err = cmd.ParseFlags(rest)
		if errors.Is(err, pflag.ErrHelp) {
			return nil
		}
	}
	if err == nil {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	if err == nil && cmd.HasSubCommands() && cmd.RunE == nil && cmd.Run == nil && !cmd.Flags().Changed("help") {
		err = fmt.Errorf("%s needs one of its commands", cmd.CommandPath())
	}
	return err
}

var ownScript = regexp.MustCompile(`(?m)^\.ci/[a-z-]+`)

// TestCommands: every call in a block of a page is sitesync as it takes its arguments.
func TestCommands(t *testing.T) {
	found := 0
	for _, p := range pages(t) {
		for _, b := range p.blocks {
			form := inScript
			switch b.language {
			case "sh":
			case "crontab", "ini", "yaml", "dockerfile", "powershell":
				form = inUnit
			default:
				continue
			}
			for _, args := range calls(form, b.text) {
				found++
				if err := takes(args); err != nil {
					t.Errorf("%s: sitesync %s: %v", b.at(), strings.Join(args, " "), err)
				}
			}
			for _, name := range ownScript.FindAllString(b.text, -1) {
				if _, err := os.Stat(top + name); err != nil {
					t.Errorf("%s: %v", b.at(), err)
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("%d commands: are they written otherwise now?", found)
	}
	if takes([]string{"plan", "--fromat", "csv"}) == nil || takes([]string{"apply"}) == nil || takes([]string{"plans"}) == nil {
		t.Error("a wrong call passes")
	}
}

// TestCommandsInText: what the text of a page quotes as a call or a flag is one.
func TestCommandsInText(t *testing.T) {
	flags := flagNames()
	for _, p := range pages(t) {
		for _, b := range p.inline() {
			switch {
			case strings.ContainsAny(b.text, "[|…<") || strings.Contains(b.text, "..."):
			case strings.HasPrefix(b.text, "sitesync ") && b.text != "sitesync COMMAND --help":
				args := calls(inScript, b.text)[0]
				err := takes(args)
				if err != nil && !strings.HasPrefix(err.Error(), "flag needs an argument") && !onlyNamed(args) { // the text may name a flag without a value
					t.Errorf("%s: `%s`: %v", b.at(), b.text, err)
				}
			case strings.HasPrefix(b.text, "--"):
				name, _, _ := strings.Cut(strings.Fields(b.text)[0][2:], "=")
				if !slices.Contains(flags, name) {
					t.Errorf("%s: `%s`: no command has that flag", b.at(), b.text)
				}
			}
		}
	}
}

// onlyNamed reports that words are a command's name alone, as in "see `sitesync restore`".
func onlyNamed(words []string) bool {
	cmd, rest, err := cli.Command().Find(words)
	return err == nil && len(rest) == 0 && cmd.HasParent()
}

// foreign are flags of other programs that pages speak of.
var foreign = []string{"user", "no-sandbox", "read-only", "purge", "help", "snapshot", "baseURL"}

// flagNames returns the flags of all commands.
func flagNames() []string {
	all := slices.Clone(foreign)
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		take := func(f *pflag.Flag) { all = append(all, f.Name) }
		cmd.Flags().VisitAll(take)
		cmd.PersistentFlags().VisitAll(take)
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(cli.Command())
	return all
}
