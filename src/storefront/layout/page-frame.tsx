import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useNavigation, useRouteLoaderData } from 'react-router';
import { failedNavigations } from '#src/platform/pages/browser/failed-navigation.ts';
import { Toaster } from '#src/ui/feedback/toast.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { TopBars } from './demo-bar.tsx';
import { Footer } from './footer.tsx';
import type { LegalData } from './legal-link.tsx';
import type { HeaderCategory } from './shop-links.tsx';
import { Header } from './header.tsx';
import { pageParts } from './page-parts.ts';
import { RateNotice } from './rate-notice.tsx';
import styles from './page-frame.module.css';
import { useShop } from '../shop-identity.ts';
import { useRouteChange } from './use-route-change.ts';

interface PageFrameProps {
  /** The page has a frame of its own, with its own main element. */
  readonly isBare?: boolean;
  readonly children: ReactNode;
}

/** Around every page: what leads to the content, progress of navigations and notices. */
export function PageFrame({ isBare = false, children }: PageFrameProps) {
  useRouteChange();
  // The page is hydrated: deferred-hydration.ts now replays presses and input.
  useEffect(() => {
    document.documentElement.toggleAttribute('data-ready', true);
    document.dispatchEvent(new Event('shop:ready'));
    // If it cannot be fetched, a failed navigation shows an error page.
    import('./failed-navigation-notice.tsx')
      .then((loaded) => failedNavigations.update({ retry: loaded }))
      .catch(() => {});
  }, []);
  const { failed, retry } = failedNavigations.use((state) => state);
  const { Reloads } = pageParts.use((state) => state);
  const isNavigating = useNavigation().state !== 'idle' && failed.key === null;
  return (
    <>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      {isNavigating && <div className={styles.progress} />}
      {isBare ? children : <ShopFrame>{children}</ShopFrame>}
      {retry && failed.isShown && <retry.FailedNavigationNotice />}
      <Toaster />
      {Reloads && <Reloads />}
    </>
  );
}

interface FrameData extends LegalData {
  readonly categories: readonly HeaderCategory[];
  readonly notice: string;
}

/** Header, notices, footer and bottom bar around a page of the shop. */
export function ShopFrame({ children }: { readonly children: ReactNode }) {
  const shop = useShop();
  const { categories = [], legal = [], notice }: Partial<FrameData> = useRouteLoaderData<FrameData>('root') ?? {};
  return (
    <>
      <TopBars />
      <Header categories={categories} shop={shop} />
      <RateNotice text={notice} />
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <Footer shop={shop} legal={legal} />
      <BottomBar />
    </>
  );
}
