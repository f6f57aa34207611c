/** What the system knows about another process. */
import { readFileSync } from 'node:fs';

/** CPU time of a process so far, in ms. Null without /proc. */
export function readCpuMs(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  // Clock ticks of 10 ms in user and in system mode.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory of a process, in MiB. Null without /proc. */
export function readResidentMib(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}
