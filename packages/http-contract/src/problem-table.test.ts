import type { Problem } from '@publishing-service/domain'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { errorResponse, errorBody, problemTable } from './problem-table.js'

const problems: readonly Problem[] = [
  { _tag: 'BadParameters', faults: [{ path: 'title', message: 'must be text' }] },
  { _tag: 'BadRequest', reason: 'it is cut short' },
  { _tag: 'InvalidTokenRequest', reason: 'the form lacks api_key' },
  { _tag: 'UnsupportedGrantType' },
  { _tag: 'InvalidClient' },
  { _tag: 'Unauthorized' },
  { _tag: 'InvalidToken' },
  { _tag: 'Forbidden' },
  { _tag: 'NotFound' },
  { _tag: 'MethodNotAllowed', allowed: ['GET', 'HEAD'] },
  { _tag: 'NotAcceptable' },
  { _tag: 'RequestTimeout', seconds: 20 },
  { _tag: 'InUse', by: 'content' },
  { _tag: 'TooManyKeys', limit: 20 },
  { _tag: 'Gone', instead: 'slots' },
  { _tag: 'PreconditionFailed' },
  { _tag: 'TooLarge', limit: 5_242_880 },
  { _tag: 'UnsupportedMediaType', expected: 'JSON' },
  { _tag: 'RangeNotSatisfiable', size: 9 },
  { _tag: 'TooManyRequests', retryAfter: 7 },
  { _tag: 'Unavailable', retryAfter: 5 },
  { _tag: 'InsufficientStorage', retryAfter: 60 },
  { _tag: 'InternalError' },
]

describe('the table of problems', () => {
  it('has the expected status and code for each problem', () => {
    const rows = problems.map((problem) => {
      const { status, error } = errorResponse(problem)
      return `${problem._tag} ${status} ${error}`
    })
    expect(rows).to.deep.equal([
      'BadParameters 400 bad_parameters',
      'BadRequest 400 bad_request',
      'InvalidTokenRequest 400 invalid_request',
      'UnsupportedGrantType 400 unsupported_grant_type',
      'InvalidClient 401 invalid_client',
      'Unauthorized 401 unauthorized',
      'InvalidToken 401 invalid_token',
      'Forbidden 403 forbidden',
      'NotFound 404 not_found',
      'MethodNotAllowed 405 method_not_allowed',
      'NotAcceptable 406 not_acceptable',
      'RequestTimeout 408 request_timeout',
      'InUse 409 in_use',
      'TooManyKeys 409 too_many_keys',
      'Gone 410 gone',
      'PreconditionFailed 412 precondition_failed',
      'TooLarge 413 too_large',
      'UnsupportedMediaType 415 unsupported_media_type',
      'RangeNotSatisfiable 416 range_not_satisfiable',
      'TooManyRequests 429 too_many_requests',
      'Unavailable 503 unavailable',
      'InsufficientStorage 507 insufficient_storage',
      'InternalError 500 internal_error',
    ])
    expect(Object.keys(problemTable).toSorted()).to.deep.equal(problems.map(({ _tag }) => _tag).toSorted())
  })

  it('has headers for clients', () => {
    const headersOf = (tag: Problem['_tag']) => {
      const problem = problems.find(({ _tag }) => _tag === tag)
      return problem === undefined ? {} : errorResponse(problem).headers
    }
    expect(headersOf('MethodNotAllowed')).to.deep.equal({ Allow: 'GET, HEAD' })
    expect(headersOf('RangeNotSatisfiable')).to.deep.equal({ 'Content-Range': 'bytes */9' })
    expect(headersOf('TooManyRequests')).to.deep.equal({ 'Retry-After': '7' })
    expect(headersOf('InsufficientStorage')).to.deep.equal({ 'Retry-After': '60' })
    expect(headersOf('Unavailable')).to.deep.equal({ 'Retry-After': '5' })
    for (const tag of ['Unauthorized', 'InvalidToken', 'InvalidClient'] as const)
      expect(headersOf(tag)['WWW-Authenticate']).to.match(/^Bearer /)
    expect(headersOf('InvalidToken')['WWW-Authenticate']).to.include('error="invalid_token"')
  })

  it('results in bodies with a description, a link to the page of errors, and details if there are any', () => {
    for (const problem of problems) {
      const body = errorBody(errorResponse(problem), 'https://api.example.org')
      expect(body['error_description']).to.be.a('string').and.not.equal('')
      expect(body['error_uri']).to.equal(`https://api.example.org/docs/errors#${String(body['error'])}`)
      expect('error_info' in body).to.equal(problem._tag === 'BadParameters')
    }
    const [first] = problems
    const away: Problem = { _tag: 'Unavailable', retryAfter: 5, part: 'blob store' }
    expect(errorResponse(away).description).to.match(/^The blob store is temporarily unavailable/)
    expect(first && errorBody(errorResponse(first), '')['error_info']).to.deep.equal({
      title: 'must be text',
    })
  })
  it('returns two hundred faults and the number of further ones', () => {
    const answerTo = (count: number) => {
      const faults = Array.from({ length: count }, (_, index) => ({
        path: `items.${index}`,
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
