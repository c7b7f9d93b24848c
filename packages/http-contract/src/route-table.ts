import type { Endpoint } from './endpoint.js'

/** What the table reads of an endpoint. */
type Routable = Pick<Endpoint, 'method' | 'path'>

/** The endpoints of a path, and the values of its parameters. */
export type Route<E extends Routable = Endpoint> = {
  readonly endpoints: ReadonlyMap<string, E>
  readonly parameters: Readonly<Record<string, string>>
}

type Node<E extends Routable> = {
  readonly literals: Map<string, Node<E>>
  /** By the text that follows the value in the segment, such as `.atom`; mostly empty. */
  readonly parameters: Map<string, Node<E>>
  /** The endpoints by method. */
  readonly endpoints: Map<string, E>
  /** The parameters by name, with the number of their value in the path. Methods may name them differently. */
  readonly positions: Map<string, number>
}

const emptyNode = <E extends Routable>(): Node<E> => ({
  literals: new Map(),
  parameters: new Map(),
  endpoints: new Map(),
  positions: new Map(),
})

/** A segment that is a parameter, with the text that follows it. */
const parameterIn = (segment: string): { readonly name: string; readonly suffix: string } | null => {
  const [, name, suffix] = /^\{(\w+)\}(.*)$/.exec(segment) ?? []
  return name === undefined || suffix === undefined ? null : { name, suffix }
}

/** The node of a name, added if there is none. */
const childOf = <E extends Routable>(nodes: Map<string, Node<E>>, name: string): Node<E> => {
  const found = nodes.get(name) ?? emptyNode()
  nodes.set(name, found)
  return found
}

const insert = <E extends Routable>(root: Node<E>, endpoint: E): void => {
  let node = root
  const names: string[] = []
  for (const segment of endpoint.path.split('/').slice(1)) {
    const parameter = parameterIn(segment)
    if (parameter === null) node = childOf(node.literals, segment)
    else {
      names.push(parameter.name)
      node = childOf(node.parameters, parameter.suffix)
    }
  }
  if (node.endpoints.has(endpoint.method))
    throw new Error(`two endpoints for ${endpoint.method} ${endpoint.path}`)
  node.endpoints.set(endpoint.method, endpoint)
  for (const [position, name] of names.entries()) node.positions.set(name, position)
}

/** Literals take precedence over parameters. Backtracks from a branch without endpoints. */
const find = <E extends Routable>(
  node: Node<E>,
  segments: readonly string[],
  index: number,
  values: string[],
): Node<E> | null => {
  const segment = segments[index]
  if (segment === undefined) return node.endpoints.size > 0 ? node : null
  const literal = node.literals.get(segment)
  if (literal !== undefined) {
    const found = find(literal, segments, index + 1, values)
    if (found !== null) return found
  }
  for (const [suffix, next] of node.parameters) {
    if (segment.length <= suffix.length || !segment.endsWith(suffix)) continue
    values.push(segment.slice(0, segment.length - suffix.length))
    const found = find(next, segments, index + 1, values)
    if (found !== null) return found
    values.pop()
  }
  return null
}

/** A segment that cannot be decoded stays unchanged and is handled like any malformed parameter. */
const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) return segment
    throw error
  }
}

/** Finds the endpoints of a path. The time depends on the length of the path, not on the number of endpoints. */
export const createRouteTable = <E extends Routable>(
  endpoints: readonly E[],
): ((path: string) => Route<E> | null) => {
  const root = emptyNode<E>()
  endpoints.forEach((endpoint) => insert(root, endpoint))
  return (path) => {
    const trimmed = path.length > 2 && path.endsWith('/') ? path.slice(0, -1) : path
    const values: string[] = []
    // The first slash is preceded by an empty segment.
    const node = find(root, trimmed.split('/'), 1, values)
    if (node === null) return null
    const parameters: Record<string, string> = {}
    for (const [name, position] of node.positions) {
      const value = values[position] ?? ''
      parameters[name] = value.includes('%') ? decode(value) : value
    }
    return { endpoints: node.endpoints, parameters }
  }
}
