/** What the law asks a product to show, as the API takes and sends it. */
import { z } from 'zod';
import { text } from '#src/shop/codecs.ts';
import {
  ENERGY_CLASSES,
  EPREL_NUMBER,
  IP_RATING,
  MAX_CYCLES,
  MAX_ENDURANCE_MINUTES,
  MAX_LABEL_TEXT,
  QUALITY_CLASSES,
  SHEET_URL,
} from './energy-label.ts';
import { SAFETY_LIMITS } from './product-safety.ts';

const safetyText = (field: keyof typeof SAFETY_LIMITS) => text(SAFETY_LIMITS[field]).trim();

/** Texts of at most these lengths; an empty one is not given. */
export const enteredSafety = z.object({
  manufacturer: safetyText('manufacturer'),
  manufacturer_address: safetyText('manufacturer_address'),
  manufacturer_contact: safetyText('manufacturer_contact'),
  responsible_name: safetyText('responsible_name'),
  responsible_address: safetyText('responsible_address'),
  responsible_contact: safetyText('responsible_contact'),
  warnings: safetyText('warnings'),
});

/** Regulation (EU) 2023/988, article 19. An empty text is not given. */
export const productSafety = z.object({
  manufacturer: z.string(),
  manufacturer_address: z.string(),
  /** Email address or website. */
  manufacturer_contact: z.string(),
  responsible_name: z.string(),
  responsible_address: z.string(),
  responsible_contact: z.string(),
  warnings: z.string(),
});

const whole = (maximum: number) => z.int().min(1).max(maximum);
const labelText = text(MAX_LABEL_TEXT).trim();

/** Complete: a label without one of its values would not be the supplier's. */
export const enteredLabel = z.object({
  class: z.enum(ENERGY_CLASSES),
  /** Empty: the brand. */
  supplier: labelText,
  /** Empty: the name of the product. */
  model: labelText,
  endurance_minutes: whole(MAX_ENDURANCE_MINUTES),
  endurance_cycles: whole(MAX_CYCLES),
  fall_class: z.enum(QUALITY_CLASSES),
  repair_class: z.enum(QUALITY_CLASSES),
  ip_rating: z.string().regex(IP_RATING, { message: 'must be a rating such as IP68' }),
  /** Empty: unknown. */
  eprel_number: z.string().regex(EPREL_NUMBER, { message: 'must be up to 12 digits' }),
  /** Empty: the page of the product in EPREL. */
  sheet_url: z.string().regex(SHEET_URL, { message: 'must start with https://' }),
});

/** Delegated Regulation (EU) 2023/1669, annex III. */
export const energyLabel = z.object({
  class: z.enum(ENERGY_CLASSES),
  supplier: z.string(),
  model: z.string(),
  endurance_minutes: z.int(),
  endurance_cycles: z.int(),
  fall_class: z.enum(QUALITY_CLASSES),
  repair_class: z.enum(QUALITY_CLASSES),
  ip_rating: z.string(),
  eprel_number: z.string(),
  sheet_url: z.string(),
});
