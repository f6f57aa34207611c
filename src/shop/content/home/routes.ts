import { Encoded, refuseInvalid } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { Content } from '../service.ts';
import type { homeApi, SectionName } from './contract.ts';
import type { HomeEditor } from './service.ts';

const browsing: Limit = { points: 600, seconds: 60, by: 'ip' };
const writing: Limit = { points: 60, seconds: 60, by: 'caller' };

interface Edit {
  readonly body: { readonly version: number; readonly is_shown: boolean; readonly body: object };
  readonly caller: Parameters<typeof toStaffActor>[0];
}

export function createHomeRoutes(content: Content, editor: HomeEditor): RoutesOf<typeof homeApi> {
  const change = (name: SectionName) =>
    ({
      who: 'catalogue',
      limit: writing,
      handle: async ({ body: { version, is_shown: isShown, body }, caller }: Edit) => {
        const edit = { version, isShown, body, by: toStaffActor(caller) };
        return refuseInvalid(editor.check(name, body)) ?? (await editor.save(name, edit)) ?? editor.list();
      },
    }) as const;
  return {
    'GET /home': {
      who: 'anyone',
      limit: browsing,
      getVersion: () => content.homeVersion,
      handle: async () => new Encoded(content.getHome()),
    },
    'GET /delivery': {
      who: 'anyone',
      limit: browsing,
      // Every page shows the times: other texts must not render them all again.
      getVersion: () => content.deliveryVersion,
      handle: async () => new Encoded({ delivery: content.getDelivery() ?? null }),
    },
    'GET /content/home': { who: 'catalogue', limit: writing, handle: () => editor.list() },
    'PUT /content/home/search': change('search'),
    'PUT /content/home/hero': change('hero'),
    'PUT /content/home/rows': change('rows'),
    'PUT /content/home/advantages': change('advantages'),
    'PUT /content/home/banner': change('banner'),
    'PUT /content/home/partners': change('partners'),
    'PUT /content/home/delivery': change('delivery'),
    'POST /content/home/preview': {
      who: 'catalogue',
      limit: { points: 240, seconds: 60, by: 'caller' },
      handle: async ({ body: { hero, advantages, banner, partners } }) => {
        const shown = { hero, advantages, banner, partners };
        const messages = Object.entries(shown).flatMap(([, body]) =>
          body === undefined ? [] : Object.entries(editor.check(body === hero ? 'hero' : 'banner', body)),
        );
        return refuseInvalid(Object.fromEntries(messages)) ?? editor.preview(shown);
      },
    },
  };
}
