import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import { refuseManualOrder } from '#src/shop/orders/manual/refusals.service.ts';
import type { MakeRefusal } from '#src/shop/refunds/service.ts';
import type { ReturnDesk } from '../desk/service.ts';
import type { exchangesApi } from './contract.ts';
import type { ExchangeResult, ReturnExchanges } from './service.ts';

const reading: Limit = { points: 120, seconds: 60, by: 'caller' };
/** Each call does the work of a checkout. */
const exchanging: Limit = { points: 20, seconds: 60, by: 'caller', isShared: true };

export interface ExchangeServices {
  readonly returnExchanges: ReturnExchanges;
  readonly returnDesk: ReturnDesk;
  /** Code and message of a refund that was not made. */
  readonly refuseRefund: (reason: MakeRefusal['reason']) => Refusal;
}

type NotPlaced = Extract<ExchangeResult, { of: 'order' }>['refused'];

/** Refusals of the new order, in the words that an exchange needs. */
function refuseOrder(refused: NotPlaced): Refusal {
  switch (refused.reason) {
    case 'no-buyer':
      return new Refusal(409, 'no-buyer', 'The account of the buyer was deleted. Refund the return');
    case 'order-open':
      return new Refusal(
        409,
        'buyer-order-open',
        'The buyer has another open order. Exchange the items once it is paid or over',
      );
    case 'sold-out':
      return new Refusal(409, 'sold-out', 'Not enough units of this variant are in stock. Choose another one');
    case 'withdrawn':
      return new Refusal(409, 'withdrawn', 'This variant is not on sale. Choose another one');
    case 'repriced':
      return new Refusal(409, 'repriced', 'The price changed. Review the difference and exchange again');
    default:
      return refuseManualOrder(refused);
  }
}

export function createExchangeRoutes({
  refuseRefund,
  returnDesk,
  returnExchanges: exchanges,
}: ExchangeServices): RoutesOf<typeof exchangesApi> {
  return {
    'POST /support/returns/{id}/exchange/preview': {
      who: 'orders',
      limit: reading,
      handle: async ({ params, body }) => {
        const priced = await exchanges.preview(params.id, toChosen(body.lines));
        if (priced instanceof Refusal) return priced;
        return priced.ok ? priced : refuseRefund(priced.reason);
      },
    },
    'POST /support/returns/{id}/exchange': {
      who: 'money',
      limit: exchanging,
      handle: async ({ params, body, caller }) => {
        const request = {
          version: body.version,
          chosen: toChosen(body.lines),
          expectedTotalCents: body.expected_total_usd,
          isChecked: body.checked,
        };
        const done = await exchanges.exchange(params.id, request, toStaffActor(caller));
        if (done instanceof Refusal) return done;
        if (done.ok) return (await returnDesk.find(params.id)) ?? createNotFound();
        return done.of === 'credit' ? refuseRefund(done.reason) : refuseOrder(done.refused);
      },
    },
  };
}

const toChosen = (lines: readonly { readonly position: number; readonly variant_id: string }[]) =>
  lines.map(({ position, variant_id: variantId }) => ({ position, variantId }));
