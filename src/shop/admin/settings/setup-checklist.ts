/** What a new shop needs before its first sale, in the order in which it is done. */

export const setupSteps = [
  'chain',
  'rate',
  'identity',
  'mail',
  'texts',
  'tax',
  'shipping',
  'category',
  'product',
  'stock',
  'test-order',
  'backup',
] as const;
export type SetupStep = (typeof setupSteps)[number];

/** Steps that are listed only while they fail, and not once the others are done: health shows them always. */
const OUTAGE_STEPS: ReadonlySet<SetupStep> = new Set(['chain', 'rate']);

/**
 * Whether each step is done, answered by the slice that owns its data. A step without a check is not
 * on the list.
 */
export type SetupChecks = Readonly<Partial<Record<SetupStep, () => boolean | Promise<boolean>>>>;

interface StepText {
  readonly title: string;
  /** What is missing. */
  readonly text: string;
  /** The page on which the step is done; null if it is done outside the shop. */
  readonly action: { readonly to: string; readonly text: string } | null;
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
    action: { to: '/admin/settings/mail', text: 'Set up mail' },
  },
  texts: {
    title: 'Terms, privacy and returns',
    text: 'Write and publish all three. Customers agree to the terms when they register.',
    action: { to: '/admin/content?part=terms', text: 'Write texts' },
  },
  chain: {
    title: 'Bitcoin: no connection',
    text: 'The source of the blockchain does not respond, so no payment is seen. Check CHAIN_URL and the node.',
    action: { to: '/admin/chain', text: 'See chain' },
  },
  rate: {
    title: 'Bitcoin price: not current',
    text: 'No current price of bitcoin, so nobody can order. It is asked for again every minute; check that the server reaches the exchanges.',
    action: null,
  },
  tax: {
    title: 'Tax',
    text: 'Enter your rates, or save the page without any if you charge none. Until then orders have no tax.',
    action: { to: '/admin/tax', text: 'Set up tax' },
  },
  shipping: {
    title: 'Delivery',
    text: 'Enter prices and countries of delivery, or save the page if they fit. Until then delivery is free to every country.',
    action: { to: '/admin/shipping', text: 'Set up delivery' },
  },
  backup: {
    title: 'Backup',
    text: 'Download a first backup, and let the server write one every night to another machine. Done once a backup is recorded.',
    action: { to: '/admin/settings/system#backup', text: 'Back up' },
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
    text: 'Place a small order and pay it. Check that the address is one of your wallet, and that the payment and the mails arrive. Done once an order is paid.',
    action: { to: '/catalog', text: 'Place an order' },
  },
};

/** The steps that can be checked, with their state. */
export async function checkSteps(checks: SetupChecks) {
  const steps: { step: SetupStep; is_done: boolean }[] = [];
  for (const step of setupSteps) {
    const check = checks[step];
    if (check === undefined) continue;
    const isDone = await check();
    if (!isDone || !OUTAGE_STEPS.has(step)) steps.push({ step, is_done: isDone });
  }
  return { steps, is_complete: steps.every((one) => one.is_done || OUTAGE_STEPS.has(one.step)) };
}
