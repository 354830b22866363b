package bidi

// Member is a member of an object: whether it may be absent, and its type.
type Member struct {
	Optional bool
	Type     Type
}

// Object is what an object may hold, all of its alternatives taken together: a
// member is required where every alternative requires it.
type Object struct {
	Members map[string]Member
	Open    bool // other members may be there
}

// Leaves resolves the names in a type until only what is no alias and no choice is
// left: literals, ranges, arrays, types of CDDL, and maps. A map that is a rule is
// left as its name.
func (s Schema) Leaves(t Type) []Alternative {
	var leaves []Alternative
	for _, a := range t {
		switch {
		case a.Kind == Grouped:
			for _, entries := range *a.Group {
				for _, e := range entries {
					leaves = append(leaves, s.Leaves(e.Type)...)
				}
			}
		case a.Kind == Name && s[a.Value] != nil && !s.isObject(a.Value):
			leaves = append(leaves, s.Leaves(*s[a.Value])...)
		case a.Kind == Map && len(*a.Group) == 1 && len((*a.Group)[0]) == 1 && s.namesGroup((*a.Group)[0][0]):
			leaves = append(leaves, (*a.Group)[0][0].Type[0]) // { script.DateLocalValue }
		default:
			leaves = append(leaves, a)
		}
	}
	return leaves
}

// isObject reports whether a rule is a map, or a group of members.
func (s Schema) isObject(rule string) bool {
	t := *s[rule]
	if len(t) != 1 {
		return false
	}
	switch t[0].Kind {
	case Map:
		return true
	case Grouped:
		entries := (*t[0].Group)[0]
		return len(entries) > 0 && entries[0].Key != ""
	}
	return false
}

func (s Schema) namesGroup(e Entry) bool {
	return e.Key == "" && len(e.Type) == 1 && e.Type[0].Kind == Name && s[e.Type[0].Value] != nil && (*s[e.Type[0].Value])[0].Kind == Grouped
}

// Object merges alternatives that are maps.
func (s Schema) Object(alternatives ...Alternative) Object {
	var objects []Object
	for _, a := range alternatives {
		if a.Kind == Name && s[a.Value] != nil {
			objects = append(objects, s.Object((*s[a.Value])...))
		} else if a.Group != nil {
			objects = append(objects, s.choices(*a.Group))
		}
	}
	return merge(objects)
}

func (s Schema) choices(g Group) Object {
	var objects []Object
	for _, entries := range g {
		o := Object{Members: map[string]Member{}}
		for _, e := range entries {
			switch {
			case e.Key == "*":
				o.Open = true
			case e.Key != "":
				o.Members[e.Key] = Member{e.Occur == '?', e.Type}
			default:
				inner := s.Object(e.Type...)
				o.Open = o.Open || inner.Open
				for name, m := range inner.Members {
					m.Optional = m.Optional || e.Occur == '?'
					o.Members[name] = m
				}
			}
		}
		objects = append(objects, o)
	}
	return merge(objects)
}

func merge(objects []Object) Object {
	all := Object{Members: map[string]Member{}}
	for _, o := range objects {
		all.Open = all.Open || o.Open
		for name, m := range o.Members {
			have, ok := all.Members[name]
			if ok {
				m = Member{have.Optional || m.Optional, append(append(Type{}, have.Type...), m.Type...)}
			}
			all.Members[name] = m
		}
	}
	for name, m := range all.Members {
		for _, o := range objects {
			if _, ok := o.Members[name]; !ok {
				m.Optional = true
			}
		}
		all.Members[name] = m
	}
	return all
}

// Method is a command or event of the schema.
type Method struct {
	Rule   string
	Params Type
}

// Methods returns the commands and events by their names.
func (s Schema) Methods() map[string]Method {
	methods := map[string]Method{}
	for rule, t := range s {
		if len(*t) != 1 || (*t)[0].Kind != Grouped {
			continue
		}
		o := s.choices(*(*t)[0].Group)
		if name, ok := o.Members["method"]; ok && len(name.Type) == 1 && name.Type[0].Kind == Text && rule != "Command" {
			if params, ok := o.Members["params"]; ok {
				methods[name.Type[0].Value] = Method{rule, params.Type}
			}
		}
	}
	return methods
}
