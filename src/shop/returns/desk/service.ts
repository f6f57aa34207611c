/** What staff do with returns. Each step is one transaction with its event, mail and audit entry. */
import type { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import { getActorId } from '#src/shop/audit-log/actor.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import { changeDocument, OUTDATED, refuseOutdated } from '#src/shop/editing/service.ts';
import { NO_CENTS } from '#src/shop/money.ts';
import { toRowRange } from '#src/shop/list-pages.ts';
import { ReturningUnitsService } from '#src/shop/orders/status/returning-units.service.ts';
import type { MakeResult, Refunds } from '#src/shop/refunds/service.ts';
import * as handling from '../handling.store.ts';
import type { InspectedLine, ReturnPatch } from '../handling.store.ts';
import type { ReturnState } from '../kinds.ts';
import type { ReturnNotices, ReturnNoticesOptions } from '../notices.service.ts';
import { parseReference } from '../reference.ts';
import { computeRefundDue, computeWarningLimit } from '../refund-deadline.ts';
import { describeRefund } from '../describe-refund.ts';
import { planRefund } from '../plan-refund.ts';
import { readReturnAddress } from '../return-address.ts';
import type { ReturnMail } from '../return-mail-kinds.ts';
import { listActions } from '../return-state.ts';
import { findExchangedOrder } from '../exchange.store.ts';
import { showExchangedOrder, showReturn, toPosition } from '../show-return.service.ts';
import { writeSentBack } from '../serials.store.ts';
import * as store from '../store.ts';
import type { ReturnRow } from '../store.ts';
import { isReleasedAfter, listUnitsToRelease } from '../units-to-release.ts';
import type { ReturnEnd } from '../units-to-release.ts';
import { AUDIT_ACTIONS, toAuditFields } from './audit-fields.service.ts';
import type { Step } from './audit-fields.service.ts';
import { chooseSentBack, countArrival } from './arriving-units.service.ts';
import type { deskReturn } from './contract.ts';
import { releaseUnits } from './release-units.service.ts';
import { isTooLittle } from '../too-little.service.ts';
import type { Arrival, SerialMarks } from './arriving-units.service.ts';
import { listQueue } from './list.store.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';

export interface ReturnDeskOptions extends ReturnNoticesOptions {
  readonly shopSettings: ReturnNoticesOptions['shopSettings'] & Pick<ShopSettings, 'findOrderNumbers'>;
  readonly refunds: Pick<Refunds, 'make' | 'previews'>;
  readonly serialNumbers: SerialMarks;
  /** What the units of a return can be exchanged for; null: it has no such action now. */
  readonly offerExchange: (row: ReturnRow) => Promise<DeskReturnExchange>;
}

type DeskReturnExchange = z.output<typeof deskReturn>['exchange'];

export interface RefundOfReturn {
  readonly version: number;
  readonly feePaidBy: 'shop' | 'buyer';
  readonly feeRate: number | undefined;
  readonly from: 'coins' | 'any-wallet';
  readonly isChecked: boolean | undefined;
}

interface Ended {
  readonly version: number;
  /** The buyer reads it. */
  readonly reason: string;
}

interface StepOptions {
  readonly version: number;
  readonly by: StaffActor;
  /** Null: the step is not reported. */
  readonly mail: ReturnMail | null;
  /** A refusal rolls the step back. Null: nothing changed. */
  readonly write: (tx: Db, row: ReturnRow, now: Date) => Promise<ReturnPatch | Refusal | null>;
}

const NOT_POSSIBLE = new Refusal(409, 'not-possible', 'This is not possible in the present state of the return');

export class ReturnDesk {
  readonly #options: ReturnDeskOptions;
  readonly #db: Db;
  readonly #notices: ReturnNotices;
  readonly #units = new ReturningUnitsService();

  constructor(options: ReturnDeskOptions, notices: ReturnNotices) {
    this.#options = options;
    this.#db = options.db;
    this.#notices = notices;
  }

  async list({
    page = 1,
    q = '',
    view = null,
  }: {
    readonly page?: number | undefined;
    readonly q?: string | undefined;
    readonly view?: 'waiting' | 'due' | 'open' | ReturnState | null | undefined;
  }) {
    const { clock, shopSettings } = this.#options;
    const now = clock.now();
    const typed = q.trim();
    const { hasMore, rows, total } = await listQueue(this.#db, {
      view,
      isSearch: typed !== '',
      reference: parseReference(typed),
      orderNumbers: typed === '' ? [] : shopSettings.findOrderNumbers(typed),
      dueBefore: computeWarningLimit(now),
      ...toRowRange(page),
    });
    return {
      returns: rows.map(({ number, row, username }) => ({
        return: showReturn(row, 'staff', now),
        order_number: shopSettings.formatOrderNumber(number),
        username,
      })),
      total,
      has_more: hasMore,
      page,
    };
  }

  /** Returns whose next step is one of staff. */
  countWaiting(): Promise<number> {
    return handling.countWaiting(this.#db, computeWarningLimit(this.#options.clock.now()));
  }

  /** Null if there is no such return. */
  async find(id: string) {
    const { clock, shopSettings } = this.#options;
    const [row, order] = await Promise.all([store.findReturn(this.#db, id), handling.findOrderOfReturn(this.#db, id)]);
    if (row === null || order === null) return null;
    const { identity, returns } = shopSettings.current;
    return {
      return: showReturn(row, 'staff', clock.now(), await isTooLittle(this.#options.refunds.previews, row)),
      order_number: shopSettings.formatOrderNumber(order.number),
      buyer: { id: order.userId, username: order.username },
      return_address: readReturnAddress(returns, identity),
      refund: await this.#previewRefund(row),
      exchange: await this.#options.offerExchange(row),
      exchanged: showExchangedOrder(await findExchangedOrder(this.#db, id), shopSettings),
      refund_state: row.refundId === null ? null : await handling.findRefundState(this.#db, row.refundId),
    };
  }

  async #previewRefund(row: ReturnRow) {
    if (!listActions(toPosition(row), 'staff').includes('refund')) return null;
    const { previews } = this.#options.refunds;
    const lines = planRefund(row, await previews.readLines(row.orderId));
    const request = { covers: 'lines', lines: { ...lines, reason: row.reference, restocks: false } } as const;
    const decided = await previews.decide(row.orderId, request);
    const computed = await previews.computeLines(row.orderId, lines);
    return {
      value_usd: computed.ok ? computed.totalCents : NO_CENTS,
      shipping: lines.shipping,
      returns_btc: decided?.ok === true ? decided.returns.fullSats : null,
      refused: decided === null || decided.ok ? null : decided.reason,
    };
  }

  approve(id: string, version: number, by: StaffActor) {
    return this.#step(id, 'approve', {
      version,
      by,
      mail: 'approved',
      write: (_tx, _row, now) =>
        Promise.resolve({ state: 'approved', decided_at: now, refund_due_at: computeRefundDue(now) }),
    });
  }

  refuse(id: string, { reason, version }: { readonly version: number; readonly reason: string }, by: StaffActor) {
    return this.#step(id, 'refuse', {
      version,
      by,
      mail: 'refused',
      write: async (tx, row, now) => {
        await this.#units.giveBack(tx, row.orderId, listUnitsToRelease(row, 'not-refunded'));
        const decided = { decided_at: row.decidedAt ?? now, closed_at: now, decision: reason };
        return { state: 'refused', outcome: 'refused', ...decided };
      },
    });
  }

  /** Replaces or removes the label. @param write changes it in the transaction; null: nothing changed */
  changeLabel(
    id: string,
    { by, isRemoved, version }: Pick<StepOptions, 'by' | 'version'> & { readonly isRemoved: boolean },
    write: StepOptions['write'],
  ) {
    return this.#step(id, 'send', { version, by, mail: isRemoved ? null : 'label', write });
  }

  /** @param labelUrl empty: none */
  setLabel(id: string, { labelUrl, version }: { readonly version: number; readonly labelUrl: string }, by: StaffActor) {
    const label = labelUrl === '' ? null : labelUrl;
    return this.changeLabel(id, { version, by, isRemoved: label === null }, (_tx, row) =>
      Promise.resolve(row.labelUrl === label ? null : { label_url: label }),
    );
  }

  markSent(id: string, { proof, version }: { readonly version: number; readonly proof: string }, by: StaffActor) {
    return this.#step(id, 'send', {
      version,
      by,
      mail: 'sent',
      write: (_tx, row, now) =>
        Promise.resolve(row.proof === proof ? null : { state: 'in-transit', sent_at: row.sentAt ?? now, proof }),
    });
  }

  /** Counts units of a line, or one of a scanned SKU or serial number. The first unit is reported. */
  async receive(id: string, { version, ...arrival }: Arrival & { readonly version: number }, by: StaffActor) {
    const { serialNumbers: marks } = this.#options;
    const before = await store.findReturn(this.#db, id);
    return this.#step(id, 'receive', {
      version,
      by,
      mail: before?.receivedAt === null ? 'received' : null,
      write: async (tx, row, now) =>
        (await countArrival(tx, row, arrival, { marks, now })) ?? {
          state: 'received',
          received_at: row.receivedAt ?? now,
        },
    });
  }

  inspect(
    id: string,
    { lines, version }: { readonly version: number; readonly lines: readonly InspectedUnits[] },
    by: StaffActor,
  ) {
    return this.#step(id, 'inspect', {
      version,
      by,
      mail: 'inspected',
      write: async (tx, row, now) => {
        const isComplete = row.lines.every(
          ({ position, received }) => received === 0 || lines.some((line) => line.position === position),
        );
        if (!isComplete || row.lines.every(({ received }) => received === 0)) return UNITS_DIFFER;
        for (const line of lines) {
          const refused = await writeInspected(tx, row, line);
          if (refused !== null) return refused;
        }
        const inspected = { ...(await store.findReturn(tx, id)), state: 'inspected' as const };
        const { previews } = this.#options.refunds;
        const plan = planRefund({ ...row, ...inspected }, await previews.readLines(row.orderId, tx));
        const computed = await previews.computeLines(row.orderId, plan, tx);
        if (!computed.ok && computed.reason === 'deduction-too-large') return DEDUCTION_TOO_LARGE;
        return { state: 'inspected', inspected_at: now };
      },
    });
  }

  close(id: string, ended: Ended, by: StaffActor) {
    return this.#end(id, 'close', ended, { by, mail: 'closed', outcome: 'not-refunded' });
  }

  /** Buyer and shop agreed that a withdrawal is void: its units can be shipped, returned and withdrawn from again. */
  void(id: string, ended: Ended, by: StaffActor) {
    return this.#end(id, 'void', ended, { by, mail: 'voided', outcome: 'void' });
  }

  #end(
    id: string,
    action: 'close' | 'void',
    { reason, version }: Ended,
    { outcome, ...reported }: Pick<StepOptions, 'by' | 'mail'> & { readonly outcome: Exclude<ReturnEnd, 'refunded'> },
  ) {
    return this.#step(id, action, {
      version,
      ...reported,
      write: async (tx, row, now) => {
        const isSmall = outcome === 'not-refunded' && (await isTooLittle(this.#options.refunds.previews, row, tx));
        const refused = await releaseUnits(tx, row, outcome, this.#options.serialNumbers);
        if (refused !== null) return refused;
        return {
          state: 'closed',
          closed_at: now,
          outcome: isSmall ? 'too-little' : outcome,
          decision: reason,
          is_sent_back_released: isReleasedAfter(row, outcome),
        };
      },
    });
  }

  /** Makes the refund and closes the return in one transaction. */
  async refund(id: string, { version, ...sending }: RefundOfReturn, by: StaffActor) {
    const row = await store.findReturn(this.#db, id);
    if (row === null) return createNotFound();
    if (row.version !== version) return refuseOutdated('this return');
    if (!listActions(toPosition(row), 'staff').includes('refund')) return NOT_POSSIBLE;
    const plan = planRefund(row, await this.#options.refunds.previews.readLines(row.orderId));
    const restocks = plan.units.some(({ restocked = 0 }) => restocked > 0);
    let refused: Refusal | null = null;
    const made: MakeResult = await this.#options.refunds.make(by, row.orderId, {
      covers: 'lines',
      lines: { ...plan, reason: describeRefund(row), restocks },
      ...sending,
      onMade: async (tx, refundId) => {
        refused = await this.#closeRefunded(tx, row, refundId, by);
        return refused === null;
      },
    });
    return made.ok ? this.#present(id) : (refused ?? made);
  }

  /** Called last in the transaction of the refund, which a refusal rolls back. */
  async #closeRefunded(tx: Db, seen: ReturnRow, refundId: string, by: StaffActor): Promise<Refusal | null> {
    const at = this.#options.clock.now();
    const row = await handling.lockReturn(tx, seen.id);
    if (row === null || row.version !== seen.version) return refuseOutdated('this return');
    const closed = { state: 'closed', closed_at: at, outcome: 'refunded', refund_id: refundId } as const;
    if (!(await handling.writeStep(tx, row, { ...closed, is_sent_back_released: isReleasedAfter(row, 'refunded') })))
      return refuseOutdated('this return');
    const refused = await releaseUnits(tx, row, 'refunded', this.#options.serialNumbers);
    if (refused !== null) return refused;
    await this.#notices.report(tx, { ...row, version: row.version + 1 }, 'refunded', getActorId(by));
    const after = await store.findReturn(tx, row.id);
    await recordChange(tx, {
      at,
      by,
      action: 'return.refunded',
      subject: { kind: 'return', id: row.id, name: row.reference },
      version: row.version + 1,
      before: toAuditFields(row),
      after: after && toAuditFields(after),
    });
    return null;
  }

  async #present(id: string) {
    const found = await this.find(id);
    if (found === null) throw new Error('a return that was just written is missing');
    return found;
  }

  async #step(id: string, action: Step, { by, mail, version, write }: StepOptions) {
    const changed = await changeDocument<ReturnRow, null>(this.#options, {
      what: 'this return',
      subject: { kind: 'return', id },
      by,
      version,
      lock: (tx) => handling.lockReturn(tx, id),
      write: async (tx, row, at) => {
        const isSmall = await isTooLittle(this.#options.refunds.previews, row, tx);
        if (!listActions(toPosition(row, isSmall), 'staff').includes(action)) return NOT_POSSIBLE;
        const patch = await write(tx, row, at);
        if (patch === null) return { saved: null, recorded: null };
        if (patch instanceof Refusal) return patch;
        if (!(await handling.writeStep(tx, row, patch))) return OUTDATED;
        if (mail !== null) await this.#notices.report(tx, { ...row, version: version + 1 }, mail, getActorId(by));
        const after = await store.findReturn(tx, id);
        const recorded = {
          action: `return.${AUDIT_ACTIONS[action]}`,
          name: row.reference,
          before: toAuditFields(row),
          after: after && toAuditFields(after),
        };
        return { saved: null, recorded };
      },
    });
    return changed instanceof Refusal ? changed : this.#present(id);
  }
}

/** What was decided on the units of a line, and the numbers of those that are sent back. */
type InspectedUnits = InspectedLine & { readonly sentBackSerials: readonly string[] };

async function writeInspected(tx: Db, { id, lines }: ReturnRow, inspected: InspectedUnits): Promise<Refusal | null> {
  const { position, sentBack, sentBackSerials: chosen } = inspected;
  const line = lines.find((one) => one.position === position);
  if (line === undefined || !(await handling.writeInspected(tx, id, inspected))) return UNITS_DIFFER;
  const numbers = chooseSentBack(line, { chosen, sentBack });
  if (numbers instanceof Refusal) return numbers;
  await writeSentBack(tx, id, position, numbers);
  return null;
}

const UNITS_DIFFER = new Refusal(
  409,
  'units-differ',
  'The conditions must add up to the units that arrived, for each item',
);
const DEDUCTION_TOO_LARGE = new Refusal(
  409,
  'deduction-too-large',
  'A deduction is more than the refunded units of its item cost',
);
