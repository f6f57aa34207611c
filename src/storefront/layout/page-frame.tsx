import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useNavigation } from 'react-router';
import { failedNavigations } from '#src/platform/pages/browser/failed-navigation.ts';
import { Toaster } from '#src/ui/toast.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { TopBars } from './demo-bar.tsx';
import { Footer } from './footer.tsx';
import type { LegalData } from './legal-link.tsx';
import type { HeaderCategory } from './shop-links.tsx';
import { Header } from './header.tsx';
import { pageParts } from './page-parts.ts';
import styles from './page-frame.module.css';
import { useShop } from '../shop-identity.ts';
import { useRouteChange } from './use-route-change.ts';

interface PageFrameProps extends LegalData {
  readonly categories: readonly HeaderCategory[];
  /** The page has a frame of its own, with its own main element. */
  readonly isBare?: boolean;
  /** Notice above the page, for all visitors. */
  readonly notice?: ReactNode;
  readonly children: ReactNode;
}

/** Frame of every page: header, notices, footer and bottom bar. */
export function PageFrame({ categories, legal, isBare = false, notice, children }: PageFrameProps) {
  useRouteChange();
  const shop = useShop();
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
      {isBare ? (
        <>
          {notice}
          {children}
        </>
      ) : (
        <>
          <TopBars />
          <Header categories={categories} shop={shop} />
          {notice}
          <main id="main" tabIndex={-1} className={styles.main}>
            {children}
          </main>
          <Footer shop={shop} legal={legal} />
          <BottomBar />
        </>
      )}
      {retry && failed.isShown && <retry.FailedNavigationNotice />}
      <Toaster />
      {Reloads && <Reloads />}
    </>
  );
}
