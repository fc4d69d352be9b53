package pdf

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/emscripten"
)

// noEntry is ENOENT as WASI and Emscripten number it.
const noEntry = 44

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
	switch {
	case name == "emscripten_resize_heap":
		return resizeHeap
	case name == "emscripten_date_now":
		return func(_ context.Context, _ api.Module, stack []uint64) {
			stack[0] = math.Float64bits(float64(time.Now().UnixMilli()))
		}
	case strings.HasPrefix(name, "_emscripten_memcpy"):
		return copyMemory
	case strings.Contains(name, "abort"), strings.Contains(name, "assert"):
		return func(context.Context, api.Module, []uint64) { panic("it gave up") }
	case strings.HasPrefix(name, "environ_sizes"):
		return noEnvironment
	case strings.HasPrefix(name, "__syscall_"):
		return says(-noEntry)
	case strings.HasPrefix(name, "fd_"):
		return says(noEntry)
	case result:
		return says(0)
	}
	return func(context.Context, api.Module, []uint64) {}
}

// says returns a function that does nothing and says so.
func says(code int32) api.GoModuleFunc {
	return func(_ context.Context, _ api.Module, stack []uint64) { stack[0] = api.EncodeI32(code) }
}

// resizeHeap makes the memory hold the bytes asked for, 1 where it can.
func resizeHeap(_ context.Context, m api.Module, stack []uint64) {
	const page = 1 << 16
	want, have := api.DecodeU32(stack[0]), m.Memory().Size()
	stack[0] = 1
	if want > have {
		if _, ok := m.Memory().Grow((want-have-1)/page + 1); !ok {
			stack[0] = 0
		}
	}
}

func copyMemory(_ context.Context, m api.Module, stack []uint64) {
	to, from, size := api.DecodeU32(stack[0]), api.DecodeU32(stack[1]), api.DecodeU32(stack[2])
	source, ok := m.Memory().Read(from, size)
	if !ok || !m.Memory().Write(to, source) {
		panic("it copied what is not its own")
	}
}

// noEnvironment says that there are no variables.
func noEnvironment(_ context.Context, m api.Module, stack []uint64) {
	m.Memory().WriteUint32Le(api.DecodeU32(stack[0]), 0)
	m.Memory().WriteUint32Le(api.DecodeU32(stack[1]), 0)
	stack[0] = 0
}
