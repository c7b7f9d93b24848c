/** A colour profile whose effect is obvious, and images that contain it. */
import { deflateSync, inflateSync } from 'node:zlib'

/** The primaries of sRGB as in a profile: X, Y, Z in the profile connection space. */
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

/** One number, the gamma: 2.2. */
const curve = tagged('curv', Buffer.from([0, 0, 0, 1, 2, 0x33]))

const profileOf = (space: 'RGB ' | 'GRAY', tags: readonly (readonly [string, Buffer])[]): Uint8Array => {
  const directory = Buffer.alloc(4 + tags.length * 12)
  directory.writeUInt32BE(tags.length)
  let at = headerLength + directory.length
  for (const [index, [name, content]] of tags.entries()) {
    directory.write(name, 4 + index * 12, 'latin1')
    directory.writeUInt32BE(at, 8 + index * 12)
    directory.writeUInt32BE(content.length, 12 + index * 12)
    at += content.length
  }
  const header = Buffer.alloc(headerLength)
  header.writeUInt32BE(at)
  header.writeUInt32BE(0x02_10_00_00, 8)
  header.write(`mntr${space}XYZ `, 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  for (const [index, value] of [0.9642, 1, 0.8249].entries())
    header.writeInt32BE(Math.round(value * 65_536), 68 + index * 4)
  return new Uint8Array(Buffer.concat([header, directory, ...tags.map(([, content]) => content)]))
}

const common = [
  ['desc', description('A test')],
  ['cprt', text('None')],
  ['wtpt', xyz([0.9642, 1, 0.8249])],
] as const

/** Swaps red and green. */
export const swappingProfile = profileOf('RGB ', [
  ...common,
  ['rXYZ', xyz(primaries.green)],
  ['gXYZ', xyz(primaries.red)],
  ['bXYZ', xyz(primaries.blue)],
  ['rTRC', curve],
  ['gTRC', curve],
  ['bTRC', curve],
])

/** Grey with a higher gamma, which makes images darker. */
export const darkeningProfile = profileOf('GRAY', [
  ...common,
  ['kTRC', tagged('curv', Buffer.from([0, 0, 0, 1, 3, 0]))],
])

/** The segment of a JPEG that contains a profile. */
const segmentOf = (profile: Uint8Array): Buffer => {
  const lead = Buffer.from('ICC_PROFILE\0', 'latin1')
  const head = Buffer.from([0xff, 0xe2, 0, 0])
  head.writeUInt16BE(2 + lead.length + 2 + profile.length, 2)
  return Buffer.concat([head, lead, Uint8Array.of(1, 1), profile])
}

/** The JPEG with this profile, after the first segment of a JFIF file. */
export const jpegWithProfile = (image: Uint8Array, profile: Uint8Array): Uint8Array => {
  const afterJfif = 4 + new DataView(image.buffer, image.byteOffset).getUint16(4)
  return new Uint8Array(
    Buffer.concat([image.subarray(0, afterJfif), segmentOf(profile), image.subarray(afterJfif)]),
  )
}

/** The content of a chunk iCCP of a PNG. */
export const pngProfile = (profile: Uint8Array): Uint8Array =>
  new Uint8Array(Buffer.concat([Buffer.from('test\0\0', 'latin1'), deflateSync(profile)]))

/** The contents of the chunk of a PNG, or of the segments of a JPEG, that contain a profile, in order. */
const profileParts = (image: Buffer): readonly Buffer[] => {
  const parts: Buffer[] = []
  if (image[0] === 0xff)
    for (let at = 2; image[at + 1] !== 0xda; at += 2 + image.readUInt16BE(at + 2))
      if (image[at + 1] === 0xe2) parts.push(image.subarray(at + 18, at + 2 + image.readUInt16BE(at + 2)))
  const chunk = image.indexOf('iCCP', 0, 'latin1')
  if (image[0] === 0x89 && chunk !== -1) {
    const content = image.subarray(chunk + 4, chunk + 4 + image.readUInt32BE(chunk - 4))
    parts.push(inflateSync(content.subarray(content.indexOf(0) + 2)))
  }
  return parts
}

/** Whether a PNG or a JPEG has this profile. */
export const hasProfile = (image: Uint8Array, profile: Uint8Array): boolean =>
  Buffer.concat(profileParts(Buffer.from(image))).equals(profile)

/** The JPEG without the segments of its profile; other formats unchanged. */
export const withoutProfile = (image: Uint8Array): Uint8Array => {
  const whole = Buffer.from(image)
  const parts: Buffer[] = []
  let at = 2
  if (whole[0] !== 0xff) return image
  for (; whole[at + 1] !== 0xda; at += 2 + whole.readUInt16BE(at + 2))
    if (whole[at + 1] !== 0xe2) parts.push(whole.subarray(at, at + 2 + whole.readUInt16BE(at + 2)))
  return new Uint8Array(Buffer.concat([whole.subarray(0, 2), ...parts, whole.subarray(at)]))
}
