/** `npm run stress -- invoices [--orders N]`: two processes issue invoices of parallel payments while both are killed. */
import { parseArgs } from 'node:util';
import { stressInvoices } from '../../tests/support/invoice-stress.ts';
import { startSpawnedShop } from '../../tests/support/spawned-shop.ts';

const { values } = parseArgs({ options: { orders: { type: 'string', default: '64' } } });
const orders = Number(values.orders);
if (!Number.isInteger(orders) || orders < 1) {
  console.error('--orders takes a whole number above 0.');
  process.exit(1);
}

const shop = await startSpawnedShop();
try {
  const { kills, findings } = await stressInvoices(shop, orders, console.log);
  console.log(`${orders} orders paid in parallel, ${kills} processes killed, ${findings.length} differences`);
  for (const finding of findings) console.log(`  ${finding}`);
  console.log(findings.length === 0 ? 'ok: numbers without gaps, one invoice per order' : 'FAILED');
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await shop.stop();
}
