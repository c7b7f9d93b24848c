import { Anchor, CloseButton, Combobox, Group, Input, InputBase, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from 'wouter'
import { useInstance } from '../service/place.js'
import { titleIn } from '../service/titles.js'
import { useObject } from '../service/use-object.js'
import { useTexts } from '../texts/texts.js'
import { wrapperOf, type InputProps } from './input-props.js'
import { ObjectPicker } from './object-picker.js'

/** The title of an object that is referred to. */
export const useTitle = (collection: string, uuid: string | null): string | null => {
  const { data } = useObject(collection, uuid)
  return data === undefined ? null : titleIn(data.value)
}

/** An object of a collection, chosen by its title. */
export const ReferenceInput = (props: InputProps<'reference'>) => {
  const { label, value, onChange, type, disabled, taken = [] } = props
  const { form } = useTexts()
  const { iid } = useInstance()
  const uuid = typeof value === 'string' ? value : null
  const title = useTitle(type.collection, uuid)
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <Input.Wrapper {...wrapperOf(props)} labelElement="div">
      <InputBase
        component="button"
        type="button"
        pointer
        disabled={disabled}
        aria-label={`${label}: ${title ?? (uuid === null ? form.choose : uuid)}`}
        onClick={open}
        aria-haspopup="dialog"
        rightSection={
          uuid === null || disabled === true ? (
            <Combobox.Chevron />
          ) : (
            <CloseButton
              size="sm"
              aria-label={`${form.clear}: ${label}`}
              onMouseDown={(event) => event.preventDefault()}
              onClick={(event) => {
                event.stopPropagation()
                onChange(null)
              }}
            />
          )
        }
        rightSectionPointerEvents={uuid === null ? 'none' : 'all'}
      >
        {uuid === null ? <Input.Placeholder>{form.choose}</Input.Placeholder> : (title ?? uuid)}
      </InputBase>
      {isOpen && (
        <ObjectPicker
          collection={type.collection}
          title={label}
          taken={uuid === null ? taken : [uuid]}
          onClose={close}
          onChoose={onChange}
        />
      )}
      {uuid !== null && (
        <Group gap={4} mt={2}>
          <Text size="xs" c="dimmed">
            <Anchor component={Link} href={`/${iid}/${type.collection}/${uuid}`} size="xs">
              {title ?? uuid}
            </Anchor>
          </Text>
        </Group>
      )}
    </Input.Wrapper>
  )
}
