/** A colour profile that nobody can overlook, and pictures that carry it. */
import { deflateSync, inflateSync } from 'node:zlib'

/** The primaries of sRGB, as a profile writes them: X, Y, Z under the light of its connection space. */
const primaries = {
  red: [0.4361, 0.2225, 0.0139],
  green: [0.3851, 0.7169, 0.0971],
  blue: [0.1431, 0.0606, 0.7141],
} as const

const headerLength = 128

const tagged = (type: string, content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`${type}\0\0\0\0`, 'latin1'),
    content,
    Buffer.alloc((4 - (content.length % 4)) % 4),
  ])

const xyz = (values: readonly number[]): Buffer => {
  const content = Buffer.alloc(12)
  for (const [at, value] of values.entries()) content.writeInt32BE(Math.round(value * 65_536), at * 4)
  return tagged('XYZ ', content)
}

const text = (words: string): Buffer => tagged('text', Buffer.from(`${words}\0`, 'latin1'))

const description = (words: string): Buffer => {
  const content = Buffer.alloc(4 + words.length + 1 + 8 + 3 + 67)
  content.writeUInt32BE(words.length + 1)
  content.write(words, 4, 'latin1')
  return tagged('desc', content)
}

/** One number: a power, here 2.2. */
const curve = tagged('curv', Buffer.from([0, 0, 0, 1, 2, 0x33]))

const profileOf = (space: 'RGB ' | 'GRAY', tags: readonly (readonly [string, Buffer])[]): Uint8Array => {
  const directory = Buffer.alloc(4 + tags.length * 12)
  directory.writeUInt32BE(tags.length)
  let at = headerLength + directory.length
  for (const [place, [name, content]] of tags.entries()) {
    directory.write(name, 4 + place * 12, 'latin1')
    directory.writeUInt32BE(at, 8 + place * 12)
    directory.writeUInt32BE(content.length, 12 + place * 12)
    at += content.length
  }
  const header = Buffer.alloc(headerLength)
  header.writeUInt32BE(at)
  header.writeUInt32BE(0x02_10_00_00, 8)
  header.write(`mntr${space}XYZ `, 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  for (const [place, value] of [0.9642, 1, 0.8249].entries())
    header.writeInt32BE(Math.round(value * 65_536), 68 + place * 4)
  return new Uint8Array(Buffer.concat([header, directory, ...tags.map(([, content]) => content)]))
}

const common = [
  ['desc', description('A test')],
  ['cprt', text('None')],
  ['wtpt', xyz([0.9642, 1, 0.8249])],
] as const

/** What it calls red is green, and the other way round. */
export const swappingProfile = profileOf('RGB ', [
  ...common,
  ['rXYZ', xyz(primaries.green)],
  ['gXYZ', xyz(primaries.red)],
  ['bXYZ', xyz(primaries.blue)],
  ['rTRC', curve],
  ['gTRC', curve],
  ['bTRC', curve],
])

/** Grey in which half a sample is an eighth of the light rather than a fifth: pictures get darker. */
export const darkeningProfile = profileOf('GRAY', [
  ...common,
  ['kTRC', tagged('curv', Buffer.from([0, 0, 0, 1, 3, 0]))],
])

/** The segments of a JPEG that hold a profile. */
const segmentsOf = (profile: Uint8Array): Buffer => {
  const lead = Buffer.from('ICC_PROFILE\0', 'latin1')
  const head = Buffer.from([0xff, 0xe2, 0, 0])
  head.writeUInt16BE(2 + lead.length + 2 + profile.length, 2)
  return Buffer.concat([head, lead, Uint8Array.of(1, 1), profile])
}

/** The JPEG with this profile, behind the segment that a JFIF file starts with. */
export const jpegWithProfile = (picture: Uint8Array, profile: Uint8Array): Uint8Array => {
  const afterJfif = 4 + new DataView(picture.buffer, picture.byteOffset).getUint16(4)
  return new Uint8Array(
    Buffer.concat([picture.subarray(0, afterJfif), segmentsOf(profile), picture.subarray(afterJfif)]),
  )
}

/** What a PNG's chunk iCCP holds. */
export const pngProfile = (profile: Uint8Array): Uint8Array =>
  new Uint8Array(Buffer.concat([Buffer.from('test\0\0', 'latin1'), deflateSync(profile)]))

/** The chunk of a PNG or the segments of a JPEG that hold a profile, one after the other. */
const profileParts = (picture: Buffer): readonly Buffer[] => {
  const parts: Buffer[] = []
  if (picture[0] === 0xff)
    for (let at = 2; picture[at + 1] !== 0xda; at += 2 + picture.readUInt16BE(at + 2))
      if (picture[at + 1] === 0xe2)
        parts.push(picture.subarray(at + 18, at + 2 + picture.readUInt16BE(at + 2)))
  const chunk = picture.indexOf('iCCP', 0, 'latin1')
  if (picture[0] === 0x89 && chunk !== -1) {
    const content = picture.subarray(chunk + 4, chunk + 4 + picture.readUInt32BE(chunk - 4))
    parts.push(inflateSync(content.subarray(content.indexOf(0) + 2)))
  }
  return parts
}

/** Whether a PNG or a JPEG has this profile. */
export const hasProfile = (picture: Uint8Array, profile: Uint8Array): boolean =>
  Buffer.concat(profileParts(Buffer.from(picture))).equals(profile)

/** The JPEG without the segments that hold its profile; anything else as it is. */
export const withoutProfile = (picture: Uint8Array): Uint8Array => {
  const whole = Buffer.from(picture)
  const parts: Buffer[] = []
  let at = 2
  if (whole[0] !== 0xff) return picture
  for (; whole[at + 1] !== 0xda; at += 2 + whole.readUInt16BE(at + 2))
    if (whole[at + 1] !== 0xe2) parts.push(whole.subarray(at, at + 2 + whole.readUInt16BE(at + 2)))
  return new Uint8Array(Buffer.concat([whole.subarray(0, 2), ...parts, whole.subarray(at)]))
}
