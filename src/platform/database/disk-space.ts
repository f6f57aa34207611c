import { statfs } from 'node:fs/promises';

/**
 * Free space on the disk of the embedded database.
 * - `ok`
 * - `low`: the operator should free space
 * - `full`: the rest is reserved for payments; new orders, accounts and messages are refused
 * - `exhausted`: the database is stopped, because PostgreSQL crashes when it cannot write its log
 *   and cannot recover without space
 */
export type DiskLevel = 'ok' | 'low' | 'full' | 'exhausted';

const MIB = 1024 * 1024;

/**
 * In bytes: a level starts below the first number and ends at the second. `exhausted` leaves three
 * log segments (16 MiB each) for shutdown and restart; `full` leaves about 140 MiB for payments.
 */
const LEVELS: readonly (readonly [DiskLevel, starts: number, ends: number])[] = [
  ['exhausted', 48 * MIB, 96 * MIB],
  ['full', 192 * MIB, 256 * MIB],
  ['low', 1024 * MIB, 1280 * MIB],
];
const SEVERITY: readonly DiskLevel[] = ['ok', 'low', 'full', 'exhausted'];

/** Free space that a new database needs: its first files, and enough not to be stopped immediately. */
export const MIN_SETUP_BYTES = 192 * MIB;

/** Computes the next level. A level ends with more free space than it starts with (hysteresis). */
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
