/** The oldest PostgreSQL that the shop is tested with, as in Debian 12. */
export const MIN_POSTGRES_VERSION = 15;
/** The newest one: that of the embedded database. */
const NEWEST_POSTGRES_VERSION = 18;

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

/** Explains in one line that a server is newer than this release was tested with. Null if it is not. */
export function formatUntestedError(versionNumber: number): string | null {
  const [major, minor] = [Math.floor(versionNumber / 10_000), versionNumber % 10_000];
  if (major <= NEWEST_POSTGRES_VERSION) return null;
  return (
    `This is PostgreSQL ${major}.${minor}; this release was tested with ${MIN_POSTGRES_VERSION} to ` +
    `${NEWEST_POSTGRES_VERSION}. Move to one of these, or update the shop first.`
  );
}
