import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { BaseLocationHook } from 'wouter'

/** The location after `#`, whose changes can be stopped while something is not saved. */
type Leave = { readonly proceed: () => void; readonly stay: () => void }

let unsaved = 0
/** What was typed on the page and is not saved. */
const typed = new Set<() => string>()
let current = window.location.hash
let pendingLeave: Leave | null = null
const listeners = new Set<() => void>()

const notify = (): void => {
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** The path and the query after `#`. */
const partsOf = (hash: string): readonly [path: string, search: string] => {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?')
  return [`/${path}`, search]
}

const accept = (hash: string): void => {
  current = hash
  notify()
}

window.addEventListener('hashchange', () => {
  const next = window.location.hash
  if (next === current) return
  if (unsaved === 0) return accept(next)
  // The address shows the page that is still open.
  history.replaceState(null, '', current === '' ? '#/' : current)
  pendingLeave = {
    proceed: () => {
      pendingLeave = null
      unsaved = 0
      window.location.hash = next
      accept(next)
    },
    stay: () => {
      pendingLeave = null
      notify()
    },
  }
  notify()
})

window.addEventListener('beforeunload', (event) => {
  if (unsaved > 0) event.preventDefault()
})

export const useHashPath: BaseLocationHook = () => {
  const hash = useSyncExternalStore(subscribe, () => current)
  return [partsOf(hash)[0], navigate]
}

/** The query of the page. */
export const useHashSearch = (): string => partsOf(useSyncExternalStore(subscribe, () => current))[1]

/** The address of the page with this path, in links. */
export const hashHref = (path: string): string => `#${path}`

/** Opens the page with this path. */
export const navigate = (path: string): void => {
  window.location.hash = `#${path}`
}

/** Sets parts of the query of the page with this path, or removes them with an empty text, without a step of the history. */
export const replaceSearch = (path: string, changes: Readonly<Record<string, string>>): void => {
  const [shown, search] = partsOf(current)
  if (shown !== path) return
  const params = new URLSearchParams(search)
  for (const [name, text] of Object.entries(changes)) {
    if (text === '') params.delete(name)
    else params.set(name, text)
  }
  const next = `#${path}${params.size === 0 ? '' : `?${params}`}`
  if (next === current) return
  history.replaceState(null, '', next)
  accept(next)
}

/** Opens the page with this path after everything was saved or deleted, also if the pages do not know it yet. */
export const navigateSaved = (path: string): void => {
  unsaved = 0
  navigate(path)
}

/** The question whether to leave; null if none is open. */
export const useLeaving = (): Leave | null => useSyncExternalStore(subscribe, () => pendingLeave)

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
