/** `npm run stress -- stock [--buyers N --units N]`: many buyers order the last units of a product concurrently. */
import { parseArgs } from 'node:util';
import { startSpawnedShop } from '../../tests/support/spawned-shop.ts';
import { stressStock } from '../../tests/support/stock-stress.ts';

const { values } = parseArgs({
  options: { buyers: { type: 'string', default: '100' }, units: { type: 'string', default: '1' } },
});
const [buyers, units] = [Number(values.buyers), Number(values.units)];
if (![buyers, units].every((number) => Number.isInteger(number) && number >= 0)) {
  console.error('--buyers and --units take whole numbers.');
  process.exit(1);
}

const shop = await startSpawnedShop();
try {
  const { made, refused, left, fullCarts, milliseconds } = await stressStock(shop, buyers, units);
  const expected = Math.min(buyers, units);
  console.log(`${buyers} buyers for ${units} units: ${made} orders in ${milliseconds} ms`);
  for (const [reason, count] of refused) console.log(`${count} times ${reason}`);
  console.log(`${left.available} available, ${left.held} reserved; ${fullCarts} carts unchanged`);
  const isWell =
    made === expected &&
    fullCarts === buyers - expected &&
    left.available === units - expected &&
    left.held === expected &&
    [...refused.keys()].every((reason) => reason.startsWith('409 sold-out: '));
  console.log(isWell ? 'ok: nothing oversold' : 'FAILED');
  process.exitCode = isWell ? 0 : 1;
} finally {
  await shop.stop();
}
