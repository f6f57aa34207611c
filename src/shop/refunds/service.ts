/** Money that goes back. The shop has no key: staff's wallet signs, the chain tells what became of it. */
import { v7 as uuidv7 } from 'uuid';
import { ChainSourceError } from '#src/platform/bitcoin/chain-source.ts';
import { outpointsOf, readSignedPayout } from '#src/platform/bitcoin/payout.ts';
import type { SignedPayout } from '#src/platform/bitcoin/payout.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { Lifecycle } from '#src/shop/orders/status/service.ts';
import { sats } from '#src/shop/money.ts';
import type { ConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { RefundAddresses } from './addresses/service.ts';
import type { RefundAddressesOptions } from './addresses/service.ts';
import { refuseRecord } from './manual/by-hand.ts';
import type { RecordProblem } from './manual/by-hand.ts';
import { RefundsByHand } from './manual/service.ts';
import type { RefundsByHandOptions } from './manual/service.ts';
import { factsOf } from './manual/store.ts';
import { RefundRecognition } from './recognition/service.ts';
import { RefundNews, show } from './news.service.ts';
import type { RefundNewsOptions } from './news.service.ts';
import { Positions } from './position.service.ts';
import { isCovered, refundable, refuseRefund } from './refundable.ts';
import type { RefundCovers } from '#src/shop/orders/kinds.ts';
import type { RefundProblem } from './refundable.ts';
import type { ShownRefund } from './show-refund.ts';
import * as store from './store.ts';

/** Two who plan with the same coins: the second plans again. */
const PLANS = 3;

export interface RefundsOptions
  extends RefundNewsOptions, Omit<RefundAddressesOptions, 'onClaimed'>, Omit<RefundsByHandOptions, 'orders'> {
  readonly log: Log;
  readonly orders: RefundAddressesOptions['orders'];
  readonly payments: Pick<
    Payments,
    | 'ledgerOf'
    | 'watchRefunds'
    | 'refundOutputs'
    | 'dustSatsTo'
    | 'planRefund'
    | 'feeRate'
    | 'broadcast'
    | 'isOwnAddress'
  >;
  readonly lifecycle: Pick<Lifecycle, 'settle'>;
  readonly confirmationSteps: ConfirmationSteps;
  /** Makes the shop look at the chain soon. */
  readonly lookAtChain: () => Promise<void>;
}

export interface RefundToMake {
  readonly covers: RefundCovers;
  readonly feePaidBy: 'shop' | 'buyer';
  /** Sats per virtual byte; left out: what the chain source says. */
  readonly feeRate?: number | undefined;
  /** From the coins of the ledger, as a PSBT; or from whatever wallet staff like. */
  readonly from: 'coins' | 'any-wallet';
  /** Staff have looked in the wallet whether it was sent before a restore. */
  readonly isChecked?: boolean | undefined;
}

type PlanProblem = 'no-coins' | 'no-fee-rate' | 'chain-down';
export interface NotMade {
  readonly ok: false;
  readonly reason: RefundProblem | PlanProblem | 'not-found' | 'changed' | 'check-wallet';
}
export type Made = { readonly ok: true; readonly refund: ShownRefund } | NotMade;

type NotSigned = Extract<SignedPayout, { ok: false }>['reason'];
export interface NotDone {
  readonly ok: false;
  readonly reason: NotSigned | RecordProblem | 'not-found' | 'not-open' | 'no-psbt' | 'not-covered' | 'not-sent';
  /** What the network says. */
  readonly words?: string;
}
export type Done = { readonly ok: true; readonly refund: ShownRefund } | NotDone;

interface Plan {
  readonly ok: true;
  readonly amountSats: bigint;
  readonly payout: { readonly psbt: Uint8Array; readonly txid: string; readonly feeSats: bigint } | null;
}

const NOT_FOUND = { ok: false, reason: 'not-found' } as const;

export class Refunds {
  readonly #options: RefundsOptions;
  readonly #db: Db;
  readonly addresses: RefundAddresses;
  readonly news: RefundNews;
  readonly recognition: RefundRecognition;
  readonly byHand: RefundsByHand;
  readonly #positions: Positions;

  constructor(options: RefundsOptions) {
    this.#options = options;
    this.#positions = new Positions(options);
    this.news = new RefundNews(options);
    const positions = this.#positions;
    this.recognition = new RefundRecognition({ ...options, positions }, this.news);
    this.byHand = new RefundsByHand(options, { positions, news: this.news, recognition: this.recognition });
    const onClaimed: RefundsByHand['reopen'] = (tx, orderId, now) => this.byHand.reopen(tx, orderId, now);
    this.addresses = new RefundAddresses({ ...options, onClaimed });
    this.#db = options.db;
  }

  /** All that staff need to refund an order; null for one that is not there. */
  async ofOrder(orderId: string) {
    const order = await store.findOrder(this.#db, orderId);
    if (!order) return null;
    const [position, named, rows, byHand] = await Promise.all([
      this.#positions.of(this.#db, order),
      this.#positions.whereTo(this.#db, orderId),
      store.refundsOf(this.#db, orderId),
      this.byHand.ofOrder(order),
    ]);
    const { surplus, whole } = refundable(position);
    return {
      refunds: rows.map(show),
      refundable: { surplus_btc: surplus, whole_btc: whole },
      refused: {
        surplus: refuseRefund('surplus', position, named),
        whole: refuseRefund('whole', position, named),
      },
      address: named && {
        address: named.address,
        confirmed: named.confirmedAt !== null,
        holds_from: named.holdsFrom,
        reason: named.reason,
      },
      ...byHand,
    };
  }

  /**
   * Makes a refund of an order, of all that can go back by `covers`. The chain is asked which coins are there before the
   * order is locked; what is decided is decided under the lock.
   */
  async make(staffId: string, orderId: string, asked: RefundToMake): Promise<Made> {
    for (let attempt = 0; attempt < PLANS; attempt += 1) {
      const made = await this.#tryToMake(staffId, orderId, asked);
      if (made.ok || made.reason !== 'changed') return made;
    }
    return { ok: false, reason: 'changed' };
  }

  async #tryToMake(madeBy: string, orderId: string, asked: RefundToMake): Promise<Made> {
    const { clock, lifecycle, payments } = this.#options;
    const { covers } = asked;
    const found = await store.findOrder(this.#db, orderId);
    if (!found) return NOT_FOUND;
    const now = await this.#positions.of(this.#db, found);
    const to = await this.#positions.whereTo(this.#db, orderId);
    const problem = refuseRefund(covers, now, to);
    if (problem !== null || to === null) return { ok: false, reason: problem ?? 'no-address' };
    if (asked.isChecked !== true && (await this.byHand.mayBeForgotten(this.#db, found))) {
      return { ok: false, reason: 'check-wallet' };
    }
    const debitSats = refundable(now)[covers];
    const plan = await this.#plan(orderId, asked, to.address, debitSats);
    if (!plan.ok) return plan;

    return transact(this.#db, async (tx): Promise<Made> => {
      const order = await store.lockOrder(tx, orderId);
      if (!order) return NOT_FOUND;
      const position = await this.#positions.of(tx, order);
      const named = await this.#positions.whereTo(tx, orderId);
      const refused = refuseRefund(covers, position, named);
      if (refused !== null) return { ok: false, reason: refused };
      const isAsPlanned = named?.address === to.address && refundable(position)[covers] === debitSats;
      if (!isAsPlanned || !(await this.#areFree(tx, plan))) return { ok: false, reason: 'changed' };
      const id = uuidv7();
      const scriptId = await payments.watchRefunds(tx, to.address);
      const amountSats = sats(plan.amountSats);
      const row = { id, orderId, covers, debitSats, amountSats, scriptId, plan: plan.payout, madeBy };
      const madeAt = clock.now();
      if (!(await store.insertRefund(tx, { ...row, madeAt }))) return { ok: false, reason: 'refund-open' };
      const refund = await this.news.tell(tx, id, 'refund_made', { by: madeBy });
      await this.recognition.project(tx, orderId);
      await lifecycle.settle(tx, [orderId]);
      return { ok: true, refund };
    });
  }

  /** What is sent, and by which transaction; without a lock, since the chain source is asked. */
  async #plan(
    orderId: string,
    { feePaidBy, feeRate: asked, from }: RefundToMake,
    address: string,
    debitSats: bigint,
  ): Promise<Plan | { readonly ok: false; readonly reason: PlanProblem | 'dust' }> {
    const { payments } = this.#options;
    if (from === 'any-wallet') return { ok: true, amountSats: debitSats, payout: null };
    const feeRate = asked ?? (await payments.feeRate());
    if (feeRate === null) return { ok: false, reason: 'no-fee-rate' };
    const reserved = await store.plansUnderWay(this.#db);
    try {
      const feeFromAmount = feePaidBy === 'buyer';
      const amountSats = debitSats;
      const payout = await payments.planRefund(orderId, { address, amountSats, feeRate, feeFromAmount, reserved });
      if (payout.ok) return { ok: true, amountSats: payout.paidSats, payout };
      return { ok: false, reason: payout.reason === 'dust' ? 'dust' : 'no-coins' };
    } catch (error) {
      if (!(error instanceof ChainSourceError)) throw error;
      this.#options.log.warn({ reason: error.message }, 'the chain source could not be asked for coins');
      return { ok: false, reason: 'chain-down' };
    }
  }

  /** Whether no other refund has taken one of the coins since; nobody takes one until the transaction ends. */
  async #areFree(tx: Db, { payout }: Plan): Promise<boolean> {
    if (payout === null) return true;
    await store.lockPlanning(tx);
    const taken = new Set((await store.plansUnderWay(tx)).flatMap(outpointsOf));
    return outpointsOf(payout.psbt).every((outpoint) => !taken.has(outpoint));
  }

  /** Hands what staff's wallet signed to the network. Nothing is stored: that it was sent is what the chain says. */
  async broadcast(id: string, signed: Uint8Array): Promise<Done> {
    const { log, lookAtChain, payments } = this.#options;
    const refund = await store.findRefund(this.#db, id);
    if (!refund) return NOT_FOUND;
    if (refund.state !== 'made') return { ok: false, reason: 'not-open' };
    if (refund.psbt === null) return { ok: false, reason: 'no-psbt' };
    const read = readSignedPayout(signed, refund.psbt);
    if (!read.ok) return read;
    const order = await store.findOrder(this.#db, refund.orderId);
    if (!order || !isCovered(refund.covers, await this.#positions.of(this.#db, order))) {
      return { ok: false, reason: 'not-covered' };
    }
    try {
      await payments.broadcast(read.raw);
    } catch (error) {
      if (!(error instanceof ChainSourceError)) throw error;
      log.warn({ reason: error.message, refund: id }, 'a refund was not broadcast');
      return { ok: false, reason: 'not-sent', words: error.message };
    }
    // Another one is soon enough, should this one fail.
    void lookAtChain().catch(() => {});
    return { ok: true, refund: show(refund) };
  }

  /** Gives a refund up of which nothing was seen. */
  withdraw(staffId: string, id: string): Promise<Done> {
    const { clock } = this.#options;
    return this.#end(staffId, id, 'refund_withdrawn', async (tx) => {
      return (await store.withdraw(tx, id, clock.now())) ? null : 'not-open';
    });
  }

  /** Takes staff's word that a transaction paid it which the shop does not see. */
  record(staffId: string, id: string, txid: string): Promise<Done> {
    return this.#end(staffId, id, 'refund_recorded', async (tx, orderId) => {
      const problem = refuseRecord(await factsOf(tx, txid, orderId));
      return problem ?? ((await store.record(tx, id, txid)) ? null : 'not-open');
    });
  }

  async #end(
    by: string,
    id: string,
    event: 'refund_withdrawn' | 'refund_recorded',
    write: (tx: Db, orderId: string) => Promise<NotDone['reason'] | null>,
  ): Promise<Done> {
    return transact(this.#db, async (tx): Promise<Done> => {
      const orderId = (await store.findRefund(tx, id))?.orderId;
      if (orderId === undefined) return NOT_FOUND;
      await store.lockOrder(tx, orderId);
      const reason = await write(tx, orderId);
      if (reason !== null) return { ok: false, reason };
      const refund = await this.news.tell(tx, id, event, { by });
      await this.recognition.project(tx, orderId);
      await this.#options.lifecycle.settle(tx, [orderId]);
      return { ok: true, refund };
    });
  }
}
