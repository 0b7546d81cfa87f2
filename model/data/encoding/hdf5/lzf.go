package hdf5

import "fmt"

var errLZF = fmt.Errorf("its compressed data are damaged")

// unLZF unpacks what LibLZF has packed: runs of bytes as they are, and pieces of what came before, of up to 264 bytes
// from up to 8,192 back. Where packing gained nothing the chunk is as it was.
func (u *unpacker) unLZF(in []byte, n int) ([]byte, error) {
	if n/264 > len(in) {
		return nil, fmt.Errorf("%d bytes cannot become %d", len(in), n)
	}
	out := u.other(n)
	to := 0
	for i := 0; i < len(in); {
		control := int(in[i])
		i++
		if control < 32 {
			run := control + 1
			if run > len(in)-i || run > n-to {
				return nil, errLZF
			}
			copy(out[to:], in[i:i+run])
			to, i = to+run, i+run
			continue
		}
		length := control >> 5
		if length == 7 {
			if i >= len(in) {
				return nil, errLZF
			}
			length += int(in[i])
			i++
		}
		if i >= len(in) {
			return nil, errLZF
		}
		back := control&31<<8 | int(in[i]) + 1
		i++
		length += 2
		if back > to || length > n-to {
			return nil, errLZF
		}
		if back >= length {
			copy(out[to:to+length], out[to-back:])
		} else {
			for k := range length {
				out[to+k] = out[to-back+k]
			}
		}
		to += length
	}
	return out[:to], nil
}
