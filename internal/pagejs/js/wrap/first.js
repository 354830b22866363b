// first(args, name, more) -> JSON of what FUNCTION answers: installs the library and then calls the function.
(args, name, more) => {
  ;(
LIBRARY
  )()
  return globalThis[Symbol.for('duet')].answer(
FUNCTION
  , args, more)
}
