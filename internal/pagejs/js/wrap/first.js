// first(args, name, more) -> JSON of what FUNCTION answers: installs the library and then calls the function.
(args, name, more) => {
  ;(
LIBRARY
  )()
  const lib = globalThis[Symbol.for('duet')]
  return lib.answer(lib.give('NAME',
FUNCTION
  ), args, more)
}
