/** Manual refund actions of staff: record a refund sent elsewhere, undo a record, write off. */
import { v7 as uuidv7 } from 'uuid';
import { readAddress } from '#src/platform/bitcoin/address.ts';
import type { BitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Mails } from '#src/platform/mail/mails.ts';
import type { MailKind } from '#src/shop/mail-kinds.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import type { OrderStatus } from '#src/shop/orders/status/service.ts';
import { addSats, NO_SATS } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import type { Orders } from '#src/shop/orders/service.ts';
import type { OrderNumbers } from '#src/shop/shop-settings/service.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { recordOrderChange, toAuditFields } from '../audit.service.ts';
import { isPossiblyForgotten, findRecordProblem, findUndoProblem } from './manual-record.ts';
import type { RecordProblem, UndoProblem } from './manual-record.ts';
import * as manual from './store.ts';
import type { WriteOffKind, WriteOffRow } from './store.ts';
import type { RefundNotices } from '../notices.service.ts';
import type { RefundPositions } from '../position.service.ts';
import type { RefundMatching } from '../matching.service.ts';
import { omitWriteOffs } from '../refundable.ts';
import { decideDebit } from '../decide-debit.ts';
import type { DebitProblem, LinesRequest, RefundRequest } from '../decide-debit.ts';
import type { SentElsewhere } from '../return-value.ts';
import { readReturnTerms } from '../return-terms.service.ts';
import type { ReturnTermsOptions } from '../return-terms.service.ts';
import { readRefundableOrder } from '../lines/store.ts';
import type { RefundCovers } from '#src/shop/orders/kinds.ts';
import type { RefundProblem } from '../refundable.ts';
import type { ShownRefund } from '../show-refund.ts';
import * as store from '../store.ts';
import type { OrderRow } from '../store.ts';
import { decideWriteOff } from './write-off.ts';
import type { WriteOffProblem } from './write-off.ts';

/** Mail about written-off money. Its content comes from `readWrittenOffMail`. */
export const WRITTEN_OFF_MAIL = 'written-off';

export interface ManualRefundsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly network: BitcoinNetwork;
  readonly mails: Pick<Mails<MailKind>, 'enqueue'>;
  readonly accounts: Pick<Accounts, 'findContact'>;
  readonly orders: Pick<Orders, 'appendEvent'>;
  readonly payments: Pick<Payments, 'watchRefunds' | 'isOwnAddress'>;
  readonly orderStatus: Pick<OrderStatus, 'reconcile'>;
  /** Days after which staff may write off unclaimed money. */
  readonly unclaimedAfterDays: number;
  readonly rates: ReturnTermsOptions['rates'];
  readonly shopSettings: OrderNumbers & ReturnTermsOptions['shopSettings'];
}

export interface RecordRequest {
  readonly covers: RefundCovers;
  /** Required if it covers lines. */
  readonly lines?: LinesRequest | undefined;
  readonly txid: string;
  readonly address: string;
  /** Dollars of a paid order; required if it covers an amount. */
  readonly amountCents?: Cents | undefined;
  /** What arrived. Defaults to what the refund returns. */
  readonly amountSats?: Sats | undefined;
  /** Network fee that was taken off it; omitted: none. */
  readonly feeSats?: Sats | undefined;
  readonly reason: string;
}

interface ManualRefusal<Reason extends string> {
  readonly ok: false;
  readonly reason: Reason | 'not-found';
  /** Detail of the reason. */
  readonly words?: string;
}
interface RecordedRefund {
  readonly ok: true;
  readonly refund: ShownRefund;
}
export type RecordResult =
  | RecordedRefund
  | ManualRefusal<
      | Exclude<RefundProblem, 'dust' | 'no-address' | 'address-not-confirmed' | 'address-waits'>
      | RecordProblem
      | Exclude<DebitProblem, RefundProblem>
      | 'invalid-address'
    >;
export type UndoResult = RecordedRefund | ManualRefusal<UndoProblem>;

