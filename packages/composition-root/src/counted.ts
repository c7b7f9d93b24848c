/** Formats numbers and counts for people. */

const whole = new Intl.NumberFormat('en')

/** 1,234 */
export const numberInWords = (count: number): string => whole.format(count)

/** 1,234 documents */
export const counted = (count: number, thing: string): string =>
  `${numberInWords(count)} ${thing}${count === 1 ? '' : 's'}`
