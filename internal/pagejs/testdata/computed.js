// computed(lib, {selectors}) -> [[{role, name, label, want}]]: roles and names of what each selector matches; reads.
(lib, { selectors }) =>
  selectors.map((css) =>
    lib.all(lib.document, css).map((el) => ({
      role: lib.role(el),
      name: lib.name(el),
      label: lib.attr(el, 'data-expectedlabel') ?? '',
      want: lib.attr(el, 'data-expectedrole') ?? '',
    })),
  )
