/**
 * `npm run stress -- chat [--messages N --reconnects N --conversations N --seed S]`: runs conversations
 * through two processes of the shop on one database, cuts their connections repeatedly, and compares
 * the messages that each side received with those that were acknowledged.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { stressChat } from '../../tests/support/chat-stress.ts';
import { startSecondProcess } from '../../tests/support/second-process.ts';
import { startSpawnedShop } from '../../tests/support/spawned-shop.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '10000' },
    reconnects: { type: 'string', default: '100' },
    conversations: { type: 'string', default: '8' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
const [messages, reconnects, conversations, seed] = [
  Number(values.messages),
  Number(values.reconnects),
  Number(values.conversations),
  Number(values.seed),
];
// Staff use one socket per conversation; an account may have ten.
if (![messages, reconnects, conversations, seed].every((number) => Number.isInteger(number) && number >= 0)) {
  console.error('--messages, --reconnects, --conversations and --seed take whole numbers.');
  process.exit(1);
}
if (conversations < 1 || conversations > 8) {
  console.error('--conversations takes 1 to 8.');
  process.exit(1);
}

const shop = await startSpawnedShop();
const other = await startSecondProcess(shop);
try {
  const staff = { username: 'staff', password: 'crypto-market' };
  const { figures, findings } = await stressChat([shop.url, other.url], {
    messages,
    reconnects,
    conversations,
    seed,
    staff,
  });
  const { acknowledged, lost, duplicates, outOfOrder, leaked, medianMs, p99Ms, milliseconds } = figures;
  console.log(
    `${acknowledged} messages in ${conversations} conversations, ${figures.reconnects} reconnects, 2 processes`,
  );
  console.log(
    `${lost} lost, ${duplicates} duplicates, ${outOfOrder} out of order, ${leaked} leaked, in ${milliseconds} ms`,
  );
  console.log(`delivery: p50 ${medianMs} ms, p99 ${p99Ms} ms, including reconnects`);
  for (const finding of findings) console.log(`  ${finding}`);
  const isWell = findings.length === 0 && acknowledged === messages;
  process.exitCode = isWell ? 0 : 1;
  if (!isWell)
    console.error(`To repeat: npm run stress -- chat --messages ${messages} --reconnects ${reconnects} --seed ${seed}`);
} finally {
  await other.stop();
  await shop.stop();
}
