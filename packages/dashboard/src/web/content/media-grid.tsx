import { Text } from '@mantine/core'
import type { JsonObject } from '@publishing-service/domain/json'
import { OrderedList, type ListProps } from '../sorting/ordered-list.js'
import { useTexts } from '../texts/texts.js'
import { MediumImage } from './medium-image.js'

/** The media of a slot in their order. */
export const MediaGrid = (list: Pick<ListProps<JsonObject>, 'items' | 'onChange' | 'onEdit'>) => {
  const { content } = useTexts()
  const labelOf = ({ title }: JsonObject, index: number): string =>
    typeof title === 'string' ? title : content.medium({ number: index + 1 })
  return (
    <OrderedList {...list} labelOf={labelOf} isAllowed isGrid>
      {(medium, index) => (
        <>
          <MediumImage medium={medium} alt="" />
          <Text size="xs" lineClamp={1} mt={2}>
            {labelOf(medium, index)}
          </Text>
        </>
      )}
    </OrderedList>
  )
}
