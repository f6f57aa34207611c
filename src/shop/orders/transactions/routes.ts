import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { transactionsApi } from './contract.ts';
import type { Transactions } from './service.ts';

export const createTransactionRoutes = (transactions: Transactions): RoutesOf<typeof transactionsApi> => ({
  'GET /payments/transactions/{txid}': {
    who: 'payments',
    hasPersonalData: true,
    // Each call makes about a dozen requests to the node.
    limit: { points: 30, seconds: 60, by: 'caller' },
    handle: ({ params }) => transactions.lookUp(params.txid.toLowerCase()),
  },
});
