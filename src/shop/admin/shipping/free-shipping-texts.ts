/** Finds public texts that promise free shipping, so that staff correct them once a zone has a price. */

/** A text that visitors see, in any shape: its strings are searched. */
export interface PublicText {
  /** What the text is, such as `Home page`. */
  readonly name: string;
  /** Where it is edited. */
  readonly to: string;
  readonly content: unknown;
}

const PROMISE =
  /\bfree\s+(?:\w+\s+)?(?:shipping|delivery|postage)\b|\b(?:ships?|shipped|deliver(?:s|ed|y)?|shipping)(?:\s+\w+){0,3}?\s+(?:is\s+|are\s+)?(?:for\s+)?free\b|\bno\s+shipping\s+(?:costs?|fees?|charges?)\b/i;

function listStrings(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (typeof content !== 'object' || content === null) return [];
  return Object.values(content).flatMap(listStrings);
}

/** The texts that say that shipping is free. */
export const findFreeShippingTexts = (texts: readonly PublicText[]): readonly PublicText[] =>
  texts.filter(({ content }) => listStrings(content).some((text) => PROMISE.test(text)));

interface PricedZone {
  readonly name: string;
  readonly tiers: readonly { readonly price_usd: number }[];
}

/** Names of the zones in which an order can have a shipping price. */
export const listPricedZones = (zones: readonly PricedZone[]): readonly string[] =>
  zones.filter(({ tiers }) => tiers.some((tier) => tier.price_usd > 0)).map(({ name }) => name);
