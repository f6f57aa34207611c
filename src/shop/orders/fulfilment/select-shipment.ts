/** An order line with the units that earlier shipments contained, and those refunded or withdrawn before shipping. */
export interface LineToShip {
  readonly position: number;
  readonly quantity: number;
  readonly shipped_quantity: number;
  readonly refunded_unshipped_quantity: number;
  /** The buyer withdrew from them before shipping, and they are not refunded. */
  readonly withdrawn_quantity: number;
}

/** Units of a line in one shipment. */
export interface ShippedUnits {
  readonly position: number;
  readonly quantity: number;
}

export type ShipmentProblem = 'too-many-units' | 'nothing-to-ship' | 'contract-withdrawn';

export type ShipmentSelection =
  | { readonly ok: true; readonly units: readonly ShippedUnits[]; readonly isLast: boolean }
  | { readonly ok: false; readonly reason: ShipmentProblem };

/** Units of a line that are left to ship. */
export const countLeft = ({
  quantity,
  refunded_unshipped_quantity: refunded,
  shipped_quantity: shipped,
  withdrawn_quantity: withdrawn,
}: LineToShip): number => quantity - shipped - refunded - withdrawn;

/**
 * The units of the next shipment, by position. Requests of the same line are added up. After a withdrawal from a part
 * the units must be named: whoever packed everything may not have seen it.
 * @param requested null: everything that is left
 */
export function selectShipment(
  lines: readonly LineToShip[],
  requested: readonly ShippedUnits[] | null,
): ShipmentSelection {
  const withdrawn = new Set(lines.filter((line) => line.withdrawn_quantity > 0).map(({ position }) => position));
  if (requested === null && withdrawn.size > 0) return { ok: false, reason: 'contract-withdrawn' };
  const left = new Map(lines.map((line) => [line.position, countLeft(line)]));
  const selected = new Map<number, number>();
  for (const { position, quantity } of requested ??
    [...left].map(([at, count]) => ({ position: at, quantity: count }))) {
    const sum = (selected.get(position) ?? 0) + quantity;
    if (sum > (left.get(position) ?? 0))
      return { ok: false, reason: withdrawn.has(position) ? 'contract-withdrawn' : 'too-many-units' };
    selected.set(position, sum);
  }
  const units = [...selected]
    .filter(([, quantity]) => quantity > 0)
    .map(([position, quantity]) => ({ position, quantity }))
    .toSorted((a, b) => a.position - b.position);
  if (units.length === 0) return { ok: false, reason: 'nothing-to-ship' };
  return { ok: true, units, isLast: [...left].every(([position, count]) => (selected.get(position) ?? 0) === count) };
}
