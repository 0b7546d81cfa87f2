package hdf5

import "context"

// Object is a group, a dataset or a committed type.
type Object struct {
	f        *File
	at       int64
	messages []message
	links    map[string]link // the names of a group, once they were asked for
	names    []string        // the same, sorted
	attrs    map[string]*Attribute
	data     *Dataset
}

// object returns the object whose header is at an address; it is read once.
func (f *File) object(at int64) (*Object, error) {
	if o := f.objects[at]; o != nil {
		return o, nil
	}
	messages, err := f.readHeader(at)
	if err != nil {
		return nil, err
	}
	o := &Object{f: f, at: at, messages: messages}
	f.objects[at] = o
	return o, nil
}

// find returns the first message of a kind.
func (o *Object) find(kind int) (message, bool) {
	for _, m := range o.messages {
		if m.kind == kind {
			return m, true
		}
	}
	return message{}, false
}

// IsDataset says whether the object holds values.
func (o *Object) IsDataset() bool {
	_, ok := o.find(messageLayout)
	return ok
}

// IsGroup says whether the object holds others.
func (o *Object) IsGroup() bool {
	for _, kind := range []int{messageTable, messageLinkInfo, messageLink} {
		if _, ok := o.find(kind); ok {
			return true
		}
	}
	return false
}

// Same says whether both are one object of the file.
func (o *Object) Same(other *Object) bool { return other != nil && o.at == other.at }

// Dataset describes the values of the object.
func (o *Object) Dataset() (*Dataset, error) {
	if o.data != nil {
		return o.data, nil
	}
	d, err := o.f.dataset(o)
	if err != nil {
		return nil, err
	}
	o.data = d
	return d, nil
}

// Refer returns the object that a reference leads to, of a dataset or attribute of the type Reference.
func (f *File) Refer(raw []byte) (*Object, error) {
	c := f.over(raw)
	at := c.addr()
	if err := c.err("a reference"); err != nil || at <= 0 {
		return nil, damaged("a reference leads nowhere")
	}
	return f.object(at)
}

// Texts are all values of a dataset of texts.
func (o *Object) Texts(ctx context.Context) ([]string, error) {
	d, err := o.Dataset()
	if err != nil {
		return nil, err
	}
	raw, err := d.Raw(ctx)
	if err != nil {
		return nil, err
	}
	return d.f.Texts(d.Type, raw)
}

// Floats are all values of a dataset of numbers.
func (o *Object) Floats(ctx context.Context) ([]float64, error) {
	d, err := o.Dataset()
	if err != nil {
		return nil, err
	}
	raw, err := d.Raw(ctx)
	if err != nil {
		return nil, err
	}
	return d.Type.Floats(raw)
}
