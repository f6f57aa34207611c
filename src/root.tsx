import './ui/styles/tokens.css';
import './ui/styles/typeface.css';
import './ui/styles/base.css';
import './ui/styles/transitions.css';
import type { ReactNode } from 'react';
import type { LoaderFunctionArgs, MetaFunction, ShouldRevalidateFunctionArgs } from 'react-router';
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from 'react-router';
import { isApiFailure } from './storefront/api.ts';
import type { Demo } from './storefront/layout/demo-bar.tsx';
import { FailedPage, NotFoundMessage } from './storefront/layout/failed-page.tsx';
import type { LegalData } from './storefront/layout/legal-link.tsx';
import type { HeaderCategory } from './storefront/layout/shop-links.tsx';
import { PageFrame } from './storefront/layout/page-frame.tsx';
import { RATE_NOTICES } from './storefront/layout/rate-notices.ts';
import { pageContext } from './storefront/page/page-context.ts';
import { BACK_OFFICE, isOfBackOffice } from './storefront/page/back-office.ts';
import { OWN_FRAMES } from './storefront/page/own-frames.ts';
import { isStaffRole } from './shop/permissions.ts';
import { toPreviewUrl } from './shop/pictures/picture-url.ts';
import { readTimeZone } from './storefront/time-zone.ts';
import type { TimeZoneData } from './storefront/time-zone.ts';
import { createShopIdentity } from './storefront/create-shop-identity.ts';
import { describeSite } from './storefront/page/describe-page.ts';
import { formatPageTitle, useShop } from './storefront/shop-identity.ts';
import { TypefacePreload } from './ui/styles/typeface-preload.tsx';
import type { ShopIdentity } from './storefront/shop-identity.ts';

// Every page has its own; this one is of the error page.
export const meta: MetaFunction = ({ error, matches }) => [
  { title: formatPageTitle(isNotFound(error) ? 'Page not found' : 'Something went wrong', matches) },
];

/** 1200 x 630, the size of link previews. */
const DEMO_PICTURE = '/api/images/og.jpg';

interface FrameData extends TimeZoneData, LegalData {
  readonly categories: HeaderCategory[];
  /** Notice about the bitcoin rate; empty for none. */
  readonly notice: string;
  readonly demo: Demo | null;
  readonly shop: ShopIdentity;
  /** Role of a member of the team, on pages of the back office. */
  readonly role?: string;
}

export async function loader({ context, request }: LoaderFunctionArgs): Promise<FrameData> {
  const page = context.get(pageContext);
  const { call, visitor, isDemo, hasDevchain } = page;
  const demo = isDemo ? { hasWallet: hasDevchain } : null;
  const zone = readTimeZone(request);
  // A page that loads its data again asks for its path with `.data`.
  const path = new URL(request.url).pathname.replace(/\.data$/, '');
  const role =
    isOfBackOffice(path) && visitor.user && isStaffRole(visitor.user.role) ? { role: visitor.user.role } : {};
  try {
    const [categories, rate, shop, { kinds }, { delivery }] = await Promise.all([
      call('GET /categories'),
      call('GET /rate'),
      call('GET /shop'),
      call('GET /legal'),
      call('GET /delivery'),
    ]);
    describeSite(page, { name: shop.name, picture: getPreview(shop.logo_path, isDemo) });
    return {
      categories: categories.map(({ id, name, slug }) => ({ id, name, slug })),
      notice: RATE_NOTICES[rate.state],
      shop: createShopIdentity(shop, demo, delivery, kinds),
      legal: [
        ...kinds.map((kind) => `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`),
        ...(shop.sells_to_eu_consumers ? ['Legal guarantee', 'Withdraw from contract here'] : []),
      ],
      demo,
      ...role,
      ...zone,
    };
  } catch (error) {
    // Without the API the page is shown without categories.
    if (isApiFailure(error)) {
      return { categories: [], notice: '', shop: createShopIdentity(null, demo), legal: [], demo, ...role, ...zone };
    }
    throw error;
  }
}

/** The picture of link previews: the logo, or the demo's. */
function getPreview(logo: string | null, isDemo: boolean): string | null {
  if (logo !== null) return toPreviewUrl(logo);
  return isDemo ? DEMO_PICTURE : null;
}

// Loaded once per document; the back office loads it again, since staff may have changed it.
export const shouldRevalidate = ({ nextUrl }: ShouldRevalidateFunctionArgs) => isOfBackOffice(nextUrl.pathname);

export function Layout({ children }: { readonly children: ReactNode }) {
  const { icons } = useShop();
  return (
    // The script in the head adds attributes before hydration.
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#111114" media="(prefers-color-scheme: dark)" />
        {icons?.map((icon) => (
          <link key={icon.href} {...icon} />
        ))}
        <link rel="manifest" href="/manifest.webmanifest" />
        {import.meta.env.SSR && <TypefacePreload />}
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

export default function Root() {
  const isOfStaff = useRouteLoaderData<typeof loader>('root')?.role !== undefined;
  return (
    <PageFrame isBare={useMatches().some(({ id }) => (id === BACK_OFFICE ? isOfStaff : OWN_FRAMES.test(id)))}>
      <Outlet />
    </PageFrame>
  );
}

const readStatus = (error: unknown): number | null => (isRouteErrorResponse(error) ? error.status : null);
const isNotFound = (error: unknown): boolean => readStatus(error) === 404;

export function ErrorBoundary() {
  const error = useRouteError();
  return <PageFrame>{isNotFound(error) ? <NotFoundMessage /> : <FailedPage status={readStatus(error)} />}</PageFrame>;
}
