/** What every page does beyond what it says: search, and buttons that copy. Without it the pages are still whole. */
import { offerCopies } from './samples.js'
import { offerSearch } from './search.js'

offerSearch()
offerCopies()
