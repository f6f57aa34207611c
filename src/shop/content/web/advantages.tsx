import { Icon } from '#src/web/ui/icons.tsx';
import styles from './advantages.module.css';
import deliveryUrl from './fast-delivery.svg';
import paymentsUrl from './secure-payments.svg';

/** Why it is good to buy here. */
export function Advantages() {
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
          <img src={paymentsUrl} alt="" width={332} height={332} loading="lazy" />
        </li>
        <li className={styles.card}>
          <div>
            <h3>Fast Delivery</h3>
            <p>Get your order quickly, no matter where you are</p>
          </div>
          <div className={styles.pictured}>
            <img src={deliveryUrl} alt="" width={332} height={332} loading="lazy" />
            <p className={styles.overlay}>
              <Icon name="truck" size={24} />
              <span>
                <strong>Fast Delivery</strong>
                <span>Delivery today in 24 hours</span>
              </span>
            </p>
          </div>
        </li>
      </ul>
    </section>
  );
}
