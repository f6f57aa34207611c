import { z } from 'zod';
import { id, instant, queryInteger, rowVersion, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { MAX_ALT_LENGTH, MAX_UPLOAD_BYTES } from './check-picture.ts';

const use = z.object({
  /** What uses the picture. */
  kind: z.enum(['product', 'orders', 'text', 'setting']),
  name: z.string(),
  /** Its page, or the page where it is changed. Null if it has none or is not published. */
  url: z.string().nullable(),
});

const picture = z.object({
  id,
  /** For the catalogue: `/images/uploads/….avif`, served below `/api`, like the pictures of products. */
  path: z.string(),
  /** Size of the file of the path. */
  width: z.number(),
  height: z.number(),
  alt: z.string(),
  version: z.number(),
});
export type UploadedPicture = z.input<typeof picture>;

const libraryPicture = picture.extend({
  /** All widths together. */
  bytes: z.number(),
  created_at: instant,
  created_by: z.string(),
  /** At most five. */
  uses: z.array(use),
  use_count: z.number(),
});
export type LibraryPicture = z.input<typeof libraryPicture>;

const params = z.object({ id });

export const picturesApi = {
  'POST /pictures': {
    summary:
      'Staff: uploads a picture (JPEG, PNG, WebP, AVIF or GIF; at most 20 MB, 40 megapixels, 12,000 pixels a side). The same file gives the same picture',
    bodyType: 'binary',
    maxBodyBytes: MAX_UPLOAD_BYTES,
    status: 201,
    response: picture,
    refusals: {
      400: 'unsupported-picture, too-many-pixels, damaged-picture, too-complex',
      403: 'forbidden',
      409: 'storage-full',
      413: 'too-large',
      429: 'too-many-pictures',
      503: 'overloaded, unavailable',
    },
  },
  'GET /pictures': {
    summary: 'Staff: uploaded pictures, newest first, 25 a page',
    query: z.object({ page: queryInteger(1, 100_000).optional() }),
    response: z.object({
      pictures: z.array(libraryPicture),
      total: z.number(),
      total_bytes: z.number(),
      max_bytes: z.number(),
    }),
    refusals: { 403: 'forbidden' },
  },
  'PUT /pictures/{id}': {
    summary: 'Staff: changes the alternative text. `version` is that of the picture as it was read',
    params,
    body: z.object({ alt: text(MAX_ALT_LENGTH), version: rowVersion(1) }),
    response: picture,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'changed-meanwhile' },
  },
  'DELETE /pictures/{id}': {
    summary: 'Staff: deletes a picture that nothing uses',
    params,
    response: z.object({ deleted: z.literal(true) }),
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'in-use' },
  },
} as const satisfies Contract;
