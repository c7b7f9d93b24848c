import { expect } from 'chai'
import { describe, it } from 'mocha'
import { auditSentence } from './audit-sentence.js'

const operations = { changeObject: 'changed {object}', changeSettings: 'changed the settings' }
const words = {
  published: '{object} is public',
  withdrawn: '{object} is a draft',
  createdPublic: 'new: {object}!',
  signInFailed: 'no sign-in: {object}',
  signIns: { 'revoked key': 'it is revoked' },
}

const sentence = (operation: string, before?: string | null, after?: string) =>
  auditSentence(
    { operation, changes: after === undefined ? null : { state: { before: before ?? null, after } } },
    operations,
    words,
  )

describe('auditSentence', () => {
  it('has the words of the operation, around the object if it is named', () => {
    expect(sentence('changeObject')).to.deep.equal(['changed ', ''])
    expect(sentence('changeSettings')).to.deep.equal(['changed the settings', null])
    expect(sentence('foldObject')).to.deep.equal(['foldObject: ', ''])
  })

  it('says what became public, and what no longer is', () => {
    expect(sentence('changeObject', 'draft', 'published')).to.deep.equal(['', ' is public'])
    expect(sentence('createObject', null, 'published')).to.deep.equal(['new: ', '!'])
    expect(sentence('replaceObject', 'published', 'draft')).to.deep.equal(['', ' is a draft'])
    expect(sentence('changeObject', 'approved', 'internal')).to.deep.equal(['changed ', ''])
  })

  it('says why a sign-in failed', () => {
    const ended = (outcome: string) =>
      auditSentence(
        { operation: 'exchangeToken', changes: { outcome } },
        { exchangeToken: 'signed in with {object}' },
        words,
      )
    expect(ended('succeeded')).to.deep.equal(['signed in with ', ''])
    expect(ended('revoked key')).to.deep.equal(['no sign-in: ', ': it is revoked'])
    expect(ended('new outcome')).to.deep.equal(['no sign-in: ', ''])
  })
})
