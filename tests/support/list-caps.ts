/** Maximum lengths of lists in requests, by call and path in its query or body. `[]` is an item of a list. */
const productContent = (prefix: string): Readonly<Record<string, number>> => ({
  [`${prefix}specifications`]: 60,
  [`${prefix}pictures`]: 20,
  [`${prefix}values`]: 250,
  [`${prefix}values[].pictures`]: 20,
  [`${prefix}variants`]: 250,
  [`${prefix}variants[].value_ids`]: 20,
  [`${prefix}variants[].pictures`]: 20,
});
const parcelSerials = (prefix: string): Readonly<Record<string, number>> => ({
  [`${prefix}serials`]: 500,
  [`${prefix}serials[].numbers`]: 99,
});
const salePrice = { 'reduction.variant_prices': 250, 'reduction.variant_prices[].value_ids': 20 };
const manualOrder = { lines: 50, 'lines[].property_value_ids': 50 };
const cartLine = { property_value_ids: 50 };
const filters = { category: 50, brand: 50 };

export const LIST_CAPS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'GET /products': filters,
  'GET /filters': filters,
  'POST /catalogue/products': productContent(''),
  'PUT /catalogue/products/{id}': productContent('content.'),
  'POST /catalogue/bulk-edits/preview': { ids: 500 },
  'POST /catalogue/bulk-edits': { products: 500 },
  'PUT /inventory': { counts: 100 },
  'PUT /catalogue/categories/{id}': { properties: 20, 'properties[].values': 250 },
  'PUT /catalogue/category-order': { ids: 1000 },
  'PUT /catalogue/brand-order': { ids: 1000 },
  'POST /catalogue/products/{id}/sale-prices': salePrice,
  'PUT /catalogue/sale-prices/{id}': salePrice,
  'PUT /tax/settings': { rates: 750 },
  'PUT /tax/national-rates': { rates: 400 },
  'PUT /shipping/settings': { zones: 50, 'zones[].countries': 250, 'zones[].tiers': 20, excluded_countries: 250 },
  'PUT /content/home/hero': { 'body.buttons': 2, 'body.picture.widths': 8 },
  'PUT /content/home/rows': { 'body.rows': 12, 'body.rows[].categories': 20 },
  'PUT /content/home/advantages': { 'body.cards': 6, 'body.cards[].picture.widths': 8 },
  'PUT /content/home/partners': { 'body.logos': 24 },
  'PUT /content/home/delivery': { 'body.times': 20, 'body.times[].regions': 7, 'body.times[].countries': 250 },
  'POST /content/home/preview': {
    'hero.buttons': 2,
    'hero.picture.widths': 8,
    'advantages.cards': 6,
    'advantages.cards[].picture.widths': 8,
    'partners.logos': 24,
  },
  'PUT /content/faq-order': { ids: 100 },
  'POST /second-factor/passkeys': { 'credential.response.transports': 7 },
  'POST /cart/add': cartLine,
  'PUT /cart/update': cartLine,
  'DELETE /cart/remove': cartLine,
  'POST /orders/{id}/ship': { lines: 500, ...parcelSerials('') },
  'PUT /orders/{id}/shipments/{number}/serials': { numbers: 99, seen: 99 },
  'POST /support/shipments': { shipments: 50, ...parcelSerials('shipments[].') },
  'POST /orders/{id}/refunds': { 'lines.units': 400 },
  'POST /orders/{id}/refunds/elsewhere': { 'lines.units': 400 },
  'POST /orders/{id}/returns': { lines: 100 },
  'POST /support/returns/{id}/inspect': { lines: 100 },
  'POST /withdrawal/preview': { units: 200 },
  'POST /withdrawal': { units: 200 },
  'POST /support/orders/preview': manualOrder,
  'POST /support/orders': manualOrder,
  'POST /stock-alerts': { property_value_ids: 20 },
  'POST /support/promotions/preview': { lines: 50 },
  'POST /webhooks': { event_types: 100 },
  'PUT /webhooks/{id}': { event_types: 100 },
  'POST /api-keys': { scopes: 100 },
};
