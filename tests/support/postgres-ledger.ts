/** Ledger and orders in PostgreSQL for random histories, with the real store and order service. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Database, Db } from '#src/platform/database/database.ts';
import type { EmbeddedConnection } from '#src/platform/database/embedded-postgres.ts';
import { Carts } from '#src/shop/cart/service.ts';
import { Catalogue } from '#src/shop/catalogue/service.ts';
import { Inventory } from '#src/shop/inventory/service.ts';
import { OrderStatus } from '#src/shop/orders/status/service.ts';
import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { Orders } from '#src/shop/orders/service.ts';
import { parseEventKind } from '#src/shop/orders/order-events.ts';
import { evaluateOrder } from '#src/shop/orders/status/evaluate-order.ts';
import type { PaymentEvaluation } from '#src/shop/payments/ledger/payment-state.ts';
import type { ChainCursor, LedgerStore } from '#src/shop/payments/ledger/ledger-store.ts';
import { watchScript } from '#src/shop/payments/ledger/payouts.store.ts';
import { NO_TOLERANCE } from '#src/shop/payments/ledger/payment-tolerance.ts';
import { createLedgerStore, readLedgers } from '#src/shop/payments/store.ts';
import type { ConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import { Promotions } from '#src/shop/promotions/service.ts';
import { EMPTY_SHOP_SETTINGS } from './empty-shop-settings.ts';
import { silentLog } from './database-server.ts';
import {
  Crash,
  LATE_TOLERANCE_PERCENT,
  MAX_ORDERS,
  createOrder,
  STOCK_QUANTITY,
  PRESENT_RATE,
  UNCONFIRMED_LIMIT_SECONDS,
  WINDOW_SECONDS,
  SEGWIT_ADDRESS,
} from './simulation-shop.ts';
import type {
  CrashPoint,
  SimulationShop,
  LedgerView,
  RefundScript,
  StoredOrder,
  StoredRow,
} from './simulation-shop.ts';
import { injectBug } from './inject-sql-bug.ts';
import type { SqlBug } from './inject-sql-bug.ts';
import { noCharges } from './no-charges.ts';

const ACCOUNT = 'account';
const PRODUCT = '00000000-0000-4000-8000-0000000000aa';
const getUserId = (orderId: string): string => orderId.replace(/^0{8}/, 'ffffffff');

const EMPTY: LedgerView = { cursor: null, rows: new Map(), orders: new Map(), events: [], stock: null };
const FORGET = `
  delete from payment_outputs; delete from refunds; delete from refund_scripts; delete from chain_blocks; delete from chain_cursor; delete from order_events;
  delete from stock_holds; delete from order_lines; delete from order_addresses; delete from orders; delete from cart_lines;
  delete from product_sales; update variant_stock set available = ${STOCK_QUANTITY}
`;
/** Deleted rows slow reads until vacuum removes them. */
const SIMULATIONS_PER_VACUUM = 50;

const failCall = (): never => assert.fail('not called by a chain sync');

/** Those of the orders, whose totals are $12.30, $200, $900 and $250,000. */
const CONFIRMATION_STEPS: ConfirmationSteps = [
  { fromCents: cents(0n), confirmations: 2 },
  { fromCents: cents(10_000n), confirmations: 3 },
  { fromCents: cents(50_000n), confirmations: 1 },
  { fromCents: cents(10_000_000n), confirmations: 6 },
];

export class PostgresLedger implements SimulationShop<Db> {
  state: LedgerView = EMPTY;
  shouldCrash: (point: CrashPoint) => boolean = () => false;
  readonly store: LedgerStore<Db>;
  readonly #database: Database;
  readonly #pool: Pool;
  readonly #orderStatus: OrderStatus;
  readonly #orders: Orders;
  readonly #isBugInjected: () => boolean;
  #now = new Date(0);
  #rate: bigint = PRESENT_RATE;
  #simulationCount = 0;

