// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause

// The beginning of your loader in Go: it passes stage 1 of the course, docs/course/README.md.
//
//	go build -o my_loader my_loader.go
//	sudo build/judge sections -- ./my_loader
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
)

// A section header of ELF, 64 bytes.
type section struct {
	Name, Type                uint32
	Flags, Addr, Offset, Size uint64
	Link, Info                uint32
	Align, EntrySize          uint64
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "my_loader:", err)
	os.Exit(1)
}

// stringAt returns the string at offset, which ends with a NUL.
func stringAt(data []byte, offset uint64) string {
	rest := data[offset:]
	return string(rest[:bytes.IndexByte(rest, 0)])
}

// readSections is stage sections: the header has the offset of the table (at 40), the number of
// sections (at 60), and which of them has the names (at 62).
func readSections(file []byte) (sections []section, names uint64) {
	order := binary.LittleEndian
	table := order.Uint64(file[40:])
	sections = make([]section, order.Uint16(file[60:]))
	if err := binary.Read(bytes.NewReader(file[table:]), order, sections); err != nil {
		fail(err)
	}
	return sections, sections[order.Uint16(file[62:])].Offset
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: my_loader OBJECT ioctl|pmu|link COOKIE [PIN]")
		os.Exit(1)
	}
	file, err := os.ReadFile(os.Args[1])
	if err != nil {
		fail(err)
	}
	sections, names := readSections(file)
	for i, s := range sections[1:] {
		fmt.Printf("section %d %s type=%d flags=%#x offset=%d size=%d\n", i+1,
			stringAt(file, names+uint64(s.Name)), s.Type, s.Flags, s.Offset, s.Size)
	}
	// Stage symbols: `build/judge symbols` shows what it wants.
}
