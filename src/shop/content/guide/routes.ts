import { Encoded, refuseInvalid } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { Content } from '../service.ts';
import type { guideApi } from './contract.ts';
import type { GuideEditor } from './service.ts';

const writing: Limit = { points: 60, seconds: 60, by: 'caller' };

export function createGuideRoutes(content: Content, editor: GuideEditor): RoutesOf<typeof guideApi> {
  return {
    'GET /guide': {
      who: 'anyone',
      limit: { points: 600, seconds: 60, by: 'ip' },
      getVersion: () => content.version,
      handle: async () => new Encoded(await content.getGuide()),
    },
    'GET /content/guide': { who: 'catalogue', limit: writing, handle: () => editor.read() },
    'PUT /content/guide': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ body: { version, ...texts }, caller }) =>
        refuseInvalid(await editor.check(texts)) ??
        (await editor.save(version, texts, toStaffActor(caller))) ??
        editor.read(),
    },
    'POST /content/guide/reset': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ body: { version }, caller }) =>
        (await editor.reset(version, toStaffActor(caller))) ?? editor.read(),
    },
  };
}
