/** Checks files of imports in a process of its own, so that no file can stop the shop. */
import type { z } from 'zod';
import { describeConnection } from '#src/platform/database/database-url.ts';
import type { DatabaseConnection } from '#src/platform/database/database-url.ts';
import { runBounded } from '#src/platform/process/bounded-process.ts';
import type { BoundedResult } from '#src/platform/process/bounded-process.ts';
import type { ImportsOptions } from '#src/shop/catalogue/imports/service.ts';
import { importOutcome } from './import-check.ts';
import type { importCheck } from './import-check.ts';
import { readConnectionVariables } from './settings.ts';

const PROGRAM = 'src/app/check-import-process.ts';
/** Thirty thousand new products in 150,000 lines take 6 s of CPU time. */
const TIMEOUT_MINUTES = 5;
const MAX_HEAP_MB = 768;

const SPLIT = 'Split the file and import the parts';
const MESSAGES: Readonly<Record<Exclude<(BoundedResult & { ok: false })['reason'], 'stopped' | 'failed'>, string>> = {
  'too-slow': `The check took longer than ${TIMEOUT_MINUTES} minutes, so it was stopped. ${SPLIT}`,
  'too-large': `The check needed more than ${MAX_HEAP_MB} MB of memory, so it was stopped. ${SPLIT}`,
  killed: `The system ended the process of the check, probably for lack of memory. ${SPLIT}`,
};

/** @param signal ends a running check, which continues after the next start */
export const createImportChecker =
  (connection: DatabaseConnection, signal: AbortSignal): ImportsOptions['check'] =>
  async ({ now, ...check }) => {
    const input: z.input<typeof importCheck> = {
      ...check,
      connection: describeConnection(connection),
      now: now.toISOString(),
    };
    const result = await runBounded({
      program: PROGRAM,
      input,
      timeoutMs: TIMEOUT_MINUTES * 60_000,
      maxHeapMb: MAX_HEAP_MB,
      environment: readConnectionVariables(),
      signal,
    });
    if (result.ok) return importOutcome.parse(result.output);
    const { reason, problem } = result;
    if (reason === 'stopped') return { outcome: 'stopped' };
    if (reason === 'failed') throw new Error(`the check has failed: ${problem}`);
    return { outcome: 'refused', message: MESSAGES[reason] };
  };
