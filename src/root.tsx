import './ui/styles/tokens.css';
import './ui/styles/base.css';
import type { ReactNode } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, useRouteError, useRouteLoaderData } from 'react-router';
import { isApiFailure } from './storefront/api.ts';
import type { Demo } from './storefront/layout/demo-bar.tsx';
import { FailedPage, NotFoundMessage } from './storefront/layout/failed-page.tsx';
import type { HeaderCategory } from './storefront/layout/shop-links.tsx';
import { PageFrame } from './storefront/layout/page-frame.tsx';
import { RateNotice } from './storefront/layout/rate-notice.tsx';
import type { RateState } from './storefront/layout/rate-notice.tsx';
import { pageContext } from './storefront/page/page-context.ts';
import { readTimeZone } from './storefront/time-zone.ts';
import type { TimeZoneData } from './storefront/time-zone.ts';
import { formatPageTitle, SHOP_NAME } from '#src/shop/shop-identity.ts';

export const meta: MetaFunction = ({ error }) => [
  { title: formatTitle(error) },
  { name: 'description', content: 'iPhone, Mac and iPad, paid in Bitcoin.' },
];

function formatTitle(error: unknown): string {
  if (error === undefined || error === null) return SHOP_NAME;
  return formatPageTitle(isNotFound(error) ? 'Page not found' : 'Something went wrong');
}

interface FrameData extends TimeZoneData {
  readonly categories: HeaderCategory[];
  readonly rate: RateState;
  readonly demo: Demo | null;
}

export async function loader({ context, request }: LoaderFunctionArgs): Promise<FrameData> {
  const { call, isDemo, hasDevchain } = context.get(pageContext);
  const demo = isDemo ? { hasWallet: hasDevchain } : null;
  const zone = readTimeZone(request);
  try {
    const [categories, rate] = await Promise.all([call('GET /categories'), call('GET /rate')]);
    return {
      categories: categories.map(({ id, name, slug }) => ({ id, name, slug })),
      rate: rate.state,
      demo,
      ...zone,
    };
  } catch (error) {
    // Without the API the page is shown without categories.
    if (isApiFailure(error)) return { categories: [], rate: 'current', demo, ...zone };
    throw error;
  }
}

// Categories are loaded once per document.
export const shouldRevalidate = () => false;

export function Layout({ children }: { readonly children: ReactNode }) {
  return (
    // The script in the head adds attributes before hydration.
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#111114" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <Meta />
        {/* The page engine writes styles and scripts itself, once for all pages of a route. */}
        {(import.meta.env.STOCK_PAGES || !import.meta.env.SSR) && <Links />}
      </head>
      <body>
        {children}
        {import.meta.env.STOCK_PAGES && <Scripts />}
      </body>
    </html>
  );
}

function Frame({ children }: { readonly children: ReactNode }) {
  const data = useRouteLoaderData<typeof loader>('root');
  return (
    <PageFrame categories={data?.categories ?? []} notice={<RateNotice state={data?.rate ?? 'current'} />}>
      {children}
    </PageFrame>
  );
}

export default function Root() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}

const readStatus = (error: unknown): number | null => (isRouteErrorResponse(error) ? error.status : null);
const isNotFound = (error: unknown): boolean => readStatus(error) === 404;

export function ErrorBoundary() {
  const error = useRouteError();
  return <Frame>{isNotFound(error) ? <NotFoundMessage /> : <FailedPage status={readStatus(error)} />}</Frame>;
}
