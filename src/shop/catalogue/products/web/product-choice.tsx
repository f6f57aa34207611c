import { Suspense, useMemo } from 'react';
import { Link } from 'react-router';
import { Arrival } from '#src/storefront/location/arrival.ts';
import { useDeliveryPromise } from '#src/storefront/location/use-delivery-promise.ts';
import { formatNumber } from '#src/shop/format-number.ts';
import { useShop } from '#src/storefront/shop-identity.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import type { Product } from '../../contract.ts';
import type { Option, OptionGroup } from '../offered-options.ts';
import { findVariantPosition } from '../variant-table.ts';
import type { VariantTable } from '../variant-table.ts';
import { BuyBox } from './buy-box.tsx';
import { OptionChooser, OptionFact } from './option-chooser.tsx';
import styles from './product-choice.module.css';
import { Unbroken } from '#src/ui/text/unbroken.tsx';

export interface RatingOfProduct {
  /** From 1 to 5, with one decimal. */
  readonly mean: number;
  readonly count: number;
}

export interface ProductChoiceProps {
  readonly product: Pick<Product, 'id' | 'name' | 'sub_description' | 'slug' | 'energy_label'>;
  /** Product information sheet; null without one. */
  readonly sheet: string | null;
  /** Null without reviews. */
  readonly rating: RatingOfProduct | null;
  /** End of the sale price; null without one. */
  readonly saleEnd: string | null;
  readonly properties: readonly OptionGroup[];
  readonly table: VariantTable;
  /** Selected option of each property. */
  readonly chosen: readonly Option[];
  readonly onChoose: (groupId: string, valueId: string) => void;
}

/** Name, options, price and cart controls of a product. */
export function ProductChoice(props: ProductChoiceProps) {
  const { product, rating, sheet, saleEnd, properties, table, chosen, onChoose } = props;
  const valueIds = useMemo(() => chosen.map(({ id }) => id).toSorted(), [chosen]);
  const find = (wanted: readonly Option[]) =>
    table[findVariantPosition(properties, (option) => wanted.includes(option))] ?? null;
  const choosers = properties.filter(({ values }) => values.length > 1);
  const facts = properties.filter(({ values }) => values.length === 1);
  const variant = find(chosen);
  const isChosen = (id: string): boolean => valueIds.includes(id);

  return (
    <div className={styles.choice}>
      <div>
        <h1 className={styles.name}>
          <Unbroken text={product.name} />
        </h1>
        <p className={styles.summary}>
          <Unbroken text={product.sub_description} />
        </p>
        {rating && <Rating {...rating} />}
      </div>
      {choosers.map((group) => (
        <OptionChooser
          key={group.id}
          group={group}
          chosenId={group.values.find(({ id }) => isChosen(id))?.id}
          // With the present choice of the other groups.
          find={(option) => find([...chosen.filter((other) => !group.values.includes(other)), option])}
          chosenVariant={variant}
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
      <BuyBox product={product} valueIds={valueIds} variant={variant} saleEnd={saleEnd} />
      <Promises isInStock={variant?.isSoldOut === false} sheet={sheet} />
    </div>
  );
}

function Rating({ mean, count }: RatingOfProduct) {
  return (
    <Link to="#reviews-title" className={styles.rating}>
      <span>
        <span className="visually-hidden">Rated </span>
        {formatNumber(mean, 1)}
        <span className="visually-hidden"> out of 5</span>
      </span>
      <span className={styles.count}>{`${formatNumber(count)} ${count === 1 ? 'review' : 'reviews'}`}</span>
    </Link>
  );
}

/** What the shop promises about this purchase. */
function Promises({ isInStock, sheet }: { readonly isInStock: boolean; readonly sheet: string | null }) {
  const { text: promise, times } = useDeliveryPromise();
  const { shipping, assurances } = useShop();
  return (
    <ul className={styles.promises}>
      {sheet && (
        <li>
          <Icon name="check" />
          <a href={sheet}>Product information sheet</a>
        </li>
      )}
      {isInStock && (
        <li className="success">
          <Icon name="check" />
          In stock
        </li>
      )}
      <li>
        <Icon name="truck" />
        <span>
          {times && (
            <span className={styles.arrival}>
              <Suspense>
                <Arrival times={times} />
              </Suspense>
            </span>
          )}
          {promise && <span>{`${promise} · `}</span>}
          <Link to="/free-shipping" prefetch="intent">
            Delivery times
          </Link>
        </span>
      </li>
      {shipping !== 'paid' && (
        <li>
          <Icon name="check" />
          {shipping === 'free' ? 'Free shipping' : 'Free worldwide shipping'}
        </li>
      )}
      {assurances?.map(({ text, to }) => (
        <li key={text}>
          <Icon name="check" />
          {to === undefined ? text : <Link to={to}>{text}</Link>}
        </li>
      ))}
      <li>
        <Icon name="bitcoin" />
        Pay with Bitcoin. No card or bank account needed.
      </li>
    </ul>
  );
}
