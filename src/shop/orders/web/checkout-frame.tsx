import type { ReactNode } from 'react';
import { Link, useRouteLoaderData } from 'react-router';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { LineArt } from '#src/ui/graphics/line-art.tsx';
import { useShop } from '#src/storefront/shop-identity.ts';
import styles from './checkout-frame.module.css';
import { Footer } from '#src/storefront/layout/footer.tsx';
import type { LegalData } from '#src/storefront/layout/legal-link.tsx';
import { Logo } from '#src/storefront/layout/logo.tsx';
import { RateNotice } from '#src/storefront/layout/rate-notice.tsx';

interface CheckoutFrameProps {
  /** The way back. */
  readonly back?: { readonly to: string; readonly text: string; readonly onFollow?: () => void };
  /** Progress of the checkout. */
  readonly steps?: ReactNode;
  /** What is bought, beside the page on wide screens and below it on phones. */
  readonly summary: ReactNode;
  readonly children: ReactNode;
}

/** Frame of billing and payment: nothing leads away but the mark, the way back and help. */
export function CheckoutFrame({ back, steps, summary, children }: CheckoutFrameProps) {
  const shop = useShop();
  const root = useRouteLoaderData<LegalData & { readonly notice: string }>('root');
  return (
    <>
      <header className={styles.header}>
        <div className={styles.start}>
          {back && (
            <Link
              to={back.to}
              className={styles.back}
              aria-label={`Back to ${back.text.toLowerCase()}`}
              onClick={(event) => {
                if (back.onFollow === undefined) return;
                event.preventDefault();
                back.onFollow();
              }}
            >
              <Icon name="chevronLeft" size={18} />
              <span>{back.text}</span>
            </Link>
          )}
          <Logo />
        </div>
        {steps && <div className={styles.steps}>{steps}</div>}
        <div className={styles.end}>
          <p className={styles.secure}>
            <LineArt size={18}>
              <path d="M6 10.5h12V20H6zM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5" />
            </LineArt>
            <span>Secure checkout</span>
          </p>
          <Link to="/contact" className={styles.help}>
            Help
          </Link>
        </div>
      </header>
      <RateNotice text={root?.notice} />
      <main id="main" tabIndex={-1} className={styles.main}>
        <div className={styles.pane}>{children}</div>
        <div className={styles.summary}>
          <div className={styles.bought}>{summary}</div>
        </div>
      </main>
      <Footer shop={shop} legal={root?.legal ?? []} />
    </>
  );
}
