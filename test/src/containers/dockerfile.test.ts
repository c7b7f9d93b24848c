/** The Dockerfile agrees with the code of the service, and its context contains only what it needs. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configurationTable } from '@publishing-service/composition-root'
import { endpoints } from '@publishing-service/http-contract'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { root } from '../documentation/documents.js'
import { minioModule, minioVersion } from '../../servers/dist/index.js'
import { composeFile, dockerStages, listOf, valueOf, variablesOf } from './compose-file.js'

const stages = dockerStages()

const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')

describe('Dockerfile', () => {
  it('pins every image, with a Node version that the packages allow', () => {
    const images = [...stages.values()].map(([from = '']) => from.split(' ')[1] ?? '')
    for (const image of images) expect(image).to.match(/^[a-z]+:\d+\.\d+\.\d+(?:-[a-z-]+)?$/)
    const nodes = images.flatMap((image) => /^node:([\d.]+)/.exec(image)?.[1] ?? [])
    const chosen = readFileSync(join(root, '.nvmrc'), 'utf8').trim()
    expect([...new Set(nodes)]).to.deep.equal([chosen])
    const { engines } = JSON.parse(
      readFileSync(join(root, 'packages/composition-root/package.json'), 'utf8'),
    ) as { readonly engines: { readonly node: string } }
    const [major = 0, minor = 0] = chosen.split('.').map(Number)
    const ranges = engines.node.split(' || ').map((range) => range.slice(1).split('.').map(Number))
    expect(ranges.some(([ofRange, least = 0]) => major === ofRange && minor >= least)).to.equal(true)
  })

  it('runs the service with Node directly, as a user without privileges or own files', () => {
    const [program, script = ''] = listOf(valueOf('service', 'ENTRYPOINT'))
    expect(program).to.equal('node')
    expect(existsSync(join(root, script)), script).to.equal(true)
    expect(valueOf('service', 'USER')).to.equal('1000:1000')
    expect(stages.get('service')?.filter((line) => /^COPY .*--chown|^VOLUME/.test(line))).to.deep.equal([])
  })

  it('sets known variables and exposes the port that it sets', () => {
    const { NODE_ENV: _node, ...own } = variablesOf('service')
    for (const name of Object.keys(own)) expect(configurationTable, name).to.have.property(name)
    expect(own['PORT']).to.equal(configurationTable.PORT.fallback)
    expect(valueOf('service', 'EXPOSE')).to.equal(own['PORT'])
  })

  it('checks the liveness path of the service', () => {
    const path = /\}(\/[\w/]+)`/.exec(valueOf('service', 'HEALTHCHECK'))?.[1]
    expect(path).to.equal('/health/live')
    expect(endpoints.map((endpoint) => endpoint.path)).to.include(path)
  })

  it('builds the MinIO version of the tests, at the address that Compose uses', () => {
    expect(valueOf('minio-build', 'RUN')).to.include(`${minioModule}@${minioVersion}`)
    expect(minioVersion.replaceAll('-', '')).to.include(
      composeFile.services.minio.image.split(':')[1]?.replaceAll('-', ''),
    )
    const port = valueOf('minio', 'EXPOSE')
    expect(composeFile.services.service.environment?.['MINIO_URL']).to.equal(`http://minio:${port}`)
    expect(composeFile.services.minio.healthcheck?.test.at(-1)).to.include(`127.0.0.1:${port}/`)
    const data = listOf(valueOf('minio', 'ENTRYPOINT')).at(-1)
    expect(composeFile.services.minio.volumes).to.include(`blobs:${data}`)
  })

  it('copies only listed paths, without tests and build output', () => {
    expect(ignored[1]).to.equal('*')
    for (const path of ignored.filter((line) => line.startsWith('!')))
      expect(existsSync(join(root, path.slice(1))), path).to.equal(true)
    expect(ignored).to.include.members(['**/node_modules', '**/dist', '**/*.test.ts'])
  })
})
