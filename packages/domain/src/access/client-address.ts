const groupsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(':'))

/**
 * The key by which limits for client addresses count: an IPv4 address, or the /64 network of an IPv6 address, because a
 * client usually has a whole /64 network. An IPv4-mapped IPv6 address is the IPv4 address.
 */
export const clientAddress = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(':')) return address
  const [before = '', after] = address.split('%', 1).join('').toLowerCase().split('::')
  const [first, last] = [groupsOf(before), groupsOf(after ?? '')]
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  const network = [...first, ...(after === undefined ? [] : zeros), ...last].slice(0, 4)
  return `${network.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}
