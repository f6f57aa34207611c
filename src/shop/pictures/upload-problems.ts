/** Why an upload was refused, as codes and messages. */

export type RefusedUpload =
  | {
      readonly ok: false;
      readonly reason:
        | 'unsupported'
        | 'damaged'
        | 'too-slow'
        | 'busy'
        | 'storage-full'
        | 'disk-full'
        | 'storage-unavailable';
    }
  | { readonly ok: false; readonly reason: 'too-many-pixels'; readonly size: string }
  | { readonly ok: false; readonly reason: 'too-many-pictures'; readonly retryAfterSeconds: number };

type UploadProblem = readonly [status: number, code: string, message: string];

export const UPLOAD_PROBLEMS: Readonly<Record<RefusedUpload['reason'], UploadProblem>> = {
  unsupported: [400, 'unsupported-picture', 'The file is not a JPEG, PNG, WebP, AVIF or GIF picture'],
  'too-many-pixels': [400, 'too-many-pixels', 'The limit is 40 megapixels, with 12,000 pixels on a side'],
  damaged: [400, 'damaged-picture', 'The picture is damaged or incomplete. Save it again as a new file'],
  'too-slow': [400, 'too-complex', 'The picture takes too long to convert. Save it with fewer pixels'],
  busy: [503, 'overloaded', 'Other pictures are being converted. Please try again in a moment'],
  'too-many-pictures': [429, 'too-many-pictures', 'You have uploaded 2,000 pictures today. Continue tomorrow'],
  'storage-full': [
    409,
    'storage-full',
    'The storage for pictures is full. Delete unused pictures, or raise the setting UPLOADS_MAX_GB',
  ],
  'disk-full': [503, 'unavailable', 'The disk of the shop is almost full. Free some space first'],
  'storage-unavailable': [503, 'unavailable', 'The storage for pictures does not respond. Please try again later'],
};
/** One or two sentences. */
export function describeUploadProblem(refused: RefusedUpload): string {
  const [, , message] = UPLOAD_PROBLEMS[refused.reason];
  return refused.reason === 'too-many-pixels' ? `The picture has ${refused.size} pixels. ${message}` : message;
}
