/** What can happen to a payment, on a real node: over HTTP, out of the node's wallet, with deaths in between. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bitcoindProgram, startBitcoind } from './support/bitcoind.ts';
import { NodeShop } from './support/node-shop.ts';
import { until } from './support/until.ts';

const program = bitcoindProgram();
const skip = program === undefined && 'no bitcoind here: set BITCOIND';
const AFTER_THE_WINDOW_S = 7300;
const FAR_BEYOND_S = 20_000;

let world: NodeShop;
before(async () => {
  if (program !== undefined) world = await NodeShop.open(await startBitcoind(program, { wallet: true }));
});
after(async () => {
  if (program !== undefined) await world.stop();
});

test('[PAY-09] seen, confirmed, paid', { skip }, async () => {
  assert.equal(await world.chain(), 'up');
  const order = await world.order();
  await world.pay(order);
  await order.shows('seen', 'pending');
  await world.mine(1);
  await order.shows('paid', 'paid');
});

test('[PAY-09] in two parts, too much, and two orders in one transaction', { skip }, async () => {
  const [parts, much, left, right] = [
    await world.order(),
    await world.order(),
    await world.order(),
    await world.order(),
  ];
  await world.pay(parts, '0.0001');
  await parts.shows('underpaid', 'pending');
  await world.pay(parts);
  await world.pay(much, '0.005');
  await world.node.call('sendmany', '', {
    [left.address]: await left.missing(),
    [right.address]: await right.missing(),
  });
  for (const order of [parts, left, right]) await order.shows('seen', 'pending');
  await world.mine(1);
  for (const order of [parts, left, right]) await order.shows('paid', 'paid');
  await much.shows('overpaid', 'paid');
});

test('[PAY-09] replaced by a double spend, whatever the payment says of itself', { skip }, async () => {
  const order = await world.order();
  const txid = await world.pay(order);
  await order.shows('seen', 'pending');
  await world.doubleSpend(txid);
  await order.shows('replaced', 'pending');
  await world.mine(1);
  assert.equal((await order.see()).received, 0);
  await world.pay(order);
  await world.mine(1);
  await order.shows('paid', 'paid');
});

test('[PAY-12] a reorganisation takes a paid order back, and the new branch pays it again', { skip }, async () => {
  const order = await world.order();
  const txid = await world.pay(order);
  const [block] = await world.mine(1);
  await order.shows('paid', 'paid');
  await world.mine(1);
  await world.node.call('invalidateblock', block);
  await world.mineEmpty(3);
  await order.shows('reorged_out', 'user_paid');
  assert.ok((await world.rawOf(txid)).length > 0, 'it waits again');
  await world.mine(1);
  await order.shows('paid', 'paid');
});

test('[PAY-09] first seen in a block; a miner’s reward counts once it may be spent', { skip }, async () => {
  const [order, mined] = [await world.order(), await world.order()];
  await world.shop.kill9();
  await world.pay(order, '0.001');
  await world.mine(1);
  await world.mine(1, mined.address);
  await world.shop.restart();
  await order.shows('overpaid', 'paid');
  assert.deepEqual(await mined.see(), { status: 'pending', state: 'awaiting', received: 0 });
  await world.mine(100);
  await mined.shows('overpaid', 'paid');
});

test('[PAY-09] [PAY-10] the node is stopped and started: nothing expires, the shop sells on', { skip }, async () => {
  const [order, unpaid] = [await world.order(), await world.order()];
  await world.pay(order);
  await world.mine(1);
  const other = await world.order();
  await world.pay(other);
  await other.shows('seen');
  await world.node.halt();
  await until(async () => (await world.chain()) === 'down');
  await world.clock(AFTER_THE_WINDOW_S);
  assert.equal((await unpaid.see()).status, 'pending');
  const meanwhile = await world.order();
  await world.node.resume();
  await world.node.call('loadwallet', 'buyers').catch(() => {});
  await world.clock(AFTER_THE_WINDOW_S);
  await until(async () => (await world.chain()) === 'up');
  await order.shows('paid', 'paid');
  await unpaid.shows('expired', 'expired');
  // Seen in time, so it waits for its block.
  await other.shows('seen', 'pending');
  await world.mine(1);
  await other.shows('paid', 'paid');
  await meanwhile.shows('awaiting', 'pending');
  await world.pay(unpaid);
  await unpaid.shows('late', 'expired');
  await world.mine(1);
  await unpaid.shows('paid', 'paid');
  await world.clock(0);
});

test('[PAY-09] dropped with the mempool, and back', { skip }, async () => {
  const order = await world.order();
  const raw = await world.rawOf(await world.pay(order));
  await order.shows('seen', 'pending');
  await world.node.halt();
  await world.node.resume('-persistmempool=0', '-walletbroadcast=0');
  await world.clock(0);
  await order.shows('dropped', 'pending');
  await world.node.call('sendrawtransaction', raw);
  await order.shows('seen', 'pending');
  await world.mine(1);
  await order.shows('paid', 'paid');
  await world.node.halt();
  await world.node.resume();
  await world.node.call('loadwallet', 'buyers').catch(() => {});
});

test(
  '[PAY-09] killed again and again while payments and blocks come: nothing is missed, nothing counted twice',
  { skip },
  async () => {
    const orders = [];
    for (let round = 0; round < 4; round += 1) {
      const order = await world.order();
      orders.push(order);
      await world.pay(order);
      if (round % 2 === 0) await world.mine(1);
      await world.shop.kill9();
      const [newest] = await world.mine(2);
      if (round === 3) {
        await world.node.call('invalidateblock', newest);
        // To somebody else, or the same block would come out once more.
        await world.mine(4, String(await world.node.call('getnewaddress')));
      }
      await world.shop.restart();
    }
    for (const order of orders) await order.shows('paid', 'paid');
  },
);

test('[PAY-09] three hundred blocks at once, and an expiry that waited for them', { skip }, async (context) => {
  const [order, unpaid] = [await world.order(), await world.order()];
  const amount = await order.missing();
  await world.shop.kill9();
  await world.pay(order, amount);
  await world.mine(300);
  const began = performance.now();
  await world.shop.restart();
  await order.shows('paid', 'paid');
  await until(async () => (await world.chain()) === 'up');
  context.diagnostic(`start and 300 blocks: ${Math.round(performance.now() - began)} ms`);
  await world.clock(FAR_BEYOND_S);
  await unpaid.shows('expired', 'expired');
  await world.clock(0);
});

test('[PAY-09] no satoshi is missing from the books', { skip }, async () => {
  const { node, shop } = await world.books();
  assert.ok(node > 0);
  assert.equal(shop, node);
});
