/** Rows of the access table for sale prices and costs. */
import { ABSENT_ID } from './access-callers.ts';
import { staffOnly } from './access-rows.ts';

export const salePriceRows = {
  'GET /catalogue/products/{id}/costs': staffOnly(404, () => ({ path: `/catalogue/products/${ABSENT_ID}/costs` })),
  'PUT /catalogue/products/{id}/costs': staffOnly(404, () => ({
    path: `/catalogue/products/${ABSENT_ID}/costs`,
    body: { version: 0, costs: [] },
  })),
  'GET /catalogue/products/{id}/sale-prices': staffOnly(404, () => ({
    path: `/catalogue/products/${ABSENT_ID}/sale-prices`,
  })),
  'POST /catalogue/products/{id}/sale-prices': staffOnly(404, () => ({
    path: `/catalogue/products/${ABSENT_ID}/sale-prices`,
    body: { reduction: { kind: 'percent', percent: 10 }, starts_at: null, ends_at: null },
  })),
  'PUT /catalogue/sale-prices/{id}': staffOnly(404, () => ({
    path: `/catalogue/sale-prices/${ABSENT_ID}`,
    body: { version: 1, reduction: { kind: 'percent', percent: 10 }, starts_at: null, ends_at: null },
  })),
  'POST /catalogue/sale-prices/{id}/end': staffOnly(404, () => ({
    path: `/catalogue/sale-prices/${ABSENT_ID}/end`,
    body: { version: 1 },
  })),
  'DELETE /catalogue/sale-prices/{id}': staffOnly(404, () => ({
    path: `/catalogue/sale-prices/${ABSENT_ID}`,
    body: { version: 1 },
  })),
};
