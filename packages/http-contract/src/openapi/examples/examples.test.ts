/** Examples of a shape for which no body is declared: what a new resource has. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { content } from '@publishing-service/domain'
import type { Shape } from '@publishing-service/domain/declare'
import { endpoints, type Endpoint } from '../../index.js'
import { createComponents } from '../components.js'
import { requestExamples, responseExamples } from './examples.js'

const endpointOf = (id: string): Endpoint => {
  const endpoint = endpoints.find((each) => each.id === id)
  if (endpoint === undefined) throw new Error(`no operation ${id}`)
  return endpoint
}

const examplesOf = (id: string, { attributes }: Pick<Shape, 'attributes'>) => {
  const endpoint = endpointOf(id)
  const context = { components: createComponents(), endpoint }
  const payload = {
    _tag: 'Object',
    of: { name: 'Announcement', description: 'An announcement.', shape: { attributes } },
  } as const
  return { sent: requestExamples(context, payload), read: responseExamples(context, payload) }
}

const { title, kicker, state, created } = content.attributes
const shape = { attributes: { kicker, title, state, created } }

describe('the examples of a shape without a declared body', () => {
  it('send what is required, named after its attribute', () => {
    expect(examplesOf('createBlog', shape).sent).to.deep.equal({ example: { title: 'Title' } })
    expect(examplesOf('changeBlog', shape).sent).to.deep.equal({ example: { title: 'Title' } })
  })

  it('return null, the first word or a value of the format', () => {
    expect(examplesOf('readBlog', shape).read).to.deep.equal({
      example: { kicker: null, title: 'Title', state: 'draft', created: '2026-03-01T12:00:00' },
    })
  })
})
