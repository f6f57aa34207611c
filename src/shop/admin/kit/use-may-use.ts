import { useRouteLoaderData } from 'react-router';
import { mayUse } from '#src/shop/permissions.ts';
import type { Area } from '#src/shop/permissions.ts';

/** Role of the visitor of a back-office page; empty if there is none. */
export const useRole = (): string => useRouteLoaderData<{ readonly role?: string }>('root')?.role ?? '';

/** Whether the visitor may use an area. The server refuses the calls of others as well. */
export const useMayUse = (area: Area): boolean => mayUse(useRole(), area);
