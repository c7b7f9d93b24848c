import { Anchor, Group, Input, NumberInput } from '@mantine/core'
import { useTexts } from '../texts/texts.js'
import { wrapperOf, type InputProps } from './input-props.js'

/** Latitude and longitude in degrees. */
export const CoordinatesInput = (props: InputProps<'coordinates'>) => {
  const { label, value, onChange, disabled } = props
  const { form } = useTexts()
  const [latitude = null, longitude = null] = Array.isArray(value) ? value : []
  const set = (next: readonly [unknown, unknown]) => {
    const [north, east] = next.map((each) => (typeof each === 'number' ? each : null))
    onChange(north === null && east === null ? null : [north ?? null, east ?? null])
  }
  return (
    <Input.Wrapper {...wrapperOf(props)} labelElement="div">
      <Group grow>
        {[latitude, longitude].map((degrees, index) => {
          const name = index === 0 ? form.latitude : form.longitude
          return (
            <NumberInput
              key={name}
              aria-label={`${label}: ${name}`}
              placeholder={name}
              value={typeof degrees === 'number' ? degrees : ''}
              onChange={(next) => set(index === 0 ? [next, longitude] : [latitude, next])}
              disabled={disabled}
              hideControls
              decimalScale={7}
            />
          )
        })}
      </Group>
      {typeof latitude === 'number' && typeof longitude === 'number' && (
        <Anchor
          size="sm"
          href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          {form.map}
        </Anchor>
      )}
    </Input.Wrapper>
  )
}
