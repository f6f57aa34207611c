import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { demoToolsApi } from './contract.ts';
import type { DemoTools } from './service.ts';

const limit: Limit = { points: 600, seconds: 60, by: 'ip' };

const MESSAGES: Readonly<Record<string, string>> = {
  'nothing-missing': 'Nothing is missing. The order is covered',
  'bad-address': 'This order has no address on the devchain',
  dust: 'The amount is too small to send',
  'insufficient-funds': 'The devchain’s wallet does not have enough coins. Mine some blocks',
  'unknown-transaction': 'This transaction is not in the mempool',
  'already-confirmed': 'This transaction is already in a block',
  'foreign-transaction': 'The devchain’s wallet did not send this transaction',
  'foreign-account': 'The demo wallet has no key of this transaction. Sign it in the wallet of the account',
  'depth-out-of-range': 'The chain has fewer blocks',
};

const createRefusal = (reason: string): Refusal =>
  reason === 'not-found' ? createNotFound() : new Refusal(409, reason, MESSAGES[reason] ?? reason);

export function createDemoToolsRoutes(demoTools: DemoTools): RoutesOf<typeof demoToolsApi> {
  return {
    'POST /dev/pay': {
      who: 'anyone',
      limit,
      handle: async ({ body }) => {
        const paid = await demoTools.pay(body.order_id, body.amount_btc);
        return paid.ok ? { txid: paid.value } : createRefusal(paid.reason);
      },
    },
    'POST /dev/mine': {
      who: 'anyone',
      limit,
      handle: async ({ body }) => {
        const mined = await demoTools.mine(body.blocks);
        return mined.ok ? { height: mined.value } : createRefusal(mined.reason);
      },
    },
    'POST /dev/replace': {
      who: 'anyone',
      limit,
      handle: async ({ body }) => {
        const replaced = await demoTools.replace(body.txid);
        return replaced.ok ? { txid: replaced.value } : createRefusal(replaced.reason);
      },
    },
    'POST /dev/reorg': {
      who: 'anyone',
      limit,
      handle: async ({ body }) => {
        const reorganised = await demoTools.reorganise(body.depth);
        return reorganised.ok ? { height: reorganised.value } : createRefusal(reorganised.reason);
      },
    },
    'POST /dev/refunds/{id}/sign': {
      who: 'money',
      limit,
      handle: async ({ params }) => {
        const signed = await demoTools.signRefund(params.id);
        return signed.ok ? { psbt: Buffer.from(signed.value).toString('base64') } : createRefusal(signed.reason);
      },
    },
    'POST /dev/clock': {
      who: 'anyone',
      limit,
      handle: async ({ body }) => ({ now: (await demoTools.moveClock(body.offset_s)).toISOString() }),
    },
    'GET /dev/mail': {
      who: 'anyone',
      limit,
      handle: ({ query }) => demoTools.listMails(query.to),
    },
  };
}
