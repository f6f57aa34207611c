import { createInvalid, createNotFound, Encoded, refuseInvalid } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { Content } from '../service.ts';
import type { legalApi } from './contract.ts';
import type { LegalEditor } from './service.ts';

const browsing: Limit = { points: 600, seconds: 60, by: 'ip' };
const writing: Limit = { points: 60, seconds: 60, by: 'caller' };

export function createLegalRoutes(content: Content, editor: LegalEditor): RoutesOf<typeof legalApi> {
  return {
    'GET /legal': {
      who: 'anyone',
      limit: browsing,
      // A new version of a text changes no link, so other pages stay cached.
      getVersion: () => content.listLegalKinds().join(' '),
      handle: async () => ({ kinds: content.listLegalKinds() }),
    },
    'GET /legal/{kind}': {
      who: 'anyone',
      limit: browsing,
      getVersion: () => content.legalVersion,
      handle: async ({ params }) => {
        const found = await content.findLegalText(params.kind);
        return found ? new Encoded(found) : createNotFound();
      },
    },
    'GET /content/legal/{kind}': { who: 'catalogue', limit: writing, handle: ({ params }) => editor.find(params.kind) },
    'GET /content/legal/{kind}/{number}': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params }) => (await editor.findVersion(params.kind, params.number)) ?? createNotFound(),
    },
    'PUT /content/legal/{kind}': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params: { kind }, body: { version, ...source }, caller }) =>
        refuseInvalid(await editor.check(source)) ??
        (await editor.save(kind, version, source, toStaffActor(caller))) ??
        editor.find(kind),
    },
    'POST /content/legal/{kind}/publish': {
      who: 'legal-texts',
      limit: { points: 20, seconds: 3600, by: 'caller', isShared: true },
      handle: async ({ params: { kind }, body, caller }) =>
        (await editor.publish(kind, body.version, toStaffActor(caller))) ?? editor.find(kind),
    },
    'POST /content/legal/{kind}/restore': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params: { kind }, body: { version, number }, caller }) =>
        (await editor.restore(kind, version, number, toStaffActor(caller))) ?? editor.find(kind),
    },
    'POST /content/legal-preview': {
      who: 'catalogue',
      limit: { points: 240, seconds: 60, by: 'caller' },
      handle: async ({ body: { markdown } }) => {
        const shown = await editor.preview(markdown);
        return shown.ok ? shown.document : createInvalid(shown.fields);
      },
    },
  };
}
