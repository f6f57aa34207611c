/**
 * The energy label of a smartphone or tablet: what Annex III of Delegated Regulation (EU) 2023/1669 lists, besides what
 * the shop has of every product.
 */
export const ENERGY_CLASSES = ['A', 'B', 'C', 'D', 'E', 'F', 'G'] as const;
export type EnergyClass = (typeof ENERGY_CLASSES)[number];

/** Of repeated free falls and of repairability. */
export const QUALITY_CLASSES = ['A', 'B', 'C', 'D', 'E'] as const;
type QualityClass = (typeof QUALITY_CLASSES)[number];

export const IP_RATING = /^IP[0-6X][0-9X]$/;
/** A registration number of EPREL, or empty. */
export const EPREL_NUMBER = /^\d{0,12}$/;
export const SHEET_URL = /^(?:https:\/\/[^\s"<>\\@]{1,280})?$/;
export const MAX_LABEL_TEXT = 60;
export const MAX_ENDURANCE_MINUTES = 60_000;
export const MAX_CYCLES = 100_000;

export interface EnergyLabel {
  readonly class: EnergyClass;
  /** Name or trademark of the supplier; empty: the brand. */
  readonly supplier: string;
  /** Identifier of the model by the supplier; empty: the name of the product. */
  readonly model: string;
  /** Battery endurance per cycle. */
  readonly endurance_minutes: number;
  /** Battery endurance in cycles, until 80 % of the capacity is left. */
  readonly endurance_cycles: number;
  readonly fall_class: QualityClass;
  readonly repair_class: QualityClass;
  /** Ingress protection, such as IP68. */
  readonly ip_rating: string;
  /** Registration number in the EU's product database; empty: unknown. */
  readonly eprel_number: string;
  /** Product information sheet; empty: the page of the product in EPREL. */
  readonly sheet_url: string;
}

/** Page of a registered model, which has its label and its product information sheet. */
export const formatEprelUrl = (number: string): string => `https://eprel.ec.europa.eu/qr/${number}`;

/** Where the product information sheet is; null if neither address nor registration number is known. */
export function findSheetUrl({ sheet_url: url, eprel_number: number }: EnergyLabel): string | null {
  if (url !== '') return url;
  return number === '' ? null : formatEprelUrl(number);
}

/** `53 h 20 min`. */
export const formatEndurance = (minutes: number): string => `${Math.floor(minutes / 60)} h ${minutes % 60} min`;

/** What the label says, in its order. */
export const listLabelFacts = (label: EnergyLabel): readonly (readonly [name: string, value: string])[] => [
  ['Energy efficiency class', `${label.class}, on a scale from A to G`],
  ['Battery endurance per cycle', formatEndurance(label.endurance_minutes)],
  ['Repeated free fall reliability class', label.fall_class],
  ['Battery endurance in cycles', String(label.endurance_cycles)],
  ['Repairability class', label.repair_class],
  ['Ingress protection rating', label.ip_rating],
];

/** Path of the drawn label of a product; the name is its slug and `.svg`. */
export const LABEL_PATH = '/energy-label/:name';
/** Path of the arrow that opens it; the name is the class and `.svg`. */
export const ARROW_PATH = '/energy-arrow/:name';
