import { useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type { Order } from '../../contract.ts';
import type { Timeline } from '../../timeline/contract.ts';
import { useTimeline } from '../../timeline/web/use-timeline.ts';
import type { LoadedTimeline } from '../../timeline/web/use-timeline.ts';
import { mayOweMoney, readTimelineFacts } from '../../web/read-order.ts';
import type { TimelineFacts } from '../../web/read-order.ts';

type Later = 'rate_usd' | 'pay_path' | 'window_started_at';

/** Placeholder until the timeline is loaded. */
const NOTHING: Omit<Timeline, Later> & Readonly<Record<Later, null>> = {
  rate_usd: null,
  pay_path: null,
  window_started_at: null,
  next_quote: null,
  requote_refusal: null,
  late_because: null,
  refund_least_btc: null,
  tracking_reference: null,
  receipt_sent_to: null,
  shipments: [],
  left_payments: [],
  refunds: [],
  timeline: [],
};

/** Refund panels, passed in because the refunds slice is above orders. */
export interface RefundPanels {
  readonly RefundAddress: ComponentType<{
    readonly orderId: string;
    readonly isDue: boolean;
    readonly onChanged: () => void;
  }>;
  readonly OrderRefunds: ComponentType<{
    readonly refunds: Timeline['refunds'];
    readonly level: 'h2';
    readonly isStopped: boolean;
  }>;
}

interface OrderFacts {
  readonly orderTimeline: typeof NOTHING | Timeline;
  readonly facts: TimelineFacts;
  /** A refund may be owed, and is not under way. */
  readonly isOwed: boolean;
  readonly refundAddress: ReactNode;
}

/** What step 3 shows beyond the order, and the panel for a refund address, whose changes it follows. */
export function useOrderFacts(
  order: Order,
  loaded: LoadedTimeline | null,
  { RefundAddress }: Pick<RefundPanels, 'RefundAddress'>,
): OrderFacts {
  const [addressChanges, setAddressChanges] = useState(0);
  const orderTimeline = useTimeline(order, addressChanges, loaded) ?? NOTHING;
  const facts = readTimelineFacts(orderTimeline);
  const isOwed = mayOweMoney(order) && facts.refundRoute !== 'going';
  const refundAddress = (
    <RefundAddress
      key={order.id}
      orderId={order.id}
      isDue={isOwed}
      onChanged={() => setAddressChanges((count) => count + 1)}
    />
  );
  return { orderTimeline, facts, isOwed, refundAddress };
}
