import { Button, Flex, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { RowActionsProps } from '../resource/objects-table.js'
import { DeleteButton } from '../resource/delete-button.js'
import { useErrorText } from '../layout/messages.js'
import { useInstance, usePermission } from '../service/place.js'
import { titleIn } from '../service/titles.js'
import { useAction } from '../service/use-action.js'
import { useTexts } from '../texts/texts.js'

export const commentActionFields = ['created_by', 'deleted'] as const

/** Publishes a comment, hides it again, replies to it, or deletes it. */
export const CommentActions = ({ row }: RowActionsProps) => {
  const { form, structure, list } = useTexts()
  const { api, iid } = useInstance()
  const errorText = useErrorText()
  const { error, run } = useAction({ queryKey: [iid] })
  const isAllowed = usePermission('comments', 'update', row)
  const canReply = usePermission('comments', 'create') && row['deleted'] !== true
  const canDelete = usePermission('comments', 'remove', row)
  const path = `comments/${String(row['uuid'])}`
  const isPublished = row['state'] === 'published'
  const title = titleIn(row) ?? list.untitled
  const label = isPublished ? structure.hide : structure.publish
  const toggle = () => run(() => api.change(path, { state: isPublished ? 'draft' : 'published' }))
  return (
    <>
      <Flex gap={4} justify="flex-end" wrap={{ base: 'wrap', sm: 'nowrap' }}>
        {canReply && (
          <Button
            size="xs"
            variant="subtle"
            component={Link}
            href={`/${iid}/comments/new?parent_type=comment&parent_uuid=${String(row['uuid'])}`}
            aria-label={`${structure.reply}: ${title}`}
          >
            {structure.reply}
          </Button>
        )}
        {isAllowed && (
          <Button size="xs" variant="light" onClick={() => void toggle()} aria-label={`${label}: ${title}`}>
            {label}
          </Button>
        )}
        {canDelete && (
          <DeleteButton
            title={form.deleteTitle({ title })}
            collection="comments"
            segments="comments"
            uuids={[String(row['uuid'])]}
            onDeleted={() => undefined}
          />
        )}
      </Flex>
      {error !== null && (
        <Text size="xs" c="red" role="alert">
          {errorText(error)}
        </Text>
      )}
    </>
  )
}
