import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { reservationsApi } from './contract.ts';
import type { ReservationList } from './service.ts';

export const createReservationRoutes = (reservations: ReservationList): RoutesOf<typeof reservationsApi> => ({
  'GET /support/reservations': {
    who: 'stock',
    hasPersonalData: true,
    limit: { points: 120, seconds: 60, by: 'caller' },
    handle: ({ query }) => reservations.list(query.page ?? 1),
  },
});
