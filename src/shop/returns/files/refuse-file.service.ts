/** Responses to files of returns that are not stored. */
import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import { describeUploadProblem, UPLOAD_PROBLEMS } from '#src/shop/pictures/service.ts';
import type { RefusedUpload } from '#src/shop/pictures/service.ts';
import { MAX_PICTURES } from '../file-limits.ts';
import type { PictureProblem, RefusedFile } from './service.ts';

const RETRY_AFTER_SECONDS: Partial<Readonly<Record<RefusedUpload['reason'], number>>> = {
  busy: 5,
  'disk-full': 60,
  'storage-unavailable': 10,
};
const FULL_SECONDS = 3_600;

const createUnavailable = (retryAfterSeconds: number): Refusal =>
  new Refusal(503, 'unavailable', 'We can’t store pictures now. Try again later, or write to us about this return', {
    retryAfterSeconds,
  });

/** What a buyer can't do with pictures of a return now. */
export function refusePictures(problem: PictureProblem): Refusal {
  switch (problem) {
    case 'not-found':
      return createNotFound();
    case 'not-possible':
      return new Refusal(
        409,
        'not-possible',
        'Pictures can be changed only of a return for a defect, until the items are inspected. Reload the page',
      );
    case 'too-many':
      return new Refusal(
        409,
        'too-many-pictures',
        `A return has at most ${MAX_PICTURES} pictures. Remove one to add another one`,
      );
    default:
      return problem satisfies never;
  }
}

function refuseUpload(refused: RefusedUpload, message = describeUploadProblem(refused)): Refusal {
  const [status, code] = UPLOAD_PROBLEMS[refused.reason];
  const retryAfterSeconds = RETRY_AFTER_SECONDS[refused.reason];
  return new Refusal(status, code, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}

/** A picture of a buyer, who can free no space. */
export function refusePicture(refused: RefusedFile): Refusal {
  switch (refused.reason) {
    case 'not-found':
    case 'not-possible':
    case 'too-many':
      return refusePictures(refused.reason);
    case 'too-many-pictures':
      return new Refusal(429, 'too-often', 'You have uploaded many pictures today. Continue tomorrow, or write to us', {
        retryAfterSeconds: refused.retryAfterSeconds,
      });
    case 'storage-full':
      return createUnavailable(FULL_SECONDS);
    case 'disk-full':
    case 'storage-unavailable':
      return createUnavailable(RETRY_AFTER_SECONDS[refused.reason] ?? FULL_SECONDS);
    default:
      return refuseUpload(refused);
  }
}

/** A label of staff. */
export function refuseLabel(refused: RefusedUpload): Refusal {
  if (refused.reason === 'damaged')
    return refuseUpload(refused, 'The file is damaged or incomplete. Download it from the carrier again');
  if (refused.reason === 'unsupported') return refuseUpload(refused, 'The file is not a PDF, PNG or JPEG');
  if (refused.reason === 'storage-full')
    return refuseUpload(refused, 'The storage for files of returns is full. Raise the setting UPLOADS_MAX_GB');
  return refuseUpload(refused);
}
