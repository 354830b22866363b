// frames(lib, {nodes}) -> array of window proxies (remote values, not JSON) or null, one for each number; reads.
//
// Read from the sandbox, contentWindow serializes as {type: "window", value: {context}} in both browsers, for frames of the
// same origin, of another one, srcdoc, blank and sandboxed ones.
(lib, { nodes }) =>
  lib.raw(
    nodes.map((n) => {
      const el = lib.node(n)
      return el === null ? null : lib.prop(el, 'contentWindow')
    }),
  )
