import { Encoded } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { ChangeResult } from '../change.service.ts';
import { refuseChange, refuseTexts } from '../refusals.service.ts';
import type { Content } from '../service.ts';
import type { faqApi } from './contract.ts';
import type { FaqEditor } from './service.ts';

const writing: Limit = { points: 60, seconds: 60, by: 'caller' };

export function createFaqRoutes(content: Content, editor: FaqEditor): RoutesOf<typeof faqApi> {
  const respond = (changed: ChangeResult) => (changed.ok ? editor.list() : refuseChange(changed.reason));
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
        refuseTexts(editor.check(body)) ?? respond(await editor.add(body, toStaffActor(caller))),
    },
    'PUT /content/faq/{id}': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, body: { version, ...texts }, caller }) =>
        refuseTexts(editor.check(texts)) ?? respond(await editor.edit(params.id, version, texts, toStaffActor(caller))),
    },
    'DELETE /content/faq/{id}': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, query, caller }) =>
        respond(await editor.delete(params.id, query.version, toStaffActor(caller))),
    },
    'PUT /content/faq-order': {
      who: 'catalogue',
      limit: { points: 240, seconds: 60, by: 'caller' },
      handle: async ({ body: { ids, version }, caller }) =>
        respond(await editor.order(ids, version, toStaffActor(caller))),
    },
  };
}
