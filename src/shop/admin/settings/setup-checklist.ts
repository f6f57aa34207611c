/** What a new shop needs before its first sale, in the order in which it is done. */

export const setupSteps = ['identity', 'mail', 'texts', 'category', 'product', 'stock', 'test-order'] as const;
export type SetupStep = (typeof setupSteps)[number];

/**
 * Whether each step is done, answered by the slice that owns its data. A step without a check is not
 * on the list.
 */
export type SetupChecks = Readonly<Partial<Record<SetupStep, () => boolean | Promise<boolean>>>>;

interface StepText {
  readonly title: string;
  /** What is missing. */
  readonly text: string;
  /** The page on which the step is done. */
  readonly action: { readonly to: string; readonly text: string };
}

export const SETUP_TEXTS: Readonly<Record<SetupStep, StepText>> = {
  identity: {
    title: 'Identity',
    text: 'Enter the name and address of your shop, and a contact email under “Legal identity”. Until then pages show none.',
    action: { to: '/admin/settings#identity', text: 'Enter identity' },
  },
  mail: {
    title: 'Mail',
    text: 'Enter the sender name of your mails, and the address that receives mails to staff.',
    action: { to: '/admin/settings#mail', text: 'Set up mail' },
  },
  texts: {
    title: 'Terms, privacy and returns',
    text: 'Write and publish all three. Customers agree to the terms when they register.',
    action: { to: '/admin/content?part=terms', text: 'Write texts' },
  },
  category: {
    title: 'First category',
    text: 'Add a category, such as “Bikes”, with the properties that customers choose from, such as colour and size.',
    action: { to: '/admin/categories', text: 'Add category' },
  },
  product: {
    title: 'First product',
    text: 'Add a product with its brand, price and pictures, and publish it.',
    action: { to: '/admin/products/new', text: 'Add product' },
  },
  stock: {
    title: 'Stock',
    text: 'Enter how many units you have of each variant. New variants are sold out until you do.',
    action: { to: '/admin/inventory', text: 'Set stock' },
  },
  'test-order': {
    title: 'Test order',
    text: 'Place a small order, pay it, and check that the payment and the mails arrive. Done once an order is paid.',
    action: { to: '/catalog', text: 'Place an order' },
  },
};
