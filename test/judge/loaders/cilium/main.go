// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause

// cilium/ebpf behind the contract of the course: OBJECT load|ioctl|pmu|link COOKIE [PIN]
package main

import (
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/btf"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/ringbuf"
	"golang.org/x/sys/unix"
)

func check(err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%+v\n", err)
		os.Exit(1)
	}
}

// The library has programs by name and in no order.
func firstProgram(path string, spec *ebpf.CollectionSpec) string {
	file, err := elf.Open(path)
	check(err)
	symbols, err := file.Symbols()
	check(err)
	for _, s := range symbols {
		if spec.Programs[s.Name] != nil {
			return s.Name
		}
	}
	check(errors.New("the object has no program"))
	return ""
}

func printObject(spec *ebpf.CollectionSpec) {
	for name, p := range spec.Programs {
		fmt.Printf("program %s section=%s\n", name, p.SectionName)
	}
	for name, m := range spec.Maps {
		fmt.Printf("map %s type=%d key=%d value=%d entries=%d flags=%#x\n", name, uint32(m.Type),
			m.KeySize, m.ValueSize, m.MaxEntries, m.Flags)
	}
}

// possibleCPUs returns one more than the last number of a list such as 0-3.
func possibleCPUs() int {
	text, err := os.ReadFile("/sys/devices/system/cpu/possible")
	check(err)
	list := strings.TrimSpace(string(text))
	last, err := strconv.Atoi(list[strings.LastIndexAny(list, "-,")+1:])
	check(err)
	return last + 1
}

// openEvent returns -1 for a CPU that is offline.
func openEvent(method string, cpu int) int {
	attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CPU_CLOCK,
		Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})), Sample: 999,
		Bits: unix.PerfBitDisabled | unix.PerfBitFreq}
	if method == "pmu" {
		text, err := os.ReadFile("/sys/bus/event_source/devices/software/type")
		check(err)
		number, err := strconv.Atoi(strings.TrimSpace(string(text)))
		check(err)
		attr.Type = uint32(number)
	}
	fd, err := unix.PerfEventOpen(&attr, -1, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err == unix.ENODEV {
		return -1
	}
	check(err)
	return fd
}

func attach(program *ebpf.Program, method string, cookie uint64) (events []int, links []link.Link) {
	if cookie != 0 && method != "link" {
		check(errors.New("only a link passes a cookie"))
	}
	for cpu := 0; cpu < possibleCPUs(); cpu++ {
		event := openEvent(method, cpu)
		if event < 0 {
			continue
		}
		if method == "link" {
			l, err := attachLink(event, program, cookie)
			check(err)
			links = append(links, l)
		} else {
			check(unix.IoctlSetInt(event, unix.PERF_EVENT_IOC_SET_BPF, program.FD()))
		}
		check(unix.IoctlSetInt(event, unix.PERF_EVENT_IOC_ENABLE, 0))
		events = append(events, event)
	}
	return events, links
}

// attachLink has no cookie: a raw link has none in this library.
func attachLink(event int, program *ebpf.Program, cookie uint64) (link.Link, error) {
	if cookie != 0 {
		return nil, errors.New("AttachRawLink() takes no cookie")
	}
	return link.AttachRawLink(link.RawLinkOptions{Target: event, Program: program,
		Attach: ebpf.AttachPerfEvent})
}

func pinLinks(links []link.Link, pin string) {
	path := pin
	for i, l := range links {
		if i > 0 {
			path = fmt.Sprintf("%s_%d", pin, i)
		}
		if err := l.Pin(path); err != nil {
			for _, done := range links[:i] {
				done.Unpin()
			}
			check(err)
		}
	}
}

func number(b []byte) string {
	if len(b) > 8 {
		return hex.EncodeToString(b)
	}
	var word [8]byte
	copy(word[:], b)
	return strconv.FormatUint(binary.LittleEndian.Uint64(word[:]), 10)
}

