/** Where a fault is, by what its file may contain. */
export const layers = ['rules', 'services', 'stores', 'routes', 'pages'] as const;
export type Layer = (typeof layers)[number];

/** A single mistake in one file of the shop, as a tired engineer makes it. */
export interface Fault {
  readonly id: string;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly from: string;
  readonly to: string;
  /** What a user would notice. */
  readonly effect: string;
}
