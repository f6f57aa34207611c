/**
 * `npm run stress -- edits [--edits N --buyers N --pause MS --seed S]`: staff edit products, stock and
 * promotions through two processes while buyers order; one process is paused and one killed. Compares
 * all orders with the database at their commit, and the processes with each other.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runEditStress } from '../../tests/support/edit-stress/run-edit-stress.ts';
import type { EditStressReport } from '../../tests/support/edit-stress/run-edit-stress.ts';

const { values } = parseArgs({
  options: {
    edits: { type: 'string', default: '1000' },
    buyers: { type: 'string', default: '50' },
    pause: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
const [edits, buyers] = [Number(values.edits), Number(values.buyers)];
const [pauseMs, seed] = [Number(values.pause), Number(values.seed)];
if (![edits, buyers, pauseMs, seed].every((number) => Number.isInteger(number) && number >= 0)) {
  console.error('--edits, --buyers, --pause and --seed take whole numbers.');
  process.exit(1);
}

const MAX_PRINTED = 40;
const replay = `npm run stress -- edits --edits ${edits} --buyers ${buyers} --pause ${pauseMs} --seed ${seed}`;
console.log(`seed ${seed}`);
try {
  const report = await runEditStress({ edits, buyers, pauseMs, seed, progress: console.log });
  print(report);
  process.exitCode = report.findings.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
if (process.exitCode === 1) console.error(`To repeat with the same buyers and edits: ${replay}`);
console.log(process.exitCode === 0 ? 'PASS' : 'FAIL');

function printCounts(title: string, counts: ReadonlyMap<string, number>): void {
  console.log(title);
  for (const [what, count] of [...counts].toSorted(([, a], [, b]) => b - a)) console.log(`  ${count} × ${what}`);
}

function formatTimes(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const pick = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
  return `p50 ${pick(0.5)} ms, p99 ${pick(0.99)} ms, max ${(sorted.at(-1) ?? 0).toFixed(0)} ms (${sorted.length})`;
}

function print(report: EditStressReport): void {
  const { faults, stock, outcomes, counts, delays, catchUp, findings } = report;
  console.log('');
  printCounts('edits', report.edits);
  printCounts('refused edits', report.editRefusals);
  console.log(
    `${report.orders} orders: ${outcomes.cancelled} cancelled, ${outcomes.paid} paid, ${outcomes.left} left open`,
  );
  printCounts('refusals of buyers', report.refusals);
  console.log(
    `${counts.requests} requests: ${counts.cutOff} cut off, ${counts.timedOut} timed out, ${counts.shed} overloaded, ${counts.unavailable} unavailable`,
  );
  for (const call of ['POST /cart/checkout', 'GET /cart', 'GET /products/{slug}', 'POST /catalogue/bulk-edits']) {
    console.log(`${call}: ${formatTimes(report.latencies.get(call) ?? [])}`);
  }
  console.log(`a change shows in the other process: API ${formatTimes(delays.map(({ api }) => api))}`);
  console.log(`a change shows in the other process: page ${formatTimes(delays.map(({ page }) => page))}`);
  console.log(
    `caught up after the pause: API ${catchUp.paused} ms, page ${catchUp.pausedPage} ms; after the kill: ${catchUp.killed} ms`,
  );
  const { start, added, sold, left } = stock.units;
  console.log(`units: ${start} at the start + ${added} by staff = ${sold} sold + ${left} left`);
  console.log(
    `${faults.price} orders at another price, ${faults.withdrawn} with something withdrawn, ${faults.promotion} with an invalid promotion, ${faults.total} with another total, ${stock.oversold} units oversold`,
  );
  console.log(`${findings.length} findings`);
  for (const finding of findings.slice(0, MAX_PRINTED)) console.log(`  ${finding}`);
}
