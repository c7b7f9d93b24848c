import { InvalidArgumentError } from 'commander'

/** The number of an instance, as an argument or option gives it. */
export const instanceNumber = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It is the number of an instance, such as 1.')
}
