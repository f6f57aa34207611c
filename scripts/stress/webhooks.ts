/** `npm run stress -- webhooks [--events N] [--seed N]`: sends events to failing receivers, with two processes, one killed. */
import { parseArgs } from 'node:util';
import { startSpawnedShop } from '../../tests/support/spawned-shop.ts';
import { STRESS_SETTINGS, stressWebhooks } from '../../tests/support/webhook-stress.ts';

const { values } = parseArgs({
  options: { events: { type: 'string', default: '10000' }, seed: { type: 'string', default: String(Date.now()) } },
});
const [events, seed] = [Number(values.events), Number(values.seed)];
if (!Number.isInteger(events) || events < 1 || !Number.isInteger(seed)) {
  console.error('--events and --seed take whole numbers.');
  process.exit(1);
}

console.log(`Seed ${seed}`);
const shop = await startSpawnedShop({ settings: STRESS_SETTINGS });
try {
  const report = await stressWebhooks(shop, { events, seed }, console.log);
  const rate = report.deliveries / report.seconds;
  console.log(
    `${report.events} events, ${report.deliveries} deliveries in ${report.seconds.toFixed(1)} s (${rate.toFixed(0)}/s)`,
  );
  console.log(`${report.requests} requests, ${report.repeated} events arrived again`);
  for (const [name, requests] of Object.entries(report.receivers)) console.log(`  ${name}: ${requests} requests`);
  const { invalidSignatures, missing, outOfOrder } = report;
  console.log(`${missing} missing, ${outOfOrder} out of order, ${invalidSignatures} invalid signatures`);
  const isOk = missing + outOfOrder + invalidSignatures === 0;
  console.log(isOk ? 'ok: each event at least once, in order per object' : 'FAILED');
  process.exitCode = isOk ? 0 : 1;
} finally {
  await shop.stop();
}
