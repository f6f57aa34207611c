import type { OrderToShip } from '#src/shop/orders/fulfilment/contract.ts';
import { listUnshipped } from '../shipping-messages.ts';

interface Slip {
  readonly title: string;
  readonly items: readonly {
    readonly position: number;
    readonly name: string;
    readonly sku: string | null;
    readonly quantity: number;
    /** Of units that are shipped. */
    readonly serials: readonly string[];
  }[];
}

/** The parcel of a shipment, or of what is left to ship; null if there is none. */
export function createSlip({ block, lines, shipments, number }: OrderToShip, shipmentNumber: number): Slip | null {
  const shipment = shipments.find((one) => one.number === shipmentNumber);
  if (shipment !== undefined) {
    const items = shipment.items.map((item) => ({
      ...item,
      sku: lines.find(({ position }) => position === item.position)?.sku ?? null,
      serials: item.serials.map((serial) => serial.number),
    }));
    return { title: `Order ${number}, parcel ${shipment.number}`, items };
  }
  // Not to be shipped, or not any more.
  if (block !== null) return null;
  const items = listUnshipped(lines).map(({ position, name, sku, left }) => ({
    position,
    name,
    sku,
    quantity: left,
    serials: [],
  }));
  return items.length === 0 ? null : { title: `Order ${number}`, items };
}
