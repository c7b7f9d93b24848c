import { Text, VisuallyHidden } from '@mantine/core'
import { diffWordsWithSpace } from 'diff'
import { useMemo, type ReactNode } from 'react'
import { model } from 'virtual:model'
import { shortened, type TextPart } from '../../history/text-parts.js'
import { elementKinds } from '../../markup/element-kinds.js'
import { readableText } from '../../markup/readable-text.js'
import { parseMarkup } from '../markup/parse-markup.js'
import { useTexts } from '../texts/texts.js'
import classes from './history.module.css'

/** Milliseconds after which texts are too different to be compared word by word. */
const timeout = 500

const kinds = elementKinds(model.elements)

type Texts = readonly [earlier: string, present: string]

/** The words of two markups, or their sources, if only these differ. */
const wordsOf = (sources: Texts, media: string): Texts => {
  const [earlier = null, present = null] = sources.map(parseMarkup)
  if (earlier === null || present === null) return sources
  const words: Texts = [readableText(earlier, kinds, media), readableText(present, kinds, media)]
  return words[0] === words[1] ? sources : words
}

/** The parts of two texts; null if they are too different. */
const partsOf = ([earlier, present]: Texts): readonly TextPart[] | null =>
  diffWordsWithSpace(earlier, present, { timeout })?.map(({ value, added, removed }) => ({
    text: value,
    of: added ? 'present' : removed ? 'earlier' : 'both',
  })) ?? null

const elements = { earlier: 'del', present: 'ins' } as const

type PartProps = { readonly of: keyof typeof elements; readonly label?: string; readonly children: ReactNode }

/** Words of one of the two texts. The label is for readers that do not say what the element is. */
const Part = ({ of, label, children }: PartProps) => {
  const Element = elements[of]
  return (
    <Element className={classes[of]}>
      {label !== undefined && <VisuallyHidden>{`${label}: `}</VisuallyHidden>}
      {children}
    </Element>
  )
}

type DifferenceProps = {
  readonly earlier: string
  readonly present: string
  readonly isMarkup: boolean
  /** Shown if the texts are too different. */
  readonly otherwise: ReactNode
}

/** Two texts as one, in which the words that differ are marked. */
export const TextDifference = ({ earlier, present, isMarkup, otherwise }: DifferenceProps) => {
  const { history, content } = useTexts()
  const media = `[${content.slot}]`
  const parts = useMemo(() => {
    const found = partsOf(isMarkup ? wordsOf([earlier, present], media) : [earlier, present])
    return found === null ? null : shortened(found)
  }, [earlier, present, isMarkup, media])
  if (parts === null) return otherwise
  return (
    <>
      <Text size="xs" c="dimmed">
        <Part of="earlier">{history.earlier}</Part> <Part of="present">{history.present}</Part>
      </Text>
      <Text size="sm" className={classes['text']}>
        {parts.map(({ text, of }, index) =>
          of === 'both' ? (
            text
          ) : (
            // Parts have no identity other than their position.
            // oxlint-disable-next-line react/no-array-index-key
            <Part key={index} of={of} label={history[of]}>
              {text}
            </Part>
          ),
        )}
      </Text>
    </>
  )
}
