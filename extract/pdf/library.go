package pdf

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// maxMemory is the limit of PDFium's memory, in bytes. The module itself allows 2 GiB.
const maxMemory = 512 << 20

var errMemory = errors.New("it needs more memory than a PDF may take")

// library is one instance of PDFium, for one goroutine. If PDFium breaks, err is the reason. Then every call
// returns 0, and the instance can't be used any more.
type library struct {
	ctx   context.Context
	m     api.Module
	heap  *heap
	calls map[string]api.Function
	stack [8]uint64 // arguments of a call, and after the call its result
	err   error
}

// open compiles and starts PDFium. It uses compiled code from the folder cache, if that code is intact.
func open(ctx context.Context, cache string) (*library, error) {
	wasm, err := module()
	if err != nil {
		return nil, fmt.Errorf("unpack PDFium: %w", err)
	}
	if cache != "" {
		l, err := begin(ctx, wasm, cached(cache))
		kept, _ := filepath.Glob(filepath.Join(cache, compiled))
		if err != nil && len(kept) > 0 { // the code may be damaged, as by a power cut
			for _, name := range kept {
				_ = os.Remove(name)
			}
			l, err = begin(ctx, wasm, cached(cache))
		}
		if err == nil {
			return l, nil
		}
	}
	return begin(ctx, wasm, wazero.NewRuntimeConfigCompiler())
}

func cached(dir string) wazero.RuntimeConfig {
	config := wazero.NewRuntimeConfigCompiler()
	if cache, err := wazero.NewCompilationCacheWithDir(dir); err == nil {
		config = config.WithCompilationCache(cache)
	}
	return config
}

// begin starts PDFium. If the kernel forbids executable memory, the compiler errs or panics.
func begin(ctx context.Context, wasm []byte, config wazero.RuntimeConfig) (l *library, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("compile PDFium: %v", r)
		}
	}()
	r := wazero.NewRuntimeWithConfig(ctx, config.WithDebugInfoEnabled(false))
	m, err := r.CompileModule(ctx, wasm)
	if err != nil {
		return nil, fmt.Errorf("compile PDFium: %w", err)
	}
	if err := provide(ctx, r, m); err != nil {
		return nil, err
	}
	h := new(heap)
	limited := experimental.WithMemoryAllocator(ctx, h)
	instance, err := r.InstantiateModule(limited, m, wazero.NewModuleConfig().WithStartFunctions())
	if err != nil {
		return nil, fmt.Errorf("start PDFium: %w", err)
	}
	l = &library{ctx: ctx, m: instance, heap: h, calls: map[string]api.Function{}}
	l.call("emscripten_stack_init")
	l.call("__wasm_call_ctors")
	l.call("FPDF_InitLibrary")
	return l, l.err
}

// heap is the memory of PDFium's WebAssembly module. It is reserved as a whole, so growing copies nothing.
// The operating system provides only the pages that are used.
type heap struct {
	all  []byte
	full bool // PDFium wanted more memory than is reserved
}

func (h *heap) Allocate(_, limit uint64) experimental.LinearMemory {
	h.all = make([]byte, min(limit, maxMemory))
	return h
}

// Reallocate returns nil if size exceeds the reserved memory.
func (h *heap) Reallocate(size uint64) []byte {
	h.full = size > uint64(len(h.all))
	if h.full {
		return nil
	}
	return h.all[:size]
}

func (h *heap) Free() {}

func (l *library) call(name string, args ...uint64) uint64 {
	if l.err != nil {
		return 0
	}
	f := l.calls[name]
	if f == nil {
		f = l.m.ExportedFunction(name)
		if f == nil {
			l.err = fmt.Errorf("this PDFium has no %s", name)
			return 0
		}
		l.calls[name] = f
	}
	copy(l.stack[:], args)
	if err := f.CallWithStack(l.ctx, l.stack[:]); err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n") // without the stack trace, whose functions have no names
		l.err = fmt.Errorf("PDFium broke in %s: %s", name, strings.TrimSuffix(text, " (recovered by wazero)"))
		if l.heap.full {
			l.err = errMemory
		}
		return 0
	}
	return l.stack[0]
}

func (l *library) number(name string, args ...uint64) int {
	return int(int32(l.call(name, args...)))
}

// alloc returns the address of size bytes in PDFium's memory. The caller must free them.
func (l *library) alloc(size int) uint64 {
	at := l.call("malloc", uint64(size))
	if at == 0 && l.err == nil {
		l.err = errMemory
	}
	return at
}

func (l *library) free(at uint64) { l.call("free", at) }

// view returns size bytes of PDFium's own memory, not a copy. They are valid until the next call.
func (l *library) view(at uint64, size int) []byte {
	b, ok := l.m.Memory().Read(uint32(at), uint32(size))
	if !ok && l.err == nil {
		l.err = errors.New("PDFium named memory that is not there")
	}
	return b
}

// maxValue limits the bytes of a text outside pages, such as a title, the value of a form field or a link.
const maxValue = 1 << 16

// value gets a text from the PDFium function called name. The last two arguments of that function are a
// buffer and its size. value returns nil if there is no text, or more than maxValue bytes.
func (l *library) value(name string, args ...uint64) []byte {
	size := l.number(name, append(args, 0, 0)...)
	if size <= 0 || size > maxValue {
		return nil
	}
	at := l.alloc(size)
	defer l.free(at)
	if l.number(name, append(args, at, uint64(size))...) != size {
		return nil
	}
	return bytes.Clone(l.view(at, size))
}

// text is like value, for a text in UTF-16LE.
func (l *library) text(name string, args ...uint64) string {
	units := unitsOf(l.value(name, args...))
	if end := slices.Index(units, 0); end >= 0 {
		units = units[:end]
	}
	return string(utf16.Decode(units))
}

// entry gets a text in UTF-16LE by its key, which is the second argument of the PDFium function called name.
func (l *library) entry(name string, of uint64, key string) string {
	at := l.alloc(len(key) + 1)
	defer l.free(at)
	copy(l.view(at, len(key)+1), key+"\x00")
	return l.text(name, of, at)
}

func unitsOf(raw []byte) []uint16 {
	units := make([]uint16, len(raw)/2)
	_, _ = binary.Decode(raw, binary.LittleEndian, units)
	return units
}
