import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { inDependencyOrder, versionFaults } from './manifests.js'

const manifest = (name: string, more: JsonObject = {}) => ({
  path: `packages/${name}/package.json`,
  content: { name, version: '0.2.0-dev', ...more },
})

describe('manifests', () => {
  it('have one version and refer to each other by it', () => {
    const right = [
      manifest('domain', { dependencies: { saxes: '6.0.0' } }),
      manifest('ports', {
        dependencies: { domain: '0.2.0-dev' },
        devDependencies: { domain: 'file:../domain' },
      }),
    ]
    expect(versionFaults('0.2.0-dev', right)).to.deep.equal([])
    for (const wrong of [
      manifest('ports', { version: '0.1.0' }),
      manifest('ports', { dependencies: { domain: '^0.2.0-dev' } }),
      manifest('ports', { devDependencies: { domain: '0.1.0' } }),
      manifest('ports', { peerDependencies: { domain: '*' } }),
      manifest('ports', { optionalDependencies: { domain: '0.3.0-dev' } }),
    ]) {
      const [fault, ...others] = versionFaults('0.2.0-dev', [manifest('domain'), wrong])
      expect(fault).to.include('packages/ports/package.json')
      expect(others).to.deep.equal([])
    }
  })

  it('are published after those that they depend on, whatever development depends on', () => {
    const order = inDependencyOrder([
      manifest('cli', { dependencies: { root: '0.2.0-dev', commander: '14.0.0' } }),
      manifest('root', { dependencies: { store: '0.2.0-dev', domain: '0.2.0-dev' } }),
      manifest('store', { peerDependencies: { domain: '0.2.0-dev' } }),
      manifest('domain', { devDependencies: { cli: '0.2.0-dev' } }),
    ])
    expect(order).to.deep.equal(['domain', 'store', 'root', 'cli'])
  })
})
