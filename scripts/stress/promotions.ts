/** `npm run stress -- promotions [--rounds N --buyers N]`: so many buyers redeem a code with one use left at the same moment. */
import { parseArgs } from 'node:util';
import { stressPromo } from '../../tests/support/promo-stress.ts';
import { startTestShop } from '../../tests/support/shop.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '1000' }, buyers: { type: 'string', default: '20' } },
});
const [rounds, buyers] = [Number(values.rounds), Number(values.buyers)];
if (![rounds, buyers].every((number) => Number.isInteger(number) && number > 0)) {
  console.error('--rounds and --buyers take whole numbers above 0.');
  process.exit(1);
}

const shop = await startTestShop();
try {
  const { wrong, refused, milliseconds } = await stressPromo(shop, rounds, buyers);
  console.log(`${rounds} rounds of ${buyers} redemptions at once of a code with one use left, in ${milliseconds} ms`);
  for (const [why, count] of refused) console.log(`${count} times ${why}`);
  for (const finding of wrong) console.log(finding);
  const isWell =
    wrong.length === 0 &&
    [...refused.keys()].every((why) => why.startsWith('409 promo: ')) &&
    [...refused.values()].reduce((sum, count) => sum + count, 0) === rounds * (buyers - 1);
  console.log(isWell ? 'as it must be: one order a round' : 'NOT as it must be');
  process.exitCode = isWell ? 0 : 1;
} finally {
  await shop.stop();
}
