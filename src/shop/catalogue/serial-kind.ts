/** What shipping asks of each unit of a product. */
export const serialKinds = ['none', 'serial', 'imei'] as const;

export type SerialKind = (typeof serialKinds)[number];

/** Names as staff read them. */
export const SERIAL_KIND_NAMES: Readonly<Record<SerialKind, string>> = {
  none: 'Nothing',
  serial: 'Serial number',
  imei: 'IMEI',
};

export const isSerialKind = (text: string): text is SerialKind => serialKinds.some((one) => one === text);
