import { useState } from 'react';
import { Link } from 'react-router';
import type { StockedVariant } from '#src/shop/inventory/stock-list/contract.ts';
import type { StockSort } from '#src/shop/inventory/stock-list/stock-list.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { CellInput } from '#src/ui/fields/field.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Unbroken } from '#src/ui/text/unbroken.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { DataTable } from '../../kit/data-table.tsx';
import type { Column } from '../../kit/data-table.tsx';
import { Drawer } from '../../kit/drawer.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import rows from '../../kit/row-list.module.css';
import type { CellOf } from '../stock-cells.ts';
import { CELLS_FORM } from './cells-bar.tsx';
import { StockForm } from './stock-form.tsx';
import { formatUnits, StockBadges, StockLevels } from './stock-levels.tsx';
import type { StockCells } from './use-stock-cells.ts';

interface StockTableProps {
  readonly variants: readonly StockedVariant[];
  readonly shopThreshold: number;
  readonly sort: StockSort;
  readonly cells: StockCells;
}

/** The stock of variants, whose units on hand and thresholds are typed in its cells. Other changes have a drawer. */
export function StockTable({ variants, shopThreshold, sort, cells }: StockTableProps) {
  const [open, setOpen] = useState<string | null>(null);
  // Those that were opened stay, so that closing loses nothing that was typed.
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const columns = createColumns({ shopThreshold, cells }, (id) => {
    setOpen(id);
    setOpened(new Set([...opened, id]));
  });
  return (
    <>
      <DataTable
        label="Stock of variants"
        columns={columns}
        rows={variants}
        idOf={({ variant_id: id }) => id}
        sort={sort}
      />
      {variants
        .filter(({ variant_id: id }) => opened.has(id))
        .map((variant) => (
          <Drawer
            key={variant.variant_id}
            title={`Change stock: ${variant.name}`}
            isOpen={open === variant.variant_id}
            onClose={() => setOpen(null)}
          >
            <StockLevels variant={variant} />
            <StockForm variantId={variant.variant_id} levels={variant} />
          </Drawer>
        ))}
    </>
  );
}

function createColumns(
  { shopThreshold, cells }: Pick<StockTableProps, 'shopThreshold' | 'cells'>,
  onOpen: (variantId: string) => void,
): readonly Column<StockedVariant>[] {
  return [
    {
      id: 'name',
      title: 'Variant',
      isName: true,
      sorts: [{ value: 'name', isAscending: true }],
      render: (variant) => <Name variant={variant} shopThreshold={shopThreshold} />,
    },
    {
      id: 'on_hand',
      title: 'On hand',
      isLabelled: true,
      render: (variant) => <CellField variant={variant} of="on_hand" label="On hand" empty="–" cells={cells} />,
    },
    { id: 'reserved', title: 'Reserved', isFigure: true, isLabelled: true, render: (one) => formatUnits(one.reserved) },
    {
      id: 'committed',
      title: 'Committed',
      isFigure: true,
      isLabelled: true,
      render: ({ committed }) => formatUnits(committed),
    },
    {
      id: 'available',
      title: 'Available',
      isFigure: true,
      isLabelled: true,
      sorts: [
        { value: 'least_available', isAscending: true },
        { value: 'most_available', isAscending: false },
      ],
      render: ({ available }) => <span className="strong">{formatUnits(available)}</span>,
    },
    {
      id: 'threshold',
      title: 'Low at',
      isLabelled: true,
      render: (variant) => (
        <CellField variant={variant} of="threshold" label="Low at" empty={formatUnits(shopThreshold)} cells={cells} />
      ),
    },
    {
      id: 'change',
      title: 'Change',
      phone: 'beside',
      render: ({ variant_id: id, name }) => (
        <Button variant="quaternary" aria-label={`Change stock: ${name}`} onClick={() => onOpen(id)}>
          Change stock
        </Button>
      ),
    },
  ];
}

const Name = ({ variant, shopThreshold }: { readonly variant: StockedVariant; readonly shopThreshold: number }) => (
  <>
    <p className={classNames('strong', rows.title)}>
      <Link to={`/admin/inventory/${variant.variant_id}`} prefetch="intent">
        <span>
          <Unbroken text={variant.name} />
        </span>
      </Link>
    </p>
    <Row gap={12} rowGap={4}>
      <span className="muted small" translate="no">
        {variant.sku}
      </span>
      <StockBadges variant={variant} shopThreshold={shopThreshold} />
    </Row>
  </>
);

interface CellFieldProps {
  readonly variant: StockedVariant;
  readonly of: CellOf;
  readonly label: string;
  /** What an empty field means. */
  readonly empty: string;
  readonly cells: StockCells;
}

function CellField({ variant, of, label, empty, cells }: CellFieldProps) {
  const { variant_id: id, name, [of]: stored } = variant;
  const isHydrated = useHydrated();
  const seen = cells.seenOf(id, of);
  const problem = cells.messageOf(id, of);
  // Somebody else changed it after it was typed here.
  const now =
    seen === undefined || seen === stored ? undefined : `Now ${stored === null ? empty : formatUnits(stored)}`;
  return (
    <CellInput
      label={`${label}: ${name}`}
      form={CELLS_FORM}
      inputMode="numeric"
      autoComplete="off"
      placeholder={empty}
      readOnly={!isHydrated}
      value={cells.textOf(variant, of)}
      message={problem || now}
      isInvalid={problem !== undefined}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onChange={({ currentTarget }) => cells.type(variant, of, currentTarget.value)}
    />
  );
}
