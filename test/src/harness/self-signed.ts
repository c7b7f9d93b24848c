/** Certificates that sign themselves, for 127.0.0.1 and localhost, valid until a time. */
import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

export type SelfSigned = { readonly key: string; readonly cert: string }

/** DER: a tag, the length, the content. */
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : [0x82, Math.floor(length / 0x100), length % 0x100]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts)
const identifier = (hexadecimal: string) => der(0x06, Buffer.from(hexadecimal, 'hex'))
const time = (milliseconds: number) =>
  der(0x18, Buffer.from(new Date(milliseconds).toISOString().replaceAll(/[-:T]|\.\d+/g, '')))

const [sha256WithRsa, commonName, subjectAltName] = ['2a864886f70d01010b', '550403', '551d11']
const [dnsName, ipAddress] = [0x82, 0x87]

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replaceAll(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`

export const selfSigned = (until: number): SelfSigned => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const algorithm = sequence(identifier(sha256WithRsa), der(0x05))
  const name = sequence(der(0x31, sequence(identifier(commonName), der(0x0c, Buffer.from('test')))))
  const names = sequence(der(dnsName, Buffer.from('localhost')), der(ipAddress, Buffer.from([127, 0, 0, 1])))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(Math.min(Date.now(), until) - 86_400_000), time(until)),
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(sequence(identifier(subjectAltName), der(0x04, names)))),
  )
  const signature = createSign('sha256').update(body).sign(privateKey)
  return {
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    cert: pem(sequence(body, algorithm, der(0x03, Buffer.from([0]), signature))),
  }
}
