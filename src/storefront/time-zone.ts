/** The visitor's time zone, in which dates are shown. */
import { UTC, isTimeZone } from '#src/shop/format.ts';
import { useRouteLoaderData } from 'react-router';
import { TIME_ZONE_COOKIE } from '#src/ui/browser/browser-storage.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';

/** From the root loader; absent if the server does not know the visitor's time zone. */
export interface TimeZoneData {
  readonly timeZone?: string;
}

/** Reads the cookie of a private page. Public pages are rendered without cookies. */
export function readTimeZone(request: Request): TimeZoneData {
  const cookies = (request.headers.get('cookie') ?? '').split(/;\s*/);
  const timeZone = cookies
    .find((cookie) => cookie.startsWith(`${TIME_ZONE_COOKIE}=`))
    ?.slice(TIME_ZONE_COOKIE.length + 1);
  return timeZone !== undefined && isTimeZone(timeZone) ? { timeZone } : {};
}

/**
 * The zone for `formatDate`: the server's until hydration, then the browser's own (undefined). Elements with a date
 * have `suppressHydrationWarning`, because ICU releases abbreviate differently.
 */
export function useTimeZone(): string | undefined {
  const isAlive = useHydrated();
  const data = useRouteLoaderData<TimeZoneData>('root');
  return isAlive ? undefined : (data?.timeZone ?? UTC);
}
