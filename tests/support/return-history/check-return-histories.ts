/** Random histories of orders with returns, for tests and `npm run stress -- returns`. */
import * as fc from 'fast-check';
import type { Tally } from '../ledger-simulation.ts';
import { customerSteps } from './customer-steps.ts';
import { endReturns } from './end-returns.ts';
import { moneySteps } from './money-steps.ts';
import { networkSteps } from './network-steps.ts';
import { DAY_MINUTES, ReturnHistory } from './return-history.ts';
import type { ReturnShop } from './return-shop.ts';
import { checkDocuments, checkHistory } from './return-oracle.ts';
import { staffSteps } from './staff-steps.ts';

const steps = { ...networkSteps, ...customerSteps, ...staffSteps, ...moneySteps };
type StepKind = keyof typeof steps;
const stepKinds = Object.keys(steps).filter((name): name is StepKind => name in steps);

export interface Step {
  readonly kind: StepKind;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** What most orders do, so that histories reach what is rare. */
const OFTEN = {
  ship: 3,
  withdrawAll: 1,
  withdrawPart: 3,
  requestDefect: 4,
  approve: 5,
  sendReturn: 2,
  receiveOpen: 12,
  inspect: 12,
  refundOpen: 12,
  refundUnits: 2,
  sendRefund: 5,
  confirmRefunds: 4,
  withdrawRefund: 6,
  close: 3,
  days: 2,
} as const satisfies Partial<Record<StepKind, number>>;
const often = Object.entries(OFTEN).flatMap(([name, times]) =>
  Array.from({ length: times }, () => stepKinds.filter((kind) => kind === name)).flat(),
);

const number = fc.nat(0xffff);
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...stepKinds, ...often),
  a: number,
  b: number,
  c: number,
});
const history = fc.array(step, { minLength: 4, maxLength: 28, size: 'max' });

const format = ({ a, b, c, kind }: Step): string => `${kind}(${a},${b},${c})`;

/** Plays a history; the first step decides on the order, which most buyers pay. */
async function playReturns(of: ReturnShop, [first, ...rest]: readonly Step[], tally: Tally): Promise<void> {
  if (first === undefined) return;
  const played = await ReturnHistory.start(of, first, tally);
  const taken = [format(first)];
  const check = (): Promise<void> => checkHistory(played);
  try {
    if (first.a % 8 > 0) {
      await networkSteps.payInFull(played);
      await customerSteps.nameAddress(played);
      await of.issueDocuments(played.id);
      await played.refresh();
      if (first.a % 8 > 3) await staffSteps.ship(played, { ...first, a: first.b });
    }
    for (const one of rest) {
      taken.push(format(one));
      of.shop.advanceMinutes(1);
      await steps[one.kind](played, one);
      await check();
      played.count(`step ${one.kind}`);
    }
    await checkDocuments(played);
    taken.push('end');
    await endReturns(played, check);
    await checkDocuments(played);
    for (const { cause, outcome } of played.facts.returns) played.count(`${cause} ${String(outcome)}`);
  } catch (error) {
    throw new Error(`${taken.join(' ')}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    // An order that is still open would give its stock back during the next history.
    await played.pass(30 * DAY_MINUTES);
  }
}

/** The history of a seed. */
export function generateHistory(seed: number): readonly Step[] {
  const [generated = []] = fc.sample(history, { seed, numRuns: 1 });
  return generated;
}

export const formatHistory = (played: readonly Step[]): string => played.map(format).join(' ');

/** What is wrong with a history; null if nothing is. */
export async function findFault(
  of: ReturnShop,
  played: readonly Step[],
  tally: Tally = new Map(),
): Promise<Error | null> {
  try {
    await playReturns(of, played, tally);
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** A shorter history that fails too: steps are left out one after the other. */
export async function shorten(of: ReturnShop, failed: readonly Step[]): Promise<readonly Step[]> {
  const fault = readCause(await findFault(of, failed));
  let shortest = failed;
  for (let at = shortest.length - 1; at > 0; at -= 1) {
    const without = shortest.toSpliced(at, 1);
    // Others come from what the failed histories left open.
    if (readCause(await findFault(of, without)) === fault) shortest = without;
  }
  return shortest;
}

/** The first words of what is wrong, without what differs between histories. */
const readCause = (fault: Error | null): string | null =>
  fault === null ? null : (String(fault.cause).split(/[({\d]/, 1)[0] ?? '');

const STEP = /(\w+)\((\d+),(\d+),(\d+)\)/g;

/** Reads a history in the short form of failures: `payInFull(0,0,0) ship(0,0,0)`. */
export const parseHistory = (text: string): Step[] =>
  [...text.matchAll(STEP)].map(([, name = '', a, b, c]) => {
    const kind = stepKinds.find((one) => one === name);
    if (kind === undefined) throw new Error(`no step ${name}`);
    return { kind, a: Number(a), b: Number(b), c: Number(c) };
  });
