import { Link } from 'react-router';
import { useShop } from '../shop-identity.ts';
import styles from './price-note.module.css';

/** Whether the prices beside it include tax, with a link to the shipping costs. */
export function PriceNote({ isOfList = false }: { readonly isOfList?: boolean }) {
  const { priceNote } = useShop();
  if (!priceNote) return null;
  return (
    <div className={styles.note}>
      {(isOfList ? 'All prices ' : '') + priceNote.text}
      <Link to="/free-shipping" prefetch="intent">
        {priceNote.link}
      </Link>
    </div>
  );
}
