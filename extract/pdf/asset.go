package pdf

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/emscripten"
)

// Version is that of the package @embedpdf/pdfium which the module comes from.
const Version = "2.15.1"

const noEntry = 44 // ENOENT as WASI and Emscripten number it

//go:embed pdfium.wasm.zst
var packed []byte

func module() ([]byte, error) {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	return dec.DecodeAll(packed, nil)
}

// cacheFolder returns the folder for PDFium's compiled code: the one that the
// owner names, else the user's cache, else the fallback, else "". What lies there
// is run, so a folder counts only when it is ours alone. The complaint says why
// the named one is not used.
func cacheFolder(named, fallback string) (folder, complaint string) {
	for i, dir := range []string{named, userCache(), fallback} {
		if dir == "" {
			continue
		}
		err := claim(dir)
		if err == nil {
			return dir, complaint
		}
		if i == 0 {
			complaint = fmt.Sprintf("extract.cache: %v; not used", err)
		}
	}
	return "", complaint
}

// userCache returns the program's own part of the user's cache, or "" where the
// user has none and no home to make it in.
func userCache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	if _, err := os.Stat(filepath.Dir(dir)); err != nil {
		return ""
	}
	return filepath.Join(dir, "sitesync")
}

// compiled matches the files of compiled code in a cache folder.
const compiled = "wazero-*/*"

// claim makes a folder where there is none, and errs where it is not ours alone.
func claim(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no folder, but a file or a link to one", dir)
	}
	return isOurs(dir, info)
}

// provide gives the module what it imports. Calls through tables come from
// wazero; memory, clock, copying and aborting are real; there is no file and no
// environment. Every stub has the signature that the module itself names, so
// that another build of it finds its own.
func provide(ctx context.Context, r wazero.Runtime, m wazero.CompiledModule) error {
	exporter, err := emscripten.NewFunctionExporterForModule(m)
	if err != nil {
		return fmt.Errorf("read the imports of PDFium: %w", err)
	}
	hosts := map[string]wazero.HostModuleBuilder{"env": r.NewHostModuleBuilder("env")}
	exporter.ExportFunctions(hosts["env"])
	for _, f := range m.ImportedFunctions() {
		host, name, _ := f.Import()
		if strings.HasPrefix(name, "invoke_") || name == "_emscripten_throw_longjmp" || name == "emscripten_notify_memory_growth" {
			continue // wazero provides it
		}
		if hosts[host] == nil {
			hosts[host] = r.NewHostModuleBuilder(host)
		}
		hosts[host].NewFunctionBuilder().WithGoModuleFunction(hostFunction(name, len(f.ResultTypes()) > 0), f.ParamTypes(), f.ResultTypes()).Export(name)
	}
	for name, host := range hosts {
		if _, err := host.Instantiate(ctx); err != nil {
			return fmt.Errorf("provide %q to PDFium: %w", name, err)
		}
	}
	return nil
}

func hostFunction(name string, result bool) api.GoModuleFunc {
	var code int32 // what one says that does nothing
	switch {
	case name == "emscripten_resize_heap": // makes the memory hold the bytes asked for, 1 where it can
		return func(_ context.Context, m api.Module, stack []uint64) {
			const page = 1 << 16
			want, have := api.DecodeU32(stack[0]), m.Memory().Size()
			stack[0] = 1
			if want > have {
				if _, ok := m.Memory().Grow((want-have-1)/page + 1); !ok {
					stack[0] = 0
				}
			}
		}
	case name == "emscripten_date_now":
		return func(_ context.Context, _ api.Module, stack []uint64) {
			stack[0] = math.Float64bits(float64(time.Now().UnixMilli()))
		}
	case strings.HasPrefix(name, "_emscripten_memcpy"):
		return func(_ context.Context, m api.Module, stack []uint64) {
			to, from, size := api.DecodeU32(stack[0]), api.DecodeU32(stack[1]), api.DecodeU32(stack[2])
			source, ok := m.Memory().Read(from, size)
			if !ok || !m.Memory().Write(to, source) {
				panic("it copied what is not its own")
			}
		}
	case strings.Contains(name, "abort"), strings.Contains(name, "assert"):
		return func(context.Context, api.Module, []uint64) { panic("it gave up") }
	case strings.HasPrefix(name, "__syscall_"):
		code = -noEntry
	case strings.HasPrefix(name, "fd_"), strings.HasPrefix(name, "environ_"):
		code = noEntry
	}
	return func(_ context.Context, _ api.Module, stack []uint64) {
		if result {
			stack[0] = api.EncodeI32(code)
		}
	}
}
