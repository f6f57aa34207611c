/** Cart changes submitted by a form without JavaScript. */

interface LineReference {
  readonly product_id: string;
  readonly property_value_ids?: string[];
}

export type CartAction =
  | { readonly kind: 'add' | 'update'; readonly line: LineReference & { readonly quantity: number } }
  | { readonly kind: 'remove'; readonly line: LineReference }
  | { readonly kind: 'apply-promo'; readonly code: string }
  | { readonly kind: 'remove-promo' };

/**
 * Parses `add=<product>`, `remove=<product>`, or `product=<product>` with `quantity=<number>` or
 * `typed=<number>` (below 1 removes); fields whose names start with `value` hold chosen values.
 * Otherwise parses the last `promo=<code>` (empty removes it), or returns null.
 */
export function parseCartForm(fields: Iterable<readonly [string, unknown]>): CartAction | null {
  const texts = [...fields].filter((field): field is [string, string] => typeof field[1] === 'string');
  const findValue = (name: string): string | undefined => texts.find(([key]) => key === name)?.[1];
  const values = texts.filter(([name]) => /^value\b/.test(name)).map(([, id]) => id);
  const createLine = (product_id: string): LineReference =>
    values.length === 0 ? { product_id } : { product_id, property_value_ids: values };

  const [added, removed, changed, pressed, typed] = ['add', 'remove', 'product', 'quantity', 'typed'].map(findValue);
  // A pressed button takes precedence over the typed value.
  const quantity = pressed ?? typed;
  if (added !== undefined) return { kind: 'add', line: { ...createLine(added), quantity: 1 } };
  if (removed !== undefined) return { kind: 'remove', line: createLine(removed) };
  // The value of a pressed button follows the field.
  const promo = texts.findLast(([name]) => name === 'promo')?.[1].trim();
  if (promo !== undefined) return promo === '' ? { kind: 'remove-promo' } : { kind: 'apply-promo', code: promo };
  if (changed === undefined || !/^-?\d{1,9}$/.test(quantity ?? '')) return null;
  const newQuantity = Number(quantity);
  if (newQuantity < 1) return { kind: 'remove', line: createLine(changed) };
  return { kind: 'update', line: { ...createLine(changed), quantity: newQuantity } };
}
