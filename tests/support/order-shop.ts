/** A small shop with orders, whose ledger and clock the test controls. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import { openDatabase, transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { Carts } from '#src/shop/cart/service.ts';
import type { CartsOptions } from '#src/shop/cart/service.ts';
import { Catalogue } from '#src/shop/catalogue/service.ts';
import { Inventory } from '#src/shop/inventory/service.ts';
import { Quotes } from '#src/shop/orders/status/quotes.service.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import type { FulfilmentStep } from '#src/shop/orders/fulfilment/find-fulfilment-problem.ts';
import { Fulfilment } from '#src/shop/orders/fulfilment/service.ts';
import type { OrderPartsOptions } from '#src/shop/orders/status/order-changes.service.ts';
import { PaymentDecisions } from '#src/shop/orders/status/payment-decisions.service.ts';
import { OrderStock } from '#src/shop/orders/status/stock.service.ts';
import { OrderStatus } from '#src/shop/orders/status/service.ts';
import { cents } from '#src/shop/money.ts';
import { order as orderCodec } from '#src/shop/orders/contract.ts';
import type { Order } from '#src/shop/orders/contract.ts';
import type { ReservationLimits } from '#src/shop/orders/checkout/reservation-limits.ts';
import { Orders } from '#src/shop/orders/service.ts';
import type { CheckoutResult } from '#src/shop/orders/service.ts';
import type { ShownOrder } from '#src/shop/orders/show-order.ts';
import { billing } from './test-billing.ts';
import type { ConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import { Promotions } from '#src/shop/promotions/service.ts';
import type { MailToEnqueue } from '#src/platform/mail/mails.ts';
import { Refunds } from '#src/shop/refunds/service.ts';
import type { RefundsOptions } from '#src/shop/refunds/service.ts';
import { setProductStock } from './add-variants.ts';
import { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { seedShopSettings } from '../../db/seed/shop-settings.ts';
import { silentLog, createTestDatabase } from './database.ts';
import { createLedgerPayments } from './ledger-payments.ts';
import { noCharges } from './no-charges.ts';

export { billing };
export const WINDOW_MINUTES = 120;
/** How long an order stays open for an unconfirmed payment after its window. */
export const UNCONFIRMED_LIMIT_MINUTES = 24 * 60;
export const ORDERS_PER_DAY = 10;
const MANY = { units: 1_000_000, variants: 1_000_000 };
/** Limits of quotes only. */
const QUOTES_ONLY: ReservationLimits = {
  quotesPerDay: ORDERS_PER_DAY,
  networkQuotesPerDay: 1_000_000,
  confirmed: MANY,
  unconfirmed: MANY,
  network: MANY,
  shortSeconds: WINDOW_MINUTES * 60,
};
const UNCLAIMED_AFTER_DAYS = 180;
const CONFIRMATIONS: ConfirmationSteps = [
  { fromCents: cents(0n), confirmations: 1 },
  { fromCents: cents(50_000n), confirmations: 2 },
];

export interface Output {
  readonly amount: bigint;
  /** Null or omitted: unconfirmed. */
  readonly height?: number | null;
  readonly firstSeen: Date;
  /** A miner's reward. */
  readonly isCoinbase?: boolean;
  /** Default: it was first seen when it arrived. */
  readonly arrivedAfter?: Date;
  readonly confirmedAt?: Date;
  readonly feePerKvb?: bigint;
  /** Default: true. False after a reorganisation removed it. */
  readonly isLive?: boolean;
  /** Height of the block with a conflict. Absent: no conflict. */
  readonly conflictHeight?: number;
}

/** The actor of changes. */
export const TEST_COMMAND: Actor = { kind: 'command', name: 'test' };

export interface OrderShopOptions {
  /** Tax and shipping prices; default: none. */
  readonly charges?: Pick<CartsOptions, 'taxes' | 'shipping'>;
  /** Called in the transaction that withdraws a refund. */
  readonly onWithdrawn?: RefundsOptions['onWithdrawn'];
  /** Called in a transaction that changed the refunds of an order. */
  readonly onRefundsChanged?: RefundsOptions['onRefundsChanged'];
  /** Called in the transaction in which an order is paid again. */
  readonly onPaidAgain?: OrderPartsOptions['onPaidAgain'];
}

