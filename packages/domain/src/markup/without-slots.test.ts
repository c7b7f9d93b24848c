import { expect } from 'chai'
import { describe, it } from 'mocha'
import { withoutSlots } from './without-slots.js'

const id = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'

describe('withoutSlots', () => {
  it('removes slot tags in every form, and nothing else', () => {
    for (const tag of [
      `<slot id="${id}"/>`,
      `<slot\n id='${id}' />`,
      `<slot id="${id}"></slot>`,
      `<slot id="${id}"> </slot >`,
    ])
      expect(withoutSlots(`<p>a</p>${tag}<p>b</p>${tag}`), tag).to.equal('<p>a</p><p>b</p>')
    for (const body of ['', '<p>a &lt;slot></p>', '<!-- <slot id="x"/> -->', '<p title="slot">slot</p>'])
      expect(withoutSlots(body)).to.equal(body)
  })
})
