/** The parsed address, or null. `URL.canParse` of Node 20 refuses addresses with letters of Latin-1 such as ü. */
export const parsedAddress = (address: string, base?: string): URL | null => {
  try {
    return new URL(address, base)
  } catch {
    return null
  }
}

/**
 * What an absolute address of http or https lacks; it completes «an address …». Null if it lacks nothing. An address that no
 * program can follow is not accepted, nor one with a user name or a password, because others can read it
 * (docs/behaviour/writing.md#addresses).
 */
export const addressFlaw = (address: string): string | null => {
  const parsed = parsedAddress(address)
  if (parsed === null) return 'whose host can exist, and whose port, if there is one, is at most 65535'
  return parsed.username === '' && parsed.password === ''
    ? null
    : 'without a user name and a password, because others can read it'
}
