package sage

import "slices"

// Clone returns a copy of c that shares nothing with it.
func (c *Checkpoint) Clone() *Checkpoint {
	d := *c
	for _, f := range append(d.Header(), d.Others()...) {
		cloneField(f.Ptr)
	}
	d.Extra = slices.Clone(c.Extra)
	for i, x := range d.Extra {
		d.Extra[i].Value = cloneValue(x.Value)
	}
	return &d
}

// cloneField gives the field its own memory.
func cloneField(ptr any) {
	switch p := ptr.(type) {
	case **float64:
		if *p != nil {
			f := **p
			*p = &f
		}
	case *[]string:
		*p = slices.Clone(*p)
	case *map[string]any:
		if *p != nil {
			*p = cloneValue(*p).(map[string]any)
		}
	case *Scope:
		cloneField(&p.Skills)
		cloneField(&p.Paths)
		p.Extra = cloneEntries(p.Extra)
	case *[]Link:
		*p = slices.Clone(*p)
	case *[]Source:
		*p = slices.Clone(*p)
	case *[]Tension:
		*p = slices.Clone(*p)
		for i := range *p {
			cloneField(&(*p)[i].Between)
		}
	case *[]Contribution:
		*p = slices.Clone(*p)
	case *[]CodeRef:
		*p = slices.Clone(*p)
	case *[]ComponentThesis:
		*p = slices.Clone(*p)
	}
}

func cloneValue(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = cloneValue(x)
		}
		return out
	case []Entry:
		return cloneEntries(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = cloneValue(x)
		}
		return out
	}
	return v
}
