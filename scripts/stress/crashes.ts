/**
 * `npm run stress -- crashes [--rounds N --seed S --kills shop,database,both --orders N]`: kills the
 * shop and its database repeatedly while customers buy and pay, and compares all acknowledged requests
 * with the database.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { killKinds, runStress } from '../../tests/support/stress.ts';
import type { StressReport } from '../../tests/support/stress.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    kills: { type: 'string', default: killKinds.join(',') },
    orders: { type: 'string', default: '200' },
  },
});
const kindNames = values.kills.split(',');
const kills = killKinds.filter((kind) => kindNames.includes(kind));
const [rounds, seed, orders] = [Number(values.rounds), Number(values.seed), Number(values.orders)];
if (
  kills.length !== kindNames.length ||
  ![rounds, seed, orders].every((number) => Number.isInteger(number) && number >= 0)
) {
  console.error(`--rounds, --seed and --orders take whole numbers, --kills a list of ${killKinds.join(', ')}.`);
  process.exit(1);
}

const replay = `npm run stress -- crashes --rounds ${rounds} --seed ${seed} --kills ${kills.join(',')} --orders ${orders}`;
console.log(`seed ${seed}`);
try {
  const report = await runStress({ seed, rounds, kills, orders, customers: 25, parallel: 12, progress: console.log });
  print(report);
  process.exitCode = report.findings.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
if (process.exitCode === 1) console.error(`To repeat with the same customers and kills: ${replay}`);

function print({ counts, findings, ...report }: StressReport): void {
  const { acknowledged, customers, payments, paid, kills: killed, lost, doubled } = report;
  console.log('');
  console.log(
    `${acknowledged} acknowledged orders of ${customers} customers, ${payments} payments, ${paid} orders paid`,
  );
  console.log(
    `${counts.requests} requests: ${counts.cutOff} cut off, ${counts.faults} with status 5xx, ${counts.retries} retries`,
  );
  for (const kind of kills) {
    const recoveries = report.recoveries[kind].toSorted((a, b) => a - b);
    const median = recoveries[Math.floor(recoveries.length / 2)] ?? 0;
    console.log(
      `${kind} killed ${killed[kind]} times, available again after p50 ${median} ms, max ${recoveries.at(-1) ?? 0} ms`,
    );
  }
  console.log(`${lost} lost, ${doubled} doubled, ${findings.length} differences`);
  for (const finding of findings) console.log(`  ${finding}`);
}
