/**
 * Settings that keep the memory of the shop small. Both V8 and malloc read theirs only when a process
 * starts, so the process replaces itself once, with the same id.
 */
import process from 'node:process';

/**
 * New objects get twice 16 MB instead of twice 64 MB. Old ones are collected when they have grown by a half;
 * on a machine with much memory V8 would wait for four times their size.
 */
const FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=50'];

/**
 * One pool for all threads, and large blocks go back to the system at once: without, each thread that has
 * ever hashed a password keeps the 19 MB that it took.
 */
const VARIABLES = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  // Large blocks come in pages of 2 MB: with pages of 4 KB, taking the memory of a hash costs more than the hash.
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
};
/** Set in the second start only. */
const MARK = 'SHOP_SAVES_MEMORY';

/** Starts this process again with the settings. Does nothing where a process cannot replace itself, as on Windows. */
export function saveMemory() {
  if (process.env[MARK] === undefined) {
    if (typeof process.execve !== 'function' || process.platform === 'win32') return;
    // The operator's own flags win: later ones over earlier ones, but any over those in NODE_OPTIONS.
    const own = process.env['NODE_OPTIONS'] ?? '';
    const flags = [...FLAGS.filter((flag) => !own.includes(flag.replace(/=.*/, ''))), ...process.execArgv];
    const variables = { ...VARIABLES, ...process.env, [MARK]: '1' };
    process.execve(process.execPath, [process.execPath, ...flags, ...process.argv.slice(1)], variables);
  }
  delete process.env[MARK];
  // Not for the database server and other programs that the shop starts.
  for (const [name, value] of Object.entries(VARIABLES)) if (process.env[name] === value) delete process.env[name];
}
