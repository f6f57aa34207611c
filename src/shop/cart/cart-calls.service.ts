/** What callers of carts pass and get. */
import type { z } from 'zod';
import type { cart, cartItem } from './contract.ts';
import type { Promotion } from '#src/shop/promotions/promotion.ts';
import type { AssessedCart } from './assess-cart.ts';
import type { CartDelivery } from './store.ts';
import { MAX_LINE_QUANTITY } from './cart-limits.ts';
import { describeStock } from './line-notices.ts';

export interface LineChange {
  readonly product_id: string;
  readonly quantity: number;
  readonly property_value_ids?: readonly string[] | undefined;
}

/** A cart and its items as the contract encodes them. */
export type CartResponse = z.output<typeof cart>;
export type CartItemResponse = z.output<typeof cartItem>;

export type CartChangeError =
  | 'no-such-product'
  | 'unknown-values'
  | 'not-in-cart'
  | 'quantity-limit'
  | 'lines-limit'
  | 'no-such-promotion';

/** No further unit of a variant can be added. */
export interface SoldOut {
  readonly ok: false;
  readonly reason: 'sold-out';
  readonly message: string;
}
/** @param available above 0 if the cart already has it */
export const createSoldOut = (available: number): SoldOut => ({
  ok: false,
  reason: 'sold-out',
  message: describeStock(available),
});

export type CartChangeResult =
  | {
      readonly ok: true;
      readonly cart: CartResponse;
      /** New value of the guest cookie; null if unchanged. */
      readonly guestToken: string | null;
    }
  | { readonly ok: false; readonly reason: CartChangeError }
  | SoldOut;

/** A cart that staff put together for a buyer. */
export interface StaffCart {
  readonly lines: readonly LineChange[];
  /** Null for none. */
  readonly promoCode: string | null;
  readonly delivery: CartDelivery;
  /** Delivered free, where the shop delivers, as an exchange is. Omitted: false. */
  readonly hasFreeDelivery?: boolean;
}
export type StaffCartResult =
  | { readonly ok: true; readonly cart: CartResponse }
  /** The line that is not on sale, or with which a variant has too many units. */
  | { readonly ok: false; readonly reason: 'not-on-sale' | 'quantity-limit'; readonly index: number };

/** Why a line is refused, with its number. */
export const describeRefusedLine = ({ reason, index }: StaffCartResult & { readonly ok: false }): string =>
  reason === 'quantity-limit'
    ? `Maximum ${MAX_LINE_QUANTITY} per item. Reduce item ${index + 1}`
    : `Item ${index + 1} is not on sale. Remove it to continue`;

/** A cart that staff put together to preview a promotion. */
export interface SampleCart {
  /** Different products. */
  readonly lines: readonly LineChange[];
  readonly promotion: Promotion;
  readonly at: Date;
}
export type SampleResult =
  | { readonly ok: true; readonly cart: AssessedCart }
  | (StaffCartResult & { readonly ok: false });
