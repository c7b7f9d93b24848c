/** The document contains the facts of its deployment. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { defaultFacts, type DeploymentFacts } from '../deployment-facts.js'
import { openApiDocument } from './document.js'

const facts: DeploymentFacts = {
  baseUrl: 'https://api.example.org/publishing',
  jsonLimit: 3 * 1024 * 1024,
  uploadLimits: { image: 1024 * 1024, audio: 700, video: 800, application: 900, other: 1000 },
  streamingHosts: [{ name: 'ourtube', aliases: ['tube'], hosts: ['video.example'] }],
}

const at = (part: Json, ...names: readonly string[]): Json =>
  names.reduce<Json>((found, name) => (isJsonObject(found) ? (found[name] ?? null) : null), part)

const validatorOf = (document: JsonObject, name: string) => {
  const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  return ajv.compile({ $ref: `document#/components/schemas/${name}` })
}

const mediaExamples = (document: JsonObject): JsonObject =>
  Object.fromEntries(
    ['post', 'put'].map((method) => [
      method,
      at(
        document,
        'paths',
        '/{iid}/content/{uuid}/slots/{slot_uuid}/media',
        method,
        'requestBody',
        'content',
        'application/json',
        'examples',
      ),
    ]),
  )

describe('the document of a deployment', () => {
  const document = openApiDocument(facts)

  it('has the defaults if nothing is configured', () => {
    expect(openApiDocument()).to.deep.equal(openApiDocument(defaultFacts))
    const description = String(at(openApiDocument(), 'info', 'description'))
    expect(description).to.include('at most\n5 MiB;')
  })

  it('contains its limits', () => {
    expect(at(document, 'info', 'description')).to.include('at most\n3 MiB;')
    expect(at(document, 'paths', '/{iid}/files/{uuid}', 'post', 'description')).to.include(
      'image 1 MiB, audio 700 bytes, video 800 bytes, application 900 bytes, other 1000 bytes',
    )
  })

  it('contains its streaming hosts, as they are sent and as they are read', () => {
    const typeOf = (schema: string) => at(document, 'components', 'schemas', schema, 'properties', 'url_type')
    expect(at(typeOf('MediumExternal'), 'enum')).to.deep.equal(['ourtube', 'audio', 'video'])
    expect(at(typeOf('MediumExternalInput'), 'enum')).to.deep.equal(['ourtube', 'tube', 'audio', 'video'])
    const validate = validatorOf(document, 'MediumInput')
    const medium = { type: 'external', url_type: 'tube' }
    expect(validate(medium)).to.equal(false)
    expect(validate({ ...medium, url: 'https://video.example/1' })).to.equal(true)
    expect(validate({ ...medium, url_type: 'youtube', url: 'https://youtu.be/1' })).to.equal(false)
  })

  it('is valid without any streaming host', () => {
    const without = openApiDocument({ ...facts, streamingHosts: [] })
    const validate = validatorOf(without, 'MediumInput')
    const urls = [{ url: 'https://a.example/b.mp3' }]
    expect(validate({ type: 'external', url_type: 'audio', urls })).to.equal(true)
    expect(validate({ type: 'external', url_type: 'youtube', url: 'https://youtu.be/1' })).to.equal(false)
  })

  it('has no example of a medium of a host that it does not accept', () => {
    expect(JSON.stringify(mediaExamples(openApiDocument()))).to.include('video_host_1')
    const { value } = at(mediaExamples(document), 'post', 'external') as { readonly value: JsonObject }
    expect(value).to.include({ url_type: 'ourtube', url: 'https://video.example/the-launch' })
    const without = mediaExamples(openApiDocument({ ...facts, streamingHosts: [] }))
    expect(Object.keys(at(without, 'post') as JsonObject)).to.deep.equal(['file', 'embed'])
    expect(at(without, 'put', 'example', 'value', 'items'))
      .to.be.an('array')
      .with.lengthOf(2)
  })

  it('has its public address as server', () => {
    expect(at(document, 'servers')).to.have.nested.property('0.url', facts.baseUrl)
    expect(
      at(document, 'components', 'securitySchemes', 'oauth', 'flows', 'clientCredentials', 'tokenUrl'),
    ).to.equal(`${facts.baseUrl}/oauth/token`)
  })

  it('differs in nothing else', () => {
    const paths = (whole: JsonObject) => Object.keys(whole['paths'] as JsonObject)
    const names = (whole: JsonObject) => Object.keys(at(whole, 'components', 'schemas') as JsonObject)
    expect(paths(document)).to.deep.equal(paths(openApiDocument()))
    expect(names(document)).to.deep.equal(names(openApiDocument()))
  })
})
