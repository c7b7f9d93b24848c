import { useEffect, useRef } from 'react'
import type { BaseLocationHook } from 'wouter'
import { createStore } from './store.js'

/** The location after `#`, whose changes can be stopped while something is not saved. */
type Leave = { readonly proceed: () => void; readonly stay: () => void }

let unsaved = 0
/** What was typed on the page and is not saved. */
const typed = new Set<() => string>()
const current = createStore(window.location.hash)
const pendingLeave = createStore<Leave | null>(null)

/** The path and the query after `#`. */
const partsOf = (hash: string): readonly [path: string, search: string] => {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?')
  return [`/${path}`, search]
}

window.addEventListener('hashchange', () => {
  const next = window.location.hash
  const shown = current.get()
  if (next === shown) return
  if (unsaved === 0) return current.set(next)
  // The address shows the page that is still open.
  history.replaceState(null, '', shown === '' ? '#/' : shown)
  pendingLeave.set({
    proceed: () => {
      pendingLeave.set(null)
      unsaved = 0
      window.location.hash = next
      current.set(next)
    },
    stay: () => pendingLeave.set(null),
  })
})

window.addEventListener('beforeunload', (event) => {
  if (unsaved > 0) event.preventDefault()
})

export const useHashPath: BaseLocationHook = () => [partsOf(current.use())[0], navigate]

/** The query of the page. */
export const useHashSearch = (): string => partsOf(current.use())[1]

/** The address of the page with this path, in links. */
export const hashHref = (path: string): string => `#${path}`

/** Opens the page with this path. */
export const navigate = (path: string): void => {
  window.location.hash = `#${path}`
}

/** Opens the page with this path in place of the present one, to which nobody goes back. */
export const navigateInPlace = (path: string): void => {
  history.replaceState(null, '', `#${path}`)
  current.set(window.location.hash)
}

/** Sets parts of the query of the page with this path, or removes them with an empty text, without a step of the history. */
export const replaceSearch = (path: string, changes: Readonly<Record<string, string>>): void => {
  const [shown, search] = partsOf(current.get())
  if (shown !== path) return
  const params = new URLSearchParams(search)
  for (const [name, text] of Object.entries(changes)) {
    if (text === '') params.delete(name)
    else params.set(name, text)
  }
  const next = `#${path}${params.size === 0 ? '' : `?${params}`}`
  if (next === current.get()) return
  history.replaceState(null, '', next)
  current.set(next)
}

/** Opens the page with this path after everything was saved or deleted, also if the pages do not know it yet. */
export const navigateSaved = (path: string): void => {
  unsaved = 0
  navigate(path)
}

/** The question whether to leave; null if none is open. */
export const useLeaving = (): Leave | null => pendingLeave.use()

/** Whether something on the page is not saved. */
export const hasUnsaved = (): boolean => unsaved > 0

/** What was typed on the page and is not saved, as a text. */
export const unsavedText = (): string => [...typed].map((text) => text()).join('\n\n')

/** While it is true, leaving the page has to be confirmed. `text` is what was typed. */
export const useUnsaved = (isUnsaved: boolean, text?: () => string): void => {
  const latest = useRef(text)
  latest.current = text
  useEffect(() => {
    if (!isUnsaved) return
    const own = () => latest.current?.() ?? ''
    unsaved += 1
    typed.add(own)
    return () => {
      unsaved = Math.max(0, unsaved - 1)
      typed.delete(own)
    }
  }, [isUnsaved])
}
