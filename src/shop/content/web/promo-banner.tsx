import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import type { PromoBanner as BannerTexts } from '../home/contract.ts';
import bitcoinUrl from './bitcoin.svg';
import styles from './promo-banner.module.css';
import { Unbroken } from '#src/ui/text/unbroken.tsx';

function PromoBannerSection({ title, text, button }: BannerTexts) {
  return (
    <section aria-labelledby="promo-title" className={styles.banner}>
      <div className={styles.content}>
        <h2 id="promo-title">
          <Unbroken text={title} />
        </h2>
        <p>
          <Unbroken text={text} />
        </p>
        <ButtonLink to={button.to}>{button.text}</ButtonLink>
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
