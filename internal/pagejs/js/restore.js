// restore(lib, {}, kept) -> {origin, ours, local, session, databases, why}: makes what the origin of an empty page of ours keeps what JSON says.
//
// kept is {local, session, databases}: each is replaced by what is given, and null leaves it alone. A database that has
// the stores already is filled anew, which works while a page has it open; any other is deleted and made.
async (lib, args, kept) => {
  const answer = {
    origin: globalThis.origin,
    ours: document.documentElement !== null && document.documentElement.id === 'duet-empty-page',
    local: 0,
    session: 0,
    databases: 0,
    why: '',
  }
  if (!answer.ours) return JSON.stringify(answer)
  const { local, session, databases } = JSON.parse(kept)
  const ARRAYS = {
    i8: Int8Array, ui8: Uint8Array, ui8c: Uint8ClampedArray, i16: Int16Array, ui16: Uint16Array, i32: Int32Array,
    ui32: Uint32Array, f32: Float32Array, f64: Float64Array, bi64: BigInt64Array, bui64: BigUint64Array,
  }
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
  const WORDS = { undefined, null: null, NaN, Infinity, '-Infinity': -Infinity, '-0': -0 }
  const decode = (x, refs) => {
    if (typeof x !== 'object' || x === null) return x
    const next = (item) => decode(item, refs)
    const known = (made) => {
      refs.set(x.id, made)
      return made
    }
    if ('ref' in x) return refs.get(x.ref)
    if ('v' in x) return WORDS[x.v]
    if ('d' in x) return new Date(x.d)
    if ('bi' in x) return BigInt(x.bi)
    if ('r' in x) return new RegExp(x.r.p, x.r.f)
    if ('u' in x) return x.u
    if ('e' in x) {
      const e = new Error(x.e.m)
      e.name = x.e.n
      e.stack = x.e.s
      return e
    }
    if ('ta' in x) return new ARRAYS[x.ta.k](bytes(x.ta.b).buffer)
    if ('ab' in x) return bytes(x.ab.b).buffer
    if ('a' in x) {
      const list = known([])
      for (const item of x.a) list.push(next(item))
      return list
    }
    if ('m' in x) {
      const map = known(new Map())
      for (const { k, v } of x.m) map.set(next(k), next(v))
      return map
    }
    if ('s' in x) {
      const set = known(new Set())
      for (const item of x.s) set.add(next(item))
      return set
    }
    const object = known({})
    for (const { k, v } of x.o) object[k] = next(v)
    return object
  }
  const member = (record, name) => (name in record ? record[name] : decode(record[name + 'Encoded'], new Map()))

  const fill = (storage, list) => {
    storage.clear()
    for (const { name, value } of list) storage.setItem(name, value)
    return list.length
  }
  const done = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
      request.onblocked = () => setTimeout(() => reject(new Error('a page has the database open: close its tabs first')), 1000)
    })
  const keyPath = (x) => (x.keyPathArray !== undefined ? x.keyPathArray : x.keyPath === undefined ? null : x.keyPath)
  // shape is what must be equal for records to be exchanged.
  const shape = (name, path, flags, indexes) =>
    JSON.stringify([name, path === null || typeof path === 'string' ? path : Array.from(path), flags, indexes])
  const wanted = (d) =>
    d.stores.map((s) => shape(s.name, keyPath(s), s.autoIncrement, (s.indexes || []).map((i) => shape(i.name, keyPath(i), [i.multiEntry, i.unique], [])).sort())).sort()
  const present = (db) => {
    if (db.objectStoreNames.length === 0) return []
    const tx = db.transaction(db.objectStoreNames, 'readonly')
    return Array.from(db.objectStoreNames, (n) => tx.objectStore(n))
      .map((s) => shape(s.name, s.keyPath, s.autoIncrement, Array.from(s.indexNames, (n) => s.index(n)).map((i) => shape(i.name, i.keyPath, [i.multiEntry, i.unique], [])).sort()))
      .sort()
  }
  const records = (db, d) =>
    new Promise((resolve, reject) => {
      if (d.stores.length === 0) return resolve()
      const tx = db.transaction(db.objectStoreNames, 'readwrite')
      tx.oncomplete = () => resolve()
      tx.onabort = () => reject(tx.error)
      try {
        for (const s of d.stores) {
          const store = tx.objectStore(s.name)
          store.clear()
          for (const record of s.records) {
            const value = member(record, 'value')
            if (keyPath(s) === null && ('key' in record || 'keyEncoded' in record)) store.put(value, member(record, 'key'))
            else store.put(value)
          }
        }
      } catch (e) {
        reject(e)
        tx.abort()
      }
    })
  const make = (d) => {
    const request = indexedDB.open(d.name, d.version)
    request.onupgradeneeded = () => {
      for (const s of d.stores) {
        const store = request.result.createObjectStore(s.name, { autoIncrement: s.autoIncrement, keyPath: keyPath(s) })
        for (const i of s.indexes || []) store.createIndex(i.name, keyPath(i), { unique: i.unique, multiEntry: i.multiEntry })
      }
    }
    return done(request)
  }
  const base = async (d, there) => {
    let db = null
    if (there.some((x) => x.name === d.name && x.version === d.version)) {
      db = await done(indexedDB.open(d.name))
      if (JSON.stringify(present(db)) !== JSON.stringify(wanted(d))) {
        db.close()
        db = null
      }
    }
    if (db === null) {
      await done(indexedDB.deleteDatabase(d.name))
      db = await make(d)
    }
    try {
      await records(db, d)
    } finally {
      db.close()
    }
  }

  const put = async () => {
    answer.databases = 0
    if (local) answer.local = fill(globalThis.localStorage, local)
    if (session) answer.session = fill(globalThis.sessionStorage, session)
    if (!databases) return
    const there = await indexedDB.databases()
    for (const one of there) if (!databases.some((d) => d.name === one.name)) await done(indexedDB.deleteDatabase(one.name))
    for (const d of databases) {
      await base(d, there)
      answer.databases++
    }
  }
  // A browser that has just begun may not have its storage ready: Firefox calls that a failure, and has it a moment later.
  for (let tries = 20; ; tries--) {
    try {
      await put()
      break
    } catch (e) {
      if (e && e.name === 'NS_ERROR_FAILURE' && tries > 0) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        continue
      }
      answer.why = String((e && e.name) || 'Error')
      if (e instanceof Error && e.message.startsWith('a page has')) answer.why = e.message
      break
    }
  }
  return JSON.stringify(answer)
}
