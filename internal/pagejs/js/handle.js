// handle(lib, Target) -> the element as a remote value, or null where it is gone; reads.
(lib, args) => {
  const { el, gone } = lib.target(args)
  return lib.raw(gone ? null : el)
}
