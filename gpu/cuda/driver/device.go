package driver

import (
	"bytes"
	"fmt"
	"strings"
	"unsafe"
)

// Attributes of a device (CUdevice_attribute in cuda.h).
const (
	attributeClock       = 13
	attributeSMs         = 16
	attributeTimeLimit   = 17
	attributeIntegrated  = 18
	attributeMemoryClock = 36
	attributeMemoryBus   = 37
	attributeL2          = 38
	attributeThreadsSM   = 39
	attributeMajor       = 75
	attributeMinor       = 76
	attributeSharedSM    = 81
	attributeRegistersSM = 82
	attributeSharedBlock = 97
)

// devices lists the cards.
func (l *library) devices() ([]Device, error) {
	if err := l.start(); err != nil {
		return nil, err
	}
	var count int32
	if err := l.call(cuDeviceGetCount, uintptr(unsafe.Pointer(&count))); err != nil {
		return nil, err
	}
	if count < 1 {
		return nil, noCard()
	}
	list := make([]Device, count)
	for i := range list {
		_, d, err := l.device(i)
		if err != nil {
			return nil, err
		}
		list[i] = d
	}
	return list, nil
}

// device returns the driver's handle of a card, and what is known about it.
func (l *library) device(index int) (handle int32, d Device, err error) {
	d.Index = index
	if err := l.call(cuDeviceGet, uintptr(unsafe.Pointer(&handle)), uintptr(index)); err != nil {
		return 0, d, err
	}
	dev := uintptr(uint32(handle))
	text := make([]byte, 256)
	if err := l.call(cuDeviceGetName, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)), dev); err != nil {
		return 0, d, err
	}
	d.Name = cText(text)
	if err := l.call(cuDeviceGetPCIBusId, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)), dev); err == nil {
		d.PCI = strings.ToLower(cText(text)) // not every card lies on a bus: without it nothing is lost
	}
	var memory uintptr
	if err := l.call(cuDeviceTotalMem, uintptr(unsafe.Pointer(&memory)), dev); err != nil {
		return 0, d, err
	}
	d.Memory = int64(memory)
	var integrated, limit int
	for _, a := range []struct {
		what int
		to   *int
	}{
		{attributeMajor, &d.Major}, {attributeMinor, &d.Minor}, {attributeSMs, &d.SMs},
		{attributeThreadsSM, &d.ThreadsSM}, {attributeSharedSM, &d.SharedSM}, {attributeSharedBlock, &d.SharedBlock},
		{attributeRegistersSM, &d.RegistersSM}, {attributeL2, &d.L2}, {attributeClock, &d.Clock},
		{attributeMemoryClock, &d.MemoryClock}, {attributeMemoryBus, &d.MemoryBus},
		{attributeIntegrated, &integrated}, {attributeTimeLimit, &limit},
	} {
		var v int32
		if err := l.call(cuDeviceGetAttribute, uintptr(unsafe.Pointer(&v)), uintptr(a.what), dev); err != nil {
			return 0, d, err
		}
		*a.to = int(v)
	}
	d.Integrated, d.TimeLimit = integrated != 0, limit != 0
	return handle, d, nil
}

// cText is the text up to the first zero.
func cText(b []byte) string {
	text, _, _ := bytes.Cut(b, []byte{0})
	return string(text)
}

// NoDevice is the *Absent of a number that no card has; it lists those there are.
func NoDevice(index int, cards []Device) error {
	names := make([]string, len(cards))
	for i, d := range cards {
		names[i] = fmt.Sprintf("%d: %s", d.Index, d)
	}
	return &Absent{fmt.Sprintf("there is no card %d", index), "cards here are " + strings.Join(names, ", ")}
}
