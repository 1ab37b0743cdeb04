package parse

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/codeindex/parse/internal/patterns"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

//go:embed grammars/*.wasm.gz
var modules embed.FS

func modulePath(language string) string { return "grammars/" + language + ".wasm.gz" }

func hasGrammar(language string) bool {
	f, err := modules.Open(modulePath(language))
	if err != nil {
		return false
	}
	f.Close()
	return true
}

const (
	pageSize  = 64 << 10
	mostPages = 256 << 20 / pageSize // of one parser
	keptPages = 48 << 20 / pageSize  // what a parser that waits may hold
)

// A Parser parses files, many at once. The zero value is of no use; see New.
type Parser struct {
	folder string
	cache  wazero.CompilationCache

	mu       sync.Mutex
	runtimes []wazero.Runtime
	grammars map[string]*compiled
	recent   []*compiled // with instances that wait, the last used first
}

// New returns a parser that keeps what it compiles in a folder, which it creates. It is
// machine code: nobody else may write there. Without a folder, every process compiles the
// grammars that it needs.
func New(folder string) (*Parser, error) {
	p := &Parser{folder: folder, grammars: map[string]*compiled{}}
	if folder != "" {
		cache, err := wazero.NewCompilationCacheWithDir(folder)
		if err != nil {
			return nil, err
		}
		p.cache = cache
	}
	_, err := p.newRuntime(p.cache)
	return p, err
}

// newRuntime adds a runtime to the parser, the first of which all grammars use that can be
// kept.
func (p *Parser) newRuntime(cache wazero.CompilationCache) (wazero.Runtime, error) {
	ctx := context.Background()
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(mostPages)
	if cache != nil {
		config = config.WithCompilationCache(cache)
	}
	r := wazero.NewRuntimeWithConfig(ctx, config)
	p.mu.Lock()
	p.runtimes = append(p.runtimes, r)
	p.mu.Unlock()
	_, err := r.NewHostModuleBuilder("host").NewFunctionBuilder().
		WithGoFunction(api.GoFunc(stop), nil, []api.ValueType{api.ValueTypeI32}).Export("stop").Instantiate(ctx)
	return r, err
}

// Close frees what the parser holds. No Parse may run.
func (p *Parser) Close() (err error) {
	ctx := context.Background()
	for _, r := range p.runtimes {
		err = errors.Join(err, r.Close(ctx))
	}
	if p.cache != nil {
		err = errors.Join(err, p.cache.Close(ctx))
	}
	return err
}

func (p *Parser) grammar(language string) *compiled {
	p.mu.Lock()
	defer p.mu.Unlock()
	g := p.grammars[language]
	if g == nil {
		g = &compiled{language: language, parser: p, runtime: p.runtimes[0], idle: make(chan *instance, runtime.GOMAXPROCS(0))}
		g.compile = sync.OnceValues(g.load)
		p.grammars[language] = g
	}
	return g
}

// keptGrammars is of how many grammars instances wait for the next file: each holds some
// megabytes, and those of thirty held 600.
const keptGrammars = 3

// used notes that a grammar was used last, and closes the instances of the one that was not
// for longest.
func (p *Parser) used(ctx context.Context, g *compiled) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.recent) > 0 && p.recent[0] == g {
		return
	}
	p.recent = append([]*compiled{g}, slices.DeleteFunc(p.recent, func(o *compiled) bool { return o == g })...)
	if len(p.recent) <= keptGrammars {
		return
	}
	old := p.recent[keptGrammars]
	p.recent = p.recent[:keptGrammars]
	for {
		select {
		case m := <-old.idle:
			m.module.Close(ctx)
		default:
			return
		}
	}
}

// A compiled grammar makes instances, each of which parses one file at a time.
type compiled struct {
	language string
	parser   *Parser
	runtime  wazero.Runtime // once compiled
	compile  func() (wazero.CompiledModule, error)
	idle     chan *instance
}

func (g *compiled) load() (wazero.CompiledModule, error) {
	f, err := modules.Open(modulePath(g.language))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	wasm, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	code, err := g.runtime.CompileModule(ctx, wasm)
	if err == nil || g.parser.cache == nil {
		return code, err
	}
	emptyFolder(g.parser.folder) // what is kept may be damaged
	if code, err = g.runtime.CompileModule(ctx, wasm); err == nil {
		return code, nil
	}
	if g.runtime, err = g.parser.newRuntime(nil); err != nil { // nothing can be kept
		return nil, err
	}
	return g.runtime.CompileModule(ctx, wasm)
}

// emptyFolder removes what wazero keeps in a folder, and nothing else.
func emptyFolder(folder string) {
	files, _ := filepath.Glob(filepath.Join(folder, "wazero-*", "*"))
	for _, f := range files {
		_ = os.Remove(f)
	}
}

// deadlineKey is where a call's context holds until when it may take. The module asks
// whether to go on every 100 steps of the parser and every 4096 nodes of the walk.
type deadlineKey struct{}

// stop answers the module.
func stop(ctx context.Context, stack []uint64) {
	stack[0] = 0
	if end, ok := ctx.Value(deadlineKey{}).(time.Time); !ok || ctx.Err() != nil || time.Now().After(end) {
		stack[0] = 1
	}
}

// timeFor is how long a source of a size may take: 5 s for a megabyte, of which code
// needs one, so that a busy machine has time enough.
func timeFor(size int) time.Duration {
	return 2*time.Second + time.Duration(size)*3*time.Microsecond
}

