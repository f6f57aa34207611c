/** The time zone in which dates are shown: the reader's. */
import { useRouteLoaderData } from 'react-router';
import { isTimeZone, UTC } from '#src/shop/format.ts';
import { TIME_ZONE_COOKIE } from '#src/ui/browser-storage.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';

/** What the root loader says of the reader's time zone; left out where the server does not know it. */
export interface TimeZoneData {
  readonly timeZone?: string;
}

/** The zone that the request of a page names; nothing on a page that is the same for everybody. */
export function readTimeZone(request: Request): TimeZoneData {
  const cookies = (request.headers.get('cookie') ?? '').split(/;\s*/);
  const timeZone = cookies.find((one) => one.startsWith(`${TIME_ZONE_COOKIE}=`))?.slice(TIME_ZONE_COOKIE.length + 1);
  return timeZone !== undefined && isTimeZone(timeZone) ? { timeZone } : {};
}

/**
 * The zone for `formatDate`: what the server knew until the page is hydrated, then the browser's own (undefined).
 * Elements with a date have `suppressHydrationWarning`: releases of ICU differ in how they abbreviate.
 */
export function useTimeZone(): string | undefined {
  const isAlive = useHydrated();
  const data = useRouteLoaderData<TimeZoneData>('root');
  return isAlive ? undefined : (data?.timeZone ?? UTC);
}
