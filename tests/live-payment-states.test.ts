/** The live channel pushes every payment state to its owner; each is reached on the devchain. */
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import './support/built-pages.ts';
import { LiveClient } from './support/live-client.ts';
import { MailedBuyers } from './support/mailed-buyer.ts';
import type { MailedBuyer } from './support/mailed-buyer.ts';
import { numberAt } from './support/read-json.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

const AFTER_THE_WINDOW_S = 7300;

let shop: SpawnedShop;
let buyers: MailedBuyers;
before(async () => {
  shop = await startSpawnedShop();
  buyers = await MailedBuyers.create(shop);
});
afterEach(() => buyers.callDemoTool('clock', { offset_s: 0 }));
after(() => shop.stop());

/** Expects each state in a frame that arrives after its cause. */
async function openListener(): Promise<{
  readonly buyer: MailedBuyer;
  readonly client: LiveClient;
  readonly expectUpdate: (happen: () => Promise<unknown>, state: string) => Promise<void>;
}> {
  const buyer = await buyers.buy();
  const client = await new LiveClient(shop.url).signIn(buyer.token);
  const expectUpdate = async (happen: () => Promise<unknown>, state: string): Promise<void> => {
    const updatesBefore = client.listStates(buyer.orderId).length;
    await happen();
    await waitUntil(
      () =>
        client.listStates(buyer.orderId).length > updatesBefore && client.listStates(buyer.orderId).at(-1) === state,
    );
  };
  return { buyer, client, expectUpdate: expectUpdate };
}
const mine = (blocks: number) => () => buyers.callDemoTool('mine', { blocks });
const reorganise = (depth: number) => () => buyers.callDemoTool('reorg', { depth });

test('[WS-03] [PAY-09] [PAY-12] pushes each state from underpaid to overpaid, reorganisations included', async () => {
  const { buyer, client, expectUpdate } = await openListener();
  await expectUpdate(() => buyers.pay(buyer, 0.00000294), 'underpaid');
  await expectUpdate(() => buyers.pay(buyer), 'seen');
  await expectUpdate(mine(1), 'confirming');
  await expectUpdate(reorganise(1), 'seen');
  await expectUpdate(mine(2), 'paid');
  await expectUpdate(reorganise(3), 'reorged_out');
  await expectUpdate(mine(2), 'paid');
  await expectUpdate(async () => {
    await buyers.pay(buyer, 0.0001);
    await mine(2)();
  }, 'overpaid');
  const readReceived = (): number => numberAt(client.listPayments(buyer.orderId).at(-1), 'received_btc');
  const once = readReceived();
  await buyers.pay(buyer, 0.0001);
  // Each block sends an update too, so the next one may be of an earlier cause.
  await waitUntil(() => readReceived() > once);
  client.close();
});

test('[WS-03] [PAY-09] [PAY-10] pushes replaced, dropped, expired, late and accepted payments', async () => {
  const { buyer, client, expectUpdate } = await openListener();
  let txid = '';
  await expectUpdate(async () => (txid = await buyers.pay(buyer)), 'seen');
  await expectUpdate(() => buyers.callDemoTool('replace', { txid }), 'replaced');
  await expectUpdate(() => buyers.pay(buyer), 'seen');
  await expectUpdate(async () => {
    await runWithShopDatabase(shop, (db) => sql`delete from devchain_mempool`.execute(db));
    await shop.restart();
    await client.waitForClose();
    const again = await new LiveClient(shop.url).signIn(buyer.token);
    await waitUntil(() => again.listStates(buyer.orderId).at(-1) === 'dropped');
    again.close();
    client.frames.push(...again.frames);
  }, 'dropped');
  const { expectUpdate: hearsNext, client: next, buyer: other } = await openListener();
  await hearsNext(() => buyers.callDemoTool('clock', { offset_s: AFTER_THE_WINDOW_S }), 'expired');
  await hearsNext(() => buyers.pay(other, other.due), 'late');
  await hearsNext(mine(2), 'paid');
  next.close();
});

test('[WS-03] [PAY-11] pushes a payment of a cancelled order', async () => {
  const { buyer, client, expectUpdate } = await openListener();
  const { orderId, token } = buyer;
  await expectUpdate(() => shop.api('POST', `/orders/${orderId}/cancel`, { token }), 'awaiting');
  await expectUpdate(() => buyers.pay(buyer, 0.001), 'underpaid');
  await expectUpdate(() => buyers.pay(buyer, buyer.due), 'late');
  client.close();
});
