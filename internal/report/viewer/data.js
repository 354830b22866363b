'use strict'
// The trace: blocks of JSON in the page, each read when it is first needed, and
// pictures, each decoded when it is first shown.

const block = (id) => JSON.parse($(id).textContent)

const trace = block('data-index')
const rows = trace.rows

const late = new Map()
function lazily(id) {
  if (!late.has(id)) late.set(id, block(id))
  return late.get(id)
}

// detail is all that is known of an action.
const detail = (i) => lazily('data-detail-' + Math.floor(i / trace.chunk))[i % trace.chunk]

// of cuts a list that is sorted by action down to one action's, by binary search.
function of(list, i) {
  const find = (n) => {
    let lo = 0, hi = list.length
    while (lo < hi) {
      const mid = (lo + hi) >> 1
      if (list[mid].a < n) lo = mid + 1
      else hi = mid
    }
    return lo
  }
  return list.slice(find(i), find(i + 1))
}

// kept are the addresses of pictures that were decoded, the latest last. Older ones
// are given back, so that a long trace does not fill the memory.
const kept = new Map()
const keepPictures = 40

function blobOf(n) {
  const el = $('image-' + n)
  const text = atob(el.textContent.trim())
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return new Blob([bytes], { type: el.dataset.type })
}

function picture(n) {
  let url = kept.get(n)
  kept.delete(n)
  url ??= URL.createObjectURL(blobOf(n))
  kept.set(n, url)
  if (kept.size > keepPictures) {
    const [oldest, address] = kept.entries().next().value
    kept.delete(oldest)
    URL.revokeObjectURL(address)
  }
  return url
}

// parents are the batches of steps; a step that failed is the error of its batch too.
const stateWord = { ok: 'done', no: 'answered no', failed: 'failed', open: 'did not end' }
