import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import { auditSentence } from '../../structure/audit-sentence.js'
import { useTexts } from '../texts/texts.js'

type SentenceProps = {
  /** The name of the person, the operation, and its changes if they are known. */
  readonly row: JsonObject
  /** Names what was changed. */
  readonly children: ReactNode
}

/** Who has changed what, such as “Anna made ‘Fog’ public”. */
export const ChangeSentence = ({ row, children }: SentenceProps) => {
  const { audit, operations } = useTexts()
  const [before, after] = auditSentence(row, operations, audit)
  return (
    <Text size="sm">
      <strong>{String(row['name'])}</strong> {before}
      {after !== null && children}
      {after}
    </Text>
  )
}
