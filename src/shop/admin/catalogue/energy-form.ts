import { parseAmount } from '#src/shop/parse-amount.ts';
import {
  ENERGY_CLASSES,
  EPREL_NUMBER,
  IP_RATING,
  MAX_CYCLES,
  MAX_ENDURANCE_MINUTES,
  QUALITY_CLASSES,
  SHEET_URL,
} from '#src/shop/catalogue/compliance/energy-label.ts';
import type { EnergyLabel } from '#src/shop/catalogue/compliance/energy-label.ts';

/** The fields of an energy label as they are typed or chosen. */
export interface EnergyForm {
  /** Empty: the product has no label; the other fields do not count then. */
  readonly class: string;
  readonly supplier: string;
  readonly model: string;
  readonly hours: string;
  readonly minutes: string;
  readonly cycles: string;
  readonly fall: string;
  readonly repair: string;
  readonly ip: string;
  readonly eprel: string;
  readonly sheet: string;
}

export const NO_ENERGY_LABEL: EnergyForm = {
  class: '',
  supplier: '',
  model: '',
  hours: '',
  minutes: '',
  cycles: '',
  fall: '',
  repair: '',
  ip: '',
  eprel: '',
  sheet: '',
};

export const toEnergyForm = (label: EnergyLabel | null): EnergyForm =>
  label === null
    ? NO_ENERGY_LABEL
    : {
        class: label.class,
        supplier: label.supplier,
        model: label.model,
        hours: String(Math.floor(label.endurance_minutes / 60)),
        minutes: String(label.endurance_minutes % 60),
        cycles: String(label.endurance_cycles),
        fall: label.fall_class,
        repair: label.repair_class,
        ip: label.ip_rating,
        eprel: label.eprel_number,
        sheet: label.sheet_url,
      };

/** Null if the text is no whole number up to the maximum. */
function readWhole(text: string, maximum: number): number | null {
  const parsed = parseAmount(text.trim() === '' ? '0' : text, { decimals: 0 });
  return parsed.ok && parsed.units <= BigInt(maximum) ? Number(parsed.units) : null;
}

/** What the API takes; null without a label. Messages are added by field of the API. */
export function readEnergyForm(form: EnergyForm, problems: Record<string, string>): EnergyLabel | null {
  const energyClass = ENERGY_CLASSES.find((one) => one === form.class);
  if (energyClass === undefined) return null;
  const refuse = (field: keyof EnergyLabel, message: string): void => {
    problems[`energy_label.${field}`] = message;
  };
  const [hours, minutes] = [readWhole(form.hours, MAX_ENDURANCE_MINUTES / 60 - 1), readWhole(form.minutes, 59)];
  const endurance = hours === null || minutes === null ? 0 : hours * 60 + minutes;
  if (endurance === 0) refuse('endurance_minutes', 'Enter hours and minutes, such as 53 and 20');
  const cycles = readWhole(form.cycles, MAX_CYCLES) ?? 0;
  if (cycles === 0) refuse('endurance_cycles', 'Enter a number of cycles, such as 1000');
  const fall = QUALITY_CLASSES.find((one) => one === form.fall);
  if (fall === undefined) refuse('fall_class', 'Choose the class on the label');
  const repair = QUALITY_CLASSES.find((one) => one === form.repair);
  if (repair === undefined) refuse('repair_class', 'Choose the class on the label');
  const ip = form.ip.trim().toUpperCase();
  if (!IP_RATING.test(ip)) refuse('ip_rating', 'Enter a rating such as IP68');
  const eprel = form.eprel.trim();
  if (!EPREL_NUMBER.test(eprel)) refuse('eprel_number', 'Enter the digits of the registration number');
  const sheet = form.sheet.trim();
  if (!SHEET_URL.test(sheet)) refuse('sheet_url', 'Enter an address that starts with https://');
  return {
    class: energyClass,
    supplier: form.supplier.trim(),
    model: form.model.trim(),
    endurance_minutes: endurance,
    endurance_cycles: cycles,
    fall_class: fall ?? 'E',
    repair_class: repair ?? 'E',
    ip_rating: ip,
    eprel_number: eprel,
    sheet_url: sheet,
  };
}
