// again(lib, {doc, line}) -> {found, checked}: the state of the one control that reads as a line says, where one went away and was drawn anew; reads.
(lib, { doc, line }) => {
  if (doc !== lib.doc) return { found: false }
  const alike = lib.roots().flatMap((root) => Array.from(lib.all(root, 'input,[role]'))).filter((el) => lib.checked(el) !== '' && lib.line(el) === line)
  return alike.length === 1 ? { found: true, checked: lib.checked(alike[0]) } : { found: false }
}
