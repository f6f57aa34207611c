/** Runs test files in a copy of the tree until the first failure. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TreeCopy } from './tree-copy.ts';

/** Longer than any batch takes. A fault may keep a test waiting forever. */
const TIMEOUT_MS = 30 * 60_000;
/** Time for processes to end by themselves. */
const GRACE_MS = 3_000;

export interface FailedTest {
  readonly title: string;
  /** Null if several files of the batch may have it. */
  readonly file: string | null;
}

export type BatchOutcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly test: FailedTest }
  /** The pages could not be built. */
  | { readonly kind: 'not-built'; readonly output: string };

/** A failed test, or the file of a suite around it. Its own line comes before that of its suite. */
const FAILURE = /^\s*✖ (.+?)(?: \([\d.]+ms\))?$/;
const SUITE = /^\s*▶ ((?:src|tests|scripts)\/\S+\.test\.ts)/;
const BUILD_FAILURE = /^Building the shop … failed/;

/** The file that has a test of this title, if only one of them does. */
function findFile(directory: string, files: readonly string[], title: string): string | null {
  if (files.includes(title)) return title;
  if (files.length === 1) return files[0] ?? null;
  const holding = files.filter((file) => readFileSync(path.join(directory, file), 'utf8').includes(title));
  return holding.length === 1 ? (holding[0] ?? null) : null;
}

/** @param signal ends the run, whose outcome is then worthless */
export async function runBatch(copy: TreeCopy, files: readonly string[], signal: AbortSignal): Promise<BatchOutcome> {
  const { directory, environment } = copy;
  const child = spawn(process.execPath, ['scripts/run.mjs', 'test', ...files], {
    cwd: directory,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, which a kill ends as a whole.
    detached: true,
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let outcome: BatchOutcome | null = null;
  let suite: string | null = null;
  const output: string[] = [];
  const end = (found: BatchOutcome): void => {
    outcome ??= found;
    killGroup(child.pid, 'SIGTERM');
  };
  const read = (line: string): void => {
    output.push(line);
    suite = SUITE.exec(line)?.[1] ?? suite;
    if (BUILD_FAILURE.test(line)) return end({ kind: 'not-built', output: '' });
    const title = FAILURE.exec(line)?.[1];
    if (title === undefined || title === 'failing tests:') return undefined;
    const file = findFile(directory, files, title) ?? suite;
    return end({ kind: 'failed', test: { title, file } });
  };
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', read);
  const abort = (): void => killGroup(child.pid, 'SIGKILL');
  signal.addEventListener('abort', abort);
  const timeout = setTimeout(
    () => end({ kind: 'failed', test: { title: 'no result within half an hour', file: null } }),
    TIMEOUT_MS,
  );
  const code = await endAfterGrace(ended, () => outcome !== null, child.pid);
  clearTimeout(timeout);
  signal.removeEventListener('abort', abort);
  killGroup(child.pid, 'SIGKILL');
  await copy.endDatabases();
  signal.throwIfAborted();
  if (outcome !== null) return withOutput(outcome, output);
  if (code === 0) return { kind: 'passed' };
  return { kind: 'failed', test: { title: `exit code ${String(code)}: ${output.at(-1) ?? ''}`, file: null } };
}

/** Waits for the end, and kills what remains of a run that should have stopped. */
async function endAfterGrace(
  ended: Promise<number | null>,
  isEnding: () => boolean,
  pid: number | undefined,
): Promise<number | null> {
  for (;;) {
    const code = await Promise.race([ended, sleep(GRACE_MS, 'running' as const)]);
    if (code !== 'running') return code;
    if (isEnding()) killGroup(pid, 'SIGKILL');
  }
}

const withOutput = (outcome: BatchOutcome, output: readonly string[]): BatchOutcome =>
  outcome.kind === 'not-built' ? { ...outcome, output: output.slice(-20).join('\n') } : outcome;

function killGroup(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // It has ended.
  }
}
