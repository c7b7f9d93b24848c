import type { AnyProblem } from '@publishing-service/domain'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { errorResponse, errorBody } from './problem-table.js'

describe('the table of problems', () => {
  it('has headers for clients', () => {
    const headersOf = (problem: AnyProblem) => errorResponse(problem).headers
    expect(headersOf({ _tag: 'MethodNotAllowed', allowed: ['GET', 'HEAD'] })).to.deep.equal({
      Allow: 'GET, HEAD',
    })
    expect(headersOf({ _tag: 'RangeNotSatisfiable', size: 9 })).to.deep.equal({
      'Content-Range': 'bytes */9',
    })
    for (const _tag of ['TooManyRequests', 'InsufficientStorage', 'Unavailable'] as const)
      expect(headersOf({ _tag, retryAfter: 7 })).to.deep.equal({ 'Retry-After': '7' })
    for (const _tag of ['Unauthorized', 'InvalidToken', 'InvalidClient'] as const)
      expect(headersOf({ _tag })?.['WWW-Authenticate']).to.match(/^Bearer /)
    expect(headersOf({ _tag: 'InvalidToken' })?.['WWW-Authenticate']).to.include('error="invalid_token"')
  })

  it('results in bodies with a description, a link to the page of errors, and details if there are any', () => {
    const body = errorBody(errorResponse({ _tag: 'NotFound' }), 'https://api.example.org')
    expect(body['error_description']).to.be.a('string').and.not.equal('')
    expect(body['error_uri']).to.equal('https://api.example.org/docs/errors#not_found')
    expect(body).not.to.have.property('error_info')
    const away: AnyProblem = { _tag: 'Unavailable', retryAfter: 5, part: 'blob store' }
    expect(errorResponse(away).description).to.match(/^The blob store is temporarily unavailable/)
    const faults = [{ path: 'title', code: 'type' as const, message: 'must be text' }]
    expect(errorBody(errorResponse({ _tag: 'BadParameters', faults }), '')['error_info']).to.deep.equal({
      title: 'must be text',
    })
  })

  it('returns two hundred faults and the number of further ones', () => {
    const answerTo = (count: number) => {
      const faults = Array.from({ length: count }, (_, index) => ({
        path: `items.${index}`,
        code: 'type' as const,
        message: 'must be text',
      }))
      return errorBody(errorResponse({ _tag: 'BadParameters', faults }), '')
    }
    const whole = answerTo(200)
    expect(Object.keys(Object(whole['error_info']))).to.have.lengthOf(200)
    expect(whole['error_description']).to.equal('200 parameters are not valid; see error_info.')
    const cut = answerTo(7200)
    expect(cut['error_info']).to.deep.equal(whole['error_info'])
    expect(cut['error_description']).to.equal(
      '7200 parameters are not valid; see error_info, which has the first 200; 7000 more are left out.',
    )
  })
})
