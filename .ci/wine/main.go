// Command wine writes bcryptprimitives.dll, which every Go program for Windows
// loads and wine before 9 has not. The one function of it that Go calls is passed
// on to the function of advapi32 that does the same.
//
//	go run ./.ci/wine PREFIX/drive_c/windows/system32/bcryptprimitives.dll
package main

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
	"fmt"
	"os"
)

const (
	headers = 0x200  // bytes of all headers in the file, and the alignment there
	section = 0x1000 // address of the only section, and the alignment in memory

	name    = "bcryptprimitives.dll"
	symbol  = "ProcessPrng"
	forward = "ADVAPI32.SystemFunction036"
)

// exports is the table of what a library has to offer: one function, by its name.
type exports struct {
	Characteristics, Time uint32
	Version               [2]uint16
	Name, Base            uint32
	Functions, Names      uint32
	FunctionTable         uint32
	NameTable             uint32
	OrdinalTable          uint32

	Function, Symbol uint32 // what the tables have
	Ordinal          uint16
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: wine FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], library(), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func library() []byte {
	table := uint32(section)
	texts := table + uint32(binary.Size(exports{}))
	e := exports{
		Base: 1, Functions: 1, Names: 1, FunctionTable: table + 40, NameTable: table + 44, OrdinalTable: table + 48,
		Name: texts, Symbol: texts + uint32(len(name)) + 1,
	}
	// An address inside of the table is no function, but the name of one elsewhere.
	e.Function = e.Symbol + uint32(len(symbol)) + 1
	data := append(written(e), name+"\x00"+symbol+"\x00"+forward+"\x00"...)

	head := append([]byte("MZ"), make([]byte, 62)...)
	head[60] = 64
	optional := pe.OptionalHeader64{
		Magic: 0x20b, ImageBase: 0x180000000, SectionAlignment: section, FileAlignment: headers,
		MajorOperatingSystemVersion: 6, MajorSubsystemVersion: 6, SizeOfImage: 2 * section, SizeOfHeaders: headers,
		Subsystem: pe.IMAGE_SUBSYSTEM_WINDOWS_CUI, NumberOfRvaAndSizes: 16, SizeOfInitializedData: headers,
	}
	optional.DataDirectory[pe.IMAGE_DIRECTORY_ENTRY_EXPORT] = pe.DataDirectory{
		VirtualAddress: section,
		Size:           uint32(len(data)),
	}
	file := pe.FileHeader{
		Machine: pe.IMAGE_FILE_MACHINE_AMD64, NumberOfSections: 1, SizeOfOptionalHeader: uint16(binary.Size(optional)),
		Characteristics: pe.IMAGE_FILE_EXECUTABLE_IMAGE | pe.IMAGE_FILE_LARGE_ADDRESS_AWARE | pe.IMAGE_FILE_DLL,
	}
	only := pe.SectionHeader32{
		Name: [8]uint8{'.', 'e', 'd', 'a', 't', 'a'}, VirtualSize: uint32(len(data)), VirtualAddress: section,
		SizeOfRawData: headers, PointerToRawData: headers,
		Characteristics: pe.IMAGE_SCN_CNT_INITIALIZED_DATA | pe.IMAGE_SCN_MEM_READ,
	}
	head = append(head, "PE\x00\x00"...)
	head = append(head, written(file)...)
	head = append(head, written(optional)...)
	head = append(head, written(only)...)
	return append(padded(head), padded(data)...)
}

// written is a structure as it stands in a file.
func written(v any) []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
		panic(err) // it has no fixed size
	}
	return b.Bytes()
}

func padded(data []byte) []byte { return append(data, make([]byte, headers-len(data))...) }
