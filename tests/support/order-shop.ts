/** A small shop up to its orders, with a ledger that a test writes as the watcher would, and a clock that it moves. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { readAccountKey } from '#src/platform/bitcoin/account-key.ts';
import { DEMO_ACCOUNT_KEY } from '#src/platform/bitcoin/demo-account-key.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { JobData } from '#src/platform/jobs/jobs.ts';
import { Carts } from '#src/shop/cart/service.ts';
import { Catalogue } from '#src/shop/catalogue/service.ts';
import { cents } from '#src/shop/money.ts';
import { order as orderCodec } from '#src/shop/orders/contract.ts';
import type { Order } from '#src/shop/orders/contract.ts';
import { Orders } from '#src/shop/orders/service.ts';
import type { CheckedOut } from '#src/shop/orders/service.ts';
import type { BillingDetails, ShownOrder } from '#src/shop/orders/show-order.ts';
import { Payments } from '#src/shop/payments/service.ts';
import { silentLog, testDatabase } from './database.ts';

export const billing: BillingDetails = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  region: 'Europe',
  country: 'GB',
  streetAddress: 'Elm Street',
  houseNumber: '45',
  city: 'London',
  postcode: 'W8 4AA',
};
export const WINDOW_MINUTES = 120;

export interface Output {
  readonly amount: bigint;
  /** Null or left out: unconfirmed. */
  readonly height?: number | null;
  readonly firstSeen: Date;
}

const never = (): Promise<never> => Promise.reject(new Error('no order asks a node'));

export class OrderShop {
  readonly db: Db;
  readonly productId = uuidv7();
  readonly enqueued: JobData[] = [];
  now = new Date('2026-03-01T12:00:00Z');
  tip = 100;
  centsPerBtc: bigint | null = 11_100_000n;
  #carts: Carts | undefined;
  #orders: Orders | undefined;

  constructor(db: Db) {
    this.db = db;
  }

  get carts(): Carts {
    return this.#carts ?? assert.fail('open the shop first');
  }
  get orders(): Orders {
    return this.#orders ?? assert.fail('open the shop first');
  }

