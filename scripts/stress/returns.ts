/**
 * `npm run stress -- returns [--runs N --seed S --restart]`: plays random histories of orders with returns in PostgreSQL,
 * and compares each step with what the requirements say. Goes on where an earlier command for the same commit was
 * interrupted, unless --seed or --restart is given. A history that fails is named by its seed:
 * `npm run stress -- returns --seed S --runs 1` plays it alone, and a shorter one that fails too. A part that fails without
 * naming a history is played again alone, at most twice; if it fails again, it counts as not played.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { playParts } from './returns/play-parts.ts';
import type { Outcome, Part } from './returns/play-parts.ts';

const STATE = 'node_modules/.cache/stress-returns.json';
const LANES = 2;
const PART = 100;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    restart: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(Number(values.seed ?? 0))) {
  console.error('--runs takes a whole number above 0, --seed a whole number.');
  process.exit(1);
}

const stateSchema = z.object({
  commit: z.string(),
  seed: z.number(),
  /** First seeds of parts that were played. */
  played: z.array(z.number()),
  faults: z.array(z.string()),
});
type State = z.infer<typeof stateSchema>;

const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();

function readState(): State {
  const seed = values.seed === undefined ? randomInt(2 ** 30) : Number(values.seed);
  const fresh = { commit, seed, played: [], faults: [] };
  if (values.seed !== undefined || values.restart || !existsSync(STATE)) return fresh;
  const state = stateSchema.parse(JSON.parse(readFileSync(STATE, 'utf8')));
  return state.commit === commit ? state : fresh;
}

async function playPart({ count, seed }: Part): Promise<Outcome> {
  const env = { ...process.env, RETURN_HISTORIES: String(count), RETURN_SEED: String(seed) };
  const child = spawn(
    process.execPath,
    ['scripts/run.mjs', 'test', 'tests/return-simulations.test.ts', '-t', 'every return ends'],
    { env: count === 1 ? { ...env, SHORTEN: '1' } : env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  // A failed test prints them in several forms.
  const faults = new Map([...output.matchAll(/--seed (\d+): .*/g)].map(([text, ofHistory]) => [ofHistory, text]));
  if (code !== 0 && faults.size === 0) return { isPlayed: false, reason: output };
  return { isPlayed: true, faults: code === 0 ? [] : [...faults.values()] };
}

const state = readState();
const parts = Array.from({ length: Math.ceil(runs / PART) }, (_, at) => ({
  seed: state.seed + at * PART,
  count: Math.min(PART, runs - at * PART),
})).filter(({ seed }) => !state.played.includes(seed));
const startedMs = performance.now();
console.log(`--seed ${state.seed} --runs ${runs}, ${state.played.length * PART} histories were played before`);

/** For the next command, which goes on. */
function saveState(): void {
  if (values.seed !== undefined) return;
  mkdirSync('node_modules/.cache', { recursive: true });
  writeFileSync(STATE, JSON.stringify(state));
}

function recordPlayed({ seed }: Part, faults: readonly string[]): void {
  state.faults.push(...faults);
  state.played.push(seed);
  saveState();
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  console.log(`${Math.min(runs, state.played.length * PART)} histories, ${state.faults.length} faults, ${seconds} s`);
  for (const fault of faults) console.error(fault);
}

saveState();
const notPlayed = await playParts(parts, { lanes: LANES, play: playPart, onPlayed: recordPlayed });
for (const fault of state.faults) console.error(fault);
for (const { part, reason } of notPlayed)
  console.error(`Not played: ${part.count} histories from seed ${part.seed}. The same command plays them.\n${reason}`);
process.exitCode = state.faults.length === 0 && notPlayed.length === 0 ? 0 : 1;
