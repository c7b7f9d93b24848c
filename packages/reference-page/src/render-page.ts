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

/** A documentation page as HTML. It contains no inline scripts, and loads only files of the service. */
export const renderPage = (name: PageName, request: PageRequest): string =>
  layOut(request, pages[name](request))
