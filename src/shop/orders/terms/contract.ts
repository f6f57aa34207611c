import { z } from 'zod';
import { id } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';

const shown = z.object({
  /** Null: an order from before these texts were stored, or the shop had none to give. */
  terms: z
    .object({
      /** Of the terms and conditions; null: none was published. */
      version: z.int().positive().nullable(),
      /** Titles of the texts in the PDF. */
      titles: z.array(z.string()),
    })
    .nullable(),
});
export type ShownTerms = z.input<typeof shown>['terms'];

const byId = z.object({ id });

export const orderTermsApi = {
  'GET /orders/{id}/terms': {
    summary: 'Returns the version of the terms that one’s own order was placed under',
    params: byId,
    response: shown,
    refusals: { 404: 'not-found' },
  },
  'GET /orders/{id}/terms/pdf': {
    summary:
      'Returns the terms of one’s own order as PDF, for consumers with withdrawal instruction, form and reminder of the legal guarantee, as they were at the order',
    params: byId,
    response: z.string(),
    responseType: 'pdf',
    refusals: { 404: 'not-found', 503: 'overloaded' },
  },
  'GET /support/orders/{id}/terms': {
    summary: 'Staff: the version of the terms that an order was placed under',
    params: byId,
    response: shown,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'GET /support/orders/{id}/terms/pdf': {
    summary: 'Staff: the terms of an order as PDF, as they were when it was placed',
    params: byId,
    response: z.string(),
    responseType: 'pdf',
    refusals: { 403: 'forbidden', 404: 'not-found', 503: 'overloaded' },
  },
} as const satisfies Contract;
