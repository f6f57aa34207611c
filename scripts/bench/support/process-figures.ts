/** What the system knows about another process. */
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks are 10 ms. */
const TICK_MS = 10;

/** Fields of /proc/…/stat from the state on: the parent is at 1, CPU times are at 11 to 14. */
const readStat = (task: number | string): readonly number[] =>
  readFileSync(`/proc/${task}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);

/** CPU time of a process so far, in ms. Null without /proc. */
export function readCpuMs(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const { 11: user = 0, 12: system = 0 } = readStat(pid);
  return (user + system) * TICK_MS;
}

/** CPU time of the thread that runs a process's JavaScript so far, in ms. Null without /proc. */
export function readMainThreadCpuMs(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const { 11: user = 0, 12: system = 0 } = readStat(`${pid}/task/${pid}`);
  return (user + system) * TICK_MS;
}

/** Clock ticks of a process and of its children that have ended. */
const sumTicks = ({
  11: user = 0,
  12: system = 0,
  13: endedUser = 0,
  14: endedSystem = 0,
}: readonly number[]): number => user + system + endedUser + endedSystem;

/** CPU time so far of a process and its children, those that have ended included, in ms. Null without /proc. */
export function readFamilyCpuMs(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        const stat = readStat(Number(name));
        return stat[1] === pid ? sumTicks(stat) : 0;
      } catch {
        // It ended meanwhile; its parent counts it from now on.
        return 0;
      }
    });
  return children.reduce((total, ticks) => total + ticks, sumTicks(readStat(pid))) * TICK_MS;
}

/** Resident memory of a process, in MiB. Null without /proc. */
export function readResidentMib(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}
