/** Rows of the access table for the demo tools. */
import { ABSENT_ID, ABSENT_TXID } from './access-callers.ts';
import { all, inBody, plain, staffOnly } from './access-rows.ts';
import type { Row } from './access-rows.ts';

export const DEMO_ROWS = {
  'POST /dev/pay': {
    ...inBody((id) => ({ order_id: id, amount_btc: 0.00001 })),
    ownOf: ({ order }) => order,
    missing: ABSENT_ID,
    own: { anonymous: 400, guest: 400, user: 200 },
    others: all(404),
    malformedStatuses: all(400),
    othersAreOpen: true,
  },
  'POST /dev/replace': {
    ...inBody((txid) => ({ txid })),
    ownOf: ({ txid }) => txid,
    missing: ABSENT_TXID,
    own: { anonymous: 400, guest: 400, user: 200 },
    others: all(409),
    malformedStatuses: all(400),
    othersAreOpen: true,
  },
  'GET /dev/mail': plain(all(200), () => ({ query: '?to=nobody@access.example' })),
  'POST /dev/reorg': plain(all(200), () => ({ body: { depth: 1 } })),
  'POST /dev/mine': plain(all(200), () => ({ body: { blocks: 1 } })),
  'POST /dev/refunds/{id}/sign': staffOnly(404, () => ({ path: `/dev/refunds/${ABSENT_ID}/sign` })),
  'POST /dev/clock': plain(all(200), () => ({ body: { offset_s: 0 } })),
} satisfies Readonly<Record<string, Row>>;