  async open(): Promise<void> {
    const { db } = this;
    const clock = { now: () => this.now };
    const rates = {
      current: () => {
        const { centsPerBtc, now: at } = this;
        return centsPerBtc === null ? null : { centsPerBtc, at, evidence: { rule: 'test' } };
      },
    };
    await this.#seed();
    const catalogue = await Catalogue.open(db, rates);
    this.#carts = new Carts({ db, clock, catalogue });
    this.#orders = new Orders({
      db,
      clock,
      rates,
      carts: this.#carts,
      catalogue,
      log: silentLog,
      payments: this.#payments(),
      jobs: {
        enqueue: (_tx, _name, data) => {
          this.enqueued.push(data);
          return Promise.resolve();
        },
      },
      paymentWindowSeconds: WINDOW_MINUTES * 60,
      lateTolerancePercent: 2,
      confirmationSteps: [
        { fromCents: cents(0n), confirmations: 1 },
        { fromCents: cents(50_000n), confirmations: 2 },
      ],
    });
  }

  async #seed(): Promise<void> {
    const [brand, category] = [uuidv7(), uuidv7()];
    await sql`insert into chain_cursor (network, height, hash) values ('regtest', ${this.tip}, ${Buffer.alloc(32)})`.execute(
      this.db,
    );
    await sql`insert into brands (id, name, slug) values (${brand}, 'Apple', 'apple')`.execute(this.db);
    await sql`insert into categories (id, name, slug) values (${category}, 'iPhone', 'iphone')`.execute(this.db);
    await sql`insert into products (id, name, slug, article, category_id, brand_id, base_price_cents, description,
        sub_description, specifications, images, main_image)
      values (${this.productId}, 'iPhone 17', 'iphone-17', 'A1', ${category}, ${brand}, 99900, 'd', 's', '{}', '{}',
        '/i.avif')`.execute(this.db);
  }

  /** The real ones; what they would learn from a chain the test writes itself. */
  #payments(): Payments {
    const account = readAccountKey(DEMO_ACCOUNT_KEY, 'regtest');
    assert.ok(account.ok);
    return new Payments({
      db: this.db,
      clock: { now: () => this.now },
      log: silentLog,
      accountKey: account.account,
      source: {
        name: 'devchain',
        tip: never,
        blockHash: never,
        rawBlock: never,
        mempoolTxids: never,
        rawTransaction: never,
        broadcast: never,
        onHint: () => () => {},
      },
      onLedgerChanged: never,
      onReconciled: never,
    });
  }

  /** A buyer with so many pieces in the cart. */
  async buyer(quantity = 1): Promise<string> {
    const id = uuidv7();
    await sql`insert into users (id, username, username_key, email, email_key, password_hash, created_at)
      values (${id}, ${id}, ${id}, ${id}, ${id}, 'x', now())`.execute(this.db);
    if (quantity > 0) await this.fill(id, quantity);
    return id;
  }

  async fill(userId: string, quantity = 1): Promise<void> {
    const changed = await this.carts.add({ userId, guestToken: null }, { product_id: this.productId, quantity });
    assert.ok(changed.ok);
  }

  async cartLines(userId: string): Promise<number> {
    return (await this.carts.read({ userId, guestToken: null })).cart_items.length;
  }

  checkout(userId: string, idempotencyKey: string | null = null): Promise<CheckedOut> {
    return this.orders.checkout({ userId, billing, idempotencyKey });
  }

  async placed(userId: string): Promise<ShownOrder> {
    const checkedOut = await this.checkout(userId);
    assert.ok(checkedOut.ok);
    return checkedOut.order;
  }

  async shown(userId: string, id: string): Promise<Order> {
    return wire(await this.orders.find(userId, id));
  }

  /** What is in the ledger of an order from now on, as one commit of the watcher, which settles it. */
  async chainSays(orderId: string, outputs: readonly Output[]): Promise<void> {
    await this.db.transaction().execute(async (tx) => {
      await sql`update chain_cursor set height = ${this.tip}`.execute(tx);
      await sql`delete from payment_outputs where order_id = ${orderId}`.execute(tx);
      for (const [vout, { amount, height = null, firstSeen }] of outputs.entries()) {
        const block = height === null ? null : randomBytes(32);
        await sql`insert into payment_outputs (txid, vout, order_id, amount_sats, is_coinbase, is_live, height,
            block_hash, first_seen, raw_tx)
          values (${randomBytes(32)}, ${vout}, ${orderId}, ${amount}, false, true, ${height}, ${block}, ${firstSeen},
            ${Buffer.alloc(1)})`.execute(tx);
      }
      await this.orders.settle(tx, [orderId]);
    });
  }

  pass(minutes: number): void {
    this.now = new Date(this.now.getTime() + minutes * 60_000);
  }

  async countOf(table: string, userId?: string): Promise<number> {
    const where = userId === undefined ? sql`` : sql`where user_id = ${userId}`;
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)} ${where}`.execute(
      this.db,
    );
    return rows[0]?.n ?? -1;
  }

  async soldUnits(): Promise<number> {
    const { rows } = await sql<{ n: number }>`select sold_units as n from product_sales
      where product_id = ${this.productId}`.execute(this.db);
    return rows[0]?.n ?? 0;
  }

  async eventsOf(orderId: string): Promise<string[]> {
    const { rows } = await sql<{ kind: string }>`select kind from order_events where order_id = ${orderId}
      order by id`.execute(this.db);
    return rows.map(({ kind }) => kind);
  }
}

export async function openOrderShop(): Promise<OrderShop> {
  const { db } = await testDatabase();
  const shop = new OrderShop(db);
  await shop.open();
  return shop;
}

/** An order as the contract sends it. */
export function wire(order: ShownOrder | null): Order {
  assert.ok(order);
  return z.encode(orderCodec, order);
}
