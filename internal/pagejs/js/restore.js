// restore(lib, {}, list) -> {set: n}: puts the pairs of a JSON list of {name, value} into this origin's local storage.
(lib, args, secret) => {
  const list = JSON.parse(secret)
  for (const { name, value } of list) globalThis.localStorage.setItem(name, value)
  return { set: list.length }
}
