import { Link } from 'react-router';
import { formatNumber } from '#src/shop/format-number.ts';
import type { WireResponse } from '#src/shop/codecs.ts';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import type { salesApi } from '../contract.ts';
import { countUnits, formatUsdText } from './describe-sales.ts';

interface StockValueProps {
  readonly value: WireResponse<(typeof salesApi)['GET /support/stock-value']>;
}

const describe = (units: number, variants: number): string =>
  `${countUnits(units)} of ${formatNumber(variants)} ${variants === 1 ? 'variant' : 'variants'}`;

/** What the units on hand cost the shop. */
export function StockValue({ value }: StockValueProps) {
  const { unknown_units: unknownUnits, unknown_variants: unknownVariants, units, value_usd: usd, variants } = value;
  return (
    <Section title="Stock value, now">
      {variants + unknownVariants === 0 ? (
        <EmptyState title="Nothing is on hand.">
          <p>
            Stock that is tracked has a value. Count it under <Link to="/admin/inventory">Inventory</Link>.
          </p>
        </EmptyState>
      ) : (
        <>
          <Facts layout="columns">
            <Fact label="At cost" translate="no">
              {formatUsdText(usd)}
            </Fact>
            <Fact label="On hand with a cost">{describe(units, variants)}</Fact>
            {unknownUnits > 0 && <Fact label="On hand without a cost">{describe(unknownUnits, unknownVariants)}</Fact>}
          </Facts>
          <p className="muted small">
            Units on hand, reserved ones included, at their cost of today. Variants without tracked stock are left out.
          </p>
          {unknownUnits > 0 && (
            <p className="muted small">Enter “Cost in USD” on the page of a product to include the rest.</p>
          )}
        </>
      )}
    </Section>
  );
}
