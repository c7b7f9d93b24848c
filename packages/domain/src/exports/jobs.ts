/** Work that the service does by itself for admins: jobs, and exports of an instance. */
export {
  isOpenJob,
  jobStates,
  mostAttempts,
  newJob,
  openJobsProblem,
  secondsLeft,
  type JobState,
} from '../jobs/job.js'
export {
  exportAttributes,
  exportRows,
  exportTime,
  mostOpenExports,
  type StoredExportJob,
} from '../bundles/export-job.js'
