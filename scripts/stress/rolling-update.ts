/** `npm run stress -- rolling-update [--rounds N]`: updates two processes under load, and counts the requests that failed. */
import { parseArgs } from 'node:util';
import { startRollingShop } from '../../tests/support/rolling-shop.ts';
import { runRollingUpdate } from '../../tests/support/rolling-update.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } });
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error('--rounds takes a whole number.');
  process.exit(1);
}

const shop = await startRollingShop();
try {
  let [requests, failed] = [0, 0];
  for (let round = 1; round <= rounds; round += 1) {
    const report = await runRollingUpdate(shop, { isMigrating: round === 1 });
    requests += report.requests;
    failed += report.failures.length;
    console.log(`update ${round}: ${report.requests} requests, ${report.failures.length} failed`);
    for (const failure of report.failures.slice(0, 5)) console.log(`  ${failure}`);
  }
  console.log(`${rounds} updates of 2 processes, ${requests} requests, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await shop.stop();
}
