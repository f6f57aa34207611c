/** Starts the shop like an operator and finds leftover processes. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import type { ProcessOptions } from './shop-process.ts';

export interface ProcessResult {
  readonly code: number | null;
  readonly output: string;
}

/** Runs `npm start` with exactly these settings until it exits. */
export async function startUntilEnd(
  settings: Readonly<Record<string, string>>,
  { project = process.cwd(), uid }: ProcessOptions = {},
): Promise<ProcessResult> {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'start'], {
    cwd: project,
    env: { PATH: process.env['PATH'], PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

/** Asserts that a start was refused and that its last line matches. */
export function assertRefused({ code, output }: ProcessResult, words: RegExp): void {
  assert.equal(code, 1, output);
  assert.doesNotMatch(output, /\n\s+at |Error:|node:internal/, 'the message has no stack trace');
  assert.match(output.trimEnd().split('\n').at(-1) ?? '', words);
}

/** The processes whose command line contains a path. */
export async function listProcesses(path: string): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('pgrep', ['-f', path]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter(Boolean).map(Number);
}

export const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
