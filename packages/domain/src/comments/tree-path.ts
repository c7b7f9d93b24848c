/**
 * The position of a comment in the tree of comments, as a text: the position of its parent and a segment for the comment.
 * The order of these texts is depth first, with siblings in the order of creation.
 */
/** Maximum depth of replies; a comment on content has depth 1. */
export const maxCommentDepth = 32

const digits = 36
const timeLength = 11
const numberLength = 3
const nameLength = 4
const stepLength = timeLength + numberLength + nameLength
const maxNumber = digits ** numberLength - 1

export const maxTreePathLength = maxCommentDepth * stepLength

const fixed = (value: number | bigint, length: number): string => value.toString(digits).padStart(length, '0')

/** `2026-03-01T13:00:00.25` as the number 20260301130000250. */
const timeNumber = (created: string): bigint => {
  const [seconds = '', fraction = ''] = created.split('.')
  return BigInt(`${seconds.replace(/\D/g, '')}${fraction.slice(0, 3).padEnd(3, '0')}`)
}

/** The number in the last segment of a path, which distinguishes siblings of the same time. */
const numberIn = (path: string): number => {
  const step = path.slice(-stepLength)
  return Number.parseInt(step.slice(timeLength, timeLength + numberLength), digits)
}

/** The number of segments of a path; 0 for the empty path. */
export const depthOf = (path: string): number => path.length / stepLength

/**
 * The path of a new comment below `parent`, which is empty for a comment on content. `last` is the path of the last
 * sibling that was created at the same time; the id distinguishes siblings that concurrent requests create.
 */
export const treePath = (parent: string, created: string, last: string | null, id: string): string => {
  const number = last === null ? 0 : Math.min(maxNumber, numberIn(last) + 1)
  return [
    parent,
    fixed(timeNumber(created), timeLength),
    fixed(number, numberLength),
    id.slice(-nameLength),
  ].join('')
}
