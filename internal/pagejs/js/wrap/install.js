// install() -> "new" or "kept": puts the library into the realm, once for each document that it shows.
() => {
  const old = globalThis[Symbol.for('duet')]
  if (old !== undefined && old.fits()) return '"kept"'
  const lib = {}
  for (const part of [
PARTS
  ]) part(lib)
  Object.defineProperty(globalThis, Symbol.for('duet'), { value: lib, configurable: true })
  lib.start()
  return '"new"'
}
