import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { recordingLog } from '@publishing-service/adapter-memory'
import { E } from '@publishing-service/domain/fp'
import { readConfiguration } from './read-configuration.js'
import { welcome } from './welcome.js'

const log = recordingLog('error')

const linesFor = async (environment: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const configuration = readConfiguration(environment, () => '')
  if (E.isLeft(configuration)) throw new Error(configuration.left.join('\n'))
  const bootstrapped = { firstInstance: 1, sample: null, idleKey: null, issued: null, setUp: null }
  const text = await welcome({ port: 1, bootstrapped, log }, configuration.right, true)
  return text.split('\n').filter((line) => line.includes(' are stored '))
}

const firstStart = async (): Promise<readonly string[]> => {
  const configuration = readConfiguration({ STORE: 'memory', BLOBS: 'memory' }, () => '')
  if (E.isLeft(configuration)) throw new Error(configuration.left.join('\n'))
  const issued = { api_key: 'a-key', api_secret: 'a-secret' }
  const bootstrapped = { firstInstance: 1, sample: 1, idleKey: null, issued, setUp: null }
  return (await welcome({ port: 1, bootstrapped, log }, configuration.right, true)).split('\n')
}

const servers = {
  STORE: 'mongodb',
  BLOBS: 'minio',
  MONGODB_URL: 'mongodb://somebody:a-password@mongodb/news',
  MINIO_URL: 'http://minio:9000',
  MINIO_ACCESS_KEY: 'an-access-key',
  MINIO_SECRET_KEY: 'a-secret-key',
}

describe('The welcome states where the data is', () => {
  it('in a folder, or in memory', async () => {
    expect(await linesFor({ DATA_DIR: 'there', BLOBS: 'memory' })).to.deep.equal([
      `Documents are stored in ${join(resolve('there'), 'documents.sqlite')}`,
      'Files are stored in memory, until the service ends',
    ])
  })
  it('on servers, without their credentials', async () => {
    expect(await linesFor(servers)).to.deep.equal([
      'Documents are stored in mongodb://mongodb/news',
      'Files are stored in http://minio:9000/publishing-service',
    ])
  })
})

describe('The welcome of a service on a socket', () => {
  const socketStart = async (environment: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const configuration = readConfiguration(
      { STORE: 'memory', BLOBS: 'memory', HOST: '/run/service.sock', ...environment },
      () => '',
    )
    if (E.isLeft(configuration)) throw new Error(configuration.left.join('\n'))
    const issued = { api_key: 'a-key', api_secret: 'a-secret' }
    const bootstrapped = { firstInstance: 1, sample: 1, idleKey: null, issued, setUp: null }
    const text = await welcome({ port: null, bootstrapped, log }, configuration.right, true)
    return text.split('\n')
  }

  it('names the socket, and has commands that use it', async () => {
    const lines = await socketStart({})
    expect(lines[0]).to.equal('The publishing service listens on the socket /run/service.sock')
    expect(lines[1]).to.include('http://localhost')
    expect(lines).to.include('SERVICE=http://localhost')
    const commands = lines.filter((line) => line.includes('curl '))
    expect(commands).to.have.length(2)
    for (const line of commands) expect(line).to.include('curl --unix-socket /run/service.sock -sS')
  })

  it('has the address of the proxy, if it is known', async () => {
    const lines = await socketStart({ BASE_URL: 'https://cms.example.org' })
    expect(lines).to.include('Dashboard: https://cms.example.org/dashboard')
    expect(lines.some((line) => line.includes('put that of the proxy'))).to.equal(false)
  })
})

describe('The welcome of a first start', () => {
  it('has the address of the dashboard, and the key that signs in', async () => {
    const lines = await firstStart()
    expect(lines).to.include('Dashboard: http://localhost:1/dashboard')
    expect(lines).to.include('It is for programs. The dashboard accepts it too.')
    expect(lines).to.include('  API key     a-key')
    expect(lines).to.include('  API secret  a-secret')
  })
})
