import { Center, type StyleProp } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { IconFile, IconFileText, IconMusic, IconPhoto, IconVideo, type Icon } from '@tabler/icons-react'
import type { JsonObject } from '@publishing-service/domain/json'
import { textOf } from '../../json.js'
import classes from './library.module.css'
import { useDataUrl } from './use-data-url.js'

const icons: Readonly<Record<string, Icon>> = {
  image: IconPhoto,
  audio: IconMusic,
  video: IconVideo,
  text: IconFileText,
  application: IconFileText,
}

const scalable = /^image\/(?:jpeg|png|gif|webp)$/

type ThumbnailProps = {
  /** The address of the data; null before the first upload. */
  readonly download: string | null
  /** The type of the data; an image if it is not known. */
  readonly mimetype?: string | null
  readonly alt: string
  readonly width?: number
  readonly height?: StyleProp<number | string>
}

/** A file in small: the scaled image, or the symbol of its kind. It is loaded when it becomes visible. */
export const Thumbnail = ({
  download,
  mimetype = 'image/jpeg',
  alt,
  width = 240,
  height,
}: ThumbnailProps) => {
  const { ref, entry } = useIntersection({ rootMargin: '200px' })
  const isVisible = entry?.isIntersecting === true
  const isImage = mimetype === null || scalable.test(mimetype)
  const url = useDataUrl(isImage && isVisible ? download : null, width)
  const Symbol = icons[(mimetype ?? '').split('/')[0] ?? ''] ?? IconFile
  return (
    <Center ref={ref} className={classes['thumbnail'] ?? ''} h={height}>
      {url === null ? (
        <Symbol
          size={28}
          stroke={1.2}
          {...(alt === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': alt })}
        />
      ) : (
        <img src={url} alt={alt} decoding="async" />
      )}
    </Center>
  )
}

type PictureProps = {
  /** The objects that may have a picture: a story, what it leads to, a file. The first picture is shown. */
  readonly of: readonly (JsonObject | null)[]
}

/** The picture of a row, in small; a gap if there is no object. */
export const SmallPicture = ({ of: objects }: PictureProps) => {
  const values = (name: string) => objects.flatMap((object) => textOf(object?.[name]) ?? [])[0] ?? null
  return (
    <div className={classes['small']}>
      {objects.some((object) => object !== null) && (
        <Thumbnail
          download={values('image_url') ?? values('teaser_image_url') ?? values('download_url')}
          mimetype={values('mimetype') ?? undefined}
          alt=""
          width={120}
        />
      )}
    </div>
  )
}
