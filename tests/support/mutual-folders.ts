/** Folders that import each other, each with its reason. The list only shrinks. */
export const MUTUAL_FOLDERS: Readonly<Record<string, string>> = {
  'src/platform/http <> src/platform/pages': 'The server sends cached pages, and a page makes calls.',
  'src/platform/http <> src/platform/security': 'Calls record security events, and guesses of passwords are limited.',
  'src/shop/catalogue <> src/shop/catalogue/editing':
    'The fields of a product are one table, and a draft is shown as a product.',
  'src/shop/catalogue <> src/shop/catalogue/filters': 'The index in memory is what the filters read and build.',
  'src/shop/catalogue <> src/shop/catalogue/search': 'The index in memory is what the search reads and builds.',
  'src/shop/catalogue/editing <> src/shop/catalogue/sale-prices': 'A changed price is checked against sale prices.',
  'src/shop/catalogue/filters <> src/shop/catalogue/search': 'A search is filtered, and a filter matches words.',
  'src/shop/content <> src/shop/content/faq': 'Content reads all texts, and their editors share one way to change.',
  'src/shop/content <> src/shop/content/guide': 'As for the FAQ.',
  'src/shop/content <> src/shop/content/home': 'As for the FAQ.',
  'src/shop/content <> src/shop/content/legal': 'As for the FAQ.',
  'src/shop/orders <> src/shop/orders/checkout': 'Orders place a checkout, which writes the order.',
  'src/shop/orders <> src/shop/orders/status': 'An order is shown with its status, which is computed from the order.',
  'src/shop/orders/fulfilment <> src/shop/orders/status': 'A shipment changes the status, which limits shipments.',
  'src/shop/refunds <> src/shop/refunds/manual': 'A position counts manual refunds, which are refunds themselves.',
};
