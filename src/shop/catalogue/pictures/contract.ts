/** Pictures of a product, as staff send them. */
import { z } from 'zod';

/** Path of a picture with all its widths. */
export const picturePath = z
  .string()
  .max(200)
  .regex(/^\/images\/[\w-]+(?:\/[\w-]+)*\.avif$/, { message: 'must be a path such as /images/name.avif' });
