import { Encoded, refuseInvalid } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { Content } from '../service.ts';
import type { faqApi } from './contract.ts';
import type { FaqEditor } from './service.ts';

const writing: Limit = { points: 60, seconds: 60, by: 'caller' };

export function createFaqRoutes(content: Content, editor: FaqEditor): RoutesOf<typeof faqApi> {
  return {
    'GET /faq': {
      who: 'anyone',
      limit: { points: 600, seconds: 60, by: 'ip' },
      getVersion: () => content.version,
      handle: async () => new Encoded([...content.listFaq()]),
    },
    'GET /content/faq': { who: 'catalogue', limit: writing, handle: () => editor.list() },
    'POST /content/faq': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ body, caller }) =>
        refuseInvalid(editor.check(body)) ?? (await editor.add(body, toStaffActor(caller))) ?? editor.list(),
    },
    'PUT /content/faq/{id}': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, body: { version, ...texts }, caller }) =>
        refuseInvalid(editor.check(texts)) ??
        (await editor.edit(params.id, version, texts, toStaffActor(caller))) ??
        editor.list(),
    },
    'DELETE /content/faq/{id}': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, query, caller }) =>
        (await editor.delete(params.id, query.version, toStaffActor(caller))) ?? editor.list(),
    },
    'PUT /content/faq-order': {
      who: 'catalogue',
      limit: { points: 240, seconds: 60, by: 'caller' },
      handle: async ({ body: { ids, version }, caller }) =>
        (await editor.order(ids, version, toStaffActor(caller))) ?? editor.list(),
    },
  };
}
