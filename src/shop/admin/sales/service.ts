/** Sales figures of a period, by time and by group. */
import type { z } from 'zod';
import { formatCsvLine, formatCsvLineWithNumbers } from '#src/platform/csv/csv-line.ts';
import { joinLines } from '#src/platform/csv/join-lines.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import {
  addCents,
  addSats,
  cents,
  formatDecimalBtc,
  formatDecimalUsd,
  NO_CENTS,
  NO_SATS,
  sats,
} from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import { findCountryName } from '#src/shop/regions.ts';
import { endOfShopDay, startOfShopDay, toShopDay } from '#src/shop/shop-days.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { formatExportName } from '#src/shop/export-name.ts';
import type { salesApi } from './contract.ts';
import { comparePeriods, hasEarlierSales } from './compare-periods.ts';
import type { ComparedDays, ComparedSpan } from './compare-periods.ts';
import { showMargin, subtractCosted } from './margin.ts';
import type { CostedUnits } from './margin.ts';
import { computeAverage } from './sale.ts';
import { chooseUnit, limitUnit, listSpans, resolvePeriod } from './sales-period.ts';
import type { ChosenPeriod, SalesGroup, SalesPeriod, SalesUnit } from './sales-period.ts';
import * as store from './store.ts';
import type { GroupRow, HighestGroups, SalesSpan, SoldRow } from './store.ts';

type Responses = { readonly [Key in keyof typeof salesApi]: z.output<(typeof salesApi)[Key]['response']> };
type Figures = Responses['GET /support/sales']['totals'];
type GroupSums = HighestGroups['all'];
type Group = Responses['GET /support/sales/groups']['groups'][number];

/** Groups that a page shows; an export has all. */
const SHOWN_GROUPS = 50;

export interface SalesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly shopSettings: Pick<ShopSettings, 'timeZone'>;
}

interface Sums {
  readonly orders: number;
  readonly cents: Cents;
  readonly sats: Sats;
  readonly waivedCents: Cents;
}
const NOTHING: Sums = { orders: 0, cents: NO_CENTS, sats: NO_SATS, waivedCents: NO_CENTS };

const addUp = (rows: readonly SoldRow[]): Sums =>
  rows.reduce<Sums>(
    (sum, row) => ({
      orders: sum.orders + row.orders,
      cents: addCents(sum.cents, row.cents),
      sats: addSats(sum.sats, row.sats),
      waivedCents: addCents(sum.waivedCents, row.waivedCents),
    }),
    NOTHING,
  );

function showFigures(sold: Sums, refunded: Sums): Figures {
  const average = computeAverage(sold.cents, sold.orders);
  return {
    orders: sold.orders,
    sold_usd: sold.cents,
    sold_btc: sold.sats,
    waived_usd: sold.waivedCents,
    revenue_usd: sold.cents - refunded.cents,
    revenue_btc: sold.sats - refunded.sats,
    average_usd: average === null ? null : cents(average),
    refunds: refunded.orders,
    refunded_usd: refunded.cents,
    refunded_btc: refunded.sats,
  };
}

const showSpan = ({ from, to, until }: ComparedSpan, totals: Figures) => ({ from, to, until, totals });

const NAMES_OF_NONE: Readonly<Record<SalesGroup, string>> = {
  product: 'Unknown',
  category: 'Unknown',
  country: 'Unknown',
  promotion: 'No promotion',
};

function describeKey(group: SalesGroup, key: string | null): string {
  if (key === null) return NAMES_OF_NONE[group];
  return group === 'country' ? (findCountryName(key) ?? key) : key;
}

/** Null if no cost is known. */
const toCosted = ({ costedUnits, costCents, goodsCents }: GroupSums): CostedUnits | null =>
  costedUnits === 0 ? null : { units: costedUnits, goods: goodsCents, cost: costCents };

const showGroup = (group: SalesGroup, row: GroupRow, costed: CostedUnits | null): Group => ({
  key: row.key,
  name: row.name ?? describeKey(group, row.key),
  orders: row.orders,
  units: row.units,
  sold_usd: row.cents,
  sold_btc: row.sats,
  margin: showMargin(costed),
});

const sumSold = (some: readonly GroupRow[]) => ({
  sold_usd: addCents(...some.map((row) => row.cents)),
  sold_btc: addSats(...some.map((row) => row.sats)),
});

/** Days of a time zone. */
interface ResolvedPeriod {
  readonly period: SalesPeriod;
  readonly timeZone: string;
}

