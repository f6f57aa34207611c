import assert from 'node:assert/strict';
import { Refusal } from '#src/platform/http/call.ts';
import { before, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import { openOrderShop, TEST_COMMAND } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { PaidOrderMails } from './paid-order-mails.service.ts';
import type { PaidOrderMailMode } from './paid-order-mail-mode.ts';

let shop: OrderShop;
let digests: string[] = [];
before(async () => {
  shop = await openOrderShop();
});

const createMails = () =>
  new PaidOrderMails({
    db: shop.db,
    clock: { now: () => shop.now },
    onReported: async (_tx, digestId) => void digests.push(digestId),
  });

async function setMode(mode: PaidOrderMailMode): Promise<void> {
  const { version } = await createMails().readSettings();
  assert.ok(!((await createMails().change({ mode, version }, TEST_COMMAND)) instanceof Refusal));
}
const placeOrder = async (): Promise<string> => (await shop.placeOrder(await shop.createBuyer())).id;
const collect = (ids: readonly string[]) =>
  transact(shop.db, (tx) =>
    createMails().collect(
      tx,
      ids.map((id) => ({ order_id: id, kind: 'paid' as const })),
    ),
  );

test('[OPS-13] two processes send one hourly mail with each order once', async () => {
  await setMode('hourly');
  const ids = [await placeOrder(), await placeOrder()];
  assert.deepEqual(await collect(ids), []);
  await collect(ids);
  digests = [];
  await Promise.all([createMails().report(), createMails().report()]);
  assert.equal(digests.length, 1);
  const { ids: reported, total } = await createMails().listReported(digests[0] ?? uuidv7(), 50);
  assert.equal(total, 2);
  assert.deepEqual(reported.toSorted(), ids.toSorted());
  await createMails().report();
  assert.equal(digests.length, 1);
});

test('[OPS-13] orders that wait are not mailed after mails were switched off', async () => {
  await setMode('hourly');
  await collect([await placeOrder()]);
  await setMode('never');
  digests = [];
  await createMails().report();
  await setMode('each');
  await createMails().report();
  assert.deepEqual(digests, []);
  const id = await placeOrder();
  assert.deepEqual(await collect([id, id]), [id]);
});
