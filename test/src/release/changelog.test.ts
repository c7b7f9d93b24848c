import { expect } from 'chai'
import { describe, it } from 'mocha'
import { lastRelease, listingFaults, unreleasedNotes, withRelease } from './changelog.js'

const changelog = `# Changelog

Breaking changes are listed so:

    - Breaking: \`Example: is removed\`.

## Unreleased

- The first, with $& in it.
- Breaking: \`Section.title: may be absent\`, since it may.

## 0.1.0

The first release.
`

describe('the changelog', () => {
  it('has notes of what is not released, and a last release', () => {
    expect(unreleasedNotes(changelog).split('\n')).to.deep.equal([
      '- The first, with $& in it.',
      '- Breaking: `Section.title: may be absent`, since it may.',
    ])
    expect(lastRelease(changelog)).to.equal('0.1.0')
    expect([unreleasedNotes('# Changelog\n'), lastRelease('# Changelog\n')]).to.deep.equal(['', null])
  })

  it('has the notes below the version and the date after a release, and none that are not released', () => {
    const released = withRelease(changelog, '0.2.0', '2026-11-30')
    expect(unreleasedNotes(released)).to.equal('')
    expect(lastRelease(released)).to.equal('0.2.0')
    const [head = '', notes = ''] = released.split('\n## 0.2.0 (2026-11-30)\n')
    expect(`${head}${notes}`).to.equal(changelog)
    expect(
      unreleasedNotes(withRelease('# Changelog\n\n## Unreleased\n\n- A.\n', '0.1.0', '2026-11-30')),
    ).to.equal('')
  })

  it('has to list exactly the breaking changes, once each', () => {
    const notes = unreleasedNotes(changelog)
    expect(listingFaults(notes, ['Section.title: may be absent'])).to.deep.equal([])
    const [lacks, ...others] = listingFaults(notes, ['Section.title: may be absent', 'Tag: is removed'])
    expect(lacks).to.include('Tag: is removed')
    expect(others).to.deep.equal([])
    expect(listingFaults(notes, [])).to.have.lengthOf(1)
    expect(listingFaults(`${notes}\n${notes}`, ['Section.title: may be absent'])).to.have.lengthOf(1)
  })
})
