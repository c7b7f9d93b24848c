import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { passwordStrength } from './password-strength.js'

const { isWeak } = passwordStrength()

describe('passwordStrength', () => {
  it('finds common passwords, words, names, patterns and repetitions in both languages', async () => {
    for (const password of [
      '',
      'password1234',
      'Passw0rd2024!',
      'qwertzuiop123',
      'Schmetterling',
      'Sommerferien1',
      'christopher12',
      'aaaaaaaaaaaaaaaa',
      'a'.repeat(1000),
      'abcabcabcabcabc',
      '12.03.1984',
    ])
      expect(await isWeak(password, []), password).to.equal(true)
  })

  it('accepts unusual words, and random characters', async () => {
    for (const password of ['wolke dachs 29 lampe', 'correct horse battery staple', 'kX9#mQ2$vL7p'])
      expect(await isWeak(password, []), password).to.equal(false)
  })

  it('finds what consists of personal texts', async () => {
    expect(await isWeak('Zyxomachus', [])).to.equal(false)
    expect(await isWeak('Zyxomachus', ['zyxomachus'])).to.equal(true)
  })

  it('does not block the event loop by passwords that take long', async () => {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    expect(await isWeak('4@8({[<3691!|0$57%2'.repeat(4), [])).to.equal(false)
    delay.disable()
    expect(delay.max / 1e6).to.be.below(250)
  })
})
