import { useState } from 'react';
import { Link } from 'react-router';
import type { CartItem } from '../contract.ts';
import { StatusIcon } from '#src/shop/payments/web/status-icon.tsx';
import { removeFromCart, updateCartLine, useQuantityInCart } from '#src/storefront/cart/cart.ts';
import { focusFirstWithin, isFocusVisible } from '#src/ui/focus-fallback.ts';
import { useSession } from '#src/storefront/session/session.ts';
import { formatBtcAmount, isWithoutRate, formatUsdAmount } from '#src/storefront/products/amounts.ts';
import { Icon } from '#src/ui/icons.tsx';
import { Picture } from '#src/ui/picture.tsx';
import { Price } from '#src/storefront/products/price.tsx';
import { QuantityControl } from '#src/ui/quantity-control.tsx';
import { MAX_LINE_QUANTITY } from '../cart-limits.ts';
import styles from './cart-line.module.css';
import { offerUndo } from './removed-lines.ts';
import { QuantityField } from './quantity-field.tsx';

type Notice = CartItem['notices'][number];

interface CartLineProps {
  readonly item: CartItem;
  /** Names of the chosen values. */
  readonly chosen: string;
  /** The code that a gift came with. */
  readonly giftCode: string | null;
}

/** Whether a line stands in the way of the order until it is changed or removed. */
export const isBlocked = ({ notices }: CartItem): boolean => notices.some(({ code }) => code !== 'repriced');

/** Removed, it can't be put back: it is not sold any more, or sold out. */
const isUnavailable = ({ notices }: CartItem): boolean =>
  notices.some(({ code }) => code === 'withdrawn' || code === 'sold-out');

const findNotice = ({ notices }: CartItem, code: Notice['code']): Notice | null =>
  notices.find((notice) => notice.code === code) ?? null;

/** What a line says of itself beside its price. */
function formatNotice({ code, message, was_usd: was }: Notice, item: CartItem): string {
  switch (code) {
    case 'withdrawn':
      return `${message}. Remove it to continue.`;
    case 'sold-out':
      return `${message}. Remove it to continue.`;
    case 'short':
      return `${message}. Take fewer to continue.`;
    case 'repriced':
      return was === null || was === item.price_usd
        ? `${message}.`
        : `The price has ${was < item.price_usd ? 'gone up' : 'come down'}: it was $${formatUsdAmount(was)} when you put it in.`;
    default:
      return code satisfies never;
  }
}

