import { notFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { demoToolsApi } from './contract.ts';
import type { DemoTools } from './service.ts';

const limit: Limit = { points: 600, seconds: 60, by: 'ip' };

const MESSAGES: Readonly<Record<string, string>> = {
  'nothing-missing': 'Nothing is missing: the order is covered',
  'bad-address': 'That order has no address on this chain',
  dust: 'The amount is too small to be sent',
  'insufficient-funds': 'The devchain’s wallet has not that much: mine some blocks',
  'unknown-transaction': 'No such transaction waits in the mempool',
  'already-confirmed': 'That transaction is in a block already',
  'foreign-transaction': 'The devchain’s wallet did not send that transaction',
  'depth-out-of-range': 'The chain is not that long',
};

const refused = (reason: string): Refusal =>
  reason === 'not-found' ? notFound() : new Refusal(409, reason, MESSAGES[reason] ?? reason);

export function demoToolsRoutes(developer: DemoTools): RoutesOf<typeof demoToolsApi> {
  return {
    'POST /dev/pay': {
      who: 'anyone',
      limit,
      handle: async ({ body }) => {
        const paid = await developer.pay(body.order_id, body.amount_btc);
        return paid.ok ? { txid: paid.value } : refused(paid.reason);
      },
    },
    'POST /dev/mine': {
      who: 'anyone',
      limit,
      handle: async ({ body }) => {
        const mined = await developer.mine(body.blocks);
        return mined.ok ? { height: mined.value } : refused(mined.reason);
      },
    },
    'POST /dev/replace': {
      who: 'anyone',
      limit,
      handle: async ({ body }) => {
        const replaced = await developer.replace(body.txid);
        return replaced.ok ? { txid: replaced.value } : refused(replaced.reason);
      },
    },
    'POST /dev/reorg': {
      who: 'anyone',
      limit,
      handle: async ({ body }) => {
        const reorganised = await developer.reorg(body.depth);
        return reorganised.ok ? { height: reorganised.value } : refused(reorganised.reason);
      },
    },
    'POST /dev/clock': {
      who: 'anyone',
      limit,
      handle: async ({ body }) => ({ now: (await developer.moveClock(body.offset_s)).toISOString() }),
    },
    'GET /dev/mail': {
      who: 'anyone',
      limit,
      handle: ({ query }) => developer.listMails(query.to),
    },
  };
}
