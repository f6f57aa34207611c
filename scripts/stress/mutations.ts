/**
 * `npm run stress -- mutations [--seed S --only ID,ID --layer LAYER --again --list]`: makes sixty single faults in the
 * source, one after the other in a copy of the tree, and runs the tests until one fails. Goes on after an interruption
 * while the tree is unchanged. Goals: the first set finds 50, both sets find 56.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { SeededRandom } from '../../tests/support/seeded-random.ts';
import { readImportGraph } from '../test/import-graph.ts';
import { listTests } from '../test/select-tests.ts';
import { layers } from './mutations/fault.ts';
import type { Fault, Layer } from './mutations/fault.ts';
import { faultsByLayer } from './mutations/faults.ts';
import { planBatches, readTests } from './mutations/order-tests.ts';
import { runBatch } from './mutations/run-batch.ts';
import type { FailedTest } from './mutations/run-batch.ts';
import { SavedResults } from './mutations/saved-results.ts';
import type { FaultResult } from './mutations/saved-results.ts';
import { hashTree, TreeCopy } from './mutations/tree-copy.ts';

const GOAL_FIRST_SET = 50;
const GOAL_BOTH_SETS = 56;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    only: { type: 'string' },
    layer: { type: 'string' },
    again: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});

interface PlacedFault extends Fault {
  readonly layer: Layer;
}

const all: readonly PlacedFault[] = layers.flatMap((layer) => faultsByLayer[layer].map((one) => ({ ...one, layer })));

function selectFaults(): readonly PlacedFault[] | null {
  const ids = values.only?.split(',');
  if (ids?.some((id) => !all.some((fault) => fault.id === id)) === true) return null;
  if (values.layer !== undefined && !layers.some((layer) => layer === values.layer)) return null;
  return all.filter(({ id, layer }) => ids?.includes(id) !== false && (values.layer ?? layer) === layer);
}

/** In an order that the seed determines. */
function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const random = new SeededRandom(seed);
  return items
    .map((item) => ({ item, at: random.pickBelow(2 ** 30) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

const stopping = new AbortController();
const began = performance.now();
const formatElapsed = (sinceMs: number): string => `${((performance.now() - sinceMs) / 1000).toFixed(0)} s`;

class MutationCheck {
  readonly #copy: TreeCopy;
  readonly #saved: SavedResults;
  readonly #tests = readTests(readImportGraph(), listTests());

  constructor(copy: TreeCopy, saved: SavedResults) {
    this.#copy = copy;
    this.#saved = saved;
  }

  async findTest(fault: PlacedFault): Promise<FaultResult> {
    const startedMs = performance.now();
    const finish = (found: Omit<FaultResult, 'seconds'>): FaultResult => ({
      ...found,
      seconds: Math.round((performance.now() - startedMs) / 1000),
    });
    for (const { files, isFirstSet } of planBatches(this.#tests, fault.file)) {
      const set = isFirstSet ? 'first set' : 'rest';
      let open = files.filter((file) => !this.#saved.failing.has(file));
      while (open.length > 0) {
        this.#copy.makeFault(fault);
        const outcome = await runBatch(this.#copy, open, stopping.signal);
        this.#copy.restore();
        console.log(
          `  ${formatElapsed(startedMs)}, ${set}, ${open.length} files from ${open[0] ?? ''}: ${outcome.kind}`,
        );
        if (outcome.kind === 'passed') break;
        if (outcome.kind === 'not-built') {
          console.log(outcome.output);
          return finish({ outcome: 'not-built', title: null, file: null });
        }
        if (await this.#passesWithout(outcome.test, open)) {
          return finish({ outcome: isFirstSet ? 'first-set' : 'rest', ...outcome.test });
        }
        open = open.filter((file) => !this.#saved.failing.has(file));
      }
    }
    return finish({ outcome: 'survived', title: null, file: null });
  }

  /** Whether the files that may have the failed test pass without the fault. Others are left out from now on. */
  async #passesWithout({ file, title }: FailedTest, batch: readonly string[]): Promise<boolean> {
    const files = (file === null ? batch : [file]).filter((one) => !this.#saved.passing.has(one));
    for (const one of files) {
      const outcome = await runBatch(this.#copy, [one], stopping.signal);
      if (outcome.kind === 'passed') this.#saved.passing.add(one);
      else {
        console.log(`  ${one} fails without a fault too: ${outcome.kind === 'failed' ? outcome.test.title : title}`);
        this.#saved.failing.add(one);
      }
      this.#saved.save();
    }
    return (file === null ? batch : [file]).every((one) => !this.#saved.failing.has(one));
  }
}

const OUTCOMES: Readonly<Record<FaultResult['outcome'], string>> = {
  'first-set': 'first set',
  rest: 'the rest',
  survived: 'SURVIVED',
  'not-built': 'NOT BUILT',
};

function formatRow({ id, layer }: PlacedFault, { file, outcome, seconds, title }: FaultResult): string {
  const found = title === null ? '' : `: "${title}" in ${file ?? 'one of several files'}`;
  return `${layer.padEnd(8)} ${id.padEnd(36)} ${`${seconds} s`.padStart(6)}  ${OUTCOMES[outcome]}${found}`;
}

/** @returns whether no goal is missed; a part of the faults has no goal */
function printTable(faults: readonly PlacedFault[], results: ReadonlyMap<string, FaultResult>): boolean {
  console.log('');
  for (const fault of faults) {
    const found = results.get(fault.id);
    if (found === undefined) continue;
    console.log(formatRow(fault, found));
    if (found.outcome === 'survived') console.log(`         ${fault.file}: ${fault.effect}`);
  }
  const count = (...outcomes: readonly FaultResult['outcome'][]): number =>
    all.filter(({ id }) => outcomes.some((outcome) => results.get(id)?.outcome === outcome)).length;
  const known = all.filter(({ id }) => results.has(id)).length;
  const [inFirstSet, found] = [count('first-set'), count('first-set', 'rest')];
  console.log(`\n${known} of ${all.length} faults tried: ${inFirstSet} found in the first set, ${found} in both sets`);
  if (known < all.length) return true;
  const isReached = inFirstSet >= GOAL_FIRST_SET && found >= GOAL_BOTH_SETS;
  console.log(`${isReached ? 'ok' : 'FAILED'}: the goals are ${GOAL_FIRST_SET} and ${GOAL_BOTH_SETS}`);
  return isReached;
}

async function run(faults: readonly PlacedFault[], seed: number): Promise<void> {
  const saved = SavedResults.read(hashTree());
  if (values.again) for (const { id } of faults) saved.results.delete(id);
  const open = shuffle(faults, seed).filter(({ id }) => !saved.results.has(id));
  console.log(`--seed ${seed}: ${open.length} faults to try, ${faults.length - open.length} known for this tree`);
  if (open.length > 0) {
    const copy = await TreeCopy.create();
    try {
      const check = new MutationCheck(copy, saved);
      for (const [at, fault] of open.entries()) {
        console.log(`${at + 1}/${open.length}, ${formatElapsed(began)}: ${fault.id} in ${fault.file}`);
        const found = await check.findTest(fault);
        saved.results.set(fault.id, found);
        saved.save();
        console.log(formatRow(fault, found));
      }
    } finally {
      await copy.remove();
    }
  }
  process.exitCode = printTable(faults, saved.results) ? 0 : 1;
}

const faults = selectFaults();
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
if (faults === null || !Number.isInteger(seed)) {
  console.error(`--only takes ids of --list, --layer one of ${layers.join(', ')}, --seed a whole number.`);
  process.exit(1);
}
if (values.list) for (const { effect, file, id, layer } of faults) console.log(`${layer} ${id} (${file})\n  ${effect}`);
else {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stopping.abort());
  try {
    await run(faults, seed);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    console.log('Interrupted. The same command goes on.');
    process.exitCode = 1;
  }
}
