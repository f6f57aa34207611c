import { Link } from 'react-router';
import { Icon } from '#src/ui/graphics/icons.tsx';
import type { WholeOrder } from '../contract.ts';
import { useNeighbours } from '../../kit/visited-list.ts';
import type { ListedItem } from '../../kit/visited-list.ts';
import styles from './order-head.module.css';

const toItem = (order: WholeOrder['newer']): ListedItem | null => order && { id: order.id, name: order.number };

/** Links to the orders before and after this one, as the lists have them: the newest first. */
export function OtherOrders({ whole: { newer, older, order } }: { readonly whole: WholeOrder }) {
  const { previous, next } = useNeighbours('orders', order.id, { previous: toItem(newer), next: toItem(older) });
  return (
    <nav aria-label="Other orders" className={styles.others}>
      <Neighbour item={previous} text="Previous order" icon="chevronLeft" />
      <Neighbour item={next} text="Next order" icon="chevronRight" />
    </nav>
  );
}

interface NeighbourProps {
  readonly item: ListedItem | null;
  readonly text: string;
  readonly icon: 'chevronLeft' | 'chevronRight';
}

function Neighbour({ item, text, icon }: NeighbourProps) {
  // Its place stays, so that the other one does not move.
  if (item === null)
    return (
      <span aria-hidden className="round-target">
        <Icon name={icon} />
      </span>
    );
  const name = `${text}, ${item.name}`;
  return (
    <Link to={`/admin/orders/${item.id}`} className="round-target" aria-label={name} title={name}>
      <Icon name={icon} />
    </Link>
  );
}
