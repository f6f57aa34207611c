import { createNotFound, Download, Refusal } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { returnFilesApi } from './contract.ts';
import type { ReturnLabels } from './labels.service.ts';
import { refusePicture, refusePictures } from './refuse-file.service.ts';
import type { ReadFile, ReturnFiles } from './service.ts';

/** A page shows up to five pictures, each in two sizes. */
const showing: Limit = { points: 300, seconds: 60, by: 'caller' };
/** Each converts a picture, also one that is refused. */
const uploading: Limit = { points: 30, seconds: 3600, by: 'caller', isShared: true };
const changing: Limit = { points: 60, seconds: 60, by: 'caller' };
/** Each holds a body of up to 10 MB in memory. */
const MAX_OPEN_UPLOADS = 4;
const MAX_OPEN_OF_BUYER = 2;
const MAX_OPEN_LABELS = 4;

export interface ReturnFileServices {
  readonly returnFiles: ReturnFiles;
  readonly returnLabels: ReturnLabels;
}

const UNAVAILABLE = new Refusal(503, 'unavailable', 'The file cannot be read now. Try again in a moment', {
  retryAfterSeconds: 5,
});

/** As a file to save: a browser never opens it as a page of the shop. */
function respond(file: ReadFile): Download | Refusal {
  if (file.ok) return new Download(file.name, file.type, [file.bytes]);
  return file.reason === 'not-found' ? createNotFound() : UNAVAILABLE;
}

export function createReturnFileRoutes({
  returnFiles: files,
  returnLabels: labels,
}: ReturnFileServices): RoutesOf<typeof returnFilesApi> {
  return {
    'POST /returns/{id}/pictures': {
      who: 'user',
      limit: uploading,
      maxOpen: MAX_OPEN_UPLOADS,
      maxOpenOfCaller: MAX_OPEN_OF_BUYER,
      // Nobody sends bytes without an open return for a defect of their own.
      admit: async ({ params, identity }) => {
        const problem = await files.findProblem(identity.userId, params.id);
        return problem === null ? null : refusePictures(problem);
      },
      handle: async ({ params, body, caller }) => {
        const added = await files.addPicture(caller.identity.userId, params.id, body);
        if (!added.ok) return refusePicture(added);
        const { height, id, width } = added.file;
        return { id, width: width ?? 0, height: height ?? 0 };
      },
    },
    'GET /returns/{id}/pictures/{picture_id}': {
      who: 'user',
      limit: showing,
      handle: async ({ params, query: { size = 'large' }, caller }) =>
        respond(await files.readPicture(params.id, params.picture_id, { size, userId: caller.identity.userId })),
    },
    'DELETE /returns/{id}/pictures/{picture_id}': {
      who: 'user',
      limit: changing,
      handle: async ({ params, caller }) => {
        const problem = await files.removePicture(caller.identity.userId, params.id, params.picture_id);
        return problem === null ? { deleted: true as const } : refusePictures(problem);
      },
    },
    'GET /returns/{id}/label-file': {
      who: 'user',
      limit: changing,
      handle: async ({ params, caller }) => respond(await files.readLabel(params.id, caller.identity.userId)),
    },
    'GET /support/returns/{id}/pictures/{picture_id}': {
      who: 'orders',
      hasPersonalData: true,
      limit: showing,
      handle: async ({ params, query: { size = 'large' } }) =>
        respond(await files.readPicture(params.id, params.picture_id, { size, userId: null })),
    },
    'GET /support/returns/{id}/label-file': {
      who: 'orders',
      hasPersonalData: true,
      limit: changing,
      handle: async ({ params }) => respond(await files.readLabel(params.id, null)),
    },
    'POST /support/returns/{id}/label-file': {
      who: 'shipping',
      limit: changing,
      maxOpen: MAX_OPEN_LABELS,
      handle: ({ params: { id }, query: { version }, body, caller }) =>
        labels.upload({ id, version }, body, toStaffActor(caller)),
    },
    'DELETE /support/returns/{id}/label-file': {
      who: 'shipping',
      limit: changing,
      handle: ({ params: { id }, body: { version }, caller }) => labels.remove({ id, version }, toStaffActor(caller)),
    },
  };
}
