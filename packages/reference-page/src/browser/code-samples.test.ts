import { expect } from 'chai'
import { describe, it } from 'mocha'
import { curlOf, javascriptOf, type SampleRequest } from './code-samples.js'

const read: SampleRequest = { method: 'GET', url: 'http://here/1/content?a=b', headers: {}, token: true }
const write: SampleRequest = {
  method: 'PUT',
  url: 'http://here/1/tags/x',
  headers: { 'Content-Type': 'application/json', Prefer: 'handling=strict' },
  token: true,
  body: `{"title": "It's so"}`,
}

describe('a request as a command', () => {
  it('is a command of curl, quoted for a shell', () => {
    expect(curlOf(read)).to.equal(`curl -sS 'http://here/1/content?a=b' \\
  -H "Authorization: Bearer $TOKEN"`)
    expect(curlOf(write)).to.equal(`curl -sS -X PUT 'http://here/1/tags/x' \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H 'Prefer: handling=strict' \\
  -d '{"title": "It'\\''s so"}'`)
  })

  it('is JavaScript, its JSON as a literal', () => {
    expect(javascriptOf(read)).to.equal(`const response = await fetch('http://here/1/content?a=b', {
  headers: {
    Authorization: \`Bearer \${token}\`,
  },
})
console.log(response.status, await response.text())`)
    expect(javascriptOf(write)).to.equal(`const response = await fetch('http://here/1/tags/x', {
  method: 'PUT',
  headers: {
    Authorization: \`Bearer \${token}\`,
    'Content-Type': 'application/json',
    Prefer: 'handling=strict',
  },
  body: JSON.stringify({
    "title": "It's so"
  }),
})
console.log(response.status, await response.text())`)
  })

  it('inserts a body that is not JSON as text', () => {
    expect(javascriptOf({ ...write, body: "{'\n" })).to.include(String.raw`body: '{\'\n'`)
  })

  it('sends forms and files', () => {
    const form = { method: 'POST', url: '/t', headers: {}, token: false, form: { a: 'b c' } }
    expect(curlOf(form)).to.equal("curl -sS '/t' \\\n  --data-urlencode 'a=b c'")
    expect(javascriptOf(form)).to.include("body: new URLSearchParams({\n    a: 'b c',\n  })")
    const upload = {
      method: 'POST',
      url: '/f',
      headers: { 'Content-Type': 'image/png' },
      token: true,
      file: 'a.png',
    }
    expect(curlOf(upload)).to.include("--data-binary '@a.png'")
    expect(javascriptOf(upload)).to.include("readFile('a.png')")
  })
})
