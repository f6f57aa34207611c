import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import type { CartItem } from '../contract.ts';
import { BackInStock } from '#src/shop/inventory/alerts/web/back-in-stock.ts';
import { StatusIcon } from '#src/shop/payments/web/status-icon.tsx';
import { removeFromCart, updateCartLine, useQuantityInCart } from '#src/storefront/cart/cart.ts';
import { focusFirstWithin, isFocusVisible } from '#src/ui/browser/focus-fallback.ts';
import { useSession } from '#src/storefront/session/session.ts';
import { formatBtcAmount, formatUsdAmount } from '#src/shop/format-number.ts';
import { isWithoutRate } from '#src/storefront/products/is-without-rate.ts';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { Picture } from '#src/ui/graphics/picture.tsx';
import { EnergyArrow } from '#src/storefront/products/energy-arrow.tsx';
import { Price, Reduction } from '#src/storefront/products/price.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { QuantityControl } from '#src/ui/controls/quantity-control.tsx';
import { MAX_LINE_QUANTITY } from '../cart-limits.ts';
import styles from './cart-line.module.css';
import { offerUndo } from './removed-lines.ts';
import { QuantityField } from './quantity-field.tsx';
import { Unbroken } from '#src/ui/text/unbroken.tsx';

type Notice = CartItem['notices'][number];

interface CartLineProps {
  readonly item: CartItem;
  /** Names of the chosen values. */
  readonly chosen: string;
  /** Code of the promotion that added the gift. */
  readonly giftCode: string | null;
}

/** Whether the line prevents checkout until it is changed or removed. */
export const isBlocked = ({ notices }: CartItem): boolean => notices.some(({ code }) => code !== 'repriced');

/** Whether the line can't be restored after removal: withdrawn or sold out. */
const isUnavailable = ({ notices }: CartItem): boolean =>
  notices.some(({ code }) => code === 'withdrawn' || code === 'sold-out');

const findNotice = ({ notices }: CartItem, code: Notice['code']): Notice | null =>
  notices.find((notice) => notice.code === code) ?? null;

/** Notice shown beside the price. */
function formatNotice({ code, message, was_usd: was }: Notice, item: CartItem): string {
  switch (code) {
    case 'withdrawn':
      return `${message}. Remove it to continue.`;
    case 'sold-out':
      return `${message}. Remove it to continue.`;
    case 'short':
      return `${message}. Reduce the quantity to continue.`;
    case 'repriced':
      return was === null || was === item.price_usd
        ? `${message}.`
        : `The price ${was < item.price_usd ? 'increased' : 'decreased'}: it was $${formatUsdAmount(was)} when you added it.`;
    default:
      return code satisfies never;
  }
}

export function CartLine({ item, chosen, giftCode }: CartLineProps) {
  const [typed, setTyped] = useState<number | null>(null);
  const { product, product_id: productId, property_value_ids: valueIds, isFree } = item;
  const isHydrated = useHydrated();
  const inCart = useQuantityInCart(productId, valueIds);
  // Shows the server-rendered quantity until the browser has loaded the cart.
  const quantity = useSession((state) => state.cart !== null) ? inCart : item.quantity;
  // Optimistic removal: hidden before the server responds.
  if (quantity === 0 && !isFree) return null;
  const isWithdrawn = findNotice(item, 'withdrawn') !== null;
  const about = isFree && giftCode !== null ? `Gift with code ${giftCode}` : chosen || product.sub_description;
  return (
    <li className={styles.line} data-unavailable={isWithdrawn || findNotice(item, 'sold-out') !== null || undefined}>
      <Thumbnail item={item} isWithdrawn={isWithdrawn} />
      <div className={styles.content}>
        {isWithdrawn ? (
          <p className={styles.name}>
            <Unbroken text={product.name} />
          </p>
        ) : (
          <Link to={`/catalog/product/${product.slug}`} className={styles.name}>
            <Unbroken text={product.name} />
          </Link>
        )}
        <p className={styles.about}>
          <Unbroken text={about} />
        </p>
        {item.sku !== null && (
          <p className={classNames(styles.about, styles.sku)}>
            SKU <span translate="no">{item.sku}</span>
          </p>
        )}
        <div className={classNames('hide-empty', styles.unit)}>
          {!isFree && !isWithdrawn && <UnitPrice item={item} />}
          <EnergyArrow slug={product.slug} letter={product.energy_class} />
        </div>
        {item.notices.map((notice) => (
          <p key={notice.code} className={styles.notice} data-tone={notice.code === 'repriced' ? 'news' : 'stop'}>
            <StatusIcon name="alert" size={16} />
            <span>{formatNotice(notice, item)}</span>
          </p>
        ))}
        {findNotice(item, 'sold-out') !== null && isHydrated && (
          <Suspense>
            <BackInStock name={product.name} productId={productId} valueIds={valueIds} />
          </Suspense>
        )}
        <Limit item={item} quantity={typed ?? quantity} />
      </div>
      {!isWithdrawn && (
        <div className={styles.price}>
          {isFree ? (
            <p className={styles.free}>
              Free <span>0 BTC</span>
            </p>
          ) : (
            <Price btc={item.total_btc} usd={item.total_usd} />
          )}
        </div>
      )}
      {!isFree && <Controls item={item} quantity={quantity} hasQuantity={!isWithdrawn} onType={setTyped} />}
    </li>
  );
}

