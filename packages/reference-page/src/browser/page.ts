/** What every page does beyond what it says: search, buttons that copy, a list that follows. Without it the pages are still whole. */
import { followScroll } from './follow-scroll.js'
import { offerCopies } from './samples.js'
import { offerSearch } from './search.js'

/** On a telephone the list of the page’s parts would stand before the page. */
const foldContents = (): void => {
  const list = document.querySelector<HTMLDetailsElement>('aside details')
  if (list !== null && window.matchMedia('(max-width: 52rem)').matches) list.open = false
}

foldContents()
offerSearch()
offerCopies()
followScroll()
