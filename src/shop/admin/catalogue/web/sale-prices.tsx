import type { ReactNode } from 'react';
import { useState } from 'react';
import type { ListedSalePrice, ProductPrices } from '#src/shop/catalogue/sale-prices/contract.ts';
import { createVariantKey } from '#src/shop/catalogue/products/variants.ts';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Badge } from '#src/ui/display/badge.tsx';
import type { BadgeTone } from '#src/ui/display/badge.tsx';
import { Button } from '#src/ui/controls/button.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Disclosure } from '#src/ui/display/disclosure.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { nameVariant } from '../name-variant.ts';
import type { FormCategory } from '../product-form.ts';
import styles from './catalogue.module.css';
import { SalePriceForm } from './sale-price-form.tsx';

const STATES: Readonly<Record<ListedSalePrice['state'], string>> = {
  running: 'Running',
  scheduled: 'Scheduled',
  ended: 'Ended',
};
const TONES: Readonly<Record<ListedSalePrice['state'], BadgeTone>> = {
  running: 'good',
  scheduled: 'waiting',
  ended: 'neutral',
};

interface SalePricesProps {
  readonly productId: string;
  readonly prices: ProductPrices;
  readonly category: FormCategory | null;
}

/** Names of variants with their own price by their key, such as '256GB, Blue'. */
const nameVariants = ({ own_prices }: ProductPrices, category: FormCategory | null): ReadonlyMap<string, string> =>
  new Map(own_prices.map(({ value_ids }) => [createVariantKey(value_ids), nameVariant(category, value_ids)]));

/** Present, future and past sale prices of a product. */
export function SalePrices({ productId, prices, category }: SalePricesProps) {
  const isHydrated = useHydrated();
  /** Id of the one in the form; null: a new one; undefined: no form. */
  const [edited, setEdited] = useState<string | null | undefined>();
  const present = prices.sale_prices.filter(({ state }) => state !== 'ended').toReversed();
  const ended = prices.sale_prices.filter(({ state }) => state === 'ended');
  const form = {
    productId,
    basePrice: prices.base_price_usd,
    ownPrices: prices.own_prices,
    names: nameVariants(prices, category),
    onDone: () => setEdited(undefined),
  };
  return (
    <Section id="sale-prices" tabIndex={-1} title="Sale prices" surface="outlined">
      <p className="muted small measure">
        Buyers see the lowest price of the 30 days before beside it, if that was higher. Of sale prices that follow each
        other and become cheaper, it is that before the first. Sale prices of a product never overlap. Promotions apply
        to the sale price.
      </p>
      {present.map((salePrice) =>
        edited === salePrice.id ? (
          <SalePriceForm key={salePrice.id} {...form} salePrice={salePrice} />
        ) : (
          <SalePriceLine key={salePrice.id} salePrice={salePrice} basePrice={prices.base_price_usd}>
            <Actions salePrice={salePrice} onEdit={() => setEdited(salePrice.id)} />
          </SalePriceLine>
        ),
      )}
      {edited === null ? (
        <SalePriceForm {...form} salePrice={null} />
      ) : (
        <Row>
          <Button variant="secondary" disabled={!isHydrated} onClick={() => setEdited(null)}>
            Add sale price
          </Button>
        </Row>
      )}
      {ended.length > 0 && (
        <Disclosure className={styles.details} summary={`Ended sale prices (${ended.length})`}>
          <Stack>
            {ended.map((salePrice) => (
              <SalePriceLine key={salePrice.id} salePrice={salePrice} basePrice={null} />
            ))}
          </Stack>
        </Disclosure>
      )}
    </Section>
  );
}

const describe = ({ reduction, reduced_price_usd }: ListedSalePrice, basePrice: number | null): string => {
  const price = `$${formatUsdAmount(reduced_price_usd)}`;
  if (basePrice === null) return reduction.kind === 'percent' ? `${reduction.percent}% off` : price;
  const shown = `${price} instead of $${formatUsdAmount(basePrice)}`;
  return reduction.kind === 'percent' ? `${reduction.percent}% off: ${shown}` : shown;
};

interface LineProps {
  readonly salePrice: ListedSalePrice;
  /** The normal price; null to leave it out. */
  readonly basePrice: number | null;
  readonly children?: ReactNode;
}

function SalePriceLine({ salePrice, basePrice, children }: LineProps) {
  const { state, starts_at, ends_at, lowest_price_30_days_usd: lowest, edited_by } = salePrice;
  return (
    <Stack>
      <Row>
        <Badge tone={TONES[state]}>{STATES[state]}</Badge>
        <strong className={styles.grow}>{describe(salePrice, basePrice)}</strong>
      </Row>
      <p className="muted small measure">
        From <Moment at={starts_at} shows="moment" />
        {ends_at === null ? ', without an end' : ' until '}
        {ends_at !== null && <Moment at={ends_at} shows="moment" />}
        {edited_by !== null && <span>{`, by ${edited_by}`}</span>}
      </p>
      {state !== 'ended' && (
        <p className="muted small measure">
          {lowest === null
            ? 'Not shown as a reduction: no higher price was asked in all of the 30 days before.'
            : `Shown as a reduction: was $${formatUsdAmount(lowest)}, the lowest price in the 30 days before`}
        </p>
      )}
      {children}
    </Stack>
  );
}

function Actions({ salePrice, onEdit }: { readonly salePrice: ListedSalePrice; readonly onEdit: () => void }) {
  const isHydrated = useHydrated();
  const { id, version, state } = salePrice;
  const request = { params: { id }, body: { version } };
  return (
    <Row>
      <Button variant="secondary" disabled={!isHydrated} onClick={onEdit}>
        {state === 'running' ? 'Change end' : 'Change'}
      </Button>
      {state === 'running' ? (
        <ConfirmedAction
          button="End now"
          question="End this sale price now?"
          meaning={<p>Buyers see the normal price at once. You can schedule another sale price.</p>}
          confirm="End now"
          done="The sale price has ended"
          onConfirm={() => call('POST /catalogue/sale-prices/{id}/end', request)}
        />
      ) : (
        <ConfirmedAction
          button="Delete"
          isDestructive
          question="Delete this sale price?"
          meaning={<p>It has not begun, so no buyer has seen it.</p>}
          confirm="Delete sale price"
          done="The sale price was deleted"
          onConfirm={() => call('DELETE /catalogue/sale-prices/{id}', request)}
        />
      )}
    </Row>
  );
}
