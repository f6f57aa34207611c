import { z } from 'zod';
import { id, rowVersion, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { deskReturn } from '../desk/contract.ts';

const byId = z.object({ id });

const chosenVariants = z
  .array(
    z.object({
      /** Line of the order. */
      position: z.int().min(0).max(100_000),
      variant_id: id,
    }),
  )
  .min(1)
  .max(100)
  .refine((all) => new Set(all.map(({ position }) => position)).size === all.length, {
    message: 'must name each line once',
  });

const exchangePreview = z.object({
  /** What the units cost less deductions, with tax. */
  credit_usd: usd,
  /** Of the new order, with tax, delivered free. */
  total_usd: usd,
  /** What the buyer pays besides; 0 if the credit covers the total. */
  pays_usd: usd,
  /** What is left of the credit. It is refunded. */
  left_usd: usd,
});
export type ExchangePreview = z.input<typeof exchangePreview>;

export const exchangesApi = {
  'POST /support/returns/{id}/exchange/preview': {
    summary: 'Staff: what an exchange of inspected units for other variants costs now. Stores nothing',
    params: byId,
    body: z.object({ lines: chosenVariants }),
    response: exchangePreview,
    failureMessage: 'The price was not computed',
    refusals: {
      403: 'forbidden',
      404: 'not-found',
      409: 'not-possible, no-units, same-variant, withdrawn, order-open, order-paid, reorged-out, nothing-to-refund, too-much, less-than-all, no-rate, too-many-units, shipping-refunded, shipping-due, deduction-too-large, refund-open',
    },
  },
  'POST /support/returns/{id}/exchange': {
    summary:
      'Staff: exchanges inspected units for other variants. Their price is credited to a new order, which is paid if the credit covers it, and otherwise waits three days for the difference. Closes the return',
    params: byId,
    body: z.object({
      version: rowVersion(1),
      lines: chosenVariants,
      /** Total of the new order that the member of staff saw. If it is another one now, nothing is exchanged. */
      expected_total_usd: usd,
      /** Staff checked the wallet for refunds sent before a backup was restored. */
      checked: z.boolean().optional(),
    }),
    response: deskReturn,
    failureMessage: 'The items were not exchanged',
    refusals: {
      400: 'invalid, below-dust, not-delivered, phone, postcode, vat-number, weight-unknown',
      403: 'forbidden, blocked',
      404: 'not-found',
      409: 'changed-meanwhile, not-possible, no-units, same-variant, withdrawn, repriced, sold-out, reserve-limit, buyer-order-open, no-buyer, order-open, order-paid, reorged-out, nothing-to-refund, too-much, less-than-all, no-rate, too-many-units, shipping-refunded, shipping-due, deduction-too-large, check-wallet, refund-open, serial-numbers',
      503: 'no-rate',
    },
  },
} as const satisfies Contract;
