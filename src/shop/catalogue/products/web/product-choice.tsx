import { useMemo } from 'react';
import { Link } from 'react-router';
import { DeliveryPromise } from '#src/storefront/location/delivery-promise.tsx';
import { Icon } from '#src/ui/icons.tsx';
import type { Product } from '../../contract.ts';
import type { Option, OptionGroup } from '../../filters/offered-options.ts';
import { computeDisplayPrice } from '../display-price.ts';
import { BuyBox } from './buy-box.tsx';
import { OptionChooser, OptionFact } from './option-chooser.tsx';
import styles from './product-choice.module.css';

interface ProductChoiceProps {
  readonly product: Pick<Product, 'id' | 'name' | 'sub_description' | 'base_price_in_btc' | 'base_price_in_usd'>;
  readonly properties: readonly OptionGroup[];
  /** Selected option of each property. */
  readonly chosen: readonly Option[];
  readonly onChoose: (groupId: string, valueId: string) => void;
}

/** Name, options, price and cart controls of a product. */
export function ProductChoice({ product, properties, chosen, onChoose }: ProductChoiceProps) {
  const valueIds = useMemo(() => chosen.map(({ id }) => id).toSorted(), [chosen]);
  const price = computeDisplayPrice(
    { btc: product.base_price_in_btc, usd: product.base_price_in_usd },
    chosen.map((option) => ({ btc: option.price_in_btc_increase, usd: option.price_in_usd_increase })),
  );
  const choosers = properties.filter(({ values }) => values.length > 1);
  const facts = properties.filter(({ values }) => values.length === 1);
  const isChosen = (id: string): boolean => valueIds.includes(id);

  return (
    <div className={styles.choice}>
      <div>
        <h1 className={styles.name}>{product.name}</h1>
        <p className={styles.summary}>{product.sub_description}</p>
      </div>
      {choosers.map((group) => (
        <OptionChooser
          key={group.id}
          group={group}
          chosenId={group.values.find(({ id }) => isChosen(id))?.id}
          onChoose={(valueId) => onChoose(group.id, valueId)}
        />
      ))}
      {facts.length > 0 && (
        <dl className={styles.facts}>
          {facts.map((group) => (
            <OptionFact key={group.id} group={group} />
          ))}
        </dl>
      )}
      <BuyBox product={product} valueIds={valueIds} price={price} />
      <ul className={styles.promises}>
        <li>
          <Icon name="truck" />
          <span>
            <DeliveryPromise />
            {' · '}
            <Link to="/free-shipping" prefetch="intent">
              Delivery times
            </Link>
          </span>
        </li>
        <li>
          <Icon name="check" />
          Free worldwide shipping
        </li>
        <li>
          <Icon name="bitcoin" />
          Pay with Bitcoin. No card or bank account needed.
        </li>
      </ul>
    </div>
  );
}
