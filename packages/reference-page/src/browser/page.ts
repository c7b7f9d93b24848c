/** Scripts of every page: search, copy buttons, and a table of contents that follows. The pages work without them. */
import { followScroll } from './follow-scroll.js'
import { addCopyButtons } from './samples.js'
import { addSearch } from './search.js'

/** Collapses the table of contents on narrow screens, where it is above the page. */
const collapseContents = (): void => {
  const list = document.querySelector<HTMLDetailsElement>('aside details')
  if (list !== null && window.matchMedia('(max-width: 52rem)').matches) list.open = false
}

collapseContents()
addSearch()
addCopyButtons()
followScroll()
