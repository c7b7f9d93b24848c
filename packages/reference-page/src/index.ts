export { assets, type Asset } from './assets.js'
export type { PageRequest } from './page-layout.js'
export { renderPage } from './render-page.js'
export { requestSamples } from './request-samples.js'
