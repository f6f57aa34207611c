import type { Jobs } from '#src/platform/jobs/jobs.ts';
import { CATALOGUE_IMPORT_JOB } from './service.ts';
import type { Imports } from './service.ts';

/** Runs imports one after the other. Those of a process that ended are run again. */
export const startImports = (jobs: Pick<Jobs, 'work'>, imports: Imports): Promise<void> =>
  jobs.work(CATALOGUE_IMPORT_JOB, (data) => imports.run(data), { isPrompt: true });
