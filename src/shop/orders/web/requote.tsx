import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Order } from '../contract.ts';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import { isLateState } from '#src/shop/payments/ledger/payment-state.ts';
import type { Timeline } from '../timeline/contract.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { session } from '#src/storefront/session/session.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Dialog } from '#src/ui/dialog/dialog.tsx';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { Failure } from './failure.tsx';
import styles from './order-actions.module.css';

interface RequoteProps {
  readonly order: Pick<Order, 'id' | 'payment' | 'total_usd_after'>;
  /** Preview of the new quote; null if unknown. */
  readonly next: Timeline['next_quote'];
  /** Called once the order can be paid again. */
  readonly onDone: () => void;
  /** Further actions. */
  readonly children?: ReactNode;
}

/** Totals in dollars that the buyer is asked about. */
interface Repriced {
  readonly oldUsd: number;
  readonly newUsd: number;
  /** What changed. */
  readonly message: string;
}

/** Null unless the shop asks about another total. */
function readRepriced(error: unknown): Repriced | null {
  if (!isApiFailure(error) || error.code !== 'repriced') return null;
  const { new_total_usd: newTotal, old_total_usd: oldTotal } = error.fields;
  if (newTotal === undefined || oldTotal === undefined) return null;
  return { oldUsd: Number(oldTotal), newUsd: Number(newTotal), message: error.message };
}

function describeNext(
  { payment, total_usd_after: total }: RequoteProps['order'],
  next: Timeline['next_quote'],
): string {
  if (next === null) return 'Same items, at today’s price and rate, with a new payment window.';
  const rest = `${formatExactBtc(next.missing_btc)} BTC at 1 BTC = $${formatUsdAmount(next.rate_usd)}`;
  if (isLateState(payment.state) && next.missing_btc > 0)
    return `You pay ${rest}, with a new payment window. Everything you sent counts.`;
  return next.total_usd === total
    ? `Same items and dollar price, at today’s rate: ${rest}, with a new payment window.`
    : `Same items, at today’s price of $${formatUsdAmount(next.total_usd)} instead of $${formatUsdAmount(total)}: ${rest}, with a new payment window.`;
}

/** PAY-11, PAY-16: requotes the order at the price of now; asks if its total is another one. */
export function Requote({ order, next, onDone, children }: RequoteProps) {
  const [asked, setAsked] = useState<Repriced | null>(null);
  const { isBusy, failed, run } = useCallAction({ log: 'the order was not requoted', describe: describeFailure });
  const requote = (expectedUsd?: number) =>
    run(async () => {
      try {
        const { order: quoted } = await call('POST /orders/{id}/requote', {
          params: { id: order.id },
          body: expectedUsd === undefined ? {} : { expected_total_usd: expectedUsd },
        });
        setAsked(null);
        session.update({ order: quoted });
        onDone();
      } catch (error) {
        const repriced = readRepriced(error);
        if (repriced === null) throw error;
        setAsked(repriced);
      }
    });
  const isDifference = isLateState(order.payment.state) && next !== null && next.missing_btc > 0;
  return (
    <div className={styles.action}>
      <Button onClick={() => void requote()} isBusy={isBusy && asked === null}>
        {isDifference ? 'Pay the difference' : 'Get a new price'}
      </Button>
      {children}
      <p className={styles.hint}>{describeNext(order, next)}</p>
      <NeedsScript />
      {asked === null && <Failure text={failed} />}
      <Dialog
        title="The price has changed"
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        actions={
          asked !== null && (
            <>
              <Button onClick={() => void requote(asked.newUsd)} isBusy={isBusy}>
                Continue with ${formatUsdAmount(asked.newUsd)}
              </Button>
              <Button variant="secondary" onClick={() => setAsked(null)}>
                Not now
              </Button>
            </>
          )
        }
      >
        {asked !== null && (
          <>
            <p>{asked.message}.</p>
            <dl className={styles.totals}>
              <div>
                <dt>Former total</dt>
                <dd translate="no">${formatUsdAmount(asked.oldUsd)}</dd>
              </div>
              <div>
                <dt>New total</dt>
                <dd translate="no">${formatUsdAmount(asked.newUsd)}</dd>
              </div>
            </dl>
            <Failure text={failed} />
          </>
        )}
      </Dialog>
    </div>
  );
}
