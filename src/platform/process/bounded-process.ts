/** Runs a program in a process of its own, whose memory and time are limited. */
import { spawn } from 'node:child_process';
import { resolve as resolvePath } from 'node:path';
import process from 'node:process';

export interface BoundedWork {
  /** Path of a program from the project that calls `runBoundedProgram`. */
  readonly program: string;
  /** Becomes JSON. */
  readonly input: unknown;
  readonly timeoutMs: number;
  readonly maxHeapMb: number;
  /** Variables of the environment that the program needs. It gets no other ones, since they hold secrets. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Ends the process. */
  readonly signal?: AbortSignal;
}

export type BoundedResult =
  | { readonly ok: true; readonly output: unknown }
  /**
   * `too-slow`, `too-large`: stopped at its limit. `killed`: by the system. `stopped`: by the signal. `failed`: it
   * ended with an error of its own.
   */
  | {
      readonly ok: false;
      readonly reason: 'too-slow' | 'too-large' | 'killed' | 'stopped' | 'failed';
      /** The end of what it wrote to the standard error. */
      readonly problem: string;
    };

const MAX_OUTPUT_LENGTH = 1024 * 1024;
const MAX_PROBLEM_LENGTH = 2_000;
/** V8 ends a process that reaches the limit of its heap so. */
const OUT_OF_MEMORY = 'SIGABRT';

function parseOutput(output: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(output) };
  } catch {
    return null;
  }
}

export function runBounded(work: BoundedWork): Promise<BoundedResult> {
  const { program, input, timeoutMs, maxHeapMb, environment = {}, signal } = work;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [`--max-old-space-size=${maxHeapMb}`, resolvePath(program)], {
      env: environment,
    });
    let [output, problem] = ['', ''];
    let stoppedBy: 'too-slow' | 'too-large' | 'stopped' | null = null;
    const stop = (reason: NonNullable<typeof stoppedBy>): void => {
      stoppedBy ??= reason;
      child.kill('SIGKILL');
    };
    const onAbort = (): void => stop('stopped');
    const timer = setTimeout(() => stop('too-slow'), timeoutMs);
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted === true) onAbort();
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > MAX_OUTPUT_LENGTH) stop('too-large');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      problem = (problem + text).slice(-MAX_PROBLEM_LENGTH);
    });
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    child.once('error', (error) => {
      end();
      reject(error);
    });
    child.once('close', (code, endedBy) => {
      end();
      const parsed = code === 0 ? parseOutput(output) : null;
      if (stoppedBy !== null) return resolve({ ok: false, reason: stoppedBy, problem });
      if (parsed !== null) return resolve({ ok: true, output: parsed.value });
      const killed = endedBy === OUT_OF_MEMORY ? 'too-large' : 'killed';
      return resolve({ ok: false, reason: endedBy === null ? 'failed' : killed, problem });
    });
    // A process that ends early closes its input.
    child.stdin.on('error', () => {});
    // Stays open: its end shows the program that this process has ended.
    child.stdin.write(`${JSON.stringify(input)}\n`);
  });
}
