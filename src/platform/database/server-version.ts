/** The oldest PostgreSQL that the shop is tested with, as in Debian 12. */
export const MIN_POSTGRES_VERSION = 15;

/**
 * Explains in one line that a server is too old. Null if it is not.
 * @param versionNumber as PostgreSQL's `server_version_num`: 150018 is release 15.18.
 */
export function formatTooOldError(versionNumber: number): string | null {
  const [major, minor] = [Math.floor(versionNumber / 10_000), versionNumber % 10_000];
  if (major >= MIN_POSTGRES_VERSION) return null;
  return (
    `DATABASE_URL: this is PostgreSQL ${major}.${minor}; the shop needs ${MIN_POSTGRES_VERSION} or newer ` +
    '(without DATABASE_URL the shop starts its own).'
  );
}
