/** What runs in the thread of password strength: its dictionaries need some 70 MB and a third of a second. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as german from '@zxcvbn-ts/language-de'
import * as english from '@zxcvbn-ts/language-en'
import { answerCalls } from './answer-calls.js'

/** The characters that are checked: the time of a check grows with them. */
const checkedCharacters = 64

/** Ways to read digits and signs as letters. With 100, the default, a check takes ten times as long. */
const substitutions = 8

/** Scores from here on need more than 10⁸ guesses. */
const leastScore = 3

const estimator = new ZxcvbnFactory({
  l33tMaxSubstitutions: substitutions,
  graphs: common.adjacencyGraphs,
  dictionary: { ...common.dictionary, ...english.dictionary, ...german.dictionary },
})

export const isWeak = async ({
  password,
  personal,
}: {
  readonly password: string
  readonly personal: readonly string[]
}): Promise<boolean> =>
  estimator.check(password.slice(0, checkedCharacters), [...personal]).score < leastScore

answerCalls({ isWeak })
