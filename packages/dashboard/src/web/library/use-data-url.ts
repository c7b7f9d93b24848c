import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { dataOf, type Client } from '@publishing-service/client'
import { useInstance } from '../service/place.js'

/** Other images, such as those of providers, are not shown. */
const fileAddress = /\/(\d+)\/files\/([^/]+)\/download\/(\d+)/

/** Reads the data of a download address, an image in this width at most: it is returned only to requests with a session or a token. */
export const readData = async (
  client: Client,
  download: string,
  width: number | null,
  signal?: AbortSignal,
): Promise<Blob> => {
  const [, iid, uuid = '', upload] = fileAddress.exec(download) ?? []
  const path = { iid: Number(iid), uuid, upload: Number(upload) }
  const query = width === null ? {} : { w: width }
  return dataOf(
    await client.GET('/{iid}/files/{uuid}/download/{upload}', {
      params: { path, query },
      parseAs: 'blob',
      signal,
    }),
  )
}

/** An address with which the page shows the data of a file. Null until it is loaded, and if it cannot be loaded. */
export const useDataUrl = (download: string | null, width: number | null): string | null => {
  const { api } = useInstance()
  const [url, setUrl] = useState<string | null>(null)
  const { data } = useQuery({
    queryKey: ['file data', download, width],
    queryFn: ({ signal }) => readData(api.client, download ?? '', width, signal),
    enabled: download !== null && fileAddress.test(download),
    staleTime: Infinity,
  })
  useEffect(() => {
    if (data === undefined) return setUrl(null)
    const address = URL.createObjectURL(data)
    setUrl(address)
    return () => URL.revokeObjectURL(address)
  }, [data])
  return url
}
