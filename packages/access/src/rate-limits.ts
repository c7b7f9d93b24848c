/** Limits of requests in a window of time, for API users and addresses. */

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

/** Length of a window in seconds. */
export const rateWindow = 60

/** Seconds between exchanges of counts with other processes. */
export const exchangeSeconds = 1

/**
 * What a request counts for: the API user of its valid token, with all of the user's keys, or its address. Requests without a token on an
 * instance, of which settings open some, such as images and feeds, count apart from others, so that they never bar a sign-in;
 * comments of visitors apart from these.
 */
export const ratePolicies = ['key', 'address', 'public', 'comments'] as const
export type RatePolicy = (typeof ratePolicies)[number]

/** The policies of requests without a token. */
export type AddressPolicy = Exclude<RatePolicy, 'key'>

/** Maximum number of requests in a window, for each client. */
export type RateLimits = Readonly<Record<RatePolicy, number>>

export const defaultRateLimits: RateLimits = { key: 6000, address: 600, public: 6000, comments: 10 }

/** Maximum number of clients that a process counts. They are separate, so that addresses never evict users. */
export const maxCountedClients: RateLimits = {
  key: 10_000,
  address: 50_000,
  public: 50_000,
  comments: 50_000,
}

/** A value for each policy. */
export const forEachPolicy = <A>(valueOf: (policy: RatePolicy) => A): Readonly<Record<RatePolicy, A>> => ({
  key: valueOf('key'),
  address: valueOf('address'),
  public: valueOf('public'),
  comments: valueOf('comments'),
})

/** A client's use of a limit that several processes share, as one of them knows it. */
export type SharedUse = {
  /** Requests that this process has counted in its window and published to the others. */
  readonly published: number
  /** Requests that the other processes have counted in their windows. */
  readonly others: number
  /** Number of processes that share the limit, including this one. */
  readonly processes: number
}

/**
 * Maximum number of requests that a process may count in its window before the next exchange of counts. The rest of the
 * limit is divided by the number of processes, so that a client of several processes cannot use the limit of each.
 */
export const rateCeiling = (limit: number, { published, others, processes }: SharedUse): number =>
  published + Math.ceil(Math.max(0, limit - published - others) / processes)
