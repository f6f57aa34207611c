import { Refusal } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { nationalCurrencyApi } from './contract.ts';
import type { NationalCurrencies } from './service.ts';

const changing: Limit = { points: 30, seconds: 60, by: 'caller' };

export const createNationalCurrencyRoutes = (currencies: NationalCurrencies): RoutesOf<typeof nationalCurrencyApi> => ({
  'GET /tax/national-currency': {
    who: 'settings',
    limit: { points: 120, seconds: 60, by: 'caller' },
    handle: () => currencies.read(),
  },
  'PUT /tax/national-currency': {
    who: 'settings-changes',
    limit: changing,
    handle: ({ body, caller }) => currencies.change(body, toStaffActor(caller)),
  },
  'PUT /tax/national-rates': {
    who: 'money',
    limit: changing,
    handle: async ({ body, caller }) => {
      const refused = await currencies.setRates(body.rates, body.source, toStaffActor(caller));
      return refused instanceof Refusal ? refused : currencies.read();
    },
  },
  'DELETE /tax/national-rates/{day}': {
    who: 'money',
    limit: changing,
    handle: async ({ params, caller }) => {
      const refused = await currencies.removeRate(params.day, toStaffActor(caller));
      return refused instanceof Refusal ? refused : currencies.read();
    },
  },
});