  /** @param bug injected bug, or null */
  static async open(connection: EmbeddedConnection, bug: SqlBug | null): Promise<PostgresLedger> {
    const database = openDatabase({ connection, log: silentLog, poolSize: 6 });
    const isBugInjected = bug === null ? () => true : injectBug(database.pool, bug);
    await seed(database.db);
    const rates = { getState: () => 'current' as const, getCurrent: () => null };
    const catalogue = await Catalogue.open(database.db, rates);
    return new PostgresLedger(database, catalogue, await Promotions.open(database.db, catalogue), isBugInjected);
  }

  private constructor(database: Database, catalogue: Catalogue, promotions: Promotions, isBugInjected: () => boolean) {
    const { db, pool } = database;
    this.#database = database;
    this.#pool = pool;
    this.#isBugInjected = isBugInjected;
    const clock = { now: () => this.#now };
    const rates = {
      getState: () => 'current' as const,
      getCurrent: () => ({ centsPerBtc: this.#rate, at: this.#now, evidence: { rule: 'test' } }),
    };
    const inventory = new Inventory();
    const carts = new Carts({ db, clock, catalogue, promotions, ...noCharges });
    const payments = {
      readLedgers: readLedgers,
      dustSats: 294n,
      isUp: () => true,
      takeAddress: failCall,
      issueAddress: failCall,
      getVerifiedAddress: failCall,
    };
    const shopSettings = { current: EMPTY_SHOP_SETTINGS };
    const shared = {
      db,
      clock,
      rates,
      catalogue,
      inventory,
      promotions,
      payments,
      carts,
      shopSettings,
      log: silentLog,
    };
    this.#orders = new Orders({
      ...shared,
      reconcile: failCall,
      paymentWindowSeconds: WINDOW_SECONDS,
      confirmationSteps: CONFIRMATION_STEPS,
      reservationLimits: null,
      tolerance: NO_TOLERANCE,
    });
    this.#orderStatus = new OrderStatus({
      ...shared,
      orders: this.#orders,
      paymentWindowSeconds: WINDOW_SECONDS,
      lateTolerancePercent: LATE_TOLERANCE_PERCENT,
      tolerance: NO_TOLERANCE,
      unconfirmedLimitSeconds: UNCONFIRMED_LIMIT_SECONDS,
      confirmationSteps: CONFIRMATION_STEPS,
    });
    const real = createLedgerStore(db);
    this.store = {
      ...real,
      runTransaction: async (work) => {
        const result = await real.runTransaction(async (ledger, tx) => {
          const done = await work(ledger, tx);
          this.#crash('before');
          return done;
        });
        this.#crash('after');
        return result;
      },
    };
  }

  get db(): Db {
    return this.#database.db;
  }

  #crash(point: CrashPoint): void {
    if (this.shouldCrash(point)) throw new Crash(`${point} the commit`);
  }

  /** Deletes all rows before the next history. */
  async forget(): Promise<void> {
    await this.#pool.query(FORGET);
    if (this.#simulationCount % SIMULATIONS_PER_VACUUM === 0) await this.#pool.query('vacuum analyze');
    this.#simulationCount += 1;
    this.state = EMPTY;
    this.shouldCrash = () => false;
  }

  /** Whether an injected bug changed a statement. */
  get isBugInjected(): boolean {
    return this.#isBugInjected();
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async syncChain(): Promise<void> {
    const { db } = this;
    const [orders, rows, rest] = await Promise.all([
      sql<StoredOrder>`
        select orders.*, encode(issued.script, 'hex') as script
        from orders join order_addresses issued on issued.order_id = orders.id order by orders.id
      `.execute(db),
      sql<StoredRow>`
        select encode(txid, 'hex') as txid, vout, coalesce(order_id, refund_script_id) as "recipientId",
          amount_sats as "amountSats", is_coinbase as "isCoinbase", is_live as "isLive", height,
          first_seen as "firstSeen", arrived_after as "arrivedAfter", confirmed_at as "confirmedAt",
          left_because as "leftBecause", left_at as "leftAt", conflict_height as "conflictHeight"
        from payment_outputs
      `.execute(db),
      this.#readRest(),
    ]);
    this.state = {
      ...rest,
      orders: new Map(orders.rows.map((order) => [order.id, order])),
      rows: new Map(rows.rows.map((row) => [`${row.txid}:${row.vout}`, row])),
    };
  }

  /** The cursor, the stock and the timelines, in one statement. */
  async #readRest(): Promise<Pick<LedgerView, 'cursor' | 'stock' | 'events'>> {
    const { rows } = await sql<ChainCursor & { available: number; held: string[]; sold: number; events: string[] }>`
      select cursor.network, cursor.height, encode(cursor.hash, 'hex') as hash, cursor.revision,
        cursor.reconciled_at as "reconciledAt", stock.available, array(select order_id::text from stock_holds) as held,
        coalesce((select sold_units from product_sales where product_id = ${PRODUCT}), 0)::integer as sold,
        array(select order_id || ' ' || kind from order_events order by id) as events
      from chain_cursor cursor cross join variant_stock stock
    `.execute(this.db);
    const [row] = rows;
    assert.ok(row);
    const { available, held, sold, events, ...cursor } = row;
    return {
      cursor,
      stock: { available, heldBy: new Set(held), sold },
      events: events.map((event) => {
        const [orderId = '', kind = ''] = event.split(' ');
        const known = parseEventKind(kind);
        assert.ok(known !== 'unknown', kind);
        return { orderId, kind: known };
      }),
    };
  }

  async issue(order: StoredOrder): Promise<void> {
    const { id, script, due_sats: due, total_cents: total } = order;
    await sql`
      with made as (
        insert into orders (id, user_id, payment_status, is_open, billing, total_cents, total_sats, total_after_cents,
          total_after_sats, due_sats, rate_cents_per_btc, rate_evidence, required_confirmations, created_at, expires_at)
        values (${id}, ${getUserId(id)}, 'pending', true, '{}', ${total}, ${due}, ${total}, ${due}, ${due},
          ${order.rate_cents_per_btc}, '{}', ${order.required_confirmations}, now(), ${order.expires_at})
      ), line as (
        insert into order_lines (order_id, position, product_id, name, slug, main_image, property_values, variant_id,
          quantity, price_cents, price_sats, is_free)
        values (${id}, 0, ${PRODUCT}, 'Cable', 'cable', '/c.avif', '[]', ${PRODUCT}, 1, ${total}, ${due}, false)
      ), hold as (
        insert into stock_holds (order_id, variant_id, quantity) values (${id}, ${PRODUCT}, 1)
      ), taken as (
        update variant_stock set available = available - 1 where variant_id = ${PRODUCT}
      )
      insert into order_addresses (script, address, order_id, account, derivation_index, issued_at)
      values (${Buffer.from(script, 'hex')}, ${`address${script}`}, ${id}, ${ACCOUNT}, ${Number(id.at(-1))}, now())
    `.execute(this.db);
  }

  async watchRefund({ script, amounts }: Omit<RefundScript, 'id'>): Promise<string> {
    const orderId = createOrder(0, 0).id;
    return this.db.transaction().execute(async (tx) => {
      const id = await watchScript(tx, `address${script}`, Buffer.from(script, 'hex'));
      // Outputs are recorded by amount, independent of the refund state.
      for (const amount of amounts) {
        await sql`
          insert into refunds (id, order_id, covers, debit_sats, amount_sats, refund_script_id, made_by, made_at, withdrawn_at, state)
          values (gen_random_uuid(), ${orderId}, 'surplus', ${amount}, ${amount}, ${id}, ${getUserId(orderId)}, now(), now(), 'withdrawn')
        `.execute(tx);
      }
      return id;
    });
  }

  async reconcile(tx: Db, orderIds: readonly string[], now: Date): Promise<Pick<LedgerView, 'cursor' | 'orders'>> {
    this.#now = now;
    await this.#orderStatus.reconcile(tx, orderIds);
    const { rows } = await sql<StoredOrder & { height: number; hash: string }>`
      select orders.*, encode(issued.script, 'hex') as script, cursor.height, encode(cursor.hash, 'hex') as hash
      from orders join order_addresses issued on issued.order_id = orders.id cross join chain_cursor cursor
      where orders.payment_status = 'paid'
    `.execute(tx);
    const [row] = rows;
    const cursor = row ? { height: row.height, hash: row.hash, network: '', revision: 0, reconciledAt: null } : null;
    return { cursor, orders: new Map(rows.map((order) => [order.id, order])) };
  }

  async reconcileAll(now: Date): Promise<void> {
    this.#now = now;
    this.#crash('before');
    await this.#orderStatus.expireDue(now);
    await this.#orderStatus.reconcileLate();
    this.#crash('after');
  }

  evaluate(order: StoredOrder): PaymentEvaluation {
    const outputs = [...this.state.rows.values()].filter(({ recipientId }) => recipientId === order.id);
    return evaluateOrder(order, { address: SEGWIT_ADDRESS, outputs, tip: this.state.cursor });
  }

  async sayPaid(id: string, now: Date): Promise<void> {
    this.#now = now;
    await this.#orders.markUserPaid(getUserId(id), id);
    await this.syncChain();
  }

  async cancel(id: string, now: Date): Promise<boolean> {
    this.#now = now;
    const { ok } = await this.#orderStatus.cancel(getUserId(id), id);
    await this.syncChain();
    return ok;
  }

  async requote(id: string, now: Date, totalCents: Cents): Promise<void> {
    this.#now = now;
    // At the rate of the order's quote: other rates are covered by tests of the rule.
    this.#rate = this.state.orders.get(id)?.rate_cents_per_btc ?? PRESENT_RATE;
    await sql`update products set base_price_cents = ${totalCents} where id = ${PRODUCT}`.execute(this.db);
    const requoted = await this.#orderStatus.requote(getUserId(id), id, null, totalCents);
    this.#rate = PRESENT_RATE;
    assert.ok(requoted.ok);
    await this.syncChain();
  }
}

