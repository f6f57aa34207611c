import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { apiKeysApi } from './contract.ts';
import type { ApiKeys } from './service.ts';

export function createApiKeyRoutes(apiKeys: ApiKeys): RoutesOf<typeof apiKeysApi> {
  return {
    'GET /api-keys': {
      who: 'integrations',
      limit: { points: 60, seconds: 60, by: 'caller' },
      handle: async () => ({ api_keys: await apiKeys.list() }),
    },
    'POST /api-keys': {
      who: 'integration-changes',
      limit: { points: 20, seconds: 60, by: 'caller', isShared: true },
      handle: async ({ body: { name, scopes, expires_in_days: expiresInDays }, caller }) => {
        const created = await apiKeys.create({ name, scopes, expiresInDays }, toStaffActor(caller));
        return created === null
          ? new Refusal(409, 'too-many', 'There are 50 keys already. Revoke one first')
          : { api_key: created.apiKey, key: created.key };
      },
    },
    'DELETE /api-keys/{id}': {
      who: 'integrations',
      limit: { points: 60, seconds: 60, by: 'caller' },
      handle: async ({ params, caller }) =>
        (await apiKeys.revoke(params.id, toStaffActor(caller))) ? { message: 'success' } : createNotFound(),
    },
  };
}
