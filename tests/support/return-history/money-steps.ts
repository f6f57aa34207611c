/** Refunds by hand, what becomes of refunds, and decisions on the order. */
import { cents } from '#src/shop/money.ts';
import { chooseUnits } from './customer-steps.ts';
import { pickFrom } from './return-history.ts';
import type { Numbers, ReturnHistory } from './return-history.ts';

type Step = (history: ReturnHistory, numbers: Numbers) => Promise<void>;

export const moneySteps = {
  refundUnits: async (history, { a, b }) => {
    const { id, of } = history;
    const isShipped = b % 2 === 0;
    const units = chooseUnits(history.facts, a).flatMap((one) => {
      const line = history.facts.lines.find(({ position }) => position === one.position);
      const left = isShipped
        ? (line?.shipped_quantity ?? 0) - (line?.refunded_shipped_quantity ?? 0)
        : (line?.quantity ?? 0) - (line?.shipped_quantity ?? 0) - (line?.refunded_unshipped_quantity ?? 0);
      const quantity = a % 5 === 0 ? one.quantity : Math.min(one.quantity, left);
      return quantity > 0 ? [{ position: one.position, quantity, isShipped, restocked: undefined }] : [];
    });
    if (units.length === 0) return;
    const lines = { units, shipping: b % 7 === 0, reason: 'By hand', restocks: b % 3 === 0 };
    await history.attempt('refund units by hand', {
      expected: 'either',
      run: () =>
        of.shop.refunds.make(of.staff, id, {
          covers: 'lines',
          lines,
          feePaidBy: 'shop',
          from: 'any-wallet',
          isChecked: true,
        }),
    });
  },
  refundOther: async (history, { a, b }) => {
    const { facts, id, of } = history;
    const how = { feePaidBy: 'shop', from: 'any-wallet', isChecked: true } as const;
    const part = Math.max(1, Math.floor(facts.order.total_after_cents / (2 + (b % 5))));
    const request = pickFrom(
      [
        { covers: 'whole' as const },
        { covers: 'surplus' as const },
        { covers: 'amount' as const, amount: { cents: cents(BigInt(part)), reason: 'Goodwill' } },
        { covers: 'amount' as const, amount: { cents: cents(BigInt(facts.order.total_after_cents)), reason: 'All' } },
      ],
      a,
    );
    if (request !== undefined)
      await history.attempt(`refund ${request.covers}`, {
        expected: 'either',
        run: () => of.shop.refunds.make(of.staff, id, { ...request, ...how }),
      });
  },
  recordElsewhere: async (history, { a, b }) => {
    const { address, facts, id, of } = history;
    const units = chooseUnits(facts, a).map((one) => ({ ...one, isShipped: b % 2 === 0 }));
    const lines = { units, shipping: false, reason: 'Sent by hand', restocks: false };
    const txid = history.id.replaceAll('-', '').slice(0, 28) + String(facts.refunds.length).padStart(4, '0').repeat(9);
    await history.attempt('record a refund elsewhere', {
      expected: 'either',
      run: () =>
        of.shop.refunds.manual.recordElsewhere(of.staff, id, {
          covers: 'lines',
          lines,
          txid,
          address,
          reason: 'Sent by hand',
        }),
    });
  },
  withdrawRefund: async (history, { a }) => {
    const one = pickFrom(history.facts.refunds, a);
    if (one === undefined) return;
    await history.attempt('withdraw a refund', {
      expected: one.state === 'made' ? 'done' : 'refused',
      run: () => history.of.shop.refunds.withdraw(history.of.staff, one.id),
    });
  },
  undoRecord: async (history, { a }) => {
    const one = pickFrom(history.facts.refunds, a);
    if (one === undefined) return;
    await history.attempt('undo a record', {
      expected: 'either',
      run: () => history.of.shop.refunds.manual.undoRecord(history.of.staff, one.id, 'Mistaken'),
    });
  },
  decideOnOrder: async (history, { a }) => {
    const { paymentDecisions } = history.of.shop;
    const why = { by: history.of.staff, reason: 'Decided' };
    const calls = [
      () => paymentDecisions.acceptAsPaid(history.id, why),
      () => paymentDecisions.cancelByStaff(history.id, why),
      () => paymentDecisions.closeAsLoss(history.id, why),
      () => history.of.shop.refunds.manual.writeOff(history.of.staff, history.id, 'unclaimed', 'Never claimed'),
    ];
    const call = pickFrom(calls, a);
    if (call !== undefined) await history.attempt(`decide ${a % 4}`, { expected: 'either', run: call });
  },
} satisfies Readonly<Record<string, Step>>;
