import { useState } from 'react';
import { formatBtcAmount, formatDollars, formatUsdAmount } from '#src/shop/format-number.ts';
import type { PromotionFields } from '#src/shop/promotions/editing/contract.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Lines } from '#src/ui/layout/lines.ts';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import type { PromotionPreview as Preview } from '#src/shop/cart/promotion-preview/contract.ts';
import { ProductSearch } from './product-search.tsx';
import type { FoundProduct } from './product-search.tsx';
import styles from './promotion-preview.module.css';
import { isInFuture, usePreview } from './use-preview.ts';
import type { LoadedPreview, SampleLine } from './use-preview.ts';

const MAX_PRODUCTS = 20;
const MAX_QUANTITY = 99;

interface PromotionPreviewProps {
  /** Null while the form has problems. */
  readonly fields: PromotionFields | null;
}

/** What the promotion does to a cart that the staff member puts together. */
export function PromotionPreview({ fields }: PromotionPreviewProps) {
  const [lines, setLines] = useState<readonly SampleLine[]>([]);
  const { loaded, isStale, retry } = usePreview(lines.length === 0 ? null : fields, lines);

  const add = (product: FoundProduct) => {
    if (lines.some((line) => line.product.id === product.id)) return;
    setLines([...lines, { product, quantity: 1 }]);
  };
  const change = (id: string, quantity: number) =>
    setLines(lines.map((line) => (line.product.id === id ? { ...line, quantity } : line)));
  return (
    <Section title="Preview" surface="outlined">
      <p className="muted measure">
        Put a sample cart together to see what the promotion does to it. Nothing is saved.
      </p>
      {lines.length < MAX_PRODUCTS && <ProductSearch label="Add a product" action="Add" onChoose={add} />}
      {lines.length > 0 && (
        <Lines isFramed>
          {lines.map((line) => (
            <SampleProduct
              key={line.product.id}
              line={line}
              onChange={(quantity) => change(line.product.id, quantity)}
              onRemove={() => setLines(lines.filter((one) => one !== line))}
            />
          ))}
        </Lines>
      )}
      {lines.length > 0 && (
        <div aria-live="polite">
          {fields === null ? (
            <p className="muted measure">Complete the form to see the totals.</p>
          ) : (
            <Result loaded={loaded} fields={fields} isStale={isStale} onRetry={retry} />
          )}
        </div>
      )}
    </Section>
  );
}

interface ResultProps {
  readonly loaded: LoadedPreview | null;
  readonly fields: PromotionFields;
  readonly isStale: boolean;
  readonly onRetry: () => void;
}

function Result({ loaded, fields, isStale, onRetry }: ResultProps) {
  if (loaded === null) return <p className="muted measure">Computing…</p>;
  if (loaded.preview === null) return <ErrorState title={`${loaded.problem}.`} onRetry={onRetry} />;
  return <Totals preview={loaded.preview} fields={fields} isStale={isStale} />;
}

interface SampleProductProps {
  readonly line: SampleLine;
  readonly onChange: (quantity: number) => void;
  readonly onRemove: () => void;
}

function SampleProduct({ line: { product, quantity }, onChange, onRemove }: SampleProductProps) {
  const [typed, setTyped] = useState(String(quantity));
  const isValid = /^[1-9]\d?$/.test(typed);
  return (
    <li className={styles.line}>
      <p className="strong wrap-anywhere whole-row">
        {product.name}{' '}
        <span translate="no" className="muted regular">
          {formatDollars(product.base_price_in_usd)}
        </span>
      </p>
      <Field
        label={`Quantity of ${product.name}`}

        type="number"
        inputMode="numeric"
        min={1}
        max={MAX_QUANTITY}
        value={typed}
        message={isValid ? null : `Enter 1 to ${MAX_QUANTITY}`}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          if (/^[1-9]\d?$/.test(currentTarget.value)) onChange(Number(currentTarget.value));
        }}
      />
      <Button variant="secondary" onClick={onRemove}>
        Remove<span className="visually-hidden"> {product.name}</span>
      </Button>
    </li>
  );
}

const formatBtc = (btc: number | null): string => (btc === null ? '' : ` · ${formatBtcAmount(btc)} BTC`);

interface TotalsProps {
  readonly preview: Preview;
  readonly fields: PromotionFields;
  readonly isStale: boolean;
}

function Totals({ preview, fields, isStale }: TotalsProps) {
  const gifts = preview.lines.filter(({ is_gift: isGift }) => isGift);
  const notices = preview.lines.flatMap(({ name, notices: texts }) => texts.map((text) => `${name}: ${text}`));
  return (
    <Stack gap={12} className={styles.totals} aria-busy={isStale}>
      {isInFuture(fields.starts_at) && (
        <p className="muted measure">
          At its start, <Moment at={fields.starts_at} shows="moment" />, at the present prices.
        </p>
      )}
      {!fields.is_active && <p className="muted measure">While it is disabled, nobody can use the code.</p>}
      {preview.problem !== null && <Notice tone="bad">Does not apply: {preview.problem}.</Notice>}
      {notices.map((notice) => (
        <p key={notice} className="muted measure">
          {notice}
        </p>
      ))}
      <Facts layout="sums">
        <Fact label="Subtotal">
          ${formatUsdAmount(preview.subtotal_usd)}
          {formatBtc(preview.subtotal_btc)}
        </Fact>
        {gifts.map((gift) => (
          <Fact key={gift.product_id} label="Gift">
            {gift.name}
            {gift.values.length > 0 && <span>{`, ${gift.values.join(', ')}`}</span>}
          </Fact>
        ))}
        {preview.discount_usd > 0 && (
          <Fact label={`Discount ${preview.discount_percent}%`}>
            −${formatUsdAmount(preview.discount_usd)}
            {formatBtc(preview.discount_btc)}
          </Fact>
        )}
        <Fact label="Total" isTotal>
          ${formatUsdAmount(preview.total_usd)}
          {formatBtc(preview.total_btc)}
        </Fact>
      </Facts>
    </Stack>
  );
}
