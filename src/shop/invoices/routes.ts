import { createNotFound, Download } from '#src/platform/http/call.ts';
import type { Identity, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { invoicesApi } from './contract.ts';
import type { Invoices } from './service.ts';

const listing = { points: 60, seconds: 10, by: 'caller' } as const;
// Rendering takes 0.1 s of one core, and up to a second with many Chinese, Japanese or Korean characters.
const printing = { points: 30, seconds: 60, by: 'caller', isShared: true } as const;

export function createInvoiceRoutes(invoices: Invoices): RoutesOf<typeof invoicesApi> {
  const print = async (
    id: string,
    userId: string | null,
    { identity }: { readonly identity: Identity },
  ): Promise<Download | Refusal> => {
    const printed = await invoices.print(id, userId, identity.userId);
    return printed ? new Download(printed.filename, 'application/pdf', [printed.bytes]) : createNotFound();
  };
  return {
    'GET /orders/{id}/invoices': {
      who: 'user',
      limit: listing,
      handle: async ({ params, caller }) =>
        (await invoices.listForOrder(params.id, caller.identity.userId)) ?? createNotFound(),
    },
    'GET /invoices/{id}/pdf': {
      who: 'user',
      limit: printing,
      handle: ({ params, caller }) => print(params.id, caller.identity.userId, caller),
    },
    'GET /support/invoices': {
      who: 'orders',
      hasPersonalData: true,
      limit: listing,
      handle: async ({ query: { page = 1, q = '', kind, year } }) => ({
        ...(await invoices.list({ kind, year, q: q.trim() }, page)),
        page,
      }),
    },
    'GET /support/orders/{id}/invoices': {
      who: 'orders',
      limit: listing,
      handle: async ({ params }) => (await invoices.listForOrder(params.id, null)) ?? createNotFound(),
    },
    'GET /support/invoices/{id}/pdf': {
      who: 'orders',
      hasPersonalData: true,
      limit: printing,
      handle: ({ params, caller }) => print(params.id, null, caller),
    },
    'GET /exports/invoices': {
      who: 'accounting',
      // Each export reads all documents of its days.
      limit: { points: 10, seconds: 60, by: 'caller', isShared: true },
      handle: async ({ query, caller }) => {
        const { name, pieces } = await invoices.exportSales(query, toStaffActor(caller));
        return new Download(name, 'text/csv; charset=utf-8', pieces);
      },
    },
  };
}
