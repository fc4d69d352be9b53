package pdf

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/emscripten"
)

// Version is the version of the npm package @embedpdf/pdfium that contains PDFium as a WebAssembly module.
const Version = "2.15.1"

const noEntry = 44 // ENOENT in WASI and Emscripten

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

// cacheFolder returns the first usable folder for PDFium's compiled code, or "". It tries named (the
// configured folder), a folder in the user's cache, and fallback. A folder that other users can change is not
// usable, because its code is executed. complaint says why named is not used, or is "".
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

const compiled = "wazero-*/*"

// claim makes a folder if it is missing. It errs if another user could change the folder.
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

// provide defines the functions that the WebAssembly module imports, unless wazero defines them. Only those
// that grow memory, copy or abort do something. The others are stubs, because the module has no file, clock
// or environment. A stub has the signature that the module declares, so it fits any version of PDFium.
func provide(ctx context.Context, r wazero.Runtime, m wazero.CompiledModule) error {
	exporter, err := emscripten.NewFunctionExporterForModule(m)
	if err != nil {
		return fmt.Errorf("read the imports of PDFium: %w", err)
	}
	hosts := map[string]wazero.HostModuleBuilder{"env": r.NewHostModuleBuilder("env")}
	exporter.ExportFunctions(hosts["env"])
	for _, f := range m.ImportedFunctions() {
		host, name, _ := f.Import()
		isBuiltIn := name == "_emscripten_throw_longjmp" || name == "emscripten_notify_memory_growth"
		if isBuiltIn || strings.HasPrefix(name, "invoke_") {
			continue
		}
		if hosts[host] == nil {
			hosts[host] = r.NewHostModuleBuilder(host)
		}
		stub := hostFunction(name, len(f.ResultTypes()) > 0)
		b := hosts[host].NewFunctionBuilder().WithGoModuleFunction(stub, f.ParamTypes(), f.ResultTypes())
		b.Export(name)
	}
	for name, host := range hosts {
		if _, err := host.Instantiate(ctx); err != nil {
			return fmt.Errorf("provide %q to PDFium: %w", name, err)
		}
	}
	return nil
}

func hostFunction(name string, result bool) api.GoModuleFunc {
	var stubResult int32
	switch {
	case name == "emscripten_resize_heap": // returns 1 if the memory has at least the wanted bytes
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
		stubResult = -noEntry
	case strings.HasPrefix(name, "fd_"), strings.HasPrefix(name, "environ_"):
		stubResult = noEntry
	}
	return func(_ context.Context, _ api.Module, stack []uint64) {
		if result {
			stack[0] = api.EncodeI32(stubResult)
		}
	}
}