const toSpan = ({ period: { from, to }, timeZone }: ResolvedPeriod): SalesSpan => ({
  from: startOfShopDay(from, timeZone),
  to: endOfShopDay(to, timeZone),
});

export interface SalesExport {
  readonly name: string;
  readonly lines: AsyncIterable<string>;
}

/** Headers of the CSV: what buyers paid, before and after refunds. */
const SOLD_COLUMNS = ['sold_with_tax_and_shipping_usd', 'sold_with_tax_and_shipping_btc'] as const;
const MARGIN_COLUMNS = ['units_with_cost', 'goods_without_tax_usd', 'cost_usd', 'margin_usd'] as const;
const REVENUE_COLUMNS = ['revenue_net_of_refunds_usd', 'revenue_net_of_refunds_btc'] as const;

export class Sales {
  readonly #options: SalesOptions;

  constructor(options: SalesOptions) {
    this.#options = options;
  }

  /** Null for a bad period. */
  async readSales(chosen: ChosenPeriod, by?: SalesUnit): Promise<Responses['GET /support/sales'] | null> {
    const resolved = this.#resolve(chosen);
    return resolved && this.#readSales(resolved, by);
  }

  async #readSales({ period, timeZone }: ResolvedPeriod, by?: SalesUnit): Promise<Responses['GET /support/sales']> {
    const { db } = this.#options;
    const unit = by === undefined ? chooseUnit(period) : limitUnit(period, by);
    const spans = listSpans(period, unit, timeZone);
    const [sold, refunded] = await Promise.all([store.listSold(db, spans), store.listRefunded(db, spans)]);
    const soldAt = new Map(sold.map((row) => [row.start, row]));
    const refundedAt = new Map(refunded.map((row) => [row.start, row]));
    const points = spans.map(({ start }) => ({
      start,
      ...showFigures(soldAt.get(start) ?? NOTHING, refundedAt.get(start) ?? NOTHING),
    }));
    const totals = showFigures(addUp(sold), addUp(refunded));
    return { ...period, time_zone: timeZone, by: unit, totals, points };
  }

  /** The last days until now, and the same weekdays before. */
  async readComparison(days: ComparedDays): Promise<Responses['GET /support/sales/comparison']> {
    const { clock, db, shopSettings } = this.#options;
    const { timeZone } = shopSettings;
    const { current, before } = comparePeriods(clock.now(), days, timeZone);
    const firstSaleAt = await store.readFirstSale(db);
    const firstSale = firstSaleAt && toShopDay(firstSaleAt, timeZone);
    const [totals, totalsBefore] = await Promise.all([
      this.#readTotals(current),
      hasEarlierSales(firstSale, before) ? this.#readTotals(before) : null,
    ]);
    return {
      time_zone: timeZone,
      current: showSpan(current, totals),
      before: totalsBefore && showSpan(before, totalsBefore),
      first_sale: firstSale,
    };
  }

  async #readTotals({ from, since, until }: ComparedSpan): Promise<Figures> {
    const { db } = this.#options;
    const span = [{ start: from, from: since, to: until }];
    const [sold, refunded] = await Promise.all([store.listSold(db, span), store.listRefunded(db, span)]);
    return showFigures(addUp(sold), addUp(refunded));
  }

  /** Null for a bad period. @param withMargins otherwise all margins are null */
  async readGroups(
    chosen: ChosenPeriod,
    group: SalesGroup,
    { withMargins }: { readonly withMargins: boolean },
  ): Promise<Responses['GET /support/sales/groups'] | null> {
    const resolved = this.#resolve(chosen);
    if (resolved === null) return null;
    const found = await store.readHighestGroups(this.#options.db, toSpan(resolved), group, SHOWN_GROUPS);
    const shown = sumSold(found.rows);
    const readCosted = (sums: GroupSums) => (withMargins ? toCosted(sums) : null);
    const others = {
      groups: found.groups - found.rows.length,
      sold_usd: cents(found.all.cents - shown.sold_usd),
      sold_btc: sats(found.all.sats - shown.sold_btc),
      margin: showMargin(subtractCosted(readCosted(found.all), found.rows.map(readCosted))),
    };
    return {
      ...resolved.period,
      time_zone: resolved.timeZone,
      groups: found.rows.map((row) => showGroup(group, row, readCosted(row))),
      others: others.groups === 0 ? null : others,
      sold_usd: found.all.cents,
      sold_btc: found.all.sats,
      units: found.all.units,
      margin: showMargin(readCosted(found.all)),
    };
  }

  /** What the units on hand cost the shop. */
  async readStockValue(): Promise<Responses['GET /support/stock-value']> {
    const {
      cents: value,
      units,
      unknownUnits,
      unknownVariants,
      variants,
    } = await store.readStockValue(this.#options.db);
    return {
      value_usd: value,
      units,
      variants,
      unknown_units: unknownUnits,
      unknown_variants: unknownVariants,
    };
  }

  /** File name and CSV lines, by time or by group; null for a bad period. @param signal stops it */
  exportSales(
    chosen: ChosenPeriod,
    { by, group }: { readonly by?: SalesUnit | undefined; readonly group?: SalesGroup | undefined },
    signal?: AbortSignal,
  ): SalesExport | null {
    const resolved = this.#resolve(chosen);
    if (resolved === null) return null;
    const { period } = resolved;
    const name = formatExportName(group === undefined ? 'sales' : `sales-by-${group}`, period);
    const lines = group === undefined ? this.#writeSales(resolved, by) : this.#writeGroups(resolved, group, signal);
    return { name, lines: joinLines(lines) };
  }

  #resolve(chosen: ChosenPeriod): ResolvedPeriod | null {
    const { clock, shopSettings } = this.#options;
    const { timeZone } = shopSettings;
    const period = resolvePeriod(toShopDay(clock.now(), timeZone), chosen);
    return period && { period, timeZone };
  }

  async *#writeSales(resolved: ResolvedPeriod, by?: SalesUnit): AsyncGenerator<string> {
    const sales = await this.#readSales(resolved, by);
    const columns = [...SOLD_COLUMNS, 'average_usd', 'waived_usd', 'refunded_usd', 'refunded_btc', ...REVENUE_COLUMNS];
    yield formatCsvLine([sales.by, 'orders', ...columns]);
    for (const point of sales.points) {
      const cells = [
        point.start,
        String(point.orders),
        formatDecimalUsd(point.sold_usd),
        formatDecimalBtc(point.sold_btc),
        point.average_usd === null ? '' : formatDecimalUsd(point.average_usd),
        formatDecimalUsd(point.waived_usd),
        formatDecimalUsd(point.refunded_usd),
        formatDecimalBtc(point.refunded_btc),
        formatSigned(point.revenue_usd, (amount) => formatDecimalUsd(cents(amount))),
        formatSigned(point.revenue_btc, (amount) => formatDecimalBtc(sats(amount))),
      ];
      yield formatCsvLineWithNumbers(cells, NUMBER_COLUMNS);
    }
  }

  async *#writeGroups(resolved: ResolvedPeriod, group: SalesGroup, signal?: AbortSignal): AsyncGenerator<string> {
    yield formatCsvLine([group, 'key', 'orders', 'units', ...SOLD_COLUMNS, ...MARGIN_COLUMNS]);
    for (const row of await store.listGroups(this.#options.db, toSpan(resolved), group, signal)) {
      const { key, name, orders, units, sold_usd, sold_btc, margin } = showGroup(group, row, toCosted(row));
      const counts = [String(orders ?? ''), String(units ?? '')];
      const sold = [formatDecimalUsd(sold_usd), formatDecimalBtc(sold_btc)];
      const cells = [name, key ?? '', ...counts, ...sold, ...formatMargin(margin)];
      yield formatCsvLineWithNumbers(cells, NUMBERS_OF_GROUPS);
    }
  }
}

/** Indexes of the columns that may be negative: revenue by time, margin by group. */
const NUMBER_COLUMNS: ReadonlySet<number> = new Set([8, 9]);
const NUMBERS_OF_GROUPS: ReadonlySet<number> = new Set([9]);

const formatSigned = (amount: bigint, format: (amount: bigint) => string): string =>
  amount < 0n ? `-${format(-amount)}` : format(amount);

/** Cells of the columns of the margin; empty where no cost is known. */
const formatMargin = (margin: Group['margin']): readonly string[] =>
  margin === null
    ? MARGIN_COLUMNS.map(() => '')
    : [
        String(margin.units),
        formatDecimalUsd(margin.goods_usd),
        formatDecimalUsd(margin.cost_usd),
        formatSigned(margin.margin_usd, (amount) => formatDecimalUsd(cents(amount))),
      ];
