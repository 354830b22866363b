// known(args, name, more) -> as call, of a function that this document was given before: "no function" where it was not.
(args, name, more) => {
  const lib = globalThis[Symbol.for('duet')]
  if (lib === undefined || !lib.fits()) return '"no lib"'
  const known = lib.given.get('NAME')
  return known === undefined ? '"no function"' : lib.answer(known, args, more)
}