export function CartLine({ item, chosen, giftCode }: CartLineProps) {
  const [typed, setTyped] = useState<number | null>(null);
  const { product, product_id: productId, property_value_ids: valueIds, isFree } = item;
  const inCart = useQuantityInCart(productId, valueIds);
  // What the page came with stands until the browser has loaded the cart.
  const wanted = useSession((state) => state.cart !== null) ? inCart : item.quantity;
  // Taken away a moment ago: gone from the screen before the server has said so.
  if (wanted === 0 && !isFree) return null;
  const isGone = findNotice(item, 'withdrawn') !== null;
  const about = isFree && giftCode !== null ? `Your gift with the code ${giftCode}` : chosen || product.sub_description;
  return (
    <li className={styles.line} data-gone={isGone || findNotice(item, 'sold-out') !== null || undefined}>
      <Thumbnail item={item} isGone={isGone} />
      <div className={styles.words}>
        {isGone ? (
          <p className={styles.name}>{product.name}</p>
        ) : (
          <Link to={`/catalog/product/${product.slug}`} className={styles.name}>
            {product.name}
          </Link>
        )}
        <p className={styles.about}>{about}</p>
        {!isFree && !isGone && <UnitPrice item={item} />}
        {item.notices.map((notice) => (
          <p key={notice.code} className={styles.notice} data-tone={notice.code === 'repriced' ? 'news' : 'stop'}>
            <StatusIcon name="alert" size={16} />
            {formatNotice(notice, item)}
          </p>
        ))}
        <Limit item={item} wanted={typed ?? wanted} />
      </div>
      {!isGone && (
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
      {!isFree && <Controls item={item} wanted={wanted} hasQuantity={!isGone} onType={setTyped} />}
    </li>
  );
}

function Thumbnail({ item: { product }, isGone }: { readonly item: CartItem; readonly isGone: boolean }) {
  if (product.main_image === '') return <span className={styles.picture} />;
  const picture = <Picture path={product.main_image} alt="" sizes="128px" width={128} height={128} />;
  if (isGone) return <span className={styles.picture}>{picture}</span>;
  return (
    <Link to={`/catalog/product/${product.slug}`} className={styles.picture} tabIndex={-1} aria-hidden="true">
      {picture}
    </Link>
  );
}

/** What one piece costs. */
function UnitPrice({ item: { price_btc: btc, price_usd: usd } }: { readonly item: CartItem }) {
  return (
    <p className={styles.each}>
      {isWithoutRate(btc, usd) ? '' : `${formatBtcAmount(btc)} BTC or `}${formatUsdAmount(usd)} each
    </p>
  );
}

/** The limit is shown to those who are so many pieces away from it, or fewer. */
const SHOW_LIMIT_WITHIN = 10;

/**
 * How many are left, or the most of one item, before that is reached. A notice says it of a line that has too many.
 * @param wanted what is being typed, or the quantity.
 */
function Limit({ item, wanted }: { readonly item: CartItem; readonly wanted: number }) {
  const { max_quantity: most, isFree } = item;
  if (isFree || isBlocked(item) || wanted < most - SHOW_LIMIT_WITHIN) return null;
  return (
    <p className={styles.about}>
      {most < MAX_LINE_QUANTITY ? `Only ${most} left` : `Maximum ${MAX_LINE_QUANTITY} per item`}
    </p>
  );
}

/** The line goes, and with it what has the focus: the line beside it takes it over. */
function moveFocus(pressed: Element | null): void {
  if (!isFocusVisible()) return;
  const line = pressed?.closest('li');
  focusFirstWithin(line?.nextElementSibling ?? line?.previousElementSibling);
}

interface ControlsProps {
  readonly item: CartItem;
  readonly wanted: number;
  readonly hasQuantity: boolean;
  readonly onType: (typed: number | null) => void;
}

function Controls({ item, wanted, hasQuantity, onType }: ControlsProps) {
  const { product, product_id: productId, property_value_ids: valueIds } = item;
  const available = findNotice(item, 'short')?.available ?? null;
  const isSoldOut = findNotice(item, 'sold-out') !== null;
  // More than is left stays as it is until the buyer takes fewer.
  const most = available !== null && wanted >= available ? wanted : Math.max(item.max_quantity, 1);
  const remove = (pressed: Element | null) => {
    moveFocus(pressed);
    if (!isUnavailable(item)) offerUndo(item, wanted);
    void removeFromCart(productId, valueIds);
  };
  const update = (quantity: number) => void updateCartLine(productId, quantity, valueIds);
  return (
    <form method="post" action="/cart" className={styles.controls} onSubmit={(event) => event.preventDefault()}>
      {/* Without a script Enter in the field presses the first button: one that sends what was typed. */}
      <button type="submit" hidden>
        Set
      </button>
      <input type="hidden" name="product" value={productId} />
      {valueIds.map((id) => (
        <input key={id} type="hidden" name="value" value={id} />
      ))}
      {hasQuantity && !isSoldOut && (
        <QuantityControl
          quantity={wanted}
          maximum={most}
          label={product.name}
          onChange={(quantity) => (quantity < 1 ? remove(document.activeElement) : update(quantity))}
          isInForm
        >
          <QuantityField quantity={wanted} maximum={most} onChange={update} onType={onType} />
        </QuantityControl>
      )}
      {available !== null && available > 0 && wanted > available && (
        <button
          type="submit"
          name="quantity"
          value={available}
          className={styles.take}
          onClick={() => update(available)}
        >
          Take {available}
        </button>
      )}
      <button
        type="submit"
        name="quantity"
        value={0}
        className={styles.remove}
        data-alone={!hasQuantity || isSoldOut || undefined}
        aria-label={`Remove ${product.name}`}
        onClick={({ currentTarget }) => remove(currentTarget)}
      >
        <Icon name="trash" size={20} />
        {(!hasQuantity || isSoldOut) && 'Remove'}
      </button>
    </form>
  );
}
