import { createServer, type AddressInfo } from 'node:net'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { E } from '@publishing-service/domain/fp'
import type { Mail } from '@publishing-service/ports'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { smtpMailSender } from './smtp-mail-sender.js'

const mail: Mail = {
  to: 'ada@example.org',
  subject: 'Grüße aus Wien',
  text: 'Follow https://cms.example.org/a',
  html: '<p>Follow <a href="https://cms.example.org/a">the link</a></p>',
}

type Received = { readonly recipients: readonly string[]; readonly source: string }

describe('smtpMailSender', () => {
  const ends: (() => void)[] = []
  afterEach(() => ends.splice(0).forEach((end) => end()))

  const serve = async (options: SMTPServerOptions = {}) => {
    const received: Received[] = []
    const logins: string[] = []
    const server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      ...options,
      onAuth: ({ username, password }, _session, done) => {
        logins.push(`${username}:${password}`)
        if (password === 'right@') done(null, { user: username })
        else done(new Error('the password is wrong'))
      },
      onData: (stream, { envelope }, done) => {
        const pieces: Buffer[] = []
        stream.on('data', (piece: Buffer) => pieces.push(piece))
        stream.on('end', () => {
          received.push({
            recipients: envelope.rcptTo.map(({ address }) => address),
            source: Buffer.concat(pieces).toString(),
          })
          done()
        })
      },
    })
    // A client that does not trust the certificate ends the connection.
    server.on('error', () => undefined)
    ends.push(() => server.close())
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
    const { port } = server.server.address() as AddressInfo
    return { port, received, logins }
  }

  const send = async (url: string, sent: Partial<Mail> = {}, timeout = 5000) => {
    const sender = await smtpMailSender({ url, from: 'The Daily Example <cms@example.org>', timeout })
    const result = await sender.send({ ...mail, ...sent })()
    await sender.close()
    return E.isLeft(result) ? result.left.reason : null
  }

  it('delivers text and HTML to one recipient', async () => {
    const { port, received, logins } = await serve()
    expect(await send(`smtp://user:right%40@127.0.0.1:${port}`)).to.equal(null)
    expect(logins).to.deep.equal(['user:right@'])
    const [{ recipients, source } = { recipients: [], source: '' }] = received
    expect(recipients).to.deep.equal(['ada@example.org'])
    expect(source)
      .to.match(/^From: The Daily Example <cms@example\.org>\r$/m)
      .and.match(/^To: ada@example\.org\r$/m)
      .and.match(/^Auto-Submitted: auto-generated\r$/m)
      .and.match(/^Content-Type: multipart\/alternative/m)
      .and.contain('Follow https://cms.example.org/a\r\n')
      .and.contain('<p>Follow <a href="https://cms.example.org/a">')
  })

  it('checks the connection and the login, and sends nothing', async () => {
    const { port, received, logins } = await serve()
    const check = async (url: string): Promise<string | null> => {
      const sender = await smtpMailSender({ url, from: 'cms@example.org', timeout: 5000 })
      const result = await sender.check()()
      await sender.close()
      return E.isLeft(result) ? result.left.reason : null
    }
    expect(await check(`smtp://user:right%40@127.0.0.1:${port}`)).to.equal(null)
    expect([logins, received]).to.deep.equal([['user:right@'], []])
    expect(await check(`smtp://user:wrong-password@127.0.0.1:${port}`))
      .to.be.a('string')
      .that.does.not.contain('wrong-password')
    expect(await check('smtp://127.0.0.1:1')).to.contain('ECONNREFUSED')
  })

  it('fails if the login is refused, without the password in the reason', async () => {
    const { port, received } = await serve()
    expect(await send(`smtp://user:wrong-password@127.0.0.1:${port}`)).to.not.contain('wrong-password')
    expect(received).to.deep.equal([])
  })

  it('sends a password to another machine with encryption only', async () => {
    const { port, logins } = await serve()
    expect(await send(`smtp://user:right%40@127.0.0.2:${port}`)).to.be.a('string')
    expect(logins).to.deep.equal([])
  })

  it('encrypts where the server can, and does not accept a certificate of nobody', async () => {
    const { port, received } = await serve({ disabledCommands: [] })
    expect(await send(`smtp://127.0.0.2:${port}`)).to.match(/certificate/)
    expect(received).to.deep.equal([])
  })

  it('adds no header and no recipient by an address or a subject', async () => {
    const { port, received } = await serve()
    const url = `smtp://127.0.0.1:${port}`
    for (const to of [
      'ada@example.org\r\nBcc: eve@example.org',
      'ada@example.org, eve@example.org',
      'Eve <eve@example.org>',
      '"a b"@example.org',
      '',
    ])
      expect(await send(url, { to }), to).to.match(/recipient/)
    expect(await send(url, { subject: 'Hello\r\nBcc: eve@example.org\r\n\r\nBody' })).to.equal(null)
    expect(received.map(({ recipients }) => recipients)).to.deep.equal([['ada@example.org']])
    expect(received[0]?.source).to.match(/^Subject: Hello Bcc: eve@example\.org Body\r$/m)
  })

  it('fails if the server is unreachable, refuses the message, or is silent for too long', async () => {
    const refusing = await serve({
      onRcptTo: (_address, _session, done) => done(new Error('no such mailbox')),
    })
    expect(await send(`smtp://127.0.0.1:${refusing.port}`)).to.match(/no such mailbox/)
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const begun = performance.now()
    expect(await send(`smtp://127.0.0.1:${port}`, {}, 100)).to.be.a('string')
    expect(performance.now() - begun).to.be.below(1000)
    await new Promise<unknown>((resolve) => silent.close(resolve))
    expect(await send(`smtp://127.0.0.1:${port}`)).to.match(/ECONNREFUSED/)
  })
})
