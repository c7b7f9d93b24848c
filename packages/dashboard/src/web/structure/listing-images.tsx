import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { mediaIn } from '../../content/slot-media.js'
import { FilePicker } from '../library/file-picker.js'
import type { SidePanelProps } from '../resource/resource-editor.js'
import type { Api, Versioned } from '../service/api.js'
import { useInstance } from '../service/instance-context.js'
import { isJsonObject } from '../service/json.js'
import { useTexts } from '../texts/texts.js'
import { MemberList } from './member-list.js'

const readImages = async (api: Api, location: string): Promise<Versioned> => {
  const [{ value: list, tag }, { value }] = await Promise.all([
    api.read(`${location}/listing_images`),
    api.read(location, { include: 'listing_images' }),
  ])
  const { included } = value
  const items = mediaIn(list).map((item) => {
    const file = isJsonObject(included) ? included[String(item['uuid'])] : undefined
    return isJsonObject(file) ? file : item
  })
  return { value: { items }, tag }
}

/** The images of a listing, in their order. */
export const ListingImages = ({ uuid, isAllowed }: Pick<SidePanelProps, 'uuid' | 'isAllowed'>) => {
  const { structure, content } = useTexts()
  const { api } = useInstance()
  const [isOpen, { open, close }] = useDisclosure(false)
  const location = `locations/${uuid}`
  return (
    <MemberList
      title={structure.listingImages}
      none={structure.noImages}
      saveText={structure.saveImages}
      path={`${location}/listing_images`}
      item="uuid"
      collection="files"
      isAllowed={isAllowed}
      read={() => readImages(api, location)}
      chooser={(add) => (
        <>
          <Button variant="default" size="xs" onClick={open}>
            {content.addFiles}
          </Button>
          <FilePicker
            opened={isOpen}
            onClose={close}
            onChoose={(files) => add(files.map((file) => file.uuid))}
            media="image"
            multiple
          />
        </>
      )}
    />
  )
}
