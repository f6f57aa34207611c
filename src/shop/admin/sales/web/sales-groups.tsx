import { formatNumber } from '#src/shop/format-number.ts';
import type { WireResponse } from '#src/shop/codecs.ts';
import type { salesApi, SalesOfGroup } from '../contract.ts';
import type { SalesGroup } from '../sales-period.ts';
import { countUnits, formatBtcCell, formatMargin, formatUsdText, SOLD } from './describe-sales.ts';
import { Table } from '#src/ui/display/table.tsx';
import styles from './sales-page.module.css';

export type FoundGroups = WireResponse<(typeof salesApi)['GET /support/sales/groups']>;

export const GROUP_NAMES: Readonly<Record<SalesGroup, string>> = {
  product: 'Product',
  category: 'Category',
  country: 'Country',
  promotion: 'Promotion',
};

/** What was sold by group: a bar for each, in a table with its figures. */
export function SalesGroups({ found, group }: { readonly found: FoundGroups; readonly group: SalesGroup }) {
  const { groups, others, sold_usd: total, margin } = found;
  const hasUnits = groups.some(({ units }) => units !== null);
  return (
    <Table label={`Sold by ${group}`} hasFigures className="small">
      <thead>
        <tr>
          <th scope="col">{GROUP_NAMES[group]}</th>
          <th scope="col">Share</th>
          <th scope="col">{SOLD}</th>
          <th scope="col">In bitcoin</th>
          <th scope="col">{hasUnits ? 'Units' : 'Orders'}</th>
          {margin !== null && <th scope="col">Margin</th>}
        </tr>
      </thead>
      <tbody>
        {groups.map((one) => (
          <GroupRow key={one.key ?? ''} group={one} total={total} hasMargin={margin !== null} />
        ))}
      </tbody>
      {others !== null && (
        <tfoot>
          <tr>
            <th scope="row">{formatNumber(others.groups)} others</th>
            <td>
              <Share value={others.sold_usd} total={total} />
            </td>
            <td translate="no">{formatUsdText(others.sold_usd)}</td>
            <td>{formatBtcCell(others.sold_btc)}</td>
            <td>–</td>
            {margin !== null && <MarginCell margin={others.margin} />}
          </tr>
        </tfoot>
      )}
    </Table>
  );
}

interface GroupRowProps {
  readonly group: SalesOfGroup;
  readonly total: number;
  readonly hasMargin: boolean;
}

const GroupRow = ({ group, hasMargin, total }: GroupRowProps) => (
  <tr>
    <th scope="row">{group.name}</th>
    <td>
      <Share value={group.sold_usd} total={total} />
    </td>
    <td translate="no">{formatUsdText(group.sold_usd)}</td>
    <td>{formatBtcCell(group.sold_btc)}</td>
    <td>{formatNumber(group.units ?? group.orders ?? 0)}</td>
    {hasMargin && <MarginCell margin={group.margin} />}
  </tr>
);

const MarginCell = ({ margin }: { readonly margin: SalesOfGroup['margin'] }) => (
  <td translate="no">{margin === null ? '–' : formatMargin(margin)}</td>
);

interface MarginNoteProps {
  /** Of all groups. */
  readonly margin: SalesOfGroup['margin'];
  readonly units: number;
}

/** What the margin of the period is, or how to get one. */
export const MarginNote = ({ margin, units }: MarginNoteProps) => (
  <p className="muted small wrap-anywhere">
    {margin === null ? (
      'No unit that was sold in this time had a cost. Enter “Cost in USD” on the page of a product: orders from then on have a margin.'
    ) : (
      <>
        Margin: what goods brought without tax and delivery, less their cost when they were ordered, before refunds. In
        this time {formatMargin(margin)}, of{' '}
        {margin.units === units
          ? countUnits(units)
          : `${formatNumber(margin.units)} of ${countUnits(units)}. The others had no cost`}
        .
      </>
    )}
  </p>
);

/** Percent of all that was sold, as a bar too. */
function Share({ value, total }: { readonly value: number; readonly total: number }) {
  const percent = total === 0 ? 0 : (100 * value) / total;
  return (
    <span className={styles.share}>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" className={styles.shareBar}>
        <rect width={100} height={10} className={styles.shareWhole} />
        <rect width={percent} height={10} className={styles.sharePart} />
      </svg>
      {formatNumber(percent, 1)}%
    </span>
  );
}
