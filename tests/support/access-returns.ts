/** Rows of the access table for returns and refunds that were made. */
import { ABSENT_ID, ABSENT_TXID } from './access-callers.ts';
import { areaOnly, changeOf, orderInPath, ownerOnly, plain, staffOnly, usersOnly } from './access-rows.ts';

const inReturn = (more: string, body?: unknown) => () => ({
  path: `/returns/${ABSENT_ID}${more}`,
  ...(body !== undefined && { body }),
});
const inDesk = (more: string, body?: unknown) => () => ({
  path: `/support/returns/${ABSENT_ID}${more}`,
  ...(body !== undefined && { body }),
});
const CONDITION = { restocked: 1, damaged: 0, sent_back: 0, condition: '', deduction_usd: 0, deduction_reason: '' };

const EXCHANGE = { lines: [{ position: 0, variant_id: ABSENT_ID }] };

export const RETURN_ROWS = {
  'PUT /shop/settings/returns': ownerOnly(409, () => ({ body: changeOf('returns') })),
  'GET /orders/{id}/returns': orderInPath((id) => `/orders/${id}/returns`),
  // Nothing of the order is shipped.
  'POST /orders/{id}/returns': {
    ...orderInPath((id) => `/orders/${id}/returns`),
    name: (id: string) => ({
      path: `/orders/${id}/returns`,
      body: { cause: 'defect', lines: [{ position: 0, quantity: 1 }], reason: 'Does not start' },
    }),
    own: usersOnly(409),
  },
  'GET /returns/{id}': plain(usersOnly(404), inReturn('')),
  'POST /returns/{id}/cancel': plain(usersOnly(404), inReturn('/cancel')),
  'POST /returns/{id}/sent': plain(usersOnly(404), inReturn('/sent', { proof: 'AB 1' })),
  'GET /tickets/{id}/return': plain(usersOnly(200), () => ({ path: `/tickets/${ABSENT_ID}/return` })),
  'POST /returns/{id}/ticket': plain(usersOnly(404), inReturn('/ticket')),
  // No bytes: a return of somebody else is refused before they are read.
  'POST /returns/{id}/pictures': plain(usersOnly(404), inReturn('/pictures')),
  'GET /returns/{id}/pictures/{picture_id}': plain(usersOnly(404), inReturn(`/pictures/${ABSENT_ID}`)),
  'DELETE /returns/{id}/pictures/{picture_id}': plain(usersOnly(404), inReturn(`/pictures/${ABSENT_ID}`)),
  'GET /returns/{id}/label-file': plain(usersOnly(404), inReturn('/label-file')),
  'GET /support/returns/{id}/pictures/{picture_id}': areaOnly('orders', 404, inDesk(`/pictures/${ABSENT_ID}`)),
  'GET /support/returns/{id}/label-file': areaOnly('orders', 404, inDesk('/label-file')),
  // No bytes.
  'POST /support/returns/{id}/label-file': areaOnly('shipping', 400, inDesk('/label-file?version=1')),
  'DELETE /support/returns/{id}/label-file': areaOnly('shipping', 404, inDesk('/label-file', { version: 1 })),
  'GET /support/returns': areaOnly('orders', 200),
  'GET /support/returns/{id}': areaOnly('orders', 404, inDesk('')),
  'POST /support/returns/{id}/approve': areaOnly('shipping', 404, inDesk('/approve', { version: 1 })),
  'POST /support/returns/{id}/refuse': areaOnly('shipping', 404, inDesk('/refuse', { version: 1, reason: 'No' })),
  'PUT /support/returns/{id}/label': areaOnly('shipping', 404, inDesk('/label', { version: 1, label_url: '' })),
  'POST /support/returns/{id}/sent': areaOnly('shipping', 404, inDesk('/sent', { version: 1, proof: 'AB 1' })),
  'POST /support/returns/{id}/receive': areaOnly('shipping', 404, inDesk('/receive', { version: 1, position: 0 })),
  'POST /support/returns/{id}/inspect': areaOnly(
    'shipping',
    404,
    inDesk('/inspect', { version: 1, lines: [{ position: 0, ...CONDITION }] }),
  ),
  'POST /support/returns/{id}/refund': staffOnly(404, inDesk('/refund', { version: 1, fee_paid_by: 'shop' })),
  'POST /support/returns/{id}/exchange/preview': areaOnly('orders', 404, inDesk('/exchange/preview', EXCHANGE)),
  'POST /support/returns/{id}/exchange': staffOnly(
    404,
    inDesk('/exchange', { ...EXCHANGE, version: 1, expected_total_usd: 1 }),
  ),
  'POST /support/returns/{id}/close': areaOnly('shipping', 404, inDesk('/close', { version: 1, reason: 'Never sent' })),
  'POST /support/returns/{id}/void': staffOnly(404, inDesk('/void', { version: 1, reason: 'Agreed by phone' })),
  'POST /refunds/{id}/broadcast': staffOnly(404, () => ({
    path: `/refunds/${ABSENT_ID}/broadcast`,
    body: { psbt: 'cHNidP8=' },
  })),
  'POST /refunds/{id}/withdraw': staffOnly(404, () => ({ path: `/refunds/${ABSENT_ID}/withdraw` })),
  'POST /refunds/{id}/record': staffOnly(404, () => ({
    path: `/refunds/${ABSENT_ID}/record`,
    body: { txid: ABSENT_TXID },
  })),
};
