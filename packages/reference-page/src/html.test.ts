import { expect } from 'chai'
import { describe, it } from 'mocha'
import { html, nothing, prose } from './html.js'

describe('html', () => {
  it('escapes text, in content and in values', () => {
    const text = `<b title='x'>&"`
    expect(html`<p title="${text}">${text}</p>`.markup).to.equal(
      '<p title="&lt;b title=&#39;x&#39;&gt;&amp;&quot;">&lt;b title=&#39;x&#39;&gt;&amp;&quot;</p>',
    )
  })

  it('inserts markup, lists of it and numbers unchanged', () => {
    const list = [html`<b>${1}</b>`, html`<i>${'<'}</i>`]
    expect(html`${list}${nothing}`.markup).to.equal('<b>1</b><i>&lt;</i>')
  })

  it('converts code in backticks to elements, and escapes it', () => {
    expect(prose('Send `<a>` & `b`.').markup).to.equal('Send <code>&lt;a&gt;</code> &amp; <code>b</code>.')
  })
})
