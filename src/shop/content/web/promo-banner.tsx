import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { ButtonLink } from '#src/ui/button.tsx';
import bitcoinUrl from './bitcoin.svg';
import styles from './promo-banner.module.css';

function PromoBannerSection() {
  return (
    <section aria-labelledby="promo-title" className={styles.banner}>
      <div className={styles.content}>
        <h2 id="promo-title">Buy out gadgets with Bitcoin on Apple Tech Today!</h2>
        <p>
          Get the latest iPhones, MacBooks, and more with seamless cryptocurrency payments. Fast, secure, and
          hassle-free!
        </p>
        <ButtonLink to="/promo">Discover more</ButtonLink>
      </div>
      <div className={styles.orbit}>
        <p className={styles.badge}>
          <img src={bitcoinUrl} alt="" width={96} height={96} loading="lazy" />
          <span>Bitcoin</span>
          <span>BTC</span>
        </p>
      </div>
    </section>
  );
}

export const PromoBanner = cacheFragment(PromoBannerSection);
