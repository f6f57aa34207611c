import type { LineValue } from '../stored-order.ts';

/** A shipment for its buyer and for staff. */
export interface ShipmentToShow {
  readonly number: number;
  readonly shipped_at: Date;
  readonly carrier: string | null;
  readonly tracking_number: string | null;
  readonly tracking_url: string | null;
  readonly items: readonly {
    readonly position: number;
    readonly name: string;
    readonly quantity: number;
    /** Numbers of its units, as far as they are known. */
    readonly serials: readonly ShownSerial[];
  }[];
}

interface ShownSerial {
  readonly number: string;
  readonly is_returned: boolean;
}

interface StoredShipment {
  readonly number: number;
  readonly shipped_at: Date;
  readonly carrier_name: string | null;
  readonly tracking_number: string | null;
  readonly tracking_url: string | null;
  readonly units: readonly {
    readonly position: number;
    readonly quantity: number;
    readonly serials: readonly ShownSerial[];
  }[];
}

interface NamedLine {
  readonly position: number;
  readonly name: string;
  readonly property_values: readonly LineValue[];
}

/** Name of a line with its chosen values. */
export const formatLineName = ({ name, property_values: values }: Omit<NamedLine, 'position'>): string =>
  values.length === 0 ? name : `${name} (${values.map(({ value }) => value).join(', ')})`;

/** Shipments of an order with the names of its lines. */
export const showShipments = (
  shipments: readonly StoredShipment[],
  lines: readonly NamedLine[],
): readonly ShipmentToShow[] =>
  shipments.map(({ carrier_name: carrier, units, ...shipment }) => ({
    number: shipment.number,
    shipped_at: shipment.shipped_at,
    carrier,
    tracking_number: shipment.tracking_number,
    tracking_url: shipment.tracking_url,
    items: units.flatMap(({ position, quantity, serials }) => {
      const line = lines.find((one) => one.position === position);
      return line === undefined ? [] : [{ position, name: formatLineName(line), quantity, serials }];
    }),
  }));