func (g *compiled) parse(ctx context.Context, source []byte) (f File, embedded []Span, err error) {
	out, used, err := g.run(ctx, source)
	if used && errors.Is(err, ErrCrash) {
		out, _, err = g.run(ctx, source) // an earlier file may have left the instance broken
	}
	if err != nil {
		return File{}, nil, fmt.Errorf("%s: %w", g.language, err)
	}
	f, embedded = out.file(source)
	f.Language = g.language
	if g.language == "rust" {
		f.callInMacros(source)
	}
	return f, embedded, nil
}

// run parses a source in an instance, and says whether that had parsed others before.
func (g *compiled) run(ctx context.Context, source []byte) (out *output, used bool, err error) {
	m, err := g.take(ctx)
	if err != nil {
		return nil, false, err
	}
	used = m.used
	m.used = true
	ctx = context.WithValue(ctx, deadlineKey{}, time.Now().Add(timeFor(len(source))))
	if out, err = m.parse(ctx, source); err == nil {
		g.put(ctx, m)
		return out, used, nil
	}
	m.module.Close(ctx)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return nil, used, err
}

// take hands out an idle instance, or a new one.
func (g *compiled) take(ctx context.Context) (*instance, error) {
	select {
	case m := <-g.idle:
		return m, nil
	default:
	}
	code, err := g.compile()
	if err != nil {
		return nil, err
	}
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize")
	module, err := g.runtime.InstantiateModule(context.WithoutCancel(ctx), code, config)
	if err != nil {
		return nil, err
	}
	m := &instance{ctx: context.WithoutCancel(ctx), module: module, memory: module.Memory()}
	if err := m.begin(g.language); err != nil {
		module.Close(ctx)
		return nil, err
	}
	return m, nil
}

// put keeps an instance for the next file, unless there are enough or it has grown large.
func (g *compiled) put(ctx context.Context, m *instance) {
	g.parser.used(ctx, g)
	if m.memory.Size() <= keptPages*pageSize {
		select {
		case g.idle <- m:
			return
		default:
		}
	}
	m.module.Close(ctx)
}

// An instance is a module with a memory of its own. What walker.c exports it calls here.
type instance struct {
	ctx    context.Context // for calls that do not parse
	module api.Module
	memory api.Memory
	result uint32 // where parse leaves its words
	used   bool
}

func (m *instance) call(ctx context.Context, name string, args ...uint64) (uint32, error) {
	out, err := m.module.ExportedFunction(name).Call(ctx, args...)
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n") // what follows are addresses in the module
		return 0, fmt.Errorf("%w: %s", ErrCrash, first)
	}
	if len(out) == 0 {
		return 0, nil
	}
	return uint32(out[0]), nil
}

// write copies bytes into the module, which the caller releases.
func (m *instance) write(data []byte) (uint32, error) {
	at, err := m.call(m.ctx, "alloc", uint64(max(len(data), 1)))
	if err == nil && (at == 0 || !m.memory.Write(at, data)) {
		err = ErrMemory
	}
	return at, err
}

// begin hands the rules of the language to the module.
func (m *instance) begin(language string) error {
	table, err := encodeRules(language, m)
	if err != nil {
		return err
	}
	at, err := m.write(table)
	if err != nil {
		return err
	}
	m.result, err = m.call(m.ctx, "begin", uint64(at), uint64(len(table)/4-2))
	if err == nil && m.result == 0 {
		err = errors.New("grammar of another version")
	}
	return err
}

func (m *instance) symbol(name string) uint32 { return m.id("symbol", name) }
func (m *instance) field(name string) uint32  { return m.id("field", name) }

func (m *instance) id(function, name string) uint32 {
	at, err := m.write([]byte(name))
	if err != nil {
		return 0
	}
	id, err := m.call(m.ctx, function, uint64(at), uint64(len(name)))
	if err != nil {
		return 0
	}
	_, _ = m.call(m.ctx, "release", uint64(at))
	return id
}

// What walker.c says of how parsing ended.
const (
	parsed = iota
	stopped
	runaway
)

// advancesFor is how many characters the lexer may read in a source of a size: in code
// it is 2 a byte, at most 21 in a table of numbers.
func advancesFor(size int) uint64 { return 1<<20 + 64*uint64(size) }

func (m *instance) parse(ctx context.Context, source []byte) (*output, error) {
	at, err := m.write(source)
	if err != nil {
		return nil, err
	}
	_, err = m.call(ctx, "parse", uint64(at), uint64(len(source)), advancesFor(len(source)))
	words, ok := m.words(m.result, 8)
	switch {
	case !ok:
		return nil, ErrCrash
	case words[0] == stopped, words[0] == runaway:
		return nil, ErrTooSlow
	case err != nil && m.memory.Size() > mostPages*pageSize*3/4:
		return nil, ErrMemory
	case err != nil:
		return nil, err
	}
	out := &output{errors: int(words[1])}
	for i, list := range []struct {
		into *[]uint32
		size uint32
	}{{&out.definitions, definitionWords}, {&out.references, referenceWords}, {&out.splits, splitWords}} {
		if *list.into, ok = m.words(words[2+2*i], words[3+2*i]*list.size); !ok {
			return nil, ErrCrash
		}
	}
	_, err = m.call(m.ctx, "release", uint64(at))
	return out, err
}

func (m *instance) words(at, n uint32) ([]uint32, bool) {
	if n > 1<<26 {
		return nil, false
	}
	data, ok := m.memory.Read(at, n*4)
	if !ok {
		return nil, false
	}
	out := make([]uint32, n)
	err := binary.Read(bytes.NewReader(data), binary.LittleEndian, out)
	return out, err == nil
}

// Languages returns the languages that Parse reads, sorted.
func Languages() []string {
	entries, _ := modules.ReadDir("grammars")
	out := []string{"go", "markdown"}
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".wasm.gz"))
	}
	out = append(out, patterns.Languages()...)
	slices.Sort(out)
	return slices.Compact(out)
}
