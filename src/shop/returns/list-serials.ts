/** The serial numbers of a line of a return, as its buyer reads them. */

interface ArrivedSerial {
  readonly number: string;
  readonly is_sent_back: boolean;
}

/** A label with its numbers; none for a line without numbers. Those that go back to the buyer are apart. */
export function listSerials(
  serials: readonly ArrivedSerial[],
): readonly { readonly label: string; readonly numbers: readonly string[] }[] {
  const arrived = serials.filter((one) => !one.is_sent_back).map(({ number }) => number);
  const sentBack = serials.filter((one) => one.is_sent_back).map(({ number }) => number);
  return [
    { label: 'Received', numbers: arrived },
    { label: 'Sent back to you', numbers: sentBack },
  ].filter(({ numbers }) => numbers.length > 0);
}
