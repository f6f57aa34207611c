/** One order with its payments, parcels, returns and refunds, as a random history goes on. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Refusal } from '#src/platform/http/call.ts';
import { testKey } from '../devchain.ts';
import type { Tally } from '../ledger-simulation.ts';
import { billing } from '../test-billing.ts';
import { isOpen, readFacts } from './order-facts.ts';
import type { OrderFacts, RefundFacts, ReturnFacts } from './order-facts.ts';
import { DISCOUNT_CODE, GIFT_CODE } from './return-shop.ts';
import type { ReturnShop } from './return-shop.ts';

const START = new Date('2026-03-01T12:00:00Z');
export const DAY_MINUTES = 24 * 60;
export const STOCK = 60;

/** A payment of the order. */
export interface Payment {
  amount: bigint;
  isConfirmed: boolean;
  isLive: boolean;
  readonly firstSeen: Date;
}

/** A transaction that pays a refund. */
export interface SentRefund {
  readonly refundId: string;
  readonly txid: Buffer;
  readonly amount: number;
  isConfirmed: boolean;
  isLive: boolean;
}

export interface Numbers {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

export const pickFrom = <Item>(items: readonly Item[], at: number): Item | undefined => items[at % items.length];

/** Whether a call did what was asked. */
export const isDone = (result: unknown): boolean =>
  !(result instanceof Refusal) &&
  !(typeof result === 'object' && result !== null && 'ok' in result && result.ok === false);

export const readReason = (result: unknown): string => {
  if (result instanceof Refusal) return result.code;
  if (typeof result === 'object' && result !== null && 'reason' in result) return String(result.reason);
  return 'done';
};

export class ReturnHistory {
  readonly of: ReturnShop;
  readonly userId: string;
  readonly id: string;
  readonly due: bigint;
  readonly address = testKey().address;
  readonly payments: Payment[] = [];
  readonly sent: SentRefund[] = [];
  /** Ids of refunds that were confirmed once. */
  readonly confirmedOnce = new Set<string>();
  /** Ids of refunds and returns, in the order in which they were made. */
  readonly made: string[] = [];
  /** The most satoshis that were there at once. */
  mostSats = 0;
  /** When staff last recorded the delivery. */
  deliveredAt: Date | null = null;
  readonly tally: Tally;
  #numbers = 0;
  facts: OrderFacts;
  /** What was checked last. */
  checked = '';

  private constructor(
    of: ReturnShop,
    order: { userId: string; id: string; due: bigint },
    facts: OrderFacts,
    tally: Tally,
  ) {
    this.of = of;
    this.userId = order.userId;
    this.id = order.id;
    this.due = order.due;
    this.facts = facts;
    this.tally = tally;
  }

  /** Places an order of phones and cables, with a gift, a discount or neither. */
  static async start(of: ReturnShop, { a, b, c }: Numbers, tally: Tally): Promise<ReturnHistory> {
    const { shop } = of;
    shop.now = new Date(START);
    await shop.setStock(STOCK);
    await shop.setStock(STOCK, shop.otherProductId);
    const userId = await shop.createBuyer(1 + (a % 3));
    if (b % 3 > 0) await shop.fillCart(userId, b % 3, shop.otherProductId);
    const code = [null, GIFT_CODE, DISCOUNT_CODE][c % 3] ?? null;
    if (code !== null)
      assert.ok((await shop.carts.applyPromotion({ userId, guestToken: null }, code)).ok, `${code} was refused`);
    const placed = await shop.orders.checkout({ userId, billing, idempotencyKey: null, network: null });
    assert.ok(placed.ok, 'the order was refused');
    const { id, payment } = placed.order;
    const history = new ReturnHistory(of, { userId, id, due: payment.amount_btc }, await readFacts(shop.db, id), tally);
    history.count(`order ${code ?? 'plain'}`);
    return history;
  }

  count(kind: string): void {
    this.tally.set(kind, (this.tally.get(kind) ?? 0) + 1);
  }

  get now(): Date {
    return this.of.shop.now;
  }

