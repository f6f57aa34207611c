import { z } from 'zod';
import { id, queryInteger, rowVersion } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { returnPicture } from '../contract.ts';
import { deskReturn } from '../desk/contract.ts';
import { MAX_LABEL_MB, MAX_PICTURE_MB } from '../file-limits.ts';

const MB = 1024 * 1024;

const byId = z.object({ id });
const byPicture = z.object({ id, picture_id: id });
const size = z.object({
  /** small: at most 320 pixels wide. Default: at most 1600. */
  size: z.enum(['small', 'large']).optional(),
});
const version = rowVersion(1);
const uploadRefusals = {
  400: 'unsupported-picture, too-many-pixels, damaged-picture, too-complex',
  413: 'too-large',
  503: 'overloaded, unavailable',
} as const;
const picture = { params: byPicture, query: size, response: z.string(), responseType: 'jpeg' } as const;
const label = { params: byId, response: z.string(), responseType: 'pdf-or-jpeg' } as const;
const labelRefusals = { 403: 'forbidden', 404: 'not-found', 409: 'changed-meanwhile, not-possible' } as const;

export const returnFilesApi = {
  'POST /returns/{id}/pictures': {
    summary:
      'Adds a picture of a defect to a return that is not inspected: JPEG, PNG, WebP, AVIF or GIF, at most 10 MB, 40 megapixels and 12,000 pixels a side, five in all. It is stored as JPEG without its metadata',
    params: byId,
    bodyType: 'binary',
    maxBodyBytes: MAX_PICTURE_MB * MB,
    status: 201,
    response: returnPicture,
    refusals: { ...uploadRefusals, 404: 'not-found', 409: 'not-possible, too-many-pictures', 429: 'too-often' },
  },
  'GET /returns/{id}/pictures/{picture_id}': {
    ...picture,
    summary: 'Returns a picture of a return of the caller as JPEG',
    refusals: { 404: 'not-found', 503: 'unavailable' },
  },
  'DELETE /returns/{id}/pictures/{picture_id}': {
    summary: 'Deletes a picture of a return that is not inspected',
    params: byPicture,
    response: z.object({ deleted: z.literal(true) }),
    refusals: { 404: 'not-found', 409: 'not-possible' },
  },
  'GET /returns/{id}/label-file': {
    ...label,
    summary: 'Returns the label that staff uploaded, a PDF or a JPEG',
    refusals: { 404: 'not-found', 503: 'unavailable' },
  },
  'GET /support/returns/{id}/pictures/{picture_id}': {
    ...picture,
    summary: 'Staff: returns a picture of a return as JPEG',
    refusals: { 403: 'forbidden', 404: 'not-found', 503: 'unavailable' },
  },
  'GET /support/returns/{id}/label-file': {
    ...label,
    summary: 'Staff: returns the label that was uploaded, a PDF or a JPEG',
    refusals: { 403: 'forbidden', 404: 'not-found', 503: 'unavailable' },
  },
  'POST /support/returns/{id}/label-file': {
    summary: 'Staff: uploads the label of a return, a PDF, PNG or JPEG of at most 2 MB. It replaces the former one',
    params: byId,
    query: z.object({ version: queryInteger(1, 999_999_999) }),
    bodyType: 'binary',
    maxBodyBytes: MAX_LABEL_MB * MB,
    response: deskReturn,
    failureMessage: 'The label was not saved',
    refusals: { ...uploadRefusals, ...labelRefusals, 409: 'changed-meanwhile, not-possible, storage-full' },
  },
  'DELETE /support/returns/{id}/label-file': {
    summary: 'Staff: deletes the label that was uploaded',
    params: byId,
    body: z.object({ version }),
    response: deskReturn,
    failureMessage: 'The label was not deleted',
    refusals: labelRefusals,
  },
} as const satisfies Contract;
