/** The OpenAPI document of the shop, with the scopes of API keys and the events of webhooks. */
import type { FastifyInstance } from 'fastify';
import type { AnyRoute } from '#src/platform/http/call.ts';
import type { Contract } from '#src/platform/http/endpoint.ts';
import { registerApiDocs } from '#src/platform/http/openapi.ts';
import { findScopeOf, SCOPES } from '#src/shop/api-keys/scope.ts';
import { errorBody } from '#src/shop/codecs.ts';
import { describeEvents } from '#src/shop/webhooks/events/contract.ts';

const API_INFO = {
  version: '1',
  description: 'The API of the shop. Its pages use the same calls.',
  errorBody,
};

/** @param getShopName the title names the shop, which owners can rename */
export function registerShopDocs(
  server: FastifyInstance,
  contract: Contract,
  routes: Readonly<Record<string, AnyRoute>>,
  getShopName: () => string,
): void {
  const access = {
    isOpen: (key: string) => routes[key]?.who === 'anyone',
    findScope: findScopeOf,
    scopes: SCOPES,
    webhooks: describeEvents,
  };
  registerApiDocs(server, contract, access, () => ({ ...API_INFO, title: `${getShopName()} API`.trimStart() }));
}