  async refresh(): Promise<OrderFacts> {
    this.facts = await readFacts(this.of.shop.db, this.id);
    for (const { id, state } of this.facts.refunds) if (state === 'confirmed') this.confirmedOnce.add(id);
    for (const { id } of [...this.facts.returns, ...this.facts.refunds])
      if (!this.made.includes(id)) this.made.push(id);
    return this.facts;
  }

  get openReturns(): readonly ReturnFacts[] {
    return this.facts.returns.filter(isOpen);
  }

  /** The refund that is made and not sent, or not confirmed. */
  get openRefund(): RefundFacts | undefined {
    return this.facts.refunds.find(
      ({ state, withdrawn_at: at }) => (state === 'made' || state === 'sent') && at === null,
    );
  }

  /** A number that no unit has. */
  createSerial(): string {
    this.#numbers += 1;
    return `SN-${this.id.slice(-12).toUpperCase()}-${this.#numbers}`;
  }

  /** One commit of chain sync. */
  async syncPayments(): Promise<void> {
    const { shop } = this.of;
    const live = this.payments.filter(({ isLive }) => isLive);
    const amount = Number(live.reduce((total, one) => total + one.amount, 0n));
    if (amount > this.mostSats) this.mostSats = amount;
    await shop.setChainState(
      this.id,
      this.payments.map((one) => ({
        amount: one.amount,
        firstSeen: one.firstSeen,
        isLive: one.isLive,
        height: one.isConfirmed && one.isLive ? shop.tip - 10 : null,
      })),
    );
  }

  /** The same for the address that refunds go to. */
  async syncRefunds(): Promise<void> {
    const { orderStatus, db, now, refunds, tip } = this.of.shop;
    await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: string }>`select id from refund_scripts where address = ${this.address}`.execute(
        tx,
      );
      const script = rows[0]?.id;
      if (script === undefined) return;
      await sql`delete from payment_outputs where refund_script_id = ${script}`.execute(tx);
      for (const { amount, isConfirmed, isLive, txid } of this.sent) {
        const height = isConfirmed && isLive ? tip - 10 : null;
        await sql`insert into payment_outputs (txid, vout, refund_script_id, amount_sats, is_coinbase, is_live, height,
            block_hash, first_seen, raw_tx)
          values (${txid}, 0, ${script}, ${amount}, false, ${isLive}, ${height},
            ${height === null ? null : Buffer.alloc(32, 1)}, ${now}, '')`.execute(tx);
      }
      await orderStatus.reconcile(tx, await refunds.matching.matchWithLedger(tx, [script]));
    });
  }

  /** The wallet of the merchant sends what a refund returns. */
  async send({ amount_sats: amount, id: refundId }: RefundFacts, isConfirmed: boolean): Promise<void> {
    this.sent.push({ refundId, amount, txid: randomBytes(32), isConfirmed, isLive: true });
    await this.syncRefunds();
  }

  /** @throws if the same call is refused although it was offered, accepted although it was not, or leaves a trace */
  async attempt(
    what: string,
    { expected, run }: { readonly expected: 'done' | 'refused' | 'either'; readonly run: () => Promise<unknown> },
  ): Promise<boolean> {
    const before = JSON.stringify([await this.refresh(), this.of.shop.mails.length]);
    const result = await run();
    const done = isDone(result);
    await this.refresh();
    this.count(`${what} ${done ? 'done' : 'refused'}`);
    if (expected === 'done') assert.ok(done, `${what} is offered and refused: ${readReason(result)}`);
    if (expected === 'refused') assert.ok(!done, `${what} is not offered and was done`);
    if (!done)
      assert.equal(
        JSON.stringify([this.facts, this.of.shop.mails.length]),
        before,
        `${what} was refused and left a trace`,
      );
    return done;
  }

  /** Lets time pass, with what is done from time to time. */
  async pass(minutes: number): Promise<void> {
    const { services, shop } = this.of;
    shop.advanceMinutes(minutes);
    await shop.orderStatus.expireDue(shop.now);
    await services.returns.warnOfDeadlines();
    await this.refresh();
  }
}
