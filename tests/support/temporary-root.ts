/** Where tests put data that ends with them. */
import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
/** A run needs about 2 GB at once. */
const MIN_FREE_BYTES = 6e9;

let root: string | null = null;

/**
 * A directory in memory where there is room, otherwise the system's temporary one. A new database is a thousand files,
 * which cost ten times as much on a disk.
 */
export function getTemporaryRoot(): string {
  root ??= process.env['TMPDIR'] === undefined && hasRoomInMemory() ? MEMORY : tmpdir();
  return root;
}

function hasRoomInMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY);
    const { bavail, bsize } = statfsSync(MEMORY);
    // Programs of the database may be copied next to its data.
    return mount !== undefined && !/\bnoexec\b/.test(mount) && bavail * bsize > MIN_FREE_BYTES;
  } catch {
    return false;
  }
}
