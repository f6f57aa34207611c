/** Explains in one line why the embedded database did not start. */

import { BACKUP_SECTION } from '#src/platform/process/error-message.ts';

/** Temporary failures: another process starts the server, or a killed one has not ended yet. */
const TRANSIENT = /lock file .+ already exists|pre-existing shared memory block|^$/;
const DISK_FULL = /No space left on device|ENOSPC|disk quota exceeded/i;

/** Whether a retry may succeed. */
export const isTransientFailure = (failure: string): boolean => TRANSIENT.test(failure);

/** @param failure the last message of PostgreSQL; empty if there was none */
export function describeStartFailure(
  failure: string,
  { home, cluster }: { readonly home: string; readonly cluster: string },
): string {
  if (DISK_FULL.test(failure)) return `The disk of ${home} is full: free some space and start again.`;
  if (failure.includes('shared memory block')) {
    return `Processes of an earlier database still use ${cluster}: end them ("ps -ef | grep postgres") and start again.`;
  }
  const reason = failure === '' ? `it exited without a message, see ${home}/postgres.log` : formatOneLine(failure);
  return `The database in ${home} does not start: ${reason}. If its files are damaged, restore a backup: ${BACKUP_SECTION}.`;
}

/** The last line of a text without a full stop. */
function formatOneLine(text: string): string {
  const line = text.trim().split('\n').at(-1) ?? '';
  return line.replace(/^(?:\w*[Ee]rror: )+/, '').replace(/[.\s]+$/, '');
}
