/** `npm run stress -- promotions [--rounds N --buyers N]`: many buyers redeem a code with one use left concurrently. */
import { parseArgs } from 'node:util';
import { stressPromo } from '../../tests/support/promo-stress.ts';
import { startSpawnedShop } from '../../tests/support/spawned-shop.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '1000' }, buyers: { type: 'string', default: '20' } },
});
const [rounds, buyers] = [Number(values.rounds), Number(values.buyers)];
if (![rounds, buyers].every((number) => Number.isInteger(number) && number > 0)) {
  console.error('--rounds and --buyers take whole numbers above 0.');
  process.exit(1);
}

const shop = await startSpawnedShop();
try {
  const { wrong, refused, milliseconds } = await stressPromo(shop, rounds, buyers);
  console.log(
    `${rounds} rounds of ${buyers} concurrent redemptions of a code with one use left, in ${milliseconds} ms`,
  );
  for (const [reason, count] of refused) console.log(`${count} times ${reason}`);
  for (const finding of wrong) console.log(finding);
  const isWell =
    wrong.length === 0 &&
    [...refused.keys()].every((reason) => reason.startsWith('409 promo: ')) &&
    [...refused.values()].reduce((sum, count) => sum + count, 0) === rounds * (buyers - 1);
  console.log(isWell ? 'ok: one order per round' : 'FAILED: not one order per round');
  process.exitCode = isWell ? 0 : 1;
} finally {
  await shop.stop();
}
