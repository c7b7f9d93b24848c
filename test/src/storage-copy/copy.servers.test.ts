import { rounds } from '@publishing-service/conformance'
import { declareCopies } from './declare-copies.js'

declareCopies({ STORE: 'sqlite', BLOBS: 'filesystem' }, { STORE: 'mongodb', BLOBS: 'minio' }, rounds(50, 220))
