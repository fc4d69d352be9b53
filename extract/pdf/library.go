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

// maxMemory is how many bytes PDFium may take. The module itself allows 2 GiB.
const maxMemory = 512 << 20

// errMemory: a file needs more memory than PDFium may take.
var errMemory = errors.New("it needs more memory than a PDF may take")

// library is one instance of PDFium. It is for one goroutine. After a trap every
// call returns 0, and err says what happened: the instance is of no more use.
type library struct {
	ctx   context.Context
	m     api.Module
	heap  *heap
	calls map[string]api.Function
	stack [8]uint64 // of a call: arguments, then what it returns
	err   error
}

// open compiles and starts PDFium. Compiled code that was kept in the cache folder, which
// may be none, is used where it is whole, and else made anew.
func open(ctx context.Context, cache string) (*library, error) {
	wasm, err := module()
	if err != nil {
		return nil, fmt.Errorf("unpack PDFium: %w", err)
	}
	if cache != "" {
		l, err := begin(ctx, wasm, cached(cache))
		kept, _ := filepath.Glob(filepath.Join(cache, compiled))
		if err != nil && len(kept) > 0 { // a power cut may have damaged it
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

// cached returns the settings of a compiler that keeps its code in a folder.
func cached(dir string) wazero.RuntimeConfig {
	config := wazero.NewRuntimeConfigCompiler()
	if cache, err := wazero.NewCompilationCacheWithDir(dir); err == nil {
		config = config.WithCompilationCache(cache)
	}
	return config
}

// begin instantiates PDFium. Where the kernel forbids executable memory, the
// compiler errs or panics, depending on where it notices.
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

// heap is the module's memory: reserved whole, so that it need not be copied to
// grow; the system gives only what is used.
type heap struct {
	all  []byte
	full bool // more was asked for than there is
}

func (h *heap) Allocate(_, limit uint64) experimental.LinearMemory {
	h.all = make([]byte, min(limit, maxMemory))
	return h
}

// Reallocate returns nil for more than there is.
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
		text, _, _ := strings.Cut(err.Error(), "\n") // the stack of PDFium's functions, which have no names, tells nobody anything
		l.err = fmt.Errorf("PDFium broke in %s: %s", name, strings.TrimSuffix(text, " (recovered by wazero)"))
		if l.heap.full {
			l.err = errMemory
		}
		return 0
	}
	return l.stack[0]
}

// number calls a function that returns a signed number.
func (l *library) number(name string, args ...uint64) int {
	return int(int32(l.call(name, args...)))
}

// alloc returns an address with room for size bytes, to be given to free.
func (l *library) alloc(size int) uint64 {
	at := l.call("malloc", uint64(size))
	if at == 0 && l.err == nil {
		l.err = errMemory
	}
	return at
}

func (l *library) free(at uint64) { l.call("free", at) }

// view returns the module's memory itself, until its next call.
func (l *library) view(at uint64, size int) []byte {
	b, ok := l.m.Memory().Read(uint32(at), uint32(size))
	if !ok && l.err == nil {
		l.err = errors.New("PDFium named memory that is not there")
	}
	return b
}

// maxValue bounds a text that is no page: a title, a field of a form, an address.
const maxValue = 1 << 16

// value gets a text by a function that takes a buffer and its size last, and
// returns the size needed with the terminator; "" where there is none, or more
// than maxValue bytes.
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

// text gets a UTF-16LE text as value does.
func (l *library) text(name string, args ...uint64) string {
	units := unitsOf(l.value(name, args...))
	if end := slices.Index(units, 0); end >= 0 {
		units = units[:end]
	}
	return string(utf16.Decode(units))
}

// entry gets a text that is asked for by a key, which comes second.
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
