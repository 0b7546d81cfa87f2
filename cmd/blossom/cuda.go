package main

import (
	"fmt"
	"strings"

	"blossom/gpu/cuda/driver"
)

// cudaHealth is what doctor says about CUDA.
type cudaHealth struct {
	Available bool         `json:"available"` // a driver and at least one card
	Why       string       `json:"why"`       // it is not
	Version   string       `json:"version"`   // CUDA version that the driver supports, "12.4"
	Needs     string       `json:"needs"`     // the oldest version that will do
	Devices   []string     `json:"devices"`   // names of the cards, in the order of --device
	Cards     []cardHealth `json:"cards"`
}

type cardHealth struct {
	Index      int    `json:"index"` // for --device
	Name       string `json:"name"`
	Capability string `json:"capability"` // compute capability, "9.0"
	Memory     int64  `json:"memory"`     // bytes
	Processors int    `json:"processors"` // multiprocessors
	PCI        string `json:"pci"`
	Available  bool   `json:"available"`
	Why        string `json:"why"` // it cannot be used
}

// cudaNeeds and cudaNewer say for people which cards and drivers the kernels of this build need.
var (
	cudaNeeds = fmt.Sprintf("%d.%d", driver.OldestVersion/1000, driver.OldestVersion%1000/10)
	cudaNewer = fmt.Sprintf("%s or newer will do, as of driver %s; cards that came after this program need %d.%d, "+
		"as of driver %s",
		cudaNeeds, driver.OldestDriver, driver.TranslatorVersion/1000, driver.TranslatorVersion%1000/10,
		driver.TranslatorDriver)
)

// probeCUDA asks the driver, in this very process.
func probeCUDA() cudaHealth {
	h := cudaHealth{Devices: []string{}, Cards: []cardHealth{}, Needs: cudaNeeds}
	if v, err := driver.Version(); err == nil {
		h.Version = v
	}
	cards, err := driver.Devices()
	if err != nil {
		h.Why = driver.Problem(err).Error()
		return h
	}
	h.Available = true
	for _, d := range cards {
		c := cardHealth{Index: d.Index, Name: d.Name, Capability: d.Capability(), Memory: d.Memory, Processors: d.SMs,
			PCI: d.PCI, Available: true}
		if err := d.Supported(); err != nil {
			c.Available, c.Why = false, driver.Problem(err).Error()
		}
		h.Devices = append(h.Devices, d.Name)
		h.Cards = append(h.Cards, c)
	}
	return h
}

// String says it in a line.
func (h cudaHealth) String() string {
	if !h.Available {
		return h.Why
	}
	return fmt.Sprintf("CUDA %s, %s", h.Version, strings.Join(h.Devices, ", "))
}

// String says it in a line.
func (c cardHealth) String() string {
	if !c.Available {
		return c.Why
	}
	return fmt.Sprintf("%s, compute capability %s, %.1f GiB, %d multiprocessors, at %s", c.Name, c.Capability,
		float64(c.Memory)/(1<<30), c.Processors, c.PCI)
}
