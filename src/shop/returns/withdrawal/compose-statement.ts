/** The text that a buyer confirms: what the model withdrawal form has (Directive 2011/83/EU, annex I, part B). */

export interface StatementParts {
  /** Empty: not set. */
  readonly shopName: string;
  /** As the buyer typed it, or of the order of a link. */
  readonly orderNumber: string;
  readonly name: string;
  /** Null: everything. */
  readonly units: readonly { readonly name: string; readonly quantity: number }[] | null;
  /** Null: none. */
  readonly reason: string | null;
  /** Null: to the address of the order only. */
  readonly acknowledgementEmail: string | null;
}

const formatUnits = (units: StatementParts['units']): string =>
  units === null ? 'everything that I ordered' : units.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ');

/** Lines of one paragraph each. */
export const composeStatement = (parts: StatementParts): string =>
  [
    `To ${parts.shopName === '' ? 'the shop' : parts.shopName}:`,
    `I withdraw from my contract of sale for these goods of the order ${parts.orderNumber}: ${formatUnits(parts.units)}.`,
    `Name: ${parts.name}`,
    ...(parts.reason === null ? [] : [`Reason (not required): ${parts.reason}`]),
    parts.acknowledgementEmail === null
      ? 'Send the acknowledgement to the mail address of the order.'
      : `Send the acknowledgement to the mail address of the order and to ${parts.acknowledgementEmail}.`,
  ].join('\n');
