import type { RefundsOfOrder } from '#src/shop/refunds/contract.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { RefundToSend } from './refund-to-send.tsx';
import { WriteOff } from './manual-refunds.tsx';

interface RefundListProps {
  readonly id: string;
  readonly refunds: RefundsOfOrder;
  /** Confirmed payments no longer cover refunds that were not sent. */
  readonly isStopped: boolean;
}

/** OPS-03: the refunds of an order, with the actions of those that are not sent, and what was written off. */
export function RefundList({ id, isStopped, refunds: { refunds, returns, write_offs: writeOffs } }: RefundListProps) {
  if (refunds.length === 0 && writeOffs.length === 0) return null;
  return (
    <Section id={id} title="Refunds" surface="outlined">
      {refunds.map((refund) => (
        <RefundToSend key={refund.id} refund={refund} isStopped={isStopped} rate={returns.rate_usd} />
      ))}
      {writeOffs.map((writeOff) => (
        <WriteOff key={writeOff.id} writeOff={writeOff} />
      ))}
    </Section>
  );
}
