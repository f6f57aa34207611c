import type { OfferedProperty } from './choose-values.ts';
import { findSwatch } from './find-swatch.ts';

/** How many colours a card shows; it counts the others. */
export const MAX_CARD_COLORS = 5;

interface CardColor {
  readonly name: string;
  /** As `#rrggbb`. */
  readonly color: string;
  /** The variant that the card means once the colour is chosen. */
  readonly sku: string;
  readonly is_available: boolean;
}

export interface CardColors {
  readonly colors: readonly CardColor[];
  /** Colours that are sold, those without a known swatch included. */
  readonly count: number;
}

/** A variant that is sold. */
interface StoredVariant {
  readonly valueIds: readonly string[];
  readonly sku: string;
  readonly isAvailable: boolean;
}

const isColor = ({ value }: { readonly value: string }): boolean => findSwatch(value) !== undefined;

/** The property whose values are colours: the first with at least two known ones. */
const findColorProperty = (offered: readonly OfferedProperty[]): OfferedProperty | undefined =>
  offered.find(({ values }) => values.filter(isColor).length > 1);

/** Whether a card of a product that offers these values may show colours. */
export const offersColors = (offered: readonly OfferedProperty[]): boolean => findColorProperty(offered) !== undefined;

/**
 * The colours that a card shows, in display order. Each means the variant with the other values of the card, if that
 * can be ordered, else the first variant of the colour that can be, else the one with these values or the first.
 * @param shownIds values of the variant that the card means without a choice
 * @param variants those that are sold, in display order
 * @param isFiltered a filter selects variants: colours that are not sold with the other values of the card are left out
 * @returns null with fewer than two colours
 */
export function listCardColors(
  offered: readonly OfferedProperty[],
  shownIds: readonly string[],
  variants: readonly StoredVariant[],
  isFiltered = false,
): CardColors | null {
  const { values = [] } = findColorProperty(offered) ?? {};
  const colorIds = new Set(values.map(({ id }) => id));
  const otherIds = shownIds.filter((id) => !colorIds.has(id));
  const sold = values.flatMap(({ id, value }) => {
    const ofColor = variants.filter(({ valueIds }) => valueIds.includes(id));
    const alike = ofColor.filter(({ valueIds }) => otherIds.every((other) => valueIds.includes(other)));
    const candidates = isFiltered ? alike : [...alike, ...ofColor];
    const chosen = candidates.find(({ isAvailable }) => isAvailable) ?? candidates[0];
    if (chosen === undefined) return [];
    return [{ name: value, color: findSwatch(value), sku: chosen.sku, is_available: chosen.isAvailable }];
  });
  const colors = sold
    .flatMap(({ color, ...rest }) => (color === undefined ? [] : [{ ...rest, color }]))
    .slice(0, MAX_CARD_COLORS);
  return colors.length < 2 ? null : { colors, count: sold.length };
}
