import { ActionIcon, Anchor } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { JsonObject } from '@publishing-service/domain/json'
import { pageAddress } from '@publishing-service/domain/paths'
import { isLive } from '../../structure/uses.js'
import { timeIn } from '../../publication/zone-time.js'
import { useService, useSettings } from '../service/place.js'
import { serviceClock } from '../service/service-clock.js'
import { useTexts } from '../texts/texts.js'

/** The address of the page of an object on the website; null if the public sees none, or the website is not known. */
export const useSiteAddress = (): ((object: JsonObject) => string | null) => {
  const { instance } = useService()
  const { website_url: website = null } = useSettings() ?? {}
  return (object) => {
    const { path } = object
    if (website === null || instance === null || typeof path !== 'string') return null
    return isLive(object, timeIn(instance.timezone, serviceClock.now())) ? pageAddress(website, path) : null
  }
}

type LinkProps = { readonly address: string }

/** Opens the page of an object on the website. */
export const SiteLink = ({ address }: LinkProps) => {
  const { publication } = useTexts()
  return (
    <Anchor href={address} target="_blank" rel="noreferrer" size="sm">
      {publication.viewOnSite}
    </Anchor>
  )
}

/** The same in a list, where a title names the object. */
export const SiteIcon = ({ address, title }: LinkProps & { readonly title: string }) => {
  const { publication } = useTexts()
  return (
    <ActionIcon
      component="a"
      href={address}
      target="_blank"
      rel="noreferrer"
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={`${publication.viewOnSite}: ${title}`}
      title={publication.viewOnSite}
    >
      <IconExternalLink size={16} aria-hidden />
    </ActionIcon>
  )
}
