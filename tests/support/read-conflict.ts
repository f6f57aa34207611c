import { z } from 'zod';
import { errorBody } from '#src/shop/codecs.ts';

const conflictBody = z.object({ error: errorBody.shape.error.required({ conflict: true }) });

/** Who changed which fields, of a refused change of an older version. */
export const readConflict = (body: unknown) => conflictBody.parse(body).error.conflict;
