import { resolve } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '@publishing-service/domain'
import { readConfiguration } from './read-configuration.js'
import { welcome } from './welcome.js'

const linesFor = (environment: Readonly<Record<string, string>>): readonly string[] => {
  const configuration = readConfiguration(environment, () => '')
  if (E.isLeft(configuration)) throw new Error(configuration.left.join('\n'))
  const bootstrapped = { firstInstance: 1, sample: null, idleKey: null, issued: null }
  return welcome({ url: 'http://127.0.0.1:1', bootstrapped }, configuration.right)
    .split('\n')
    .filter((line) => /^Its (data|documents|files) /.test(line))
}

const servers = {
  STORE: 'mongodb',
  BLOBS: 'minio',
  MONGODB_URL: 'mongodb://somebody:a-password@mongodb/news',
  MINIO_URL: 'http://minio:9000',
  MINIO_ACCESS_KEY: 'an-access-key',
  MINIO_SECRET_KEY: 'a-secret-key',
}

describe('The welcome says where the data are', () => {
  const folder = resolve('there')
  it('in one folder', () => {
    expect(linesFor({ DATA_DIR: 'there' })).to.deep.equal([`Its data are in ${folder}`])
  })
  it('in memory', () => {
    expect(linesFor({ STORE: 'memory', BLOBS: 'memory' })).to.deep.equal([
      'Its data are in memory, and are gone when the service ends',
    ])
  })
  it('on servers, without what they are reached by', () => {
    expect(linesFor(servers)).to.deep.equal([
      'Its documents are in MongoDB',
      'Its files are in the bucket publishing-service of http://minio:9000',
    ])
  })
  it('in two kinds of place', () => {
    expect(linesFor({ DATA_DIR: 'there', BLOBS: 'memory' })).to.deep.equal([
      `Its documents are in ${folder}`,
      'Its files are in memory, and are gone when the service ends',
    ])
  })
})
