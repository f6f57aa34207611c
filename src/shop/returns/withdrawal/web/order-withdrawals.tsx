import type { WireResponse } from '#src/shop/codecs.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { formatShopDay } from '../outcome-messages.ts';
import type { ShownWithdrawal, withdrawalApi } from '../contract.ts';

interface OrderWithdrawalsProps extends WireResponse<(typeof withdrawalApi)['GET /orders/{id}/withdrawals']> {
  readonly orderId: string;
  readonly className?: string | undefined;
}

const formatItems = ({ items }: ShownWithdrawal): string =>
  items.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ');

/** Withdrawals from an order, and the way to another one as long as it is possible. Nothing without either. */
export function OrderWithdrawals({
  orderId,
  className,
  last_day: lastDay,
  problem,
  withdrawals,
}: OrderWithdrawalsProps) {
  if (problem !== null && withdrawals.length === 0) return null;
  return (
    <Section title="Withdrawal from the contract" size={18} className={className}>
      {withdrawals.map((one) => (
        <Stack key={one.reference} gap={4}>
          <p className="medium">{formatItems(one)}</p>
          <p className="muted">
            Received <Moment at={one.stated_at} shows="moment" />, reference <span translate="no">{one.reference}</span>
          </p>
          {one.refund_due_at !== null && one.state !== 'closed' && one.state !== 'refused' && (
            <p className="muted">
              We refund it by <Moment at={one.refund_due_at} shows="day" />.
            </p>
          )}
        </Stack>
      ))}
      {problem === null && (
        <>
          <p className="muted measure">
            {lastDay === null
              ? 'You can withdraw until 14 days after the delivery.'
              : `You can withdraw until ${formatShopDay(lastDay)}.`}
          </p>
          <p>
            <ButtonLink to={`/withdrawal?order=${orderId}`} variant="secondary">
              Withdraw from contract here
            </ButtonLink>
          </p>
        </>
      )}
    </Section>
  );
}
