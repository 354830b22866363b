// call(args, name, more) -> JSON of what FUNCTION answers, or "no lib": a page function as it is sent first.
//
// The library hangs on the sandbox's global object under a symbol: a named property could be shadowed by an element
// with that id or name.
(args, name, more) => {
  const lib = globalThis[Symbol.for('duet')]
  if (lib === undefined || !lib.fits()) return '"no lib"'
  return lib.answer(lib.give('NAME',
FUNCTION
  ), args, more)
}