export class OrderShop {
  readonly db: Db;
  /** Connection for address allocation while a caller holds another one. */
  readonly #indexDb: Db;
  readonly productId = uuidv7();
  readonly otherProductId = uuidv7();
  now = new Date('2026-03-01T12:00:00Z');
  tip = 100;
  centsPerBtc: bigint | null = 11_100_000n;
  /** The tolerance of later quotes, in sats. */
  toleranceSats = 0n;
  #carts: Carts | undefined;
  #promotions: Promotions | undefined;
  #orders: Orders | undefined;
  #orderStatus: OrderStatus | undefined;
  #fulfilment: Fulfilment | undefined;
  stock: OrderStock | undefined;
  #paymentDecisions: PaymentDecisions | undefined;
  #quotes: Quotes | undefined;
  #refunds: Refunds | undefined;
  /** Published updates, in order. */
  readonly mails: MailToEnqueue[] = [];

  readonly #limits: ReservationLimits;
  readonly #options: OrderShopOptions;
  #parts: (OrderPartsOptions & { readonly shopSettings: ShopSettings }) | undefined;

  constructor(db: Db, indexDb: Db, limits: ReservationLimits, options: OrderShopOptions = {}) {
    this.#limits = limits;
    this.#options = options;
    this.db = db;
    this.#indexDb = indexDb;
  }

  /** What further services of orders are made of. */
  get parts() {
    return this.#parts ?? assert.fail('the shop is not open');
  }
  get carts(): Carts {
    return this.#carts ?? assert.fail('the shop is not open');
  }
  get promotions(): Promotions {
    return this.#promotions ?? assert.fail('the shop is not open');
  }
  get orders(): Orders {
    return this.#orders ?? assert.fail('the shop is not open');
  }
  get orderStatus(): OrderStatus {
    return this.#orderStatus ?? assert.fail('the shop is not open');
  }
  /** Records steps as a member of staff. */
  get fulfilment() {
    const fulfilment = this.#fulfilment ?? assert.fail('the shop is not open');
    return { record: (id: string, step: FulfilmentStep) => fulfilment.record(id, step, TEST_COMMAND) };
  }
  get paymentDecisions(): PaymentDecisions {
    return this.#paymentDecisions ?? assert.fail('the shop is not open');
  }
  get quotes(): Quotes {
    return this.#quotes ?? assert.fail('the shop is not open');
  }
  get refunds(): Refunds {
    return this.#refunds ?? assert.fail('the shop is not open');
  }

