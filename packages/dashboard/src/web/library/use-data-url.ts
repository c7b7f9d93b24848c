import { useEffect, useState } from 'react'
import { useInstance } from '../service/instance-context.js'

/**
 * An address with which the page shows the data of a file, an image in this width at most. Null until it is loaded, and
 * if it cannot be loaded.
 */
export const useDataUrl = (download: string | null, width: number | null): string | null => {
  const { images } = useInstance()
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    const load = async (address: string): Promise<void> => {
      const loaded = await images.get(address, width)
      if (isCurrent && loaded !== null) setUrl(loaded.url)
    }
    setUrl(null)
    if (download !== null) load(download).catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [images, download, width])
  return url
}
