/** The state of the parts of the shop in words. */
import type { PartHealth } from './contract.ts';

export const PART_NAMES = {
  database: 'Database',
  disk: 'Disk',
  chain: 'Chain source',
  rate: 'Bitcoin rate',
  mail: 'Mail',
  jobs: 'Jobs',
} as const satisfies Record<PartHealth['name'], string>;

type Part = Pick<PartHealth, 'name' | 'is_ok' | 'state'>;

/** A part that nobody measures works as far as is known. It is not shown as working. */
const UNKNOWN = 'unknown';

export type PartTone = 'good' | 'bad' | 'neutral';

export function getPartTone({ is_ok: isOk, state }: Pick<Part, 'is_ok' | 'state'>): PartTone {
  if (!isOk) return 'bad';
  return state === UNKNOWN ? 'neutral' : 'good';
}

const listNames = (parts: readonly Part[]): string => {
  const names = parts.map(({ name }, at) => (at === 0 ? PART_NAMES[name] : PART_NAMES[name].toLowerCase()));
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ');
};

export interface DescribedHealth {
  readonly word: string;
  readonly text: string;
  readonly tone: PartTone;
}

/** All parts in one line: the worst state, and the parts that have it. */
export function describeHealth(parts: readonly Part[]): DescribedHealth {
  const failing = parts.filter((part) => getPartTone(part) === 'bad');
  const unknown = parts.filter((part) => getPartTone(part) === 'neutral');
  if (failing.length > 0) {
    return {
      word: 'Failing',
      text: `${listNames(failing)} ${failing.length === 1 ? 'needs' : 'need'} you`,
      tone: 'bad',
    };
  }
  if (parts.length === 0)
    return { word: 'Unknown', text: 'Nothing is known about the parts of the shop', tone: 'neutral' };
  if (unknown.length > 0) {
    const known = parts.length - unknown.length;
    return {
      word: 'Unknown',
      text: `${listNames(unknown)}: not measured. ${known === 0 ? 'Nothing else is known' : 'All other parts work'}`,
      tone: 'neutral',
    };
  }
  return { word: 'Working', text: 'All parts of the shop work', tone: 'good' };
}
