import { useState } from 'react';
import { formatBtcAmount, formatDollars, formatUsdAmount } from '#src/shop/format-number.ts';
import type { PromotionFields } from '#src/shop/promotions/editing/contract.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Button } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { ErrorState } from '#src/ui/states.tsx';
import actionStyles from '../../kit/actions.module.css';
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
    <section className={actionStyles.actions} aria-labelledby="preview-title">
      <h2 id="preview-title" className={styles.title}>
        Preview
      </h2>
      <p className={actionStyles.muted}>
        Put a sample cart together to see what the promotion does to it. Nothing is saved.
      </p>
      {lines.length < MAX_PRODUCTS && <ProductSearch label="Add a product" action="Add" onChoose={add} />}
      {lines.length > 0 && (
        <ul className={styles.lines}>
          {lines.map((line) => (
            <SampleProduct
              key={line.product.id}
              line={line}
              onChange={(quantity) => change(line.product.id, quantity)}
              onRemove={() => setLines(lines.filter((one) => one !== line))}
            />
          ))}
        </ul>
      )}
      {lines.length > 0 && (
        <div aria-live="polite">
          {fields === null ? (
            <p className={actionStyles.muted}>Complete the form to see the totals.</p>
          ) : (
            <Result loaded={loaded} fields={fields} isStale={isStale} onRetry={retry} />
          )}
        </div>
      )}
    </section>
  );
}

interface ResultProps {
  readonly loaded: LoadedPreview | null;
  readonly fields: PromotionFields;
  readonly isStale: boolean;
  readonly onRetry: () => void;
}

function Result({ loaded, fields, isStale, onRetry }: ResultProps) {
  if (loaded === null) return <p className={actionStyles.muted}>Computing…</p>;
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
      <p className={styles.name}>
        {product.name}{' '}
        <span translate="no" className={styles.muted}>
          {formatDollars(product.base_price_in_usd)}
        </span>
      </p>
      <Field
        label={`Quantity of ${product.name}`}
        className={styles.quantity}
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
      <Button variant="secondary" className={styles.remove} onClick={onRemove}>
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
    <div className={styles.totals} aria-busy={isStale}>
      {isInFuture(fields.starts_at) && (
        <p className={actionStyles.muted}>
          At its start, <Moment at={fields.starts_at} shows="moment" />, at the present prices.
        </p>
      )}
      {!fields.is_active && <p className={actionStyles.muted}>While it is disabled, nobody can use the code.</p>}
      {preview.problem !== null && <p className={styles.problem}>Does not apply: {preview.problem}.</p>}
      {notices.map((notice) => (
        <p key={notice} className={actionStyles.muted}>
          {notice}
        </p>
      ))}
      <dl className={styles.sums}>
        <div>
          <dt>Subtotal</dt>
          <dd>
            ${formatUsdAmount(preview.subtotal_usd)}
            {formatBtc(preview.subtotal_btc)}
          </dd>
        </div>
        {gifts.map((gift) => (
          <div key={gift.product_id}>
            <dt>Gift</dt>
            <dd>
              {gift.name}
              {gift.values.length > 0 && <span>{`, ${gift.values.join(', ')}`}</span>}
            </dd>
          </div>
        ))}
        {preview.discount_usd > 0 && (
          <div>
            <dt>Discount {preview.discount_percent}%</dt>
            <dd>
              −${formatUsdAmount(preview.discount_usd)}
              {formatBtc(preview.discount_btc)}
            </dd>
          </div>
        )}
        <div className={styles.total}>
          <dt>Total</dt>
          <dd>
            ${formatUsdAmount(preview.total_usd)}
            {formatBtc(preview.total_btc)}
          </dd>
        </div>
      </dl>
    </div>
  );
}
