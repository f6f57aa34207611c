import type { WebhookDelivery, WebhookEndpoint } from '#src/shop/webhooks/endpoints/contract.ts';
import { Badge } from '#src/ui/display/badge.tsx';
import type { BadgeTone } from '#src/ui/display/badge.tsx';

export function EndpointBadge({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  if (endpoint.state === 'disabled') {
    return <Badge tone={endpoint.disabled_because === 'staff' ? 'neutral' : 'bad'}>Disabled</Badge>;
  }
  return endpoint.failing_since === null ? <Badge tone="good">Enabled</Badge> : <Badge tone="waiting">Failing</Badge>;
}

export const DELIVERY_STATES: Readonly<
  Record<WebhookDelivery['state'], { readonly text: string; readonly tone: BadgeTone }>
> = {
  pending: { text: 'Pending', tone: 'waiting' },
  delivered: { text: 'Delivered', tone: 'good' },
  given_up: { text: 'Given up', tone: 'bad' },
};

export const DeliveryBadge = ({ state }: Pick<WebhookDelivery, 'state'>) => (
  <Badge tone={DELIVERY_STATES[state].tone}>{DELIVERY_STATES[state].text}</Badge>
);

/** The outcome of the last attempt. */
export const describeLastAttempt = ({
  attempts,
  last_status: status,
  last_failure: failure,
}: WebhookDelivery): string => {
  if (attempts === 0) return 'Not sent yet';
  return [status === null ? null : `Status ${status}`, failure].filter((part) => part !== null).join('. ');
};