/** Inserts the buyer and the product of all histories. */
async function seed(db: Db): Promise<void> {
  const [brand, category] = [PRODUCT.replace('aa', 'bb'), PRODUCT.replace('aa', 'cc')];
  await sql`insert into brands (id, name, slug) values (${brand}, 'Apple', 'apple')`.execute(db);
  await sql`insert into categories (id, name, slug) values (${category}, 'Cables', 'cables')`.execute(db);
  await sql`
    insert into products (id, name, slug, article, category_id, brand_id, base_price_cents, description, sub_description,
      specifications, images, main_image)
    values (${PRODUCT}, 'Cable', 'cable', 'A1', ${category}, ${brand}, 100, 'd', 's', '{}', '{}', '/c.avif')
  `.execute(db);
  // The only variant has the id of its product.
  await sql`insert into product_variants (id, product_id, property_value_ids, sku)
    values (${PRODUCT}, ${PRODUCT}, '{}', 'A1')`.execute(db);
  await sql`insert into variant_stock (variant_id, available) values (${PRODUCT}, ${STOCK_QUANTITY})`.execute(db);
  await sql`insert into wallets (account) values (${ACCOUNT})`.execute(db);
  for (let index = 0; index < MAX_ORDERS; index += 1) {
    const user = getUserId(`00000000-0000-4000-8000-00000000000${index}`);
    await sql`
      insert into users (id, username, username_key, email, email_key, password_hash, created_at)
      values (${user}, ${user}, ${user}, ${user}, ${user}, '', now())
    `.execute(db);
  }
}
