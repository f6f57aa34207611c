import type { WireResponse } from '#src/shop/codecs.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import type { Proof, RefusalReason } from '../kinds.ts';
import type { withdrawalApi } from '../contract.ts';

type StaffWithdrawals = WireResponse<(typeof withdrawalApi)['GET /support/orders/{id}/withdrawals']>;
type StaffWithdrawal = StaffWithdrawals['withdrawals'][number];

const PROOFS: Readonly<Record<Proof, string>> = {
  link: 'by the link of a mail',
  account: 'by the account',
  address: 'by order number and mail address',
};

const REFUSALS: Readonly<Record<RefusalReason, string>> = {
  'not-found': 'No effect: no order was found',
  'not-paid': 'No effect: the order was not paid',
  business: 'No effect: a business ordered',
  'period-over': 'No effect: the period was over',
  'nothing-left': 'No effect: nothing was left',
  'switched-off': 'No effect: withdrawal was switched off',
};

const formatUnits = ({ items }: StaffWithdrawal): string =>
  items
    .map(({ cancelled, name, quantity }) =>
      cancelled === 0 ? `${quantity} × ${name}` : `${quantity} × ${name} (${cancelled} not shipped, stopped)`,
    )
    .join(', ');

const describeResult = (one: StaffWithdrawal): string =>
  one.result === null || one.result === 'recorded' ? formatUnits(one) : REFUSALS[one.result];

/** RET-04: statements of withdrawal about an order, with the day by which the shop refunds. */
export const WithdrawalsForStaff = ({ withdrawals }: StaffWithdrawals) =>
  withdrawals.length === 0 ? null : (
    <Section title="Withdrawals" surface="outlined">
      {withdrawals.map((one) => (
        <Stack key={one.reference} gap={4}>
          <h3 className="medium" translate="no">
            {one.reference}
          </h3>
          <p>{describeResult(one)}</p>
          {one.refund_due_at !== null && one.state !== 'closed' && one.state !== 'refused' && (
            <p>
              Refund due by <Moment at={one.refund_due_at} shows="day" />.
            </p>
          )}
          <p className="muted measure wrap-anywhere">
            {one.name === '' ? 'Erased' : one.name}, {PROOFS[one.proof]}, <Moment at={one.stated_at} shows="moment" />
          </p>
          {one.statement !== '' && (
            <details>
              <summary className="link">Statement</summary>
              {one.statement.split('\n').map((line) => (
                <p key={line} className="muted measure wrap-anywhere">
                  {line}
                </p>
              ))}
            </details>
          )}
        </Stack>
      ))}
    </Section>
  );
