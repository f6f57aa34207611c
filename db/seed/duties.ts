/** What the law asks products to show, for the demo shop. */
import { createSafety } from '#src/shop/catalogue/compliance/product-safety.ts';
import type { ProductSafety } from '#src/shop/catalogue/compliance/product-safety.ts';
import type { EnergyLabel } from '#src/shop/catalogue/compliance/energy-label.ts';

/** Company names and addresses that the maker publishes, by the slug of the brand. */
export const seedSafety: Readonly<Record<string, ProductSafety>> = {
  apple: {
    ...createSafety(() => ''),
    manufacturer: 'Apple Inc.',
    manufacturer_address: 'One Apple Park Way, Cupertino, CA 95014, USA',
    manufacturer_contact: 'https://www.apple.com',
    responsible_name: 'Apple Distribution International Ltd.',
    responsible_address: 'Hollyhill Industrial Estate, Hollyhill, Cork, Ireland',
    responsible_contact: 'https://www.apple.com/ie/',
  },
};

/** Categories of phones and tablets, by slug. */
const LABELLED = new Set(['iphone', 'ipad', 'ipad-pro']);
const CLASSES = ['A', 'B', 'C'] as const;

/**
 * An invented label, which a demo shop draws as a demo label; null for products that have none.
 * @param position of the product in the shop
 */
export function createDemoLabel(category: string, position: number): EnergyLabel | null {
  if (!LABELLED.has(category)) return null;
  return {
    class: CLASSES[position % CLASSES.length] ?? 'A',
    supplier: 'Demo label',
    model: 'Not of the maker',
    endurance_minutes: 2400 + 60 * (position % 10),
    endurance_cycles: 1000,
    fall_class: 'C',
    repair_class: 'C',
    ip_rating: 'IP00',
    eprel_number: '',
    sheet_url: '',
  };
}
