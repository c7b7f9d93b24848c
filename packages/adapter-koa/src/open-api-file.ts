import { asciiJson, type DeploymentFacts } from '@publishing-service/http-contract'
import { openApiDocument } from '@publishing-service/http-contract/openapi'
import { webFile, type WebFile } from './web-file.js'

/** The document of the API as this deployment sends it. Making it takes some ten milliseconds. */
export const openApiFileOf = (facts: DeploymentFacts): Promise<WebFile> =>
  webFile('application/json; charset=utf-8', Buffer.from(asciiJson(openApiDocument(facts)), 'latin1'), [
    'Accept',
  ])
