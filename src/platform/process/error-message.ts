/** Explains in one line why the shop or a command cannot start. */

/** Reference to the backup section of the manual. */
export const BACKUP_SECTION = 'see "Backup" in docs/operating.md';

/** PostgreSQL error codes of corrupted data. */
const DAMAGE_CODES = new Set(['XX001', 'XX002', '58P01']);
/** PostgreSQL error codes of refused logins and missing databases. */
const SIGN_IN_CODES = new Set(['28P01', '28000', '3D000']);
/** A write on a standby. */
const READ_ONLY_CODE = '25006';
/** The server starts, stops or recovers. */
const STARTING_CODE = '57P03';
/** Message of node-postgres. */
const CONNECTION_TIMEOUT = 'timeout expired';

const readText = (error: object, key: string): string => {
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

const formatOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

function formatListenError(code: string, port: string): string {
  if (code === 'EADDRINUSE') return `PORT: ${port} is in use already: stop that program, or set another PORT.`;
  if (code === 'EACCES') return `PORT: ${port} requires root: set PORT to one above 1023, behind a proxy.`;
  return `HOST: this machine cannot listen on that address (${code}): use one of its own, such as 127.0.0.1.`;
}

/** Null for a defect of the program, which needs its stack. The message holds no password. */
export function formatErrorMessage(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const [code, syscall] = [readText(error, 'code'), readText(error, 'syscall')];
  if (syscall === 'listen') return formatListenError(code, readText(error, 'port'));
  if (syscall === 'getaddrinfo') return `HOST or DATABASE_URL: the host ${readText(error, 'hostname')} does not exist.`;
  if (syscall === 'connect') return `DATABASE_URL: no database responds there (${code}): check that it is running`;
  if (code === READ_ONLY_CODE)
    return `DATABASE_URL: no server accepts writes (${error.message}): promote one, or add the primary to the list.`;
  if (code === STARTING_CODE || error.message === CONNECTION_TIMEOUT)
    return `DATABASE_URL: the database accepts no connections (${error.message}): check that it is running.`;
  if (SIGN_IN_CODES.has(code)) return `DATABASE_URL: the database refused the connection: ${error.message}.`;
  if (syscall === 'mkdir')
    return `DATA_DIR: ${readText(error, 'path')} cannot be created (${code}): set it to a directory that the shop's user may write to.`;
  if (DAMAGE_CODES.has(code))
    return `The database is damaged (${formatOneLine(error.message)}): restore a backup, ${BACKUP_SECTION}.`;
  if (code === 'ENOSPC' || code === '53100') return 'The disk is full: free some space and start again.';
  return formatErrorMessage(error.cause);
}
