import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { isApiFailure } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/log-error.ts';
import { showToast } from '#src/ui/show-toast.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';

type Body = Parameters<typeof call<'POST /support/orders'>>[1]['body'];

export interface CreateFailure {
  readonly text: string;
  /** The other open order of the customer; null for other failures. */
  readonly openOrderId: string | null;
}

const createKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

function toFailure(error: unknown): CreateFailure {
  const openOrderId = isApiFailure(error) && error.code === 'order-open' ? (error.fields['order_id'] ?? null) : null;
  return { text: describeFailure(error, { assurance: 'No second order is created.' }), openOrderId };
}

/** Creates an order once, whatever is clicked, and opens its page. */
export function useCreateOrder() {
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<CreateFailure | null>(null);
  const attempt = useRef<{ readonly key: string; readonly text: string } | null>(null);
  const create = async (body: Body) => {
    if (isBusy) return;
    setIsBusy(true);
    setFailure(null);
    const text = JSON.stringify(body);
    // A changed request needs a new key.
    if (attempt.current?.text !== text) attempt.current = { key: createKey(), text };
    try {
      const created = await call('POST /support/orders', { body }, { idempotencyKey: attempt.current.key });
      showToast('success', 'Order created', 'The customer gets a mail with the payment link.');
      await navigate(`/admin/orders/${created.order_id}`);
    } catch (error) {
      logError('the order was not created', error);
      setFailure(toFailure(error));
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, failure, create };
}
