import { Spoiler, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import { textOf } from '../../json.js'
import { useTexts } from '../texts/texts.js'

export type RowTextProps = {
  readonly row: JsonObject
  /** The link to the page of the object. */
  readonly link: (label: string) => ReactNode
}

/** The fields of a comment that are read before it is published. */
export const commentTextFields = ['comment', 'edited_title', 'edited_comment', 'creator', 'email'] as const

/** About ten lines. A longer text is opened. */
const maxHeight = 220

/** A comment as the public reads it once it is published, with who wrote it. */
export const CommentText = ({ row, link }: RowTextProps) => {
  const { list, structure } = useTexts()
  const author = [textOf(row['creator']) ?? structure.unnamed, textOf(row['email'])]
  return (
    <>
      {link(textOf(row['edited_title']) ?? textOf(row['title']) ?? list.untitled)}
      <Text size="sm" c="dimmed">
        {author.filter((each) => each !== null).join(', ')}
      </Text>
      <Spoiler maxHeight={maxHeight} showLabel={structure.showWhole} hideLabel={structure.showLess}>
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {textOf(row['edited_comment']) ?? textOf(row['comment'])}
        </Text>
      </Spoiler>
    </>
  )
}
