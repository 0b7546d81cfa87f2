package hdf5

import (
	"encoding/binary"

	"blossom/model/base/problem"
)

// attributeOut is an attribute to be written: texts, or a value.
type attributeOut struct {
	name  string
	of    Kind
	shape []int64
	texts []string
	refs  []reference // places of the texts
	value []byte
}

// Attribute gives the object a text of a name.
func (n *Node) Attribute(name, text string) *Node {
	n.attributes = append(n.attributes, attributeOut{name: name, of: textKind, texts: []string{text}})
	return n
}

// AttributeTexts gives the object a list of texts.
func (n *Node) AttributeTexts(name string, texts []string) {
	n.attributes = append(n.attributes, attributeOut{name: name, of: textKind, shape: []int64{int64(len(texts))},
		texts: texts})
}

// AttributeBool gives the object a truth value.
func (n *Node) AttributeBool(name string, is bool) {
	value := []byte{0}
	if is {
		value[0] = 1
	}
	n.attributes = append(n.attributes, attributeOut{name: name, of: truth, value: value})
}

// AttributeWhole gives the object a list of whole numbers.
func (n *Node) AttributeWhole(name string, list ...int64) {
	var value []byte
	for _, x := range list {
		value = binary.LittleEndian.AppendUint64(value, uint64(x))
	}
	n.attributes = append(n.attributes, attributeOut{name: name, of: Int64, shape: []int64{int64(len(list))},
		value: value})
}

// mostMessage is how many bytes a message of a header may have.
const mostMessage = 1<<16 - 1

// encode is the header of the object, with what has a place by now.
func (n *Node) encode() ([]byte, error) {
	var body []byte
	var failed error
	add := func(kind byte, message []byte) {
		if len(message) > mostMessage {
			failed = problem.New("", "write fewer columns, or another format",
				"it has more columns or longer names than the header of an HDF5 file holds")
			return
		}
		body = append(body, kind)
		body = binary.LittleEndian.AppendUint16(body, uint16(len(message)))
		body = append(append(body, 0), message...)
	}
	if d := n.data; d != nil {
		add(messageSpace, spaceOf(d.shape))
		add(messageType, d.of.encode())
		add(messageFill, []byte{3, 0x0a}) // space late, filled where asked for, with the usual value
		add(messageLayout, d.layout())
	} else {
		info := binary.LittleEndian.AppendUint64([]byte{0, 0}, nowhere) // no heap of links
		add(messageLinkInfo, binary.LittleEndian.AppendUint64(info, nowhere))
		add(messageGroupInfo, []byte{0, 0})
		for _, l := range n.links {
			add(messageLink, l.encode())
		}
	}
	for i := range n.attributes {
		add(messageAttribute, n.attributes[i].encode())
	}
	b := append([]byte("OHDR"), 2, 2) // the size has 4 bytes
	b = binary.LittleEndian.AppendUint32(b, uint32(len(body)))
	b = append(b, body...)
	return binary.LittleEndian.AppendUint32(b, lookup3(b)), failed
}

// layout is the message that says where values are: in one piece.
func (d *dataOut) layout() []byte {
	at := uint64(d.at)
	if d.at < 0 {
		at = nowhere
	}
	b := binary.LittleEndian.AppendUint64([]byte{3, 1}, at)
	return binary.LittleEndian.AppendUint64(b, uint64(d.bytes))
}

// encode is a hard link, whose name is UTF-8.
func (l linkOut) encode() []byte {
	b := binary.LittleEndian.AppendUint16([]byte{1, 0x11, 1}, uint16(len(l.name)))
	return binary.LittleEndian.AppendUint64(append(b, l.name...), uint64(l.to.at))
}

func (a *attributeOut) encode() []byte {
	name, of, space := a.name+"\x00", a.of.encode(), spaceOf(a.shape)
	b := []byte{3, 0}
	for _, part := range []int{len(name), len(of), len(space)} {
		b = binary.LittleEndian.AppendUint16(b, uint16(part))
	}
	b = append(append(append(append(b, 1), name...), of...), space...)
	for _, r := range a.refs {
		b = append(b, r.encode()...)
	}
	return append(b, a.value...)
}
