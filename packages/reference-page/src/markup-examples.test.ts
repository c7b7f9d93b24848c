import { E } from '@publishing-service/domain/fp'
import { bodySchema, checkMarkup } from '@publishing-service/domain/markup'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { elementExamples, faultExamples } from './markup-examples.js'

describe('the examples of the markup', () => {
  it('show every element, in valid texts', () => {
    expect(Object.keys(elementExamples).toSorted()).to.deep.equal(
      bodySchema.elements.map(({ name }) => name).toSorted(),
    )
    for (const [name, texts] of Object.entries(elementExamples))
      for (const text of texts) {
        expect(E.isRight(checkMarkup(text, { slots: true })), text).to.equal(true)
        expect(text).to.match(new RegExp(`<${name}[ />]`))
      }
  })

  it('show every kind of fault, each text with a different message', () => {
    const messages = Object.entries(faultExamples).flatMap(([kind, texts]) =>
      texts.map((text) => {
        const checked = checkMarkup(text, { slots: true })
        if (E.isRight(checked)) throw new Error(`valid: ${text}`)
        const [fault] = checked.left
        expect(fault?.kind, text).to.equal(kind)
        return fault?.message
      }),
    )
    expect(new Set(messages).size).to.equal(messages.length)
  })
})
