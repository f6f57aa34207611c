import { z } from 'zod';
import { billing, order } from '../contract.ts';
import { filledText, id, instant, MAX_INTEGER, rowVersion, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { paidOrderMailModes } from './paid-order-mail-mode.ts';
import { repeatableMails } from './repeatable-mails.ts';

const note = z.object({
  id,
  text: z.string(),
  at: instant,
  /** Username of its author; null for a deleted account. */
  by: z.string().nullable(),
});
export type OrderNote = z.input<typeof note>;

const filter = z.object({
  id,
  name: z.string(),
  /** Query of the list page, without a question mark. */
  query: z.string(),
});
export type SavedOrderFilter = z.input<typeof filter>;

const repeatable = z.object({
  mail: z.enum(repeatableMails),
  /** Number of the shipment; null if the mail is not about one. */
  shipment: z.int().positive().max(MAX_INTEGER).nullable(),
});
export type RepeatableMail = z.input<typeof repeatable>;

const paidOrderMails = z.object({ mode: z.enum(paidOrderMailModes), version: rowVersion(0) });
export type PaidOrderMailSettings = z.input<typeof paidOrderMails>;

const byId = z.object({ id });
const staffRefusals = { 403: 'forbidden', 404: 'not-found' } as const;

export const orderDeskApi = {
  'GET /orders/{id}/notes': {
    summary: 'Staff: internal notes about an order, oldest first',
    params: byId,
    response: z.object({ notes: z.array(note) }),
    refusals: staffRefusals,
  },
  'POST /orders/{id}/notes': {
    summary: 'Staff: adds an internal note, which customers never see. A repeated Idempotency-Key adds nothing',
    params: byId,
    body: z.object({ text: filledText(2000) }),
    status: 201,
    response: z.object({ notes: z.array(note) }),
    refusals: { ...staffRefusals, 409: 'too-many' },
  },
  'DELETE /orders/{id}/notes/{note_id}': {
    summary: 'Staff: deletes an internal note. Idempotent',
    params: z.object({ id, note_id: id }),
    response: z.object({ notes: z.array(note) }),
    refusals: staffRefusals,
  },
  'PUT /orders/{id}/address': {
    summary:
      'Staff: changes the delivery address within its country while units are left to ship; the buyer gets a mail',
    params: byId,
    body: billing.omit({ region: true, country: true, vatNumber: true }),
    response: z.object({ order }),
    refusals: { ...staffRefusals, 400: 'phone, postcode', 409: 'not-changeable' },
  },
  'GET /orders/{id}/mails': {
    summary: 'Staff: mails about an order whose content is true now, and how many may be sent again this hour',
    params: byId,
    response: z.object({ mails: z.array(repeatable), left: z.int().nonnegative() }),
    refusals: staffRefusals,
  },
  'POST /orders/{id}/mails': {
    summary: 'Staff: sends a mail about an order again, up to three times an hour',
    params: byId,
    body: repeatable,
    response: z.object({ mails: z.array(repeatable), left: z.int().nonnegative() }),
    refusals: { ...staffRefusals, 409: 'not-true', 429: 'too-often' },
  },
  'GET /support/paid-order-mails': {
    summary: 'Staff: whether staff get a mail for each paid order, one an hour, or none',
    response: paidOrderMails,
    refusals: { 403: 'forbidden' },
  },
  'PUT /support/paid-order-mails': {
    summary: 'Owner: changes when staff get mails about paid orders',
    body: paidOrderMails,
    response: paidOrderMails,
    refusals: { 401: 'reauth', 403: 'forbidden', 409: 'changed-meanwhile' },
  },
  'GET /support/order-filters': {
    summary: 'Staff: the own saved filters of the order list',
    response: z.object({ filters: z.array(filter) }),
    refusals: { 403: 'forbidden' },
  },
  'POST /support/order-filters': {
    summary: 'Staff: saves a filter of the order list under a name, at most 20',
    body: z.object({ name: filledText(40), query: text(1000) }),
    status: 201,
    response: z.object({ filters: z.array(filter) }),
    refusals: { 403: 'forbidden', 409: 'name-taken, too-many' },
  },
  'DELETE /support/order-filters/{id}': {
    summary: 'Staff: deletes an own saved filter. Idempotent',
    params: byId,
    response: z.object({ filters: z.array(filter) }),
    refusals: { 403: 'forbidden' },
  },
} as const satisfies Contract;
