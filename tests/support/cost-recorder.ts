/** Measures in a test process what each of its files costs. */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';

/** Names the file that test processes append their costs to. Without it nothing is measured. */
export const COST_LOG = 'CRYPTO_MARKET_TEST_COSTS';

export interface FileCost {
  /** Path of the test file. Empty: the process itself, such as loading modules and the browser. */
  readonly file: string;
  /** Seconds of its process and all processes that it started. */
  readonly cpu: number;
  readonly elapsed: number;
}

/** Linux counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100;
/** Fields after the name of a process in /proc/PID/stat. */
const [PARENT, FIRST_TIME, TIMES] = [1, 11, 4];

interface ProcessTimes {
  readonly parent: number;
  readonly seconds: number;
}

/** CPU time of a process and of its ended children. Null if it has ended. */
function readProcess(pid: string): ProcessTimes | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(FIRST_TIME, FIRST_TIME + TIMES).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[PARENT]), seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return null;
  }
}

/** CPU seconds of a process and everything that it started; of this process alone where /proc is missing. */
export function readTreeSeconds(root = process.pid): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
  const processes = new Map<number, ProcessTimes>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const found = readProcess(pid);
    if (found !== null) processes.set(Number(pid), found);
  }
  const isBelow = (pid: number): boolean => {
    for (let at = pid; at > 1; at = processes.get(at)?.parent ?? 0) if (at === root) return true;
    return false;
  };
  return [...processes].reduce((sum, [pid, { seconds }]) => (isBelow(pid) ? sum + seconds : sum), 0);
}

const log = process.env[COST_LOG];
let begun = { seconds: 0, at: 0 };
let recorded = 0;

function append(cost: FileCost): void {
  if (log !== undefined) appendFileSync(log, `${JSON.stringify(cost)}\n`);
}

/**
 * Called before the first test of a file.
 * @public
 */
export function beginFile(): void {
  if (log !== undefined) begun = { seconds: readTreeSeconds(), at: performance.now() };
}

/**
 * Called after the last test of a file and its hooks.
 * @public
 */
export function endFile(file: string): void {
  if (log === undefined) return;
  const cpu = readTreeSeconds() - begun.seconds;
  recorded += cpu;
  append({ file, cpu, elapsed: (performance.now() - begun.at) / 1000 });
}

/**
 * Called at the start of a process.
 * @public
 * @param file the only file of the process, if it has no more
 */
export function recordProcess(file: string | null): void {
  process.on('exit', () => {
    const cpu = readTreeSeconds() - recorded;
    append({ file: file ?? '', cpu, elapsed: performance.now() / 1000 });
  });
}
