import { asciiJson, type DeploymentFacts } from '@publishing-service/http-contract'
import { webFile, type WebFile } from './web-file.js'

const make = async (facts: DeploymentFacts): Promise<WebFile> => {
  const { openApiDocument } = await import('@publishing-service/http-contract/openapi')
  const json = Buffer.from(asciiJson(openApiDocument(facts)), 'latin1')
  return webFile('application/json; charset=utf-8', json, ['Accept'])
}

/**
 * The document of the API as this deployment sends it: made for the first who asks, so that the start doesn’t wait for
 * it, and the same bytes from then on.
 */
export const createOpenApiFile = (facts: DeploymentFacts): (() => Promise<WebFile>) => {
  let making: Promise<WebFile> | null = null
  return () => {
    making ??= make(facts).catch((error: unknown) => {
      making = null
      throw error
    })
    return making
  }
}