  async open(): Promise<void> {
    const { db } = this;
    const clock = { now: () => this.now };
    const rates = {
      getState: () => (this.centsPerBtc === null ? ('none' as const) : ('current' as const)),
      getCurrent: () => {
        const { centsPerBtc, now: at } = this;
        return centsPerBtc === null ? null : { centsPerBtc, at, evidence: { rule: 'test' } };
      },
    };
    const getTolerance = (): bigint => this.toleranceSats;
    const tolerance = {
      basisPoints: 0n,
      dustSats: 294n,
      get sats() {
        return getTolerance();
      },
    };
    await this.#seed();
    const catalogue = await Catalogue.open(db, rates);
    const promotions = await Promotions.open(db, catalogue);
    this.#promotions = promotions;
    const inventory = new Inventory();
    const charges = this.#options.charges ?? noCharges;
    this.#carts = new Carts({ db, clock, catalogue, promotions, ...charges });
    const payments = createLedgerPayments({ db, indexDb: this.#indexDb, clock });
    const shopSettings = await ShopSettings.open({
      db,
      clock,
      revisions: { announce: async () => {} },
      pictures: { findMissing: async () => [], makeIcons: async () => null },
      ...noCharges,
      onRefreshed: async () => {},
    });
    const sold = { catalogue, inventory, promotions };
    const services = { db, clock, rates, ...sold, payments, shopSettings, carts: this.#carts, log: silentLog };
    const shared = { ...services, onPaidAgain: this.#options.onPaidAgain };
    this.#orders = new Orders({
      ...shared,
      reconcile: (tx, orderIds) => this.orderStatus.reconcile(tx, orderIds),
      paymentWindowSeconds: WINDOW_MINUTES * 60,
      confirmationSteps: CONFIRMATIONS,
      reservationLimits: this.#limits,
      tolerance,
    });
    const terms = {
      paymentWindowSeconds: WINDOW_MINUTES * 60,
      lateTolerancePercent: 2,
      tolerance,
      unconfirmedLimitSeconds: UNCONFIRMED_LIMIT_MINUTES * 60,
      confirmationSteps: CONFIRMATIONS,
    };
    this.#orderStatus = new OrderStatus({ ...shared, ...terms, orders: this.#orders });
    this.#parts = { ...shared, orders: this.#orders };
    this.#fulfilment = new Fulfilment(this.#parts);
    this.stock = new OrderStock({ ...shared, orders: this.#orders });
    this.#paymentDecisions = new PaymentDecisions({ ...shared, orders: this.#orders });
    this.#quotes = new Quotes({ ...shared, ...terms });
    this.#refunds = new Refunds({
      ...shared,
      orders: this.#orders,
      orderStatus: this.#orderStatus,
      confirmationSteps: CONFIRMATIONS,
      network: getBitcoinNetwork('regtest'),
      mails: { enqueue: async (_tx, mails) => void this.mails.push(...mails) },
      accounts: {
        findContact: async (userId) => ({ username: userId, email: `${userId}@example.com`, isConfirmed: true }),
      },
      syncChain: async () => {},
      unclaimedAfterDays: UNCLAIMED_AFTER_DAYS,
      onWithdrawn: this.#options.onWithdrawn ?? (async () => {}),
      onRefundsChanged: this.#options.onRefundsChanged ?? (async () => {}),
    });
  }

  async #seed(): Promise<void> {
    await seedShopSettings(this.db);
    const [brand, category] = [uuidv7(), uuidv7()];
    await sql`insert into chain_cursor (network, height, hash) values ('regtest', ${this.tip}, ${Buffer.alloc(32)})`.execute(
      this.db,
    );
    await sql`insert into brands (id, name, slug) values (${brand}, 'Apple', 'apple')`.execute(this.db);
    await sql`insert into categories (id, name, slug) values (${category}, 'iPhone', 'iphone')`.execute(this.db);
    await sql`insert into products (id, name, slug, article, category_id, brand_id, base_price_cents, description,
        sub_description, specifications, images, main_image)
      values (${this.productId}, 'iPhone 17', 'iphone-17', 'A1', ${category}, ${brand}, 99900, 'd', 's', '{}', '{}',
        '/i.avif'), (${this.otherProductId}, 'Cable', 'cable', 'A2', ${category}, ${brand}, 1999, 'd', 's', '{}', '{}',
        '/c.avif')`.execute(this.db);
    // The only variant of a product has its id.
    await sql`insert into product_variants (id, product_id, property_value_ids, sku)
      select id, id, '{}', article from products`.execute(this.db);
  }

  /** Creates a buyer with this quantity in the cart. */
  async createBuyer(quantity = 1): Promise<string> {
    const id = uuidv7();
    await sql`insert into users (id, username, username_key, email, email_key, password_hash, created_at)
      values (${id}, ${id}, ${id}, ${id}, ${id}, 'x', now())`.execute(this.db);
    if (quantity > 0) await this.fillCart(id, quantity);
    return id;
  }

  /** What is sold out is in the cart as if it had been added before. */
  async fillCart(userId: string, quantity = 1, productId = this.productId): Promise<void> {
    const changed = await this.carts.add({ userId, guestToken: null }, { product_id: productId, quantity });
    if (changed.ok) return;
    assert.equal(changed.reason, 'sold-out');
    await transact(this.db, async (tx) => {
      const cartId = await this.carts.lockForRestore(tx, userId);
      await this.carts.restoreLines(tx, cartId, [{ productId, valueIds: [], quantity, seenCents: null }], null);
    });
  }

  /** Sets the stock. */
  async setStock(available: number, productId = this.productId): Promise<void> {
    await setProductStock(this.db, productId, available);
  }

  /** Remaining stock and reservations. */
  async readStock(productId = this.productId): Promise<{ readonly available: number; readonly held: number }> {
    const { rows } = await sql<{ available: number; held: number }>`select available,
        (select coalesce(sum(quantity), 0)::int from stock_holds where variant_id = ${productId}) as held
      from variant_stock where variant_id = ${productId}`.execute(this.db);
    return rows[0] ?? assert.fail('no stock');
  }

  async countCartLines(userId: string): Promise<number> {
    return (await this.carts.read({ userId, guestToken: null })).cart_items.length;
  }

  /** Pieces of a product in the cart. */
  async countCartUnits(userId: string, productId = this.productId): Promise<number> {
    const { cart_items: items } = await this.carts.read({ userId, guestToken: null });
    return items.find((item) => item.product_id === productId)?.quantity ?? 0;
  }

  checkout(
    userId: string,
    idempotencyKey: string | null = null,
    network: string | null = null,
  ): Promise<CheckoutResult> {
    return this.orders.checkout({ userId, billing, idempotencyKey, network });
  }

  async placeOrder(userId: string): Promise<ShownOrder> {
    const checkedOut = await this.checkout(userId);
    assert.ok(checkedOut.ok);
    return checkedOut.order;
  }

  async getShownOrder(userId: string, id: string): Promise<Order> {
    return toWire(await this.orders.find(userId, id));
  }

  /** Sets the ledger of an order, as one commit of chain sync, which reconciles the order. */
  async setChainState(orderId: string, outputs: readonly Output[]): Promise<void> {
    await this.db.transaction().execute(async (tx) => {
      await sql`update chain_cursor set height = ${this.tip}`.execute(tx);
      await sql`delete from payment_outputs where order_id = ${orderId}`.execute(tx);
      for (const [vout, output] of outputs.entries()) {
        const { amount, height = null, firstSeen, isCoinbase = false, isLive = true } = output;
        const { arrivedAfter = null, confirmedAt = null, feePerKvb = null, conflictHeight = null } = output;
        const conflictTxid = conflictHeight === null ? null : Buffer.alloc(32);
        const [because, leftAt] = isLive ? [null, null] : ['dropped', this.now];
        const block = height === null ? null : randomBytes(32);
        await sql`insert into payment_outputs (txid, vout, order_id, amount_sats, is_coinbase, is_live, height,
            block_hash, first_seen, arrived_after, confirmed_at, fee_per_kvb, left_because, left_at, conflict_height,
            conflict_txid, raw_tx)
          values (${randomBytes(32)}, ${vout}, ${orderId}, ${amount}, ${isCoinbase}, ${isLive}, ${height}, ${block},
            ${firstSeen}, ${arrivedAfter}, ${confirmedAt}, ${feePerKvb}, ${because}, ${leftAt}, ${conflictHeight},
            ${conflictTxid}, ${Buffer.alloc(1)})`.execute(tx);
      }
      await this.orderStatus.reconcile(tx, [orderId]);
    });
  }

  advanceMinutes(minutes: number): void {
    this.now = new Date(this.now.getTime() + minutes * 60_000);
  }

  async countRows(table: string, userId?: string): Promise<number> {
    const where = userId === undefined ? sql`` : sql`where user_id = ${userId}`;
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)} ${where}`.execute(
      this.db,
    );
    return rows[0]?.n ?? -1;
  }

  async readSoldUnits(): Promise<number> {
    const { rows } = await sql<{ n: number }>`select sold_units as n from product_sales
      where product_id = ${this.productId}`.execute(this.db);
    return rows[0]?.n ?? 0;
  }

  /** Creates an expired order. */
  async createExpiredOrder(userId: string): Promise<ShownOrder> {
    const { id } = await this.placeOrder(userId);
    this.advanceMinutes(WINDOW_MINUTES);
    await this.orderStatus.expireDue(this.now);
    // Later payments are late.
    this.advanceMinutes(1);
    return (await this.orders.find(userId, id)) ?? assert.fail('the order does not exist');
  }

  async listEvents(orderId: string): Promise<string[]> {
    const { rows } = await sql<{ kind: string }>`select kind from order_events where order_id = ${orderId}
      order by id`.execute(this.db);
    return rows.map(({ kind }) => kind);
  }
}

/** @param limits of quotes and reservations; default: ten quotes a day per account */
export async function openOrderShop(
  limits: ReservationLimits = QUOTES_ONLY,
  options: OrderShopOptions = {},
): Promise<OrderShop> {
  const { db, connection } = await createTestDatabase();
  const indexes = openDatabase({ connection, log: silentLog, poolSize: 1 });
  after(() => indexes.close());
  const shop = new OrderShop(db, indexes.db, limits, options);
  await shop.open();
  return shop;
}

/** An order as the contract sends it. */
export function toWire(order: ShownOrder | null): Order {
  assert.ok(order);
  return z.encode(orderCodec, order);
}