function Thumbnail({ item: { product }, isWithdrawn }: { readonly item: CartItem; readonly isWithdrawn: boolean }) {
  if (product.main_image === '') return <span className={styles.picture} />;
  const picture = <Picture path={product.main_image} alt="" sizes="128px" width={128} height={128} />;
  if (isWithdrawn) return <span className={styles.picture}>{picture}</span>;
  return (
    <Link to={`/catalog/product/${product.slug}`} className={styles.picture} tabIndex={-1} aria-hidden="true">
      {picture}
    </Link>
  );
}

/** Price of one item. */
function UnitPrice({ item }: { readonly item: CartItem }) {
  const { price_btc: btc, price_usd: usd } = item;
  return (
    <p className={styles.each}>
      {isWithoutRate(btc, usd) ? null : (
        <span>
          <span translate="no">{formatBtcAmount(btc)} BTC</span> or{' '}
        </span>
      )}
      <span translate="no">${formatUsdAmount(usd)}</span>
      <span> each </span>
      <Reduction was={item.was_price_usd} />
    </p>
  );
}

/** Shows the limit when at most this many below it. */
const SHOW_LIMIT_WITHIN = 10;

/**
 * Remaining stock or the maximum per item, shown before it is reached. Lines above it have a notice
 * instead.
 * @param quantity typed or current quantity
 */
function Limit({ item, quantity }: { readonly item: CartItem; readonly quantity: number }) {
  const { max_quantity: most, isFree } = item;
  if (Number.isNaN(quantity)) return <p className={styles.about}>{`Enter a number from 1 to ${most}`}</p>;
  if (isFree || isBlocked(item) || quantity < most - SHOW_LIMIT_WITHIN) return null;
  return (
    <p className={styles.about}>
      {most < MAX_LINE_QUANTITY ? `Only ${most} left` : `Maximum ${MAX_LINE_QUANTITY} per item`}
    </p>
  );
}

/** Moves the focus to the next line when the focused one is removed. */
function moveFocus(pressed: Element | null): void {
  if (!isFocusVisible()) return;
  const line = pressed?.closest('li');
  focusFirstWithin(line?.nextElementSibling ?? line?.previousElementSibling);
}

interface ControlsProps {
  readonly item: CartItem;
  readonly quantity: number;
  readonly hasQuantity: boolean;
  readonly onType: (typed: number | null) => void;
}

function Controls({ item, quantity, hasQuantity, onType }: ControlsProps) {
  const { product, product_id: productId, property_value_ids: valueIds } = item;
  const available = findNotice(item, 'short')?.available ?? null;
  const isSoldOut = findNotice(item, 'sold-out') !== null;
  // A quantity above the stock stays until the buyer reduces it.
  const most = available !== null && quantity >= available ? quantity : Math.max(item.max_quantity, 1);
  const remove = (pressed: Element | null) => {
    moveFocus(pressed);
    if (!isUnavailable(item)) offerUndo(item, quantity);
    void removeFromCart(productId, valueIds);
  };
  const update = (newQuantity: number) => void updateCartLine(productId, newQuantity, valueIds);
  return (
    <form method="post" action="/cart" className={styles.controls} onSubmit={(event) => event.preventDefault()}>
      {/* Without JavaScript, Enter presses the first button: this one submits the typed quantity. */}
      <button type="submit" hidden>
        Set
      </button>
      <input type="hidden" name="product" value={productId} />
      {valueIds.map((id) => (
        <input key={id} type="hidden" name="value" value={id} />
      ))}
      {hasQuantity && !isSoldOut && (
        <QuantityControl
          quantity={quantity}
          maximum={most}
          label={product.name}
          onChange={(newQuantity) => (newQuantity < 1 ? remove(document.activeElement) : update(newQuantity))}
          isInForm
        >
          <QuantityField quantity={quantity} maximum={most} onChange={update} onType={onType} />
        </QuantityControl>
      )}
      {available !== null && available > 0 && quantity > available && (
        <button
          type="submit"
          name="quantity"
          value={available}
          className={styles.take}
          onClick={(event) => {
            event.preventDefault();
            update(available);
          }}
        >
          {`Reduce to ${available}`}
        </button>
      )}
      <button
        type="submit"
        name="quantity"
        value={0}
        className={styles.remove}
        data-alone={!hasQuantity || isSoldOut || undefined}
        aria-label={`Remove ${product.name}`}
        onClick={(event) => {
          // Browsers log the submission of a form that its own button removed.
          event.preventDefault();
          remove(event.currentTarget);
        }}
      >
        <Icon name="trash" size={20} />
        {(!hasQuantity || isSoldOut) && <span>Remove</span>}
      </button>
    </form>
  );
}
