/** Pictures of a product, as staff send them. */
import { z } from 'zod';
import { listUpTo, text } from '#src/shop/codecs.ts';
import { MAX_ALT, MAX_PICTURES } from '../editing/product-limits.ts';

export const picturePath = z
  .string()
  .max(200)
  .regex(/^\/images\/[\w-]+(?:\/[\w-]+)*\.avif$/, { message: 'must be a path such as /images/name.avif' });

/** In display order, the main one first. */
export const enteredPictures = listUpTo(MAX_PICTURES, z.object({ path: picturePath, alt: text(MAX_ALT) }));
