package calls

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/tools"
	"sitesync/internal/wire"
	"sitesync/push"
)

func toolsImportCommand(a *app.App) *cobra.Command {
	const short = "Take over search tools that exist: ranking, quicklink, banner or synonyms"
	cmd := &cobra.Command{Use: "import KIND ID...", Short: short, Args: cobra.MinimumNArgs(2)}
	cmd.Long = short + ". Those that the file does not declare yet are added at its end;\n" +
		"the service keeps them as they are."
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		kind := wire.Kind(args[0])
		if !slices.Contains(wire.Kinds(), kind) {
			const kinds = "ranking, quicklink, banner and synonyms"
			return app.Usagef("import: %q is no kind of search tools; there are %s", kind, kinds)
		}
		var ids []int64
		for _, arg := range args[1:] {
			id, err := strconv.ParseInt(arg, 10, 64)
			if err != nil || id <= 0 {
				return app.Usagef("import: %q is no ID", arg)
			}
			ids = append(ids, id)
		}
		ctx := cmd.Context()
		return changeTools(ctx, a, true, func(t *toolbox, ledger *diffstore.Ledger, client *push.Tools) error {
			var errs []error
			for _, id := range ids {
				raw, err := client.Get(ctx, kind, id)
				if err == nil {
					err = takeOver(a, t, ledger, kind, raw)
				}
				errs = append(errs, err)
			}
			return errors.Join(errs...)
		})
	}
	return cmd
}

// takeOver adds a search tool (such as a banner) to the file of tools and to the ledger (the record of what
// the service holds). While takeOver writes the file, the ledger marks the tool as in doubt. Without this
// mark, the next "tools apply" would delete the tool or create it again if the process was killed in between.
func takeOver(a *app.App, t *toolbox, ledger *diffstore.Ledger, kind wire.Kind, raw []byte) error {
	known, err := t.known(ledger)
	if err != nil {
		return err
	}
	tool, text, err := t.file.TakeOver(kind, raw, t.target.Engine, known)
	if err != nil {
		return err
	}
	if text != "" {
		end, next, err := t.ending(text)
		if err != nil {
			return fmt.Errorf("take over %s %d: the file can't declare it, and stays as it is: %w; it would end in\n%s",
				kind, tool.ID, err, text)
		}
		doubt := document.Tool{Kind: tool.Kind, Name: tool.Name, Making: true}
		if err := ledger.PutTool(t.target, doubt); err != nil {
			return err
		}
		const flags = os.O_WRONLY | os.O_CREATE | os.O_APPEND
		file, err := os.OpenFile(t.cfg.Tools.File, flags, 0o644) //nolint:gosec // the file holds no secret
		if err == nil {
			err = write(file, []byte(end))
		}
		if err != nil {
			return fmt.Errorf("write the declaration of %s %d: %w", kind, tool.ID, err)
		}
		t.file = next
	}
	if err := ledger.PutTool(t.target, tool); err != nil {
		return err
	}
	a.Print("imported %s %d as %q", kind, tool.ID, tool.Name)
	return nil
}

// ending returns what to append to the file: text, which declares a tool, after the line breaks that it
// needs. next holds all tools of the file and the new one. ending errs if the file would become invalid: for
// example, it may hold an inline list of tools, or the tool may have a value that can't be declared.
func (t *toolbox) ending(text string) (end string, next tools.File, err error) {
	before, err := os.ReadFile(t.cfg.Tools.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", next, err
	}
	if len(before) > 0 {
		text = "\n" + text
		if !bytes.HasSuffix(before, []byte("\n")) {
			text = "\n" + text
		}
	}
	return text, next, config.ParseStrict(t.cfg.Tools.File, append(before, text...), &next, next.Check)
}
