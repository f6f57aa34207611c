import { z } from 'zod';
import { btcAmount, id, instant, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';

const txid = z.string().regex(/^[0-9a-f]{64}$/);
const refused = { 409: 'not-possible' };

const mail = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** File names. The mailbox does not keep the files. */
  attachments: z.array(z.string()).readonly(),
  created_at: instant,
});
export type DemoMail = z.input<typeof mail>;

/** API of the demo tools. Live mode does not have it. */
export const demoToolsApi = {
  'POST /dev/pay': {
    summary: 'Pays an order from the devchain’s wallet. Without an amount it pays the missing amount',
    body: z.object({ order_id: id, amount_btc: btcAmount.optional() }),
    response: z.object({ txid }),
    refusals: { 404: 'not-found', ...refused },
  },
  'POST /dev/mine': {
    summary: 'Mines blocks',
    body: z.object({ blocks: z.int().min(1).max(1000) }),
    response: z.object({ height: z.int() }),
  },
  'POST /dev/replace': {
    summary: 'Double-spends an unconfirmed payment at a higher fee',
    body: z.object({ txid }),
    response: z.object({ txid }),
    refusals: refused,
  },
  'POST /dev/reorg': {
    summary: 'Replaces the last blocks by one more empty block; their transactions return to the mempool',
    body: z.object({ depth: z.int().min(1).max(100) }),
    response: z.object({ height: z.int() }),
    refusals: refused,
  },
  'POST /dev/refunds/{id}/sign': {
    summary: 'Staff: signs the transaction of a refund that is not sent, with the demo wallet',
    params: z.object({ id }),
    /** Base64, for `POST /refunds/{id}/broadcast`. */
    response: z.object({ psbt: z.string() }),
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'foreign-account' },
  },
  'POST /dev/clock': {
    summary: 'Moves the shop’s clock: real time plus this many seconds',
    body: z.object({ offset_s: z.int().min(-31_536_000).max(31_536_000) }),
    response: z.object({ now: z.iso.datetime() }),
  },
  'GET /dev/mail': {
    summary: 'Mails of the shop, newest first: to one address, or the newest hundred to all addresses',
    query: z.object({ to: text(254).optional() }),
    response: z.array(mail),
  },
} as const satisfies Contract;
export type DemoToolsApi = typeof demoToolsApi;
