import { expect } from 'chai'
import { describe, it } from 'mocha'
import { formerAddressMail, linkMail, mailPause } from './mail-texts.js'

const address = 'https://cms.example.org/dashboard/#/link/token'

describe('a mail with a link', () => {
  it('has the link in both forms, in the language of the person', () => {
    for (const kind of ['invitation', 'reset', 'forgotten', 'confirmation'] as const) {
      const [english, german] = (['en', 'de'] as const).map((language) =>
        linkMail(kind, { name: 'Ada', language }, address),
      )
      for (const mail of [english, german]) {
        expect(mail?.text).to.include(address).and.to.include('Ada')
        expect(mail?.html).to.include(`href="${address}"`)
      }
      expect(english?.subject).not.to.equal(german?.subject)
    }
  })

  it('has a name with markup as text', () => {
    const { html } = linkMail('reset', { name: '<b>"Ada" & Eve</b>', language: null }, address)
    expect(html).not.to.include('<b>')
    expect(html).to.include('&lt;b&gt;&quot;Ada&quot; &amp; Eve')
  })

  it('greets with one line, whatever an earlier release has accepted as a name', () => {
    for (const line of ['\n', '\r\n', '\u0085', '\u2028', '\u2029', '\n\n\n']) {
      const { text } = linkMail('reset', { name: `Ann${line}${line}Locked`, language: 'en' }, address)
      expect(text.split(/[\r\n\u0085\u2028\u2029]/u)[0]).to.equal('Hello Ann Locked,')
    }
  })

  it('to a former address is in the language of the person, with their name as text', () => {
    const mails = (['en', 'de', null] as const).map((language) =>
      formerAddressMail({ name: '<Ada>', language }),
    )
    const [english, german, without] = mails
    expect(english?.subject).not.to.equal(german?.subject)
    expect(without).to.deep.equal(english)
    for (const { text, html } of mails) {
      expect(text).to.include('<Ada>')
      expect(html).to.include('&lt;Ada&gt;').and.not.to.include('<Ada>')
    }
  })

  it('is sent again after pauses that grow to an hour', () => {
    expect([1, 2, 3, 7, 100].map((failures) => mailPause(failures) / 60_000)).to.deep.equal([1, 2, 4, 60, 60])
  })
})
