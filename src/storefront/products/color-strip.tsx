import type { KeyboardEvent, MouseEvent } from 'react';
import { formatVariantPath } from '#src/shop/catalogue/products/variant-path.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { unpackColors } from './card-product.ts';
import type { CardProduct } from './card-product.ts';
import styles from './color-strip.module.css';

interface ColorStripProps {
  readonly product: Pick<CardProduct, 'slug' | 'more_colors'>;
  /** As in the product. */
  readonly packed: NonNullable<CardProduct['colors']>;
  /** SKU; null: none. */
  readonly chosen: string | null;
  /** Null: the colours lead to the page of the product. */
  readonly onChoose: ((sku: string) => void) | null;
  readonly onPreview: (sku: string) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

/**
 * The colours of a card: links to the product in this colour, which choose it once the page is hydrated. One stop for
 * Tab, with arrow keys in it, since a list has many cards.
 */
export function ColorStrip({ product, packed, chosen, onChoose, onPreview }: ColorStripProps) {
  const isHydrated = useHydrated();
  const colors = unpackColors(packed);
  const press = (event: MouseEvent, sku: string) => {
    if (onChoose === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onChoose(sku);
  };
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const dots = [...event.currentTarget.querySelectorAll('a')];
    const at = dots.findIndex((dot) => dot === document.activeElement);
    const next = Math.min(Math.max(at + step, 0), dots.length - 1);
    dots[next]?.focus();
    if (colors[next]) onChoose?.(colors[next].sku);
  };
  return (
    <div
      role="toolbar"
      aria-label="Colors"
      tabIndex={isHydrated ? 0 : undefined}
      className={styles.strip}
      onKeyDown={move}
    >
      {colors.map(({ name, color, sku, is_available: isAvailable }) => (
        <a
          key={sku}
          href={formatVariantPath(product.slug, sku)}
          aria-label={isAvailable ? name : `${name}, sold out`}
          title={isHydrated ? name : undefined}
          data-sold-out={isAvailable ? undefined : true}
          tabIndex={isHydrated ? -1 : undefined}
          aria-current={sku === chosen || undefined}
          onClick={(event) => press(event, sku)}
          onPointerEnter={({ pointerType }) => {
            if (pointerType === 'mouse') onPreview(sku);
          }}
        >
          {/* Pages may have no style in an attribute. */}
          <svg color={color} />
        </a>
      ))}
      {product.more_colors && <span>{`+${product.more_colors}`}</span>}
    </div>
  );
}
