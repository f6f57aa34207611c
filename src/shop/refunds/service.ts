/**
 * Refunds of orders. The shop holds no private key: the wallet of staff signs, and the ledger shows
 * the result.
 */
import { v7 as uuidv7 } from 'uuid';
import { ChainSourceError } from '#src/platform/bitcoin/chain-source.ts';
import { listOutpoints, readSignedPayout } from '#src/platform/bitcoin/payout.ts';
import type { SignedPayout } from '#src/platform/bitcoin/payout.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import type { OrderStatus } from '#src/shop/orders/status/service.ts';
import { cents, sats } from '#src/shop/money.ts';
import type { ConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { recordOrderChange, toAuditFields } from './audit.service.ts';
import { RefundAddresses } from './addresses/service.ts';
import { RefundCredits } from './credits.service.ts';
import type { RefundAddressesOptions } from './addresses/service.ts';
import { findRecordProblem } from './manual/manual-record.ts';
import type { RecordProblem } from './manual/manual-record.ts';
import { ManualRefunds } from './manual/service.ts';
import type { ManualRefundsOptions } from './manual/service.ts';
import { readTransactionFacts } from './manual/store.ts';
import { presentRefundableLines, presentWhole, toShownProblem } from './present-lines.ts';
import { LineRefunds } from './lines/service.ts';
import { listCoveredLines, readRefundableOrder } from './lines/store.ts';
import { RefundMatching } from './matching.service.ts';
import { RefundNotices, presentRefund } from './notices.service.ts';
import type { RefundNoticesOptions } from './notices.service.ts';
import { RefundPersonalData } from './personal-data.service.ts';
import { RefundPositions } from './position.service.ts';
import { RefundPreviews } from './preview.service.ts';
import { computeRefundable, isCovered } from './refundable.ts';
import { decideDebit } from './decide-debit.ts';
import type { DebitDecision, DebitProblem } from './decide-debit.ts';
import type { RefundDestination } from './refundable.ts';
import { CauseChangedError } from './refund-to-make.service.ts';
import type { RefundToMake } from './refund-to-make.service.ts';
import { readReturnTerms } from './return-terms.service.ts';
import type { ReturnTermsOptions } from './return-terms.service.ts';
import type { ReturnTerms } from './return-value.ts';
import { isValueReturned, showCoveredLines } from './show-refund.ts';
import type { ShownRefund } from './show-refund.ts';
import { findAddress } from './addresses/store.ts';
import type { RefundEntries } from '#src/shop/orders/timeline/refund-entries.ts';
import * as store from './store.ts';

/** Retries when another refund took the same coins. */
const MAX_PLAN_ATTEMPTS = 3;

export interface RefundsOptions
  extends
    RefundNoticesOptions,
    ReturnTermsOptions,
    Omit<RefundAddressesOptions, 'onAddressUsable' | 'shopSettings'>,
    Omit<ManualRefundsOptions, 'orders' | 'shopSettings'> {
  readonly shopSettings: RefundNoticesOptions['shopSettings'] & ReturnTermsOptions['shopSettings'];
  readonly log: Log;
  readonly orders: RefundAddressesOptions['orders'];
  readonly payments: Pick<
    Payments,
    | 'readLedgers'
    | 'watchRefunds'
    | 'listRefundOutputs'
    | 'getDustSats'
    | 'planRefund'
    | 'estimateFeeRate'
    | 'broadcast'
    | 'isOwnAddress'
    | 'creditOrder'
  >;
  readonly orderStatus: Pick<OrderStatus, 'reconcile' | 'recordRefunds' | 'refundedUnits'>;
  readonly confirmationSteps: ConfirmationSteps;
  /** Starts a chain sync. */
  readonly syncChain: () => Promise<void>;
  /** Called in the transaction that withdraws a refund. */
  readonly onWithdrawn?: (tx: Db, refundId: string) => Promise<void>;
  /** Called in a transaction that changed the refunds of an order, under its row lock. */
  readonly onRefundsChanged?: (tx: Db, orderId: string) => Promise<void>;
}

type PlanProblem = 'no-coins' | 'no-fee-rate' | 'chain-down';
export interface MakeRefusal {
  readonly ok: false;
  readonly reason: DebitProblem | PlanProblem | 'not-found' | 'changed' | 'check-wallet';
}
export type MakeResult = { readonly ok: true; readonly refund: ShownRefund } | MakeRefusal;

type NotSigned = Extract<SignedPayout, { ok: false }>['reason'];
export interface RefundActionRefusal {
  readonly ok: false;
  readonly reason: NotSigned | RecordProblem | 'not-found' | 'not-open' | 'no-psbt' | 'not-covered' | 'not-sent';
  /** Error message of the network. */
  readonly words?: string;
}
export type RefundActionResult = { readonly ok: true; readonly refund: ShownRefund } | RefundActionRefusal;

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
  readonly notices: RefundNotices;
  readonly matching: RefundMatching;
  readonly personalData: RefundPersonalData;
  readonly manual: ManualRefunds;
  readonly previews: RefundPreviews;
  readonly credits: RefundCredits;
  readonly #positions: RefundPositions;

  constructor(options: RefundsOptions) {
    this.#options = options;
    this.#positions = new RefundPositions(options);
    this.previews = new RefundPreviews(options, this.#positions);
    this.notices = new RefundNotices(options);
    const positions = this.#positions;
    this.matching = new RefundMatching({ ...options, positions, lines: new LineRefunds(options) }, this.notices);
    this.manual = new ManualRefunds(options, { positions, notices: this.notices, matching: this.matching });
    this.credits = new RefundCredits(options, { positions, matching: this.matching, manual: this.manual });
    const onClaimed: ManualRefunds['reopen'] = (tx, orderId, now) => this.manual.reopen(tx, orderId, now);
    this.addresses = new RefundAddresses({ ...options, onAddressUsable: onClaimed });
    this.personalData = new RefundPersonalData(options);
    this.#db = options.db;
  }

  /** Everything staff need to refund an order; null if there is no such order. */
  async readForOrder(orderId: string) {
    const order = await store.findOrder(this.#db, orderId);
    if (!order) return null;
    const [position, address, rows, manual] = await Promise.all([
      this.#positions.read(this.#db, order),
      this.#positions.findDestination(this.#db, orderId),
      store.listRefunds(this.#db, orderId),
      this.manual.readForOrder(order),
    ]);
    const { surplus, whole } = computeRefundable(position);
    const terms = readReturnTerms(this.#options);
    const [lines, covered] = await Promise.all([
      readRefundableOrder(this.#db, orderId),
      listCoveredLines(
        this.#db,
        rows.map(({ id }) => id),
      ),
    ]);
    const decide = (covers: 'surplus' | 'whole') => decideDebit({ covers }, position, lines, { address, terms });
    const decided = { surplus: decide('surplus'), whole: decide('whole') };
    return {
      refunds: rows.map((row) => presentRefund(row, this.#options.shopSettings, covered)),
      refundable: { surplus_btc: surplus, whole_btc: whole },
      refused: {
        surplus: toShownProblem(decided.surplus),
        whole: toShownProblem(decided.whole),
      },
      returns: {
        method: terms.method,
        rate_usd: terms.rate && cents(terms.rate.centsPerBtc),
        rate_at: terms.rate?.at ?? null,
        is_paid: order.payment_status === 'paid',
        whole: presentWhole(position, lines, terms),
      },
      lines: presentRefundableLines(lines, position, { address, terms }),
      address: address && {
        address: address.address,
        confirmed: address.confirmedAt !== null,
        holds_from: address.holdsFrom,
        reason: address.reason,
      },
      ...manual,
    };
  }

  /** What the timeline of an order shows of its refunds. */
  async findTimelineEntries(orderId: string): Promise<RefundEntries> {
    const [rows, address] = await Promise.all([
      store.listTimelineEntries(this.#db, orderId),
      findAddress(this.#db, orderId),
    ]);
    const covered = await listCoveredLines(
      this.#db,
      rows.map(({ id }) => id),
    );
    const refunds = rows.map(({ coversShipping, id, linesCents, ...entry }) => {
      const units = covered.filter(({ refundId }) => refundId === id);
      const valueCents = isValueReturned(entry) ? entry.valueCents : null;
      return { ...entry, valueCents, lines: showCoveredLines({ coversShipping, linesCents }, units) };
    });
    return { refunds, address: address?.address ?? null };
  }

  /**
   * Makes a refund of everything refundable by `covers`. Coins are planned before the order is
   * locked, and the plan is verified under the lock.
   */
  async make(by: StaffActor, orderId: string, request: RefundToMake): Promise<MakeResult> {
    for (let attempt = 0; attempt < MAX_PLAN_ATTEMPTS; attempt += 1) {
      const result = await this.#tryToMake(by, orderId, request).catch((error: unknown) => {
        if (error instanceof CauseChangedError) return null;
        throw error;
      });
      if (result === null) break;
      if (result.ok || result.reason !== 'changed') return result;
    }
    return { ok: false, reason: 'changed' };
  }

  async #tryToMake(by: StaffActor, orderId: string, request: RefundToMake): Promise<MakeResult> {
    const { clock, orderStatus, payments } = this.#options;
    const { covers } = request;
    const orderBefore = await store.findOrder(this.#db, orderId);
    if (!orderBefore) return NOT_FOUND;
    const to = await this.#positions.findDestination(this.#db, orderId);
    // The rate of the refund, also of its second decision.
    const terms = readReturnTerms(this.#options);
    const before = await this.#decide(this.#db, orderBefore, request, { address: to, terms });
    if (!before.ok || to === null) return { ok: false, reason: before.ok ? 'no-address' : before.reason };
    if (request.isChecked !== true && (await this.manual.isPossiblyForgotten(this.#db, orderBefore))) {
      return { ok: false, reason: 'check-wallet' };
    }
    const { debitSats, returns } = before;
    const plan = await this.#plan(orderId, request, to.address, returns.fullSats);
    if (!plan.ok) return plan;

    return transact(this.#db, async (tx): Promise<MakeResult> => {
      const order = await store.lockOrder(tx, orderId);
      if (!order) return NOT_FOUND;
      const destination = await this.#positions.findDestination(tx, orderId);
      const decided = await this.#decide(tx, order, request, { address: destination, terms });
      if (!decided.ok) return decided;
      const isSame = decided.debitSats === debitSats && decided.returns.fullSats === returns.fullSats;
      const isAsPlanned = destination?.address === to.address && isSame;
      if (!isAsPlanned || !(await this.#areFree(tx, plan))) return { ok: false, reason: 'changed' };
      const id = uuidv7();
      const scriptId = await payments.watchRefunds(tx, to.address);
      const amountSats = sats(plan.amountSats);
      const made = { ...decided, id, orderId, covers, amountSats, scriptId, plan: plan.payout, madeBy: by.userId };
      const madeAt = clock.now();
      if (!(await store.insertRefund(tx, { ...made, madeAt }))) return { ok: false, reason: 'refund-open' };
      const refund = await this.notices.report(tx, id, 'refund_made', { by: by.userId });
      await this.matching.updateOrder(tx, orderId);
      await orderStatus.reconcile(tx, [orderId]);
      await this.#record(tx, id, { at: madeAt, by, action: 'order.refund_made' });
      if (request.onMade && !(await request.onMade(tx, id))) throw new CauseChangedError();
      return { ok: true, refund };
    });
  }

  /** What a refund takes, or why it can't be made. Hold the row lock of the order to rely on it. */
  async #decide(
    db: Db,
    order: store.OrderRow,
    request: RefundToMake,
    to: { readonly address: RefundDestination | null; readonly terms: ReturnTerms },
  ): Promise<DebitDecision> {
    const position = await this.#positions.read(db, order);
    return decideDebit(request, position, await readRefundableOrder(db, order.id), to);
  }

  /** @param before the refund before the change; null if it was made */
  async #record(
    tx: Db,
    id: string,
    { before = null, ...change }: { at: Date; by: StaffActor; action: string; before?: store.RefundRow | null },
  ): Promise<void> {
    const refund = await store.findRefund(tx, id);
    if (refund === null) return;
    await recordOrderChange(
      tx,
      { id: refund.orderId, number: refund.number },
      { ...change, before: before === null ? {} : toAuditFields(before), after: toAuditFields(refund) },
    );
  }

  /** Plans amount and transaction. Takes no lock, since it calls the chain source. */
  async #plan(
    orderId: string,
    { feePaidBy, feeRate: requestedRate, from }: RefundToMake,
    address: string,
    fullSats: bigint,
  ): Promise<Plan | { readonly ok: false; readonly reason: PlanProblem | 'dust' }> {
    const { payments } = this.#options;
    if (from === 'any-wallet') return { ok: true, amountSats: fullSats, payout: null };
    const feeRate = requestedRate ?? (await payments.estimateFeeRate());
    if (feeRate === null) return { ok: false, reason: 'no-fee-rate' };
    const reserved = await store.listPendingPlans(this.#db);
    try {
      const feeFromAmount = feePaidBy === 'buyer';
      const amountSats = fullSats;
      const payout = await payments.planRefund(orderId, { address, amountSats, feeRate, feeFromAmount, reserved });
      if (payout.ok) return { ok: true, amountSats: payout.paidSats, payout };
      return { ok: false, reason: payout.reason === 'dust' ? 'dust' : 'no-coins' };
    } catch (error) {
      if (!(error instanceof ChainSourceError)) throw error;
      this.#options.log.warn({ reason: error.message }, 'the chain source did not return coins');
      return { ok: false, reason: 'chain-down' };
    }
  }

  /**
   * Whether no other refund reserved one of the coins. Holds the planning lock until the
   * transaction ends.
   */
  async #areFree(tx: Db, { payout }: Plan): Promise<boolean> {
    if (payout === null) return true;
    await store.lockPlanning(tx);
    const taken = new Set((await store.listPendingPlans(tx)).flatMap(listOutpoints));
    return listOutpoints(payout.psbt).every((outpoint) => !taken.has(outpoint));
  }

  /** The unsigned transaction of a refund that is not sent; null if there is none. */
  async findPsbt(id: string): Promise<Uint8Array | null> {
    const refund = await store.findRefund(this.#db, id);
    return refund?.state === 'made' ? refund.psbt : null;
  }

  /**
   * Broadcasts the transaction that staff signed. The ledger shows whether it was sent; only the
   * audit entry is stored.
   */
  async broadcast(by: StaffActor, id: string, signed: Uint8Array): Promise<RefundActionResult> {
    const { clock, log, syncChain, payments } = this.#options;
    const refund = await store.findRefund(this.#db, id);
    if (!refund) return NOT_FOUND;
    if (refund.state !== 'made') return { ok: false, reason: 'not-open' };
    if (refund.psbt === null) return { ok: false, reason: 'no-psbt' };
    const read = readSignedPayout(signed, refund.psbt);
    if (!read.ok) return read;
    const order = await store.findOrder(this.#db, refund.orderId);
    if (!order || !isCovered(refund.covers, await this.#positions.read(this.#db, order))) {
      return { ok: false, reason: 'not-covered' };
    }
    try {
      await payments.broadcast(read.raw);
    } catch (error) {
      if (!(error instanceof ChainSourceError)) throw error;
      log.warn({ reason: error.message, refund: id }, 'a refund was not broadcast');
      return { ok: false, reason: 'not-sent', words: error.message };
    }
    await transact(this.#db, (tx) =>
      recordOrderChange(tx, order, {
        at: clock.now(),
        by,
        action: 'order.refund_broadcast',
        after: { refund_id: id, txid: refund.plannedTxid },
      }),
    );
    // A failed sync is made up for by the next one.
    void syncChain().catch(() => {});
    return { ok: true, refund: await this.notices.read(this.#db, id) };
  }

  /** Withdraws a refund that no transaction pays yet. */
  withdraw(by: StaffActor, id: string): Promise<RefundActionResult> {
    const { clock, onWithdrawn } = this.#options;
    return this.#end(by, id, 'refund_withdrawn', async (tx) => {
      if (!(await store.withdrawRefund(tx, id, clock.now()))) return 'not-open';
      await onWithdrawn?.(tx, id);
      return null;
    });
  }

  /** Records that a transaction paid a refund which the ledger does not show. */
  record(by: StaffActor, id: string, txid: string): Promise<RefundActionResult> {
    return this.#end(by, id, 'refund_recorded', async (tx, orderId) => {
      const problem = findRecordProblem(await readTransactionFacts(tx, txid, orderId));
      return problem ?? ((await store.recordRefund(tx, id, txid)) ? null : 'not-open');
    });
  }

  async #end(
    by: StaffActor,
    id: string,
    event: 'refund_withdrawn' | 'refund_recorded',
    write: (tx: Db, orderId: string) => Promise<RefundActionRefusal['reason'] | null>,
  ): Promise<RefundActionResult> {
    return transact(this.#db, async (tx): Promise<RefundActionResult> => {
      const orderId = (await store.findRefund(tx, id))?.orderId;
      if (orderId === undefined) return NOT_FOUND;
      await store.lockOrder(tx, orderId);
      const before = await store.findRefund(tx, id);
      const reason = await write(tx, orderId);
      if (reason !== null) return { ok: false, reason };
      const refund = await this.notices.report(tx, id, event, { by: by.userId });
      await this.matching.updateOrder(tx, orderId);
      await this.#options.orderStatus.reconcile(tx, [orderId]);
      await this.#record(tx, id, { at: this.#options.clock.now(), by, action: `order.${event}`, before });
      return { ok: true, refund };
    });
  }
}
