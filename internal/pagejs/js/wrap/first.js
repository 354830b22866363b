// first(args, secret) -> JSON of what FUNCTION answers: installs the library and then calls the function.
(args, secret) => {
  ;(
LIBRARY
  )()
  return globalThis[Symbol.for('duet')].answer(
FUNCTION
  , args, secret)
}
