import { expect } from 'chai'
import { describe, it } from 'mocha'
import { S3Error } from 'minio'
import { isAbsent, minioFailure, timeoutError } from './minio-failure.js'

const s3Error = (code: string): S3Error => Object.assign(new S3Error('message of the server'), { code })
const systemError = (code: string): Error => Object.assign(new Error(code), { code, syscall: 'connect' })

describe('minioFailure', () => {
  it('is returned for errors of the network and the server', () => {
    const errors = [
      systemError('ECONNREFUSED'),
      systemError('ENOTFOUND'),
      Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
      timeoutError(10),
      s3Error('NoSuchBucket'),
      s3Error('XMinioStorageFull'),
      s3Error('AccessDenied'),
      new Error('Request failed after 0 retries: Error: Retryable HTTP status: 503'),
    ]
    for (const error of errors)
      expect(minioFailure(error)).to.include({ _tag: 'PortFailure', part: 'blob store' })
  })

  it('reports that the storage is full', () => {
    for (const error of [
      s3Error('XMinioStorageFull'),
      s3Error('XMinioAdminBucketQuotaExceeded'),
      new Error('Request failed after 0 retries: Error: Retryable HTTP status: 507'),
    ])
      expect(minioFailure(error)).to.include({ part: 'blob store', storageFull: true })
    expect(minioFailure(s3Error('AccessDenied'))).not.to.have.property('storageFull')
  })

  it('rethrows a defect', () => {
    for (const error of [new TypeError('x'), s3Error('InvalidPart'), 'x'])
      expect(() => minioFailure(error)).to.throw()
  })

  it('distinguishes an absent blob from a failure', () => {
    expect(['NoSuchKey', 'NotFound', 'NoSuchBucket'].map((code) => isAbsent(s3Error(code)))).to.deep.equal([
      true,
      true,
      false,
    ])
  })
})
