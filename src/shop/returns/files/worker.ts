import type { Jobs } from '#src/platform/jobs/jobs.ts';
import { RETURN_FILE_JOB } from './service.ts';
import type { ReturnFiles } from './service.ts';

/** Deletes files of returns whose rows were deleted, in every process. */
export const startReturnFileRemovals = (jobs: Pick<Jobs, 'work'>, files: ReturnFiles): Promise<void> =>
  jobs.work(RETURN_FILE_JOB, ({ id = '' }) => files.remove(id), { isPrompt: true });
