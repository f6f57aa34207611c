import { Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { shopSettingsApi } from './contract.ts';
import type { ChangedSections, ShopSettings } from './service.ts';

/** Each change renders every cached page again. */
const changing: Limit = { points: 30, seconds: 60, by: 'caller' };

async function saveAll(settings: ShopSettings, sections: ChangedSections, by: StaffActor) {
  const saved = await settings.changeAll(sections, by);
  if (saved instanceof Refusal) return saved;
  const { formerOrderPrefixes: _, ...all } = saved;
  return all;
}

type ReturnSettingsCall = `PUT /shop/settings/${'returns' | 'refunds'}`;

/** Settings of what comes back: returns and refunds. */
function createReturnSettingsRoutes(
  settings: ShopSettings,
): Pick<RoutesOf<typeof shopSettingsApi>, ReturnSettingsCall> {
  return {
    'PUT /shop/settings/returns': {
      who: 'settings-changes',
      limit: changing,
      handle: ({ body: { version, ...values }, caller }) =>
        settings.change('returns', version, values, toStaffActor(caller)),
    },
    'PUT /shop/settings/refunds': {
      who: 'settings-changes',
      limit: changing,
      handle: ({ body: { version, ...values }, caller }) =>
        settings.change('refunds', version, values, toStaffActor(caller)),
    },
  };
}

/** Settings of what the law asks for. */
function createDutySettingsRoutes(
  settings: ShopSettings,
): Pick<RoutesOf<typeof shopSettingsApi>, `PUT /shop/settings/${'consumers' | 'retention'}`> {
  return {
    'PUT /shop/settings/consumers': {
      who: 'settings-changes',
      limit: changing,
      handle: ({ body: { version, ...values }, caller }) =>
        settings.change('consumers', version, values, toStaffActor(caller)),
    },
    'PUT /shop/settings/retention': {
      who: 'settings-changes',
      limit: changing,
      handle: ({ body: { version, ...values }, caller }) =>
        settings.change('retention', version, values, toStaffActor(caller)),
    },
  };
}

export function createShopSettingsRoutes(settings: ShopSettings): RoutesOf<typeof shopSettingsApi> {
  return {
    'GET /shop': {
      who: 'anyone',
      limit: { points: 600, seconds: 60, by: 'ip' },
      getVersion: () => settings.descriptionVersion,
      handle: async () => settings.describe(),
    },
    'GET /shop/settings': {
      who: 'settings',
      limit: { points: 120, seconds: 60, by: 'caller' },
      handle: async () => {
        const { formerOrderPrefixes: _, ...sections } = settings.current;
        return { ...sections, time_zones: settings.listTimeZones() };
      },
    },
    'PUT /shop/settings': {
      who: 'settings-changes',
      limit: changing,
      handle: ({ body, caller }) => saveAll(settings, body, toStaffActor(caller)),
    },
    'PUT /shop/settings/identity': {
      who: 'settings-changes',
      limit: changing,
      handle: ({ body: { version, ...values }, caller }) =>
        settings.change('identity', version, values, toStaffActor(caller)),
    },
    'PUT /shop/settings/legal': {
      who: 'settings-changes',
      limit: changing,
      handle: ({ body: { version, ...values }, caller }) =>
        settings.change('legal', version, values, toStaffActor(caller)),
    },
    'PUT /shop/settings/orders': {
      who: 'settings-changes',
      limit: changing,
      handle: ({ body: { version, ...values }, caller }) =>
        settings.change('orders', version, values, toStaffActor(caller)),
    },
    ...createReturnSettingsRoutes(settings),
    ...createDutySettingsRoutes(settings),
    'PUT /shop/settings/time': {
      who: 'settings-changes',
      limit: changing,
      handle: ({ body: { version, ...values }, caller }) =>
        settings.change('time', version, values, toStaffActor(caller)),
    },
    'PUT /shop/settings/late-payments': {
      who: 'settings-changes',
      limit: changing,
      handle: ({ body: { version, ...values }, caller }) =>
        settings.change('late_payments', version, values, toStaffActor(caller)),
    },
    'PUT /shop/settings/mail': {
      who: 'settings-changes',
      limit: changing,
      handle: ({ body: { version, ...values }, caller }) =>
        settings.change('mail', version, values, toStaffActor(caller)),
    },
    'PUT /shop/settings/announcement': {
      who: 'settings-changes',
      limit: changing,
      handle: ({ body: { version, ...values }, caller }) =>
        settings.change('announcement', version, values, toStaffActor(caller)),
    },
    'PUT /shop/settings/prices': {
      who: 'settings-changes',
      limit: changing,
      handle: ({ body: { version, ...values }, caller }) =>
        settings.change('prices', version, values, toStaffActor(caller)),
    },
  };
}
