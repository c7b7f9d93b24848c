import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ResourceModel } from '@publishing-service/dashboard'
import { useInstance } from '../service/instance-context.js'
import { useTexts } from '../texts/texts.js'
import { DeleteDialog } from './delete-dialog.js'

type DeleteProps = {
  readonly resource: Pick<ResourceModel, 'collection' | 'segments'>
  readonly uuid: string
  readonly title: string
  readonly onDeleted: () => void
}

export const DeleteButton = ({ resource: { collection, segments }, uuid, title, onDeleted }: DeleteProps) => {
  const { form } = useTexts()
  const { api } = useInstance()
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button variant="subtle" color="red" onClick={open} flex="none">
        {form.delete}
      </Button>
      {isOpen && (
        <DeleteDialog
          title={form.deleteTitle(title)}
          collection={collection}
          uuids={[uuid]}
          onClose={close}
          remove={() => api.remove(`${segments}/${uuid}`)}
          onDeleted={onDeleted}
        />
      )}
    </>
  )
}