/** A write-off as staff see it. */
const showWriteOff = ({ id, kind, covers, amountSats, reason, madeAt, reopenedAt }: WriteOffRow) => ({
  id,
  kind,
  covers,
  amount_btc: amountSats,
  reason,
  made_at: madeAt,
  reopened_at: reopenedAt,
});
type ShownWriteOff = ReturnType<typeof showWriteOff>;

export type WriteOffResult =
  | { readonly ok: true; readonly writeOff: ShownWriteOff }
  | (ManualRefusal<WriteOffProblem | 'not-paid-twice'> & { readonly from?: Date | null });

const NOT_FOUND = { ok: false, reason: 'not-found' } as const;

export class ManualRefunds {
  readonly #options: ManualRefundsOptions;
  readonly #db: Db;
  readonly #positions: RefundPositions;
  readonly #notices: RefundNotices;
  readonly #matching: RefundMatching;

  constructor(
    options: ManualRefundsOptions,
    parts: { readonly positions: RefundPositions; readonly notices: RefundNotices; readonly matching: RefundMatching },
  ) {
    this.#options = options;
    this.#db = options.db;
    this.#positions = parts.positions;
    this.#notices = parts.notices;
    this.#matching = parts.matching;
  }

  /** Manual parts of an order's refunds, for staff. */
  async readForOrder(order: OrderRow) {
    const { clock, unclaimedAfterDays } = this.#options;
    const [position, writeOffs, double, restore] = await Promise.all([
      this.#positions.readForWriteOff(this.#db, order),
      manual.listWriteOffs(this.#db, order.id),
      this.#positions.findDoubleRefund(this.#db, order),
      manual.findLastRestore(this.#db),
    ]);
    const decision = decideWriteOff(position, clock.now(), unclaimedAfterDays);
    return {
      write_offs: writeOffs.map(showWriteOff),
      unclaimed: decision.ok
        ? { amount_btc: decision.amountSats, refusal: null, from: null }
        : { amount_btc: null, refusal: decision.reason, from: decision.from },
      paid_twice_btc: double?.kind === 'sent' ? double.excessSats : null,
      may_be_forgotten: isPossiblyForgotten(order.created_at, restore?.restoredAt ?? null)
        ? { backup_at: restore?.backupAt ?? order.created_at, restored_at: restore?.restoredAt ?? order.created_at }
        : null,
    };
  }

  /** Whether a restored backup may lack a refund of the order. */
  async isPossiblyForgotten(db: Db, order: OrderRow): Promise<boolean> {
    return isPossiblyForgotten(order.created_at, (await manual.findLastRestore(db))?.restoredAt ?? null);
  }

  /**
   * Records a refund that was sent without a refund made in the shop. It takes what was sent, and not more.
   */
  async recordElsewhere(by: StaffActor, orderId: string, request: RecordRequest): Promise<RecordResult> {
    const { clock, orderStatus, network, payments } = this.#options;
    const { covers, reason, txid } = request;
    const read = readAddress(request.address, network);
    if (!read.ok) return { ok: false, reason: 'invalid-address', words: read.message };
    const { address } = read;
    if (await payments.isOwnAddress(address)) {
      return { ok: false, reason: 'invalid-address', words: 'This is an address of the shop. Enter one of the buyer' };
    }
    return transact(this.#db, async (tx): Promise<RecordResult> => {
      const order = await store.lockOrder(tx, orderId);
      if (!order) return NOT_FOUND;
      const position = omitWriteOffs(await this.#positions.read(tx, order));
      const refundable = await readRefundableOrder(tx, orderId);
      const decided = decideDebit(toRefundRequest(request, order), position, refundable, {
        address: { status: 'confirmed', dustSats: 1n },
        terms: readReturnTerms(this.#options),
        sent: toSent(request, clock.now()),
      });
      if (!decided.ok) return { ok: false, reason: toRecordProblem(decided.reason) };
      const recordProblem = findRecordProblem(await manual.readTransactionFacts(tx, txid, orderId));
      if (recordProblem !== null) return { ok: false, reason: recordProblem };
      const amountSats = request.amountSats ?? decided.returns.fullSats;
      if (covers !== 'lines') await this.#reopen(tx, orderId, clock.now());
      const id = uuidv7();
      const scriptId = await payments.watchRefunds(tx, address);
      const record = { ...decided, id, orderId, covers, amountSats, scriptId, txid, reason };
      const isLeft = await manual.insertSentElsewhere(tx, { ...record, madeBy: by.userId, madeAt: clock.now() });
      if (!isLeft) throw new Error('a locked order has less left than was decided');
      const refund = await this.#notices.report(tx, id, 'refund_recorded', { by: by.userId, reason });
      await this.#matching.updateOrder(tx, orderId);
      await orderStatus.reconcile(tx, [orderId]);
      const row = await store.findRefund(tx, id);
      await recordOrderChange(tx, order, {
        at: clock.now(),
        by,
        action: 'order.refund_recorded',
        after: { ...(row && toAuditFields(row)), reason },
      });
      return { ok: true, refund };
    });
  }

  /** Undoes a record of staff. */
  async undoRecord(by: StaffActor, id: string, reason: string): Promise<UndoResult> {
    const { clock, orderStatus } = this.#options;
    return transact(this.#db, async (tx): Promise<UndoResult> => {
      const found = await store.findRefund(tx, id);
      if (!found) return NOT_FOUND;
      // Outputs at the address may now pay this refund or one of another order, so all are locked.
      await store.lockPaidOrders(tx, [found.scriptId]);
      const refund = await store.findRefund(tx, id);
      if (!refund) return NOT_FOUND;
      const problem = findUndoProblem(refund, await store.listRefunds(tx, refund.orderId));
      if (problem !== null) return { ok: false, reason: problem };
      if (!(await manual.undoRecord(tx, id, clock.now()))) return { ok: false, reason: 'not-recorded' };
      await this.#notices.report(tx, id, 'refund_record_undone', { by: by.userId, reason, txid: refund.txid });
      await this.#matching.updateOrder(tx, refund.orderId);
      await orderStatus.reconcile(tx, await this.#matching.matchWithLedger(tx, [refund.scriptId]));
      const undone = await store.findRefund(tx, id);
      await recordOrderChange(
        tx,
        { id: refund.orderId, number: refund.number },
        {
          at: clock.now(),
          by,
          action: 'order.refund_record_undone',
          before: toAuditFields(refund),
          after: { ...(undone && toAuditFields(undone)), reason },
        },
      );
      return { ok: true, refund: await this.#notices.read(tx, id) };
    });
  }

  /** Writes off unclaimed money, or accepts a double refund as a loss. */
  async writeOff(by: StaffActor, orderId: string, kind: WriteOffKind, reason: string): Promise<WriteOffResult> {
    const { clock, orderStatus, mails, orders, unclaimedAfterDays } = this.#options;
    return transact(this.#db, async (tx): Promise<WriteOffResult> => {
      const order = await store.lockOrder(tx, orderId);
      if (!order) return NOT_FOUND;
      const now = clock.now();
      const decision =
        kind === 'unclaimed'
          ? decideWriteOff(await this.#positions.readForWriteOff(tx, order), now, unclaimedAfterDays)
          : await this.#decideLoss(tx, order);
      if (!decision.ok) return decision;
      const { covers, amountSats } = decision;
      const id = uuidv7();
      await manual.insertWriteOff(tx, {
        id,
        orderId,
        kind,
        covers,
        amountSats,
        reason,
        madeBy: by.userId,
        madeAt: now,
      });
      const event = kind === 'unclaimed' ? 'written_off' : 'paid_twice_accepted';
      await orders.appendEvent(tx, orderId, event, now, {
        by: by.userId,
        reason,
        covers,
        amount_sats: String(amountSats),
      });
      if (kind === 'unclaimed') {
        await mails.enqueue(tx, [{ kind: WRITTEN_OFF_MAIL, event: `${WRITTEN_OFF_MAIL}.${id}`, data: { id } }]);
      }
      await this.#matching.updateOrder(tx, orderId);
      await orderStatus.reconcile(tx, [orderId]);
      const row = await manual.findWriteOff(tx, id);
      await recordOrderChange(tx, order, {
        at: now,
        by,
        action: `order.${event}`,
        after: { covers, amount_sats: amountSats, reason },
      });
      return row === null ? NOT_FOUND : { ok: true, writeOff: showWriteOff(row) };
    });
  }

  /** Content of the write-off mail; null if the write-off was reopened or the account deleted. */
  async readWrittenOffMail(id: string) {
    const row = await manual.findWriteOff(this.#db, id);
    if (row === null || row.kind !== 'unclaimed' || row.reopenedAt !== null) return null;
    const order = await store.findOrder(this.#db, row.orderId);
    const contact = order && (await this.#options.accounts.findContact(order.user_id));
    if (!contact) return null;
    const { amountSats, covers, orderId } = row;
    return {
      ...contact,
      orderId,
      number: this.#options.shopSettings.formatOrderNumber(order.number),
      covers,
      amountSats,
    };
  }

  /** Reopens the write-off of a locked order, if its address can receive the amount. */
  async reopen(tx: Db, orderId: string, now: Date): Promise<void> {
    const to = await this.#positions.findDestination(tx, orderId);
    if (to === null || (await manual.sumUnclaimedSats(tx, orderId)) < to.dustSats) return;
    if (await this.#reopen(tx, orderId, now)) await this.#options.orderStatus.reconcile(tx, [orderId]);
  }

  async #reopen(tx: Db, orderId: string, now: Date): Promise<boolean> {
    const amount = await manual.reopenUnclaimed(tx, orderId, now);
    if (amount === 0n) return false;
    await this.#options.orders.appendEvent(tx, orderId, 'write_off_reopened', now, { amount_sats: String(amount) });
    await this.#matching.updateOrder(tx, orderId);
    return true;
  }

  async #decideLoss(tx: Db, order: OrderRow) {
    const double = await this.#positions.findDoubleRefund(tx, order);
    if (double?.kind !== 'sent') return { ok: false, reason: 'not-paid-twice' } as const;
    const refunds = await store.listRefunds(tx, order.id);
    const isWhole = refunds.some(({ covers, txid }) => covers === 'whole' && txid !== null);
    return { ok: true, covers: isWhole ? 'whole' : 'surplus', amountSats: double.excessSats } as const;
  }
}

type RecordRefundProblem = Exclude<RefundProblem, 'dust' | 'no-address' | 'address-not-confirmed' | 'address-waits'>;

/** The record names an address, and the network relayed the amount, so that the others do not occur. */
const toRecordProblem = (problem: DebitProblem): Exclude<DebitProblem, RefundProblem> | RecordRefundProblem =>
  problem === 'dust' || problem === 'no-address' || problem === 'address-not-confirmed' || problem === 'address-waits'
    ? 'nothing-to-refund'
    : problem;

/** Satoshis of an order that is not paid are refunded in any part; dollars of a paid one by amount. */
function toRefundRequest({ amountCents, reason, ...request }: RecordRequest, order: OrderRow): RefundRequest {
  const { covers, lines } = request;
  const sent = toSent(request, order.created_at);
  const isOfSats = covers === 'surplus' || (covers === 'whole' && order.payment_status !== 'paid');
  return {
    covers,
    lines,
    ...(amountCents === undefined ? {} : { amount: { cents: amountCents, reason } }),
    ...(isOfSats && sent !== null ? { partSats: sent.sats } : {}),
  };
}

function toSent(
  { amountSats, covers, feeSats = NO_SATS }: Omit<RecordRequest, 'reason'>,
  at: Date,
): SentElsewhere | null {
  return amountSats === undefined ? null : { sats: addSats(amountSats, feeSats), at, isNamed: covers === 'amount' };
}
