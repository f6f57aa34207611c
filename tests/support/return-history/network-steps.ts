/** Payments, refunds on the chain, reorganizations and the clock. */
import { DAY_MINUTES, pickFrom } from './return-history.ts';
import type { Numbers, ReturnHistory } from './return-history.ts';

type Step = (history: ReturnHistory, numbers: Numbers) => Promise<void>;

async function addPayment(history: ReturnHistory, amount: bigint, isConfirmed: boolean): Promise<void> {
  if (amount <= 0n) return;
  history.payments.push({ amount, isConfirmed, isLive: true, firstSeen: history.now });
  await history.syncPayments();
}

const changePayment =
  (change: { readonly isConfirmed: boolean; readonly isLive: boolean }): Step =>
  async (history, { a }) => {
    const payment = pickFrom(history.payments, a);
    if (payment === undefined) return;
    Object.assign(payment, change);
    await history.syncPayments();
  };

const changeSent =
  (change: { readonly isConfirmed: boolean; readonly isLive: boolean }): Step =>
  async (history, { a }) => {
    const sent = pickFrom(history.sent, a);
    if (sent === undefined) return;
    Object.assign(sent, change);
    await history.syncRefunds();
  };

export const networkSteps = {
  payInFull: (history) => addPayment(history, history.due, true),
  pay: (history, { a }) => {
    const { due } = history;
    return addPayment(history, pickFrom([due, due / 2n, due - due / 2n, due + 77_700n, due / 3n], a) ?? due, a % 4 > 0);
  },
  confirmPayments: async (history) => {
    for (const payment of history.payments) if (payment.isLive) payment.isConfirmed = true;
    await history.syncPayments();
  },
  reorganisePayment: changePayment({ isConfirmed: false, isLive: true }),
  dropPayment: changePayment({ isConfirmed: false, isLive: false }),
  restorePayment: changePayment({ isConfirmed: true, isLive: true }),
  sendRefund: async (history, { a }) => {
    const refund = history.openRefund;
    if (refund?.state === 'made') await history.send(refund, a % 2 === 0);
  },
  confirmRefunds: async (history) => {
    for (const sent of history.sent) if (sent.isLive) sent.isConfirmed = true;
    await history.syncRefunds();
  },
  /** Staff gave it up, and their wallet sends it all the same. */
  sendWithdrawn: async (history, { a }) => {
    const refund = pickFrom(
      history.facts.refunds.filter(({ state }) => state === 'withdrawn'),
      a,
    );
    if (refund !== undefined && a % 3 === 0) await history.send(refund, a % 2 === 0);
  },
  reorganiseRefund: changeSent({ isConfirmed: false, isLive: true }),
  dropRefund: changeSent({ isConfirmed: false, isLive: false }),
  restoreRefund: changeSent({ isConfirmed: true, isLive: true }),
  hours: (history, { a }) => history.pass(30 + (a % 5) * 60),
  days: (history, { a }) => history.pass((pickFrom([1, 4, 11, 14, 15, 31, 200], a) ?? 1) * DAY_MINUTES),
  /** The next step is done by a host whose clock is behind. */
  behind: async ({ of: { shop } }, { a }) => shop.advanceMinutes(-(2 + (a % 5))),
  rate: async ({ of: { shop } }, { a }) => {
    shop.centsPerBtc = pickFrom([11_100_000n, 9_000_000n, 15_432_100n], a) ?? null;
  },
  restart: async ({ of }) => of.restart(),
} satisfies Readonly<Record<string, Step>>;
