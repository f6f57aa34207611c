import { useMemo } from 'react';
import { Link } from 'react-router';
import { useDeliveryPromise } from '#src/storefront/location/use-delivery-promise.ts';
import { useShop } from '#src/storefront/shop-identity.ts';
import { Icon } from '#src/ui/icons.tsx';
import type { Product } from '../../contract.ts';
import type { Option, OptionGroup } from '../offered-options.ts';
import { findVariantPosition } from '../variant-table.ts';
import type { VariantTable } from '../variant-table.ts';
import { BuyBox } from './buy-box.tsx';
import { OptionChooser, OptionFact } from './option-chooser.tsx';
import styles from './product-choice.module.css';
import { Unbroken } from '#src/ui/unbroken.tsx';

export interface ProductChoiceProps {
  readonly product: Pick<Product, 'id' | 'name' | 'sub_description' | 'slug' | 'energy_label'>;
  /** Product information sheet; null without one. */
  readonly sheet: string | null;
  /** End of the sale price; null without one. */
  readonly saleEnd: string | null;
  readonly properties: readonly OptionGroup[];
  readonly table: VariantTable;
  /** Selected option of each property. */
  readonly chosen: readonly Option[];
  readonly onChoose: (groupId: string, valueId: string) => void;
}

/** Name, options, price and cart controls of a product. */
export function ProductChoice({ product, sheet, saleEnd, properties, table, chosen, onChoose }: ProductChoiceProps) {
  const valueIds = useMemo(() => chosen.map(({ id }) => id).toSorted(), [chosen]);
  const find = (wanted: readonly Option[]) =>
    table[findVariantPosition(properties, (option) => wanted.includes(option))] ?? null;
  const choosers = properties.filter(({ values }) => values.length > 1);
  const facts = properties.filter(({ values }) => values.length === 1);
  const promise = useDeliveryPromise();
  const { shipping } = useShop();
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
      {saleEnd && variant?.was && <p className={styles.summary}>{`Sale ends ${saleEnd}`}</p>}
      <BuyBox product={product} valueIds={valueIds} variant={variant} />
      <ul className={styles.promises}>
        {sheet && (
          <li>
            <Icon name="check" />
            <a href={sheet}>Product information sheet</a>
          </li>
        )}
        <li>
          <Icon name="truck" />
          <span>
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
        <li>
          <Icon name="bitcoin" />
          Pay with Bitcoin. No card or bank account needed.
        </li>
      </ul>
    </div>
  );
}
