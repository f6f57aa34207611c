import { ABSENT_ID } from './access-callers.ts';
import { staffOnly } from './access-rows.ts';

/** The calls of the library of pictures. */
export const PICTURE_ROWS = {
  // No bytes.
  'POST /pictures': staffOnly(400),
  'GET /pictures': staffOnly(200),
  'PUT /pictures/{id}': staffOnly(404, () => ({ path: `/pictures/${ABSENT_ID}`, body: { alt: '', version: 1 } })),
  'DELETE /pictures/{id}': staffOnly(404, () => ({ path: `/pictures/${ABSENT_ID}` })),
} as const;
