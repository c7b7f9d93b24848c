import { expect } from 'chai'
import { describe, it } from 'mocha'
import { planRelease, type Checkout } from './preconditions.js'

const checkout: Checkout = {
  development: '0.2.0-dev',
  changelog: '# Changelog\n\n## Unreleased\n\n- Faster.\n\n## 0.1.0\n\nThe first.\n',
  manifests: [{ path: 'package.json', content: { name: 'service', version: '0.2.0-dev' } }],
  reported: '0.2.0-dev',
  changes: [],
  tags: ['v0.1.0'],
  breaking: [],
  links: [],
}
const wishes = { next: null, uncommitted: false }

describe('a release', () => {
  it('is planned from a checkout', () => {
    const plan = { development: '0.2.0-dev', version: '0.2.0', next: '0.3.0', notes: '- Faster.' }
    expect(planRelease(checkout, wishes)).to.deep.equal({ plan, faults: [] })
    expect(planRelease(checkout, { ...wishes, next: '1.0.0' })).to.deep.equal({
      plan: { ...plan, next: '1.0.0' },
      faults: [],
    })
  })

  it('is refused with all that is wrong with the checkout', () => {
    const wrong: readonly (readonly [Partial<Checkout>, string])[] = [
      [{ changes: [' M README.md'] }, 'README.md'],
      [
        { manifests: [{ path: 'packages/domain/package.json', content: { version: '0.1.0' } }] },
        'packages/domain',
      ],
      [{ reported: '0.1.0-dev' }, 'api-version.ts'],
      [{ tags: ['v0.1.0', 'v0.2.0'] }, 'v0.2.0'],
      [{ changelog: '# Changelog\n\n## Unreleased\n\n## 0.1.0\n\nThe first.\n' }, 'CHANGELOG.md'],
      [{ breaking: ['Tag: is removed'] }, 'Tag: is removed'],
      [{ links: ['README.md: docs/missing.md'] }, 'docs/missing.md'],
    ]
    for (const [change, named] of wrong) {
      const { faults } = planRelease({ ...checkout, ...change }, wishes)
      expect(faults, named).to.have.lengthOf(1)
      expect(faults[0]).to.include(named)
    }
    const all = Object.assign({}, checkout, ...wrong.map(([change]) => change)) as Checkout
    expect(planRelease(all, wishes).faults).to.have.lengthOf(wrong.length)
  })

  it('is refused without a version of the development, and before a version that is not later', () => {
    const released = { ...checkout, development: '0.2.0', reported: '0.2.0', manifests: [] }
    expect(planRelease(released, wishes)).to.have.property('plan', null)
    expect(planRelease(released, wishes).faults).to.have.lengthOf(1)
    expect(planRelease(checkout, { ...wishes, next: '0.2.0' }).faults).to.have.lengthOf(1)
  })

  it('is tried with changes that are not committed, if that is wanted', () => {
    const changed = { ...checkout, changes: ['?? new.ts'] }
    expect(planRelease(changed, { ...wishes, uncommitted: true }).faults).to.deep.equal([])
  })
})
