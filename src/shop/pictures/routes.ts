import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { picturesApi } from './contract.ts';
import { describeUploadProblem, UPLOAD_PROBLEMS } from './service.ts';
import type { Pictures, RefusedUpload } from './service.ts';

const reading: Limit = { points: 120, seconds: 60, by: 'caller' };
const writing: Limit = { points: 120, seconds: 60, by: 'caller' };
/** Each holds a body of up to 20 MB in memory. */
const MAX_OPEN_UPLOADS = 4;

const RETRY_AFTER_SECONDS: Partial<Readonly<Record<RefusedUpload['reason'], number>>> = {
  busy: 5,
  'disk-full': 60,
  'storage-unavailable': 10,
};

function createRefusal(refused: RefusedUpload): Refusal {
  const [status, code] = UPLOAD_PROBLEMS[refused.reason];
  const retryAfterSeconds =
    refused.reason === 'too-many-pictures' ? refused.retryAfterSeconds : RETRY_AFTER_SECONDS[refused.reason];
  const message = describeUploadProblem(refused);
  return new Refusal(status, code, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}

export function createPictureRoutes(pictures: Pictures): RoutesOf<typeof picturesApi> {
  return {
    'POST /pictures': {
      who: 'catalogue',
      limit: writing,
      maxOpen: MAX_OPEN_UPLOADS,
      handle: async ({ body, caller }) => {
        const uploaded = await pictures.upload(body, toStaffActor(caller));
        return uploaded.ok ? uploaded.picture : createRefusal(uploaded);
      },
    },
    'GET /pictures': {
      who: 'catalogue',
      limit: reading,
      handle: async ({ query }) => {
        const { pictures: listed, totals, maxBytes } = await pictures.list(query.page ?? 1);
        return {
          pictures: listed.map(({ id, path, width, height, alt, version, bytes, createdAt, createdBy, ...rest }) => ({
            id,
            path,
            width,
            height,
            alt,
            version,
            bytes: Number(bytes),
            created_at: createdAt,
            created_by: createdBy,
            uses: [...rest.uses],
            use_count: rest.useCount,
          })),
          total: Number(totals.count),
          total_bytes: Number(totals.bytes),
          max_bytes: Number(maxBytes),
        };
      },
    },
    'PUT /pictures/{id}': {
      who: 'catalogue',
      limit: writing,
      handle: ({ params, body, caller }) => pictures.changeAlt(params.id, body.alt, body.version, toStaffActor(caller)),
    },
    'DELETE /pictures/{id}': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, caller }) => {
        const result = await pictures.delete(params.id, toStaffActor(caller));
        if (result === 'not-found') return createNotFound();
        if (result === 'in-use') {
          return new Refusal(409, 'in-use', 'This picture is in use. Remove it from where it is shown first');
        }
        return { deleted: true as const };
      },
    },
  };
}
