/**
 * checking: the dry run. checked: can be applied. refused: the file has errors. outdated: the
 * catalogue changed after the dry run. failed: its check reached a limit, or an unexpected error
 * occurred, which the log describes.
 */
export const importStates = [
  'checking',
  'checked',
  'refused',
  'applying',
  'applied',
  'outdated',
  'cancelled',
  'failed',
] as const;
export type ImportState = (typeof importStates)[number];

export const isRunning = (state: ImportState): boolean => state === 'checking' || state === 'applying';

/** The import was cancelled meanwhile. Rolls its transaction back. */
export class CancelledImport extends Error {
  override readonly name = 'CancelledImport';
}
