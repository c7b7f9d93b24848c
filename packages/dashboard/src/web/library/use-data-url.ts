import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { dataOf } from '@publishing-service/client'
import { useInstance } from '../service/instance-context.js'

/**
 * An address with which the page shows the data of a file, an image in this width at most: the service returns files only
 * to requests with a token. Null until it is loaded, and if it cannot be loaded.
 */
export const useDataUrl = (download: string | null, width: number | null): string | null => {
  const { api } = useInstance()
  const [url, setUrl] = useState<string | null>(null)
  const [, iid, uuid, upload] = /\/(\d+)\/files\/([^/]+)\/download\/(\d+)/.exec(download ?? '') ?? []
  const { data } = useQuery({
    queryKey: ['file data', iid, uuid, upload, width],
    queryFn: async ({ signal }) => {
      const path = { iid: Number(iid), uuid: uuid ?? '', upload: Number(upload) }
      return dataOf(
        await api.client.GET('/{iid}/files/{uuid}/download/{upload}', {
          params: { path, query: width === null ? {} : { w: width } },
          parseAs: 'blob',
          signal,
        }),
      )
    },
    enabled: uuid !== undefined,
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
