import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { completeBill, componentsOf, missingComponents } from './bill.js'

const component = (ref: string, more: JsonObject = {}): JsonObject => ({ 'bom-ref': ref, ...more })
const example = { properties: [{ name: 'cdx:npm:package:private', value: 'true' }] }

const lock = {
  packages: {
    '': { name: 'service', version: '1.0.0', devDependencies: { koa: '3.0.0', mocha: '12.0.0' } },
    'packages/page': {
      name: '@service/page',
      version: '1.0.0',
      dependencies: { koa: '3.0.0' },
      devDependencies: { react: '19.0.0', vite: '8.0.0' },
    },
    'docs/example': { name: 'example', version: '1.0.0', dependencies: { '@service/page': '1.0.0' } },
    'node_modules/@service/page': { resolved: 'packages/page', link: true },
    'node_modules/koa': { version: '3.0.0', dependencies: { vary: '^1.0.0' } },
    'node_modules/koa/node_modules/vary': { version: '1.0.0' },
    'node_modules/vary': { version: '2.0.0', dev: true },
    'node_modules/alias': { name: 'sqlite', version: '12.0.0', optional: true },
    'node_modules/react': { version: '19.0.0', dev: true, dependencies: { vary: '2.0.0' } },
    'node_modules/vite': { version: '8.0.0', dev: true },
    'node_modules/mocha': { version: '12.0.0', dev: true },
  },
}
const all = {
  metadata: { component: { 'bom-ref': 'service@1.0.0', name: 'a-folder' } },
  components: [
    component('@service/page@1.0.0'),
    component('example@1.0.0', example),
    component('vary@1.0.0'),
    ...['koa@3.0.0', 'vary@2.0.0', 'sqlite@12.0.0', 'react@19.0.0', 'vite@8.0.0', 'mocha@12.0.0'].map((ref) =>
      component(ref),
    ),
  ],
  dependencies: [
    {
      ref: 'service@1.0.0',
      dependsOn: ['@service/page@1.0.0', 'example@1.0.0', 'koa@3.0.0', 'mocha@12.0.0'],
    },
    { ref: '@service/page@1.0.0', dependsOn: ['koa@3.0.0', 'react@19.0.0', 'vite@8.0.0'] },
    { ref: 'example@1.0.0', dependsOn: ['@service/page@1.0.0'] },
    { ref: 'koa@3.0.0', dependsOn: ['vary@1.0.0'] },
    { ref: 'react@19.0.0', dependsOn: ['vary@2.0.0'] },
    { ref: 'vite@8.0.0', dependsOn: [] },
  ],
}
const bundled = { '@service/page': ['react@19.0.0'] }
const parts = { all, lock, bundled, name: 'service' }

describe('the bill of a release', () => {
  const bill = completeBill(parts)

  it('has what production needs and what is bundled, but no tools and no examples', () => {
    expect(componentsOf(bill).map((each) => each['bom-ref'])).to.deep.equal([
      '@service/page@1.0.0',
      'koa@3.0.0',
      'react@19.0.0',
      'sqlite@12.0.0',
      'vary@1.0.0',
    ])
  })

  it('says what needs or contains what among its components', () => {
    expect(bill['dependencies']).to.deep.equal([
      { ref: 'service@1.0.0', dependsOn: ['@service/page@1.0.0'] },
      { ref: '@service/page@1.0.0', dependsOn: ['koa@3.0.0', 'react@19.0.0'] },
      { ref: 'koa@3.0.0', dependsOn: ['vary@1.0.0'] },
      { ref: 'react@19.0.0', dependsOn: [] },
    ])
  })

  it('has the name of the root instead of that of its folder', () => {
    expect(bill).to.have.nested.property('metadata.component.name', 'service')
  })

  it('must have all of the lock file and of the bundles', () => {
    expect(missingComponents(bill, parts)).to.deep.equal([])
    expect(
      missingComponents(bill, { ...parts, bundled: { '@service/page': ['react@18.0.0'] } }),
    ).to.have.lengthOf(1)
    const without = {
      ...bill,
      components: componentsOf(bill).filter((each) => each['bom-ref'] !== 'vary@1.0.0'),
    }
    const [fault, ...others] = missingComponents(without, parts)
    expect(fault).to.include('vary@1.0.0')
    expect(others).to.deep.equal([])
  })
})
