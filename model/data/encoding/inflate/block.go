package inflate

// usual makes the tables of the code that needs no description.
func (u *Unpacker) usual() error {
	for i := range u.lengths {
		switch {
		case i < 144:
			u.lengths[i] = 8
		case i < 256:
			u.lengths[i] = 9
		case i < 280:
			u.lengths[i] = 7
		case i < maxLiterals:
			u.lengths[i] = 8
		default:
			u.lengths[i] = 5
		}
	}
	return u.build(maxLiterals, maxDistances)
}

func (u *Unpacker) build(literals, distances int) error {
	if err := u.literals.build(u.lengths[:literals], literalEntries[:], literalBits); err != nil {
		return err
	}
	return u.distances.build(u.lengths[literals:literals+distances], distanceEntries[:], distanceBits)
}

// order is that in which the bits of the codes are described that describe the codes.
var order = [19]byte{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// described makes the tables of a code that is described here.
func (u *Unpacker) described() error {
	head, err := u.take(14)
	if err != nil {
		return err
	}
	literals, distances, n := int(head&31)+257, int(head>>5&31)+1, int(head>>10)+4
	if literals > 286 || distances > 30 {
		return ErrDamaged
	}
	var lengths [19]byte
	for _, i := range order[:n] {
		u.refill()
		v, err := u.take(3)
		if err != nil {
			return err
		}
		lengths[i] = byte(v)
	}
	var kinds [19]entry
	for i := range kinds {
		kinds[i] = entry(i) << 16
	}
	t := &u.literals // until it is made itself
	if err := t.build(lengths[:], kinds[:], 7); err != nil {
		return err
	}
	if err := u.codes(t, literals+distances); err != nil {
		return err
	}
	if u.lengths[endOfBlock] == 0 {
		return ErrDamaged
	}
	return u.build(literals, distances)
}

// codes reads how many bits each of n codes has.
func (u *Unpacker) codes(t *table, n int) error {
	for i := 0; i < n; {
		u.refill()
		e := t[u.bits&127]
		if e&odd != 0 {
			return ErrDamaged
		}
		if err := u.drop(uint(e & 255)); err != nil {
			return err
		}
		symbol := byte(e >> 16)
		if symbol < 16 {
			u.lengths[i] = symbol
			i++
			continue
		}
		again, least, more := byte(0), 3, uint(3)
		switch symbol {
		case 16:
			if i == 0 {
				return ErrDamaged
			}
			again, more = u.lengths[i-1], 2
		case 18:
			least, more = 11, 7
		}
		v, err := u.take(more)
		if err != nil {
			return err
		}
		times := least + int(v)
		if times > n-i {
			return ErrDamaged
		}
		for range times {
			u.lengths[i] = again
			i++
		}
	}
	return nil
}
