/** Opens what the shop sells from: catalogue, content, promotions, stock and carts. */
import type { Db } from '#src/platform/database/database.ts';
import { AsyncEvent, Query } from '#src/platform/process/events.ts';
import { PromotionPreviews } from '#src/shop/cart/promotion-preview/service.ts';
import { Carts } from '#src/shop/cart/service.ts';
import { EnergyLabels } from '#src/shop/catalogue/energy-labels.service.ts';
import { Catalogue, SALES_REFRESH_MS } from '#src/shop/catalogue/service.ts';
import { describeFigures } from '#src/shop/content/text-figures.ts';
import { StockAdjustments } from '#src/shop/inventory/adjustments/service.ts';
import { LowStock } from '#src/shop/inventory/low-stock/service.ts';
import { Inventory } from '#src/shop/inventory/service.ts';
import { StockList } from '#src/shop/inventory/stock-list/service.ts';
import { StockWatch } from '#src/shop/inventory/stock-watch.service.ts';
import { RESERVATION_LIMITS } from '#src/shop/orders/checkout/reservation-limits.ts';
import type { OpenOrderQuantity, Orders } from '#src/shop/orders/service.ts';
import { PromotionChanges } from '#src/shop/promotions/editing/changes.service.ts';
import { PromotionList } from '#src/shop/promotions/editing/service.ts';
import { Promotions } from '#src/shop/promotions/service.ts';
import { createContent } from './create-content.ts';
import { createEditing } from './create-editing.ts';
import type { Foundation } from './open-foundation.ts';
import type { Settings } from './settings.ts';

export type Sales = Awaited<ReturnType<typeof openSales>>;

export async function openSales(settings: Settings, foundation: Foundation) {
  const { clock, db, markdown: parser, pictures, priceGuard, rates, revisions } = foundation;
  const { shipping, shopSettings, taxes } = foundation;
  const formatOrderNumber = (number: bigint): string => shopSettings.formatOrderNumber(number);
  const stock = createStock(settings, foundation);
  const { lowStock, stockAdjustments, stockChanged, stockWatch } = stock;
  // Before the catalogue is read, so that no change is missed in between.
  await stockWatch.check();
  const energyLabels = new EnergyLabels(() => shopSettings.sellsToEuConsumers);
  const catalogue = await Catalogue.open(db, rates.display, clock, energyLabels);
  revisions.add(catalogue);
  foundation.settingsRefreshed.on(() => catalogue.refreshEnergyLabels());
  stockChanged.on((variantIds) => catalogue.refreshStock(variantIds));
  revisions.addCheck(() => stockWatch.check());
  revisions.addCheck(() => catalogue.refreshSales(), SALES_REFRESH_MS);
  const promotions = await Promotions.open(db, catalogue);
  revisions.add(promotions);
  const promotionChanges = new PromotionChanges({ db, clock, catalogue, revisions, priceGuard });
  const carts = new Carts({ db, clock, catalogue, promotions, taxes, shipping });
  return {
    ...stock,
    ...(await openContent(settings, foundation, catalogue)),
    ...createEditing({
      db,
      clock,
      catalogue,
      revisions,
      priceGuard,
      stockAdjustments,
      parser,
      findMissingPictures: (tx, paths) => pictures.findMissingUploads(tx, paths),
    }),
    catalogue,
    carts,
    promotions,
    promotionChanges,
    promotionList: new PromotionList({ db, clock, formatOrderNumber, catalogue, promotionChanges }),
    promotionPreviews: new PromotionPreviews({ clock, catalogue, carts, promotionChanges }),
    stockList: new StockList({
      db,
      describeVariants: (tx, ids) => catalogue.describeVariants(tx, ids),
      formatOrderNumber,
      stockAdjustments,
      lowStock,
    }),
  };
}

function createStock({ mode }: Settings, { clock, db }: Foundation) {
  const stockChanged = new AsyncEvent<[variantIds: readonly string[]]>();
  const openOrdersWith = new Query<Parameters<Orders['lockOpenOrdersWith']>, readonly OpenOrderQuantity[]>();
  const lowStockReported = new AsyncEvent<[tx: Db, day: string]>();
  return {
    inventory: new Inventory(clock),
    stockWatch: new StockWatch(db, clock, stockChanged.emit),
    stockAdjustments: new StockAdjustments({
      clock,
      isTrackedByDefault: mode === 'live',
      lockOpenOrders: openOrdersWith.run,
    }),
    lowStock: new LowStock({ db, clock, onReported: lowStockReported.emit }),
    stockChanged,
    openOrdersWith,
    lowStockReported,
  };
}

async function openContent(settings: Settings, foundation: Foundation, catalogue: Catalogue) {
  const { clock, db, markdown: parser, pictures, revisions, settingsRefreshed, shopSettings } = foundation;
  const { confirmationSteps, lateTolerancePercent, paymentWindowSeconds } = settings;
  const slice = await createContent({
    db,
    clock,
    revisions,
    parser,
    pictures,
    prices: {
      findStartingPrice: (slug) => catalogue.findStartingPrice(slug),
      isOnSale: (slug) => catalogue.snapshot.productsBySlug.has(slug),
      getVersion: () => `${catalogue.version} ${catalogue.rate}`,
    },
    figures: () =>
      describeFigures({
        confirmationSteps,
        lateTolerancePercent,
        paymentWindowSeconds,
        shopName: shopSettings.current.identity.name,
        shopAddress: shopSettings.current.identity.address,
        refundMethod: shopSettings.refundMethod,
        retention: shopSettings.current.retention,
        shortWindowSeconds: RESERVATION_LIMITS.shortSeconds,
      }),
  });
  revisions.add(slice.content);
  // Texts quote the name and the address of the shop.
  settingsRefreshed.on(() => slice.content.refresh());
  return slice;
}
