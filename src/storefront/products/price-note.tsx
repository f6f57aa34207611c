import { Link } from 'react-router';
import { useShop } from '../shop-identity.ts';
import { describePrices } from './describe-prices.ts';
import styles from './price-note.module.css';

/** Whether the prices beside it include tax, with a link to the shipping costs. */
export function PriceNote({ isOfList = false }: { readonly isOfList?: boolean }) {
  const note = describePrices(useShop(), isOfList);
  if (note === null) return null;
  return (
    <div className={styles.note}>
      {note.text}
      <Link to="/free-shipping" prefetch="intent">
        {note.link}
      </Link>
    </div>
  );
}
