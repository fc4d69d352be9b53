package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type choice struct {
	values  []string
	initial string
	take    func(value string)
}

func (c choice) String() string { return c.initial }

func (c choice) Type() string { return "string" }

func (c choice) Set(text string) error {
	if !slices.Contains(c.values, text) {
		return errors.New("it takes " + Either(c.values))
	}
	c.take(text)
	return nil
}

// Either joins the values as words: "text, json or csv".
func Either(values []string) string {
	last := len(values) - 1
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

// Choice adds a flag that allows only the given values. Shell completion offers the values, and the
// help lists them after usage. The default is the present value of *to.
func Choice(cmd *cobra.Command, to *string, name, usage string, values ...string) {
	addChoice(cmd, cmd.Flags(), choice{values, *to, func(value string) { *to = value }}, name, usage)
}

// JSONFlag adds the flag --format with the values text and json.
func JSONFlag(cmd *cobra.Command, asJSON *bool) {
	formats := choice{[]string{"text", "json"}, "text", func(value string) { *asJSON = value == "json" }}
	addChoice(cmd, cmd.Flags(), formats, "format", "`FORMAT` of the result")
}

// Choices is Choice for a flag that may be repeated.
func Choices(cmd *cobra.Command, to *[]string, name, usage string, values ...string) {
	repeated := choice{values: values, take: func(value string) { *to = append(*to, value) }}
	addChoice(cmd, cmd.Flags(), repeated, name, usage)
}

func addChoice(cmd *cobra.Command, flags *pflag.FlagSet, c choice, name, usage string) {
	flags.Var(c, name, usage+": "+Either(c.values))
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(c.values, cobra.ShellCompDirectiveNoFileComp))
}

// FlagError turns an error of pflag into an error of usage, which suggests a flag or names allowed values.
func FlagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok && unknown.GetSpecifiedShortnames() == "" {
		name := unknown.GetSpecifiedName()
		if name == "json" && cmd.Flags().Lookup("format") != nil {
			return Usagef("unknown flag --json; write --format json")
		}
		meant, least := "", 1+len(name)/3
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if edits := levenshtein.Distance(name, f.Name, nil); !f.Hidden && edits <= least {
				meant, least = "; did you mean --"+f.Name+"?", edits-1
			}
		})
		return Usagef("unknown flag --%s%s; see %s --help", name, meant, cmd.CommandPath())
	}
	if missing, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		what, _ := pflag.UnquoteUsage(missing.GetFlag())
		return Usagef("--%s needs a value: --%s %s", missing.GetFlag().Name, missing.GetFlag().Name, what)
	}
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		takes := map[string]string{
			"int": "a whole number", "uint": "a whole number from 1 on", "bool": "true or false",
			"duration": "a time such as 90s or 30m",
		}
		why := fmt.Sprint(wrong.Unwrap())
		if kind := takes[wrong.GetFlag().Value.Type()]; kind != "" {
			why = "it takes " + kind
		}
		return Usagef("--%s is %q; %s", wrong.GetFlag().Name, wrong.GetValue(), why)
	}
	return Usagef("%w; see %s --help", err, cmd.CommandPath())
}
