import { statfs } from 'node:fs/promises';

/**
 * How much room the disk of the embedded database has.
 * - `ok`
 * - `low`: someone should make room
 * - `full`: the rest is kept for payments; the shop takes no new orders, accounts or messages
 * - `exhausted`: the database is stopped. PostgreSQL crashes when it cannot write its log, and cannot recover without
 *   room for it
 */
export type DiskLevel = 'ok' | 'low' | 'full' | 'exhausted';

const MIB = 1024 * 1024;

/**
 * In bytes: a level starts below the first figure and ends at the second. `exhausted` leaves PostgreSQL three segments
 * of its log (16 MiB each) for a clean shutdown and the next start. `full` leaves some 140 MiB above that, which is a
 * long time of payments at a few KiB each.
 */
const LEVELS: readonly (readonly [DiskLevel, starts: number, ends: number])[] = [
  ['exhausted', 48 * MIB, 96 * MIB],
  ['full', 192 * MIB, 256 * MIB],
  ['low', 1024 * MIB, 1280 * MIB],
];
const SEVERITY: readonly DiskLevel[] = ['ok', 'low', 'full', 'exhausted'];

/** Room that a new database needs: its first files and the room below which it would be stopped at once. */
export const MIN_SETUP_BYTES = 192 * MIB;

/** The next level, from the present one and the free bytes. A level ends with more room than it starts with. */
export function computeDiskLevel(present: DiskLevel, freeBytes: number): DiskLevel {
  const isAtLeast = (level: DiskLevel): boolean => SEVERITY.indexOf(present) >= SEVERITY.indexOf(level);
  const found = LEVELS.find(([level, starts, ends]) => freeBytes < (isAtLeast(level) ? ends : starts));
  return found?.[0] ?? 'ok';
}

/** Free bytes for an ordinary user on the disk of a directory. */
export async function readFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** As in "38 MB". */
export const formatMegabytes = (bytes: number): string => `${Math.floor(bytes / MIB)} MB`;
