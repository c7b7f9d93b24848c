import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { replaceSearch } from './unsaved.js'

/** The last state of each list, by its path, so that a page can lead back to it. */
const lastStates = new Map<string, string>()

/** The path of a list with its last state. */
export const listPath = (path: string): string => {
  const state = lastStates.get(path) ?? ''
  return state === '' ? path : `${path}?${state}`
}

/** What a list shows: its page, order, filters. It is in the address, so that Back and bookmarks lead to it. */
export const useListState = () => {
  const [path] = useLocation()
  const [params] = useSearchParams()
  const state = params.toString()
  useEffect(() => {
    lastStates.set(path, state)
  }, [path, state])
  return {
    params,
    page: Math.max(1, Math.trunc(Number(params.get('page')))) || 1,
    setPage: (page: number): void => replaceSearch(path, { page: page === 1 ? '' : String(page) }),
    /** Sets parts of the state, or removes them with an empty text. The list begins at its first page. */
    set: (changes: Readonly<Record<string, string>>): void => replaceSearch(path, { page: '', ...changes }),
  }
}
