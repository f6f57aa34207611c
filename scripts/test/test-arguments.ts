/** The arguments of `npm test`. */
import { selectTests } from './select-tests.ts';
import type { Selection } from './select-tests.ts';

export const USAGE = `Usage: npm test [-- PART …] [-t NAME] [--changed [REF]] [--watch] [--all | --rest] [--minutes N] [--record]
  PART             test files whose path contains it, such as refunds or journeys/cart
  -t NAME          tests whose title matches this regular expression
  --changed [REF]  tests that changes since this commit may affect; default HEAD
  --watch          runs the affected tests after each edit
  --all            both sets; without it and without a selection only the first one
  --rest           the second set only
  --minutes N      ends after N minutes; the files that have not ended by then count as skipped
  --record         writes what each file costs to tests/costs.json`;

/** Which files a run without a selection takes. */
type TestSet = 'first' | 'rest' | 'all';

export interface TestArguments extends Selection {
  readonly isWatching: boolean;
  readonly set: TestSet;
  readonly isRecording: boolean;
  /** Null: no limit. */
  readonly minutes: number | null;
}

/** A day. */
const MOST_MINUTES = 1_440;

/** Null for an unknown option, or a missing or wrong value. */
export function readArguments(args: readonly string[]): TestArguments | null {
  const parts: string[] = [];
  let name: RegExp | null = null;
  let changedSince: string | null = null;
  let set: TestSet = 'first';
  let [isWatching, isRecording] = [false, false];
  let minutes: number | null = null;
  const remaining = [...args];
  for (let argument = remaining.shift(); argument !== undefined; argument = remaining.shift()) {
    if (argument === '-t') {
      const pattern = remaining.shift();
      if (pattern === undefined) return null;
      name = new RegExp(pattern);
    } else if (argument === '--minutes') {
      minutes = Number(remaining.shift());
      if (!(minutes > 0 && minutes <= MOST_MINUTES)) return null;
    } else if (argument === '--watch') isWatching = true;
    else if (argument === '--record') isRecording = true;
    else if (argument === '--all') set = 'all';
    else if (argument === '--rest') set = 'rest';
    else if (argument.startsWith('--changed=')) changedSince = argument.slice('--changed='.length);
    else if (argument === '--changed') changedSince = takeCommit(remaining);
    else if (argument.startsWith('-')) return null;
    else parts.push(argument);
  }
  return { parts, name, changedSince, isWatching, set, isRecording, minutes };
}

/** Takes the next argument as a commit unless it matches a test file. */
function takeCommit(remaining: string[]): string {
  const [next] = remaining;
  if (next === undefined || next.startsWith('-')) return 'HEAD';
  const isPart = selectTests({ parts: [next], name: null, changedSince: null }).length > 0;
  return isPart ? 'HEAD' : (remaining.shift() ?? 'HEAD');
}
