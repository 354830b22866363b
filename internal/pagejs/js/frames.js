// frames(lib, {nodes}) -> array of window proxies (remote values, not JSON) or null, one for each number; reads.
(lib, { nodes }) =>
  lib.raw(
    nodes.map((n) => {
      const el = lib.node(n)
      return el === null ? null : lib.prop(el, 'contentWindow')
    }),
  )
