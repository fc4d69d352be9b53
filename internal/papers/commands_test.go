package papers

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sitesync/internal/cli"
)

// others are the programs that a page may call beside sitesync; what they are called with is
// not looked at.
var others = []string{
	"apt", "apt-get", "awk", "brew", "cat", "cd", "chmod", "chown", "cmp", "cp", "cron", "crontab", "curl", "dnf", "docker", "dpkg", "echo", "exit", "export", "gh", "git", "go", "grep",
	"head", "install", "journalctl", "jq", "ls", "man", "mkdir", "mv", "nk", "npm", "podman", "printf", "rm", "rpm", "rsync", "scp", "scoop", "set", "sha256sum", "ssh", "systemctl", "tail", "tar", "tee", "test",
	"touch", "umask", "unzip", "useradd", "winget", "xargs", "cosign", "hugo", "npx", "python3", "openssl", "gofmt", "date", "dig", "timedatectl", "df", "source", ".", "sed", "sort", "wc", "gunzip", "gzip", "zcat", "schtasks", "true", "kill", "trap",
}

// before are the words that may stand before a command.
var before = map[string]int{"sudo": 0, "exec": 0, "time": 0, "nohup": 0, "nice": 0}

// own returns the arguments of a call of sitesync, or the name of the other program.
func own(words []string) (args []string, other string) {
	for len(words) > 1 {
		if words[0] == "sudo" && words[1] == "-u" && len(words) > 3 {
			words = words[3:]
		} else if _, is := before[words[0]]; is {
			words = words[1:]
		} else {
			break
		}
	}
	if len(words) > 2 && words[0] == "go" && words[1] == "run" && words[2] == "." {
		return words[3:], ""
	}
	if name := words[0][strings.LastIndexByte(words[0], '/')+1:]; name == "sitesync" {
		return words[1:], ""
	}
	return nil, words[0]
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

// TestCommands: every command in a block of a page is sitesync as it takes its arguments, or
// another program of the list.
func TestCommands(t *testing.T) {
	found := 0
	for _, p := range pages(t) {
		for _, b := range p.blocks {
			script := b.text
			switch b.language {
			case "sh":
			case "crontab", "ini", "yaml", "dockerfile", "powershell":
				script = strings.Join(inUnit.FindAllString(b.text, -1), "\n")
			default:
				continue
			}
			all, err := calls(script)
			if err != nil {
				t.Errorf("%s: %v", b.at(), err)
			}
			for _, words := range all {
				args, other := own(words)
				if other == "" {
					found++
					if err := takes(args); err != nil {
						t.Errorf("%s: sitesync %s: %v", b.at(), strings.Join(args, " "), err)
					}
				} else if _, err := os.Stat(top + other); strings.HasPrefix(other, ".ci/") && err == nil {
					continue
				} else if !slices.Contains(others, other) {
					t.Errorf("%s: %q is no command that a page may call; is it output?", b.at(), other)
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

var inUnit = regexp.MustCompile(`(?m)(?:^|[ /=])sitesync +[a-z][^"\n]*`)

// TestCommandsInText: what the text of a page quotes as a call or a flag is one.
func TestCommandsInText(t *testing.T) {
	flags := flagNames()
	for _, p := range pages(t) {
		for _, b := range p.inline() {
			switch {
			case strings.ContainsAny(b.text, "[|…<") || strings.Contains(b.text, "..."):
			case strings.HasPrefix(b.text, "sitesync ") && b.text != "sitesync COMMAND --help":
				all, err := calls(b.text)
				if err == nil && len(all) > 0 {
					err = takes(all[0][1:])
				}
				if err != nil && !strings.HasPrefix(err.Error(), "flag needs an argument") && !onlyNamed(all[0][1:]) { // the text may name a flag without a value
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
