/** Scripts of every page: search, copy buttons, and a table of contents that follows. The pages work without them. */
import { followScroll } from './follow-scroll.js'
import { addCopyButtons } from './samples.js'
import { addSearch } from './search.js'

/**
 * Scripts are loaded from the folder of this one only, whose address the service does not know behind every proxy: not
 * from files of the same origin that users upload.
 */
const restrictScripts = (): void => {
  const policy = document.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.content = `script-src ${import.meta.url.replace(/[^/]*$/, '')}`
  document.head.append(policy)
}

/** Collapses the table of contents on narrow screens, where it is above the page. */
const collapseContents = (): void => {
  const list = document.querySelector<HTMLDetailsElement>('aside details')
  if (list !== null && window.matchMedia('(max-width: 52rem)').matches) list.open = false
}

restrictScripts()
collapseContents()
addSearch()
addCopyButtons()
followScroll()
