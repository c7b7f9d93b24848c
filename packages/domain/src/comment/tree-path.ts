/**
 * The position of a comment in the tree of comments, as a text: the position of the comment that it replies to, and a
 * step of its own behind it. Ordered by this text, comments come depth first, siblings in the order of their creation.
 */
/** Levels of replies, with the comment on the content as the first. */
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

/** The number of the last step of a path among the siblings of the same time. */
const numberIn = (path: string): number => {
  const step = path.slice(-stepLength)
  return Number.parseInt(step.slice(timeLength, timeLength + numberLength), digits)
}

/** How many comments a path leads through, its own included; 0 for none. */
export const depthOf = (path: string): number => path.length / stepLength

/**
 * The path of a new comment below `parent`, which is empty for a comment on content. `last` is the path of the last
 * sibling that was created at the same time; the id separates siblings that two requests create at once.
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
