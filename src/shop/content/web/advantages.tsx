import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { Icon } from '#src/ui/icons.tsx';
import { LONDON_PROMISE } from '#src/shop/delivery-times.ts';
import styles from './advantages.module.css';

function AdvantagesSection() {
  return (
    <section aria-labelledby="advantages-title">
      <div className={styles.head}>
        <h2 id="advantages-title">Advantages</h2>
        <p>Discover the benefits of shopping for Apple devices with us</p>
      </div>
      <ul className={styles.cards}>
        <li className={styles.card}>
          <div>
            <h3>Secure Payments</h3>
            <p>Enjoy safe and reliable cryptocurrency transactions</p>
          </div>
          <Still name="secure-payments" alt="A phone, a gold bitcoin and a padlock" />
        </li>
        <li className={styles.card}>
          <div>
            <h3>Fast Delivery</h3>
            <p>Get your order quickly, no matter where you are</p>
          </div>
          <div className={styles.pictured}>
            <Still name="fast-delivery" alt="Two phones in an open parcel" />
            <p className={styles.overlay}>
              <Icon name="truck" size={24} />
              <span>
                <strong>Fast Delivery</strong>
                <span>{LONDON_PROMISE}</span>
              </span>
            </p>
          </div>
        </li>
      </ul>
    </section>
  );
}

function Still({ name, alt }: { readonly name: string; readonly alt: string }) {
  const stem = `/api/images/${name}`;
  return <img src={`${stem}.avif`} srcSet={`${stem}-664.avif 2x`} alt={alt} width={332} height={332} loading="lazy" />;
}

/** Advantages of the shop on the home page. */
export const Advantages = cacheFragment(AdvantagesSection);
