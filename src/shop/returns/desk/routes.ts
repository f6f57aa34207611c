import { createNotFound } from '#src/platform/http/call.ts';
import type { Refusal } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { MakeRefusal } from '#src/shop/refunds/service.ts';
import type { returnDeskApi } from './contract.ts';
import type { ReturnDesk } from './service.ts';

const reading: Limit = { points: 120, seconds: 60, by: 'caller' };
const changing: Limit = { points: 60, seconds: 60, by: 'caller' };
/** A scanner sends one unit after the other. */
const scanning: Limit = { points: 300, seconds: 60, by: 'caller' };
const refunding: Limit = { points: 30, seconds: 60, by: 'caller' };

export interface ReturnDeskServices {
  readonly returnDesk: ReturnDesk;
  /** Code and message of a refund that was not made. */
  readonly refuseRefund: (reason: MakeRefusal['reason']) => Refusal;
}

const toNull = (text: string): string | null => (text === '' ? null : text);

type ReceivingCall = `POST /support/returns/{id}/${'receive' | 'inspect'}`;

/** What happens to units that arrive. */
function createReceivingRoutes(desk: ReturnDesk): Pick<RoutesOf<typeof returnDeskApi>, ReceivingCall> {
  return {
    'POST /support/returns/{id}/receive': {
      who: 'shipping',
      limit: scanning,
      handle: ({ params, body: { code, position, serials = [], units = 1, version }, caller }) =>
        desk.receive(params.id, { version, position, code, units, serials }, toStaffActor(caller)),
    },
    'POST /support/returns/{id}/inspect': {
      who: 'shipping',
      limit: changing,
      handle: ({ params, body: { lines, version }, caller }) =>
        desk.inspect(
          params.id,
          {
            version,
            lines: lines.map((line) => ({
              position: line.position,
              restocked: line.restocked,
              damaged: line.damaged,
              sentBack: line.sent_back,
              condition: toNull(line.condition),
              deductionCents: line.deduction_usd,
              deductionReason: line.deduction_usd === 0n ? null : line.deduction_reason,
              sentBackSerials: line.sent_back_serials ?? [],
            })),
          },
          toStaffActor(caller),
        ),
    },
  };
}

export function createReturnDeskRoutes({
  refuseRefund,
  returnDesk: desk,
}: ReturnDeskServices): RoutesOf<typeof returnDeskApi> {
  return {
    'GET /support/returns': {
      who: 'orders',
      hasPersonalData: true,
      limit: reading,
      handle: ({ query }) => desk.list(query),
    },
    'GET /support/returns/{id}': {
      who: 'orders',
      hasPersonalData: true,
      limit: reading,
      handle: async ({ params }) => (await desk.find(params.id)) ?? createNotFound(),
    },
    'POST /support/returns/{id}/approve': {
      who: 'shipping',
      limit: changing,
      handle: ({ params, body, caller }) => desk.approve(params.id, body.version, toStaffActor(caller)),
    },
    'POST /support/returns/{id}/refuse': {
      who: 'shipping',
      limit: changing,
      handle: ({ params, body, caller }) => desk.refuse(params.id, body, toStaffActor(caller)),
    },
    'PUT /support/returns/{id}/label': {
      who: 'shipping',
      limit: changing,
      handle: ({ params, body, caller }) =>
        desk.setLabel(params.id, { version: body.version, labelUrl: body.label_url }, toStaffActor(caller)),
    },
    'POST /support/returns/{id}/sent': {
      who: 'shipping',
      limit: changing,
      handle: ({ params, body, caller }) => desk.markSent(params.id, body, toStaffActor(caller)),
    },
    ...createReceivingRoutes(desk),
    'POST /support/returns/{id}/refund': {
      who: 'money',
      limit: refunding,
      handle: async ({ params, body, caller }) => {
        const { checked: isChecked, fee_paid_by: feePaidBy, fee_rate: feeRate, from = 'coins', version } = body;
        const done = await desk.refund(
          params.id,
          { version, feePaidBy, feeRate, from, isChecked },
          toStaffActor(caller),
        );
        return 'ok' in done ? refuseRefund(done.reason) : done;
      },
    },
    'POST /support/returns/{id}/close': {
      who: 'shipping',
      limit: changing,
      handle: ({ params, body, caller }) => desk.close(params.id, body, toStaffActor(caller)),
    },
    // The shop keeps what it would owe.
    'POST /support/returns/{id}/void': {
      who: 'money',
      limit: changing,
      handle: ({ params, body, caller }) => desk.void(params.id, body, toStaffActor(caller)),
    },
  };
}
