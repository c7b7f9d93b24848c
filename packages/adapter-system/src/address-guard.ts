/** Which addresses a request of the service may lead to: by default none of the network that it is in. */
import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Looks up all addresses of a name. */
export type LookupAll = (
  name: string,
  options: LookupAllOptions,
  found: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** A name leads to an address that is not allowed. */
export class PrivateAddress extends Error {}

/** The start of IPv6 addresses that lead to the IPv4 address in their last bytes (RFC 6052). */
const translated = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]

const startsWith = (bytes: readonly number[], start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte)

/** Whether everybody can reach an address: it is none of a special range. */
const isPublic = (text: string): boolean => {
  const address = ipaddr.process(text)
  const range = address.range()
  if (address.kind() === 'ipv4') return range === 'unicast'
  const bytes = address.toByteArray()
  if (startsWith(bytes, translated)) return ipaddr.fromByteArray(bytes.slice(12)).range() === 'unicast'
  // ipaddr.js does not know the former form of embedded IPv4 addresses.
  return range === 'unicast' && !startsWith(bytes, [0, 0])
}

/** The address that a URL has in place of a name; null if it has a name. */
export const literalOf = ({ hostname }: URL): string | null => {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) === 0 ? null : host
}

/** Whether a name is one of the own machine, whatever a name server says (RFC 6761, 6.3). */
const isLoopbackName = ({ hostname }: URL): boolean => /(?:^|\.)localhost\.?$/.test(hostname)

export type GuardOptions = {
  /** Whether private addresses are allowed. */
  readonly allowPrivate: boolean
  readonly lookup?: LookupAll
}

/** Checks addresses before a connection, and at each connection: what a name led to before does not count. */
export const addressGuard = ({ allowPrivate, lookup = systemLookup }: GuardOptions) => {
  const isAllowed = (address: string): boolean => allowPrivate || isPublic(address)

  /** Refuses a name if one of its addresses is not allowed: which of them is used is not known. */
  const checkedLookup: LookupFunction = (name, options, found) =>
    lookup(name, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error !== null) found(error, '')
      else if (first === undefined) found(Object.assign(new Error(name), { code: 'ENOTFOUND' }), '')
      else if (!addresses.every(({ address }) => isAllowed(address))) found(new PrivateAddress(name), '')
      else if (options.all === true) found(null, addresses)
      else found(null, first.address, first.family)
    })

  return {
    /** Looks up a name; fails with PrivateAddress if that is not allowed. */
    lookup: checkedLookup,
    /** Whether a URL leads to an address that is not allowed, as far as that is known before its name is looked up. */
    isPrivate: (url: URL): boolean => {
      if (!allowPrivate && isLoopbackName(url)) return true
      const literal = literalOf(url)
      return literal !== null && !isAllowed(literal)
    },
  }
}
