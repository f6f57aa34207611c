import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { openOrderShop } from '../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../tests/support/order-shop.ts';
import { createStaffActor } from '../../../tests/support/staff-actor.ts';
import { writeAccountingExport } from './service.ts';
import type { Period } from './store.ts';

let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
});

async function exportRows(period: Period = { from: null, to: null }) {
  let csv = '';
  const totals = await writeAccountingExport(shop.db, period, (text) => void (csv += text));
  const [head = '', ...lines] = csv.trimEnd().split('\r\n');
  const columns = head.split(',');
  const rows = lines.map((line) => {
    const cells = line.split(',');
    assert.equal(cells.length, columns.length, line);
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']));
  });
  return { totals, rows };
}

test('[PAY-09] [PAY-11] the export has dollars per quote and the ledger’s total', async () => {
  assert.deepEqual(await exportRows(), {
    totals: { lines: 0, sats: 0n, cents: 0n, refundSats: 0n, refundGainCents: 0n, unclaimedSats: 0n, lossSats: 0n },
    rows: [],
  });
  const buyer = await shop.createBuyer();
  const { id, number } = await shop.placeOrder(buyer);
  const [early, begun] = [shop.now, shop.centsPerBtc];
  assert.equal(begun, 11_100_000n);
  await shop.setChainState(id, [{ amount: 400_000n, firstSeen: early, height: 99 }]);
  shop.advanceMinutes(120);
  await shop.orderStatus.expireDue(shop.now);
  shop.centsPerBtc = 10_000_000n;
  assert.ok((await shop.orderStatus.requote(buyer, id)).ok);
  shop.advanceMinutes(5);
  await shop.setChainState(id, [
    { amount: 400_000n, firstSeen: early, height: 99 },
    { amount: 700_000n, firstSeen: shop.now },
  ]);
  await sql`insert into payment_outputs (txid, vout, order_id, amount_sats, is_coinbase, is_live, first_seen, left_because,
      left_at, raw_tx)
    values (${Buffer.alloc(32, 9)}, 0, ${id}, 5000, false, false, ${early}, 'replaced', ${early}, ${Buffer.alloc(1)})`.execute(
    shop.db,
  );
  const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
  assert.ok((await shop.refunds.addresses.set(buyer, id, address)).ok);
  const script = uuidv7();
  await sql`insert into refund_scripts (id, script, address) values (${script}, ${Buffer.alloc(22, 1)}, ${address})`.execute(
    shop.db,
  );
  // Sent, confirmed, and recorded by staff. Refunds that are only made or were withdrawn are not
  // exported.
  for (const [state, amount, txid, vout] of [
    ['sent', 12_000n, 0xaa, 1],
    ['confirmed', 300n, 0xbb, 0],
    ['confirmed', 45n, 0xcc, null],
    ['made', 700_000n, null, null],
    ['withdrawn', 800_000n, null, null],
  ] as const) {
    await sql`insert into refunds (id, order_id, covers, debit_sats, amount_sats, refund_script_id, made_by, made_at,
        withdrawn_at, state, txid, vout)
      values (${uuidv7()}, ${id}, 'surplus', ${amount}, ${amount}, ${script}, ${buyer}, ${shop.now},
        ${state === 'withdrawn' ? shop.now : null}, ${state}, ${txid === null ? null : Buffer.alloc(32, txid)}, ${vout})`.execute(
      shop.db,
    );
  }

  const { totals, rows } = await exportRows();
  assert.deepEqual(
    rows.map((row) => [
      row['order'],
      row['sats'],
      row['usd'],
      row['rate_usd'],
      row['confirmations'],
      row['refund_sats'],
    ]),
    [
      [number, '400000', '444.00', '111000.00', '2', '12345'],
      [number, '700000', '700.00', '100000.00', '0', ''],
    ],
  );
  assert.equal(rows[0]?.['refund_txids'], ['aa', 'bb', 'cc'].map((byte) => byte.repeat(32)).join(' '));
  for (const row of rows) {
    assert.equal(row['refund_address'], 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080');
    assert.equal(row['rate_source'], 'test');
  }
  assert.deepEqual(totals, {
    lines: 2,
    sats: 1_100_000n,
    cents: 114_400n,
    refundSats: 12_345n,
    refundGainCents: 0n,
    unclaimedSats: 0n,
    lossSats: 0n,
  });

  const since = await exportRows({ from: new Date(early.getTime() + 1), to: null });
  assert.deepEqual(
    since.rows.map((row) => row['sats']),
    ['700000'],
  );
  assert.equal((await exportRows({ from: null, to: early })).totals.lines, 0);
  assert.equal((await exportRows({ from: early, to: shop.now })).totals.lines, 1);
});

test('[OPS-15] only paid orders have a total and tax in the export', async () => {
  const buyer = await shop.createBuyer();
  const { id, number, payment } = await shop.placeOrder(buyer);
  const readOrder = async () => (await exportRows()).rows.find((row) => row['order'] === number);
  await shop.setChainState(id, [{ amount: 1_000n, firstSeen: shop.now, height: 99 }]);
  const unpaid = await readOrder();
  assert.deepEqual(
    ['sats', 'order_usd', 'net_usd', 'tax_usd', 'shipping_usd', 'country', 'vat_number'].map((name) => unpaid?.[name]),
    ['1000', '', '', '', '', '', ''],
  );
  await shop.setChainState(id, [{ amount: payment.amount_btc, firstSeen: shop.now, height: 99 }]);
  const paid = await readOrder();
  assert.deepEqual([paid?.['order_status'], paid?.['order_usd'], paid?.['tax_usd']], ['paid', '999.00', '0.00']);
  await sql`update orders set payment_status = 'cancelled', cancelled_at = ${shop.now} where id = ${id}`.execute(
    shop.db,
  );
  assert.equal((await readOrder())?.['tax_usd'], '');
});

test('[PAY-09] an export of several batches has each output once', async () => {
  const buyer = await shop.createBuyer();
  const { id } = await shop.placeOrder(buyer);
  const earlier = (await exportRows()).totals;
  await sql`insert into payment_outputs (txid, vout, order_id, amount_sats, is_coinbase, is_live, first_seen, raw_tx)
    select sha256(n::text::bytea), n, ${id}, n, false, true, now() + n % 7 * interval '1 hour', ''
    from generate_series(1, 2500) n`.execute(shop.db);
  const { totals, rows } = await exportRows();
  assert.equal(totals.lines, earlier.lines + 2500);
  assert.equal(totals.sats, earlier.sats + (2500n * 2501n) / 2n);
  assert.equal(new Set(rows.map((row) => `${row['txid']}:${row['vout']}`)).size, rows.length);
});

test('[PAY-09] nothing is waived of an order that was cancelled after a lost payment', async () => {
  const buyer = await shop.createBuyer();
  const { id, number, payment } = await shop.placeOrder(buyer);
  const amount = payment.amount_btc / 4n;
  const part = { amount, firstSeen: shop.now, height: shop.tip - 5 };
  await shop.setChainState(id, [part, part]);
  const staffReason = { by: createStaffActor(buyer), reason: 'As agreed' };
  assert.ok((await shop.paymentDecisions.acceptAsPaid(id, staffReason)).ok);
  const readFirst = async () => (await exportRows()).rows.find((row) => row['order'] === number);
  assert.equal((await readFirst())?.['waived_usd'], '499.50');

  await shop.setChainState(id, [part, { ...part, height: null, isLive: false, conflictHeight: shop.tip - 1 }]);
  assert.ok((await shop.paymentDecisions.cancelByStaff(id, staffReason)).ok);
  const cancelled = await readFirst();
  assert.deepEqual([cancelled?.['order_status'], cancelled?.['waived_usd']], ['cancelled', '']);
});
