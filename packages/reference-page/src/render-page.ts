import type { PageName } from '@publishing-service/http-contract'
import { layOut, type PageContent, type PageRequest } from './page-layout.js'
import { errorsPage } from './pages/errors-page.js'
import { markupPage } from './pages/markup-page.js'
import { objectsPage } from './pages/objects-page.js'
import { referencePage } from './pages/reference-page.js'
import { requestsPage } from './pages/requests-page.js'

const pages: { readonly [P in PageName]: (request: PageRequest) => PageContent } = {
  reference: referencePage,
  objects: objectsPage,
  requests: requestsPage,
  markup: markupPage,
  errors: errorsPage,
}

/** A page for people as HTML: it loads only what the service itself has, and runs no code of its own. */
export const renderPage = (name: PageName, request: PageRequest): string =>
  layOut(request, pages[name](request))