func printElements(name string, m *ebpf.Map) {
	switch m.Type() {
	case ebpf.Hash, ebpf.Array, ebpf.PerCPUHash, ebpf.PerCPUArray, ebpf.LRUHash, ebpf.LRUCPUHash:
	default:
		return
	}
	var key, value []byte
	var values [][]byte
	entries := m.Iterate()
	if m.Type() == ebpf.PerCPUArray || m.Type() == ebpf.PerCPUHash {
		for entries.Next(&key, &values) {
			fmt.Printf("value %s %s", name, number(key))
			for _, v := range values {
				fmt.Printf(" %s", number(v))
			}
			fmt.Println()
		}
	} else {
		for entries.Next(&key, &value) {
			fmt.Printf("value %s %s %s\n", name, number(key), number(value))
		}
	}
	check(entries.Err())
}

func printVariables(m *ebpf.Map, section *btf.Datasec) {
	var value []byte
	check(m.Lookup(uint32(0), &value))
	for _, v := range section.Vars {
		fmt.Printf("variable %s %s\n", v.Type.(*btf.Var).Name, number(value[v.Offset:v.Offset+v.Size]))
	}
}

// printRecords reads in the background, until the function that it returns is called and nothing is
// left. Old versions of the library have no deadline, and get a second for that.
func printRecords(name string, m *ebpf.Map) (finish func()) {
	reader, err := ringbuf.NewReader(m)
	check(err)
	var any interface{} = reader
	timed, hasDeadline := any.(interface{ SetDeadline(time.Time) })
	stop, done := make(chan struct{}), make(chan struct{})
	goOn := func() bool {
		select {
		case <-stop:
			return false
		default:
			return hasDeadline
		}
	}
	go func() {
		defer close(done)
		for {
			if hasDeadline {
				timed.SetDeadline(time.Now().Add(10 * time.Millisecond))
			}
			record, err := reader.Read()
			if err == nil {
				fmt.Printf("record %s %s\n", name, hex.EncodeToString(record.RawSample))
			} else if !errors.Is(err, os.ErrDeadlineExceeded) || !goOn() {
				return
			}
		}
	}()
	return func() {
		close(stop)
		if !hasDeadline {
			time.AfterFunc(time.Second, func() { reader.Close() })
		}
		<-done
	}
}

func main() {
	path, method := os.Args[1], os.Args[2]
	cookie, err := strconv.ParseUint(os.Args[3], 0, 64)
	check(err)
	spec, err := ebpf.LoadCollectionSpec(path)
	check(err)
	printObject(spec)
	if method == "load" {
		pins := ebpf.MapOptions{PinPath: "/sys/fs/bpf"}
		collection, err := ebpf.NewCollectionWithOptions(spec, ebpf.CollectionOptions{Maps: pins})
		check(err)
		fmt.Println("ready")
		io.Copy(io.Discard, os.Stdin)
		collection.Close()
		return
	}
	first := firstProgram(path, spec)
	for name := range spec.Programs {
		if name != first {
			delete(spec.Programs, name)
		}
	}
	collection, err := ebpf.NewCollection(spec)
	check(err)
	events, links := attach(collection.Programs[first], method, cookie)
	if len(os.Args) > 4 {
		pinLinks(links, os.Args[4])
	}
	var rings []func()
	for name, m := range collection.Maps {
		if m.Type() == ebpf.RingBuf {
			rings = append(rings, printRecords(name, m))
		}
	}
	fmt.Println("ready")
	io.Copy(io.Discard, os.Stdin)
	for _, event := range events {
		if len(os.Args) <= 4 {
			check(unix.IoctlSetInt(event, unix.PERF_EVENT_IOC_DISABLE, 0))
		}
	}
	for _, finish := range rings {
		finish()
	}
	for name, m := range collection.Maps {
		if section, ok := spec.Maps[name].Value.(*btf.Datasec); ok {
			printVariables(m, section)
		} else {
			printElements(name, m)
		}
	}
}
