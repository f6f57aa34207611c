import { ABSENT_ID } from '../access-callers.ts';
import { staffOnly } from '../access-rows.ts';

/** The calls of imports and exports of the catalogue. */
export const IMPORT_ROWS = {
  'POST /imports': staffOnly(415, () => ({ path: '/imports?filename=a.csv', body: {} })),
  'GET /imports': staffOnly(200),
  'GET /imports/{id}': staffOnly(404, () => ({ path: `/imports/${ABSENT_ID}` })),
  'GET /imports/{id}/problems': staffOnly(404, () => ({ path: `/imports/${ABSENT_ID}/problems` })),
  'GET /imports/{id}/changes': staffOnly(404, () => ({ path: `/imports/${ABSENT_ID}/changes` })),
  'POST /imports/{id}/apply': staffOnly(404, () => ({ path: `/imports/${ABSENT_ID}/apply`, body: {} })),
  'POST /imports/{id}/cancel': staffOnly(404, () => ({ path: `/imports/${ABSENT_ID}/cancel` })),
  'GET /exports/products': staffOnly(200),
} as const;
