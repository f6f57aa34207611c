import { fillPlaceholders } from '../placeholders.ts';
import type { PlaceholderValues } from '../placeholders.ts';

/**
 * Replaces the placeholders in every text of sections. A text without a value becomes empty, and an
 * empty text is not shown.
 */
export function fillSections<Sections>(sections: Sections, values: PlaceholderValues): Sections {
  const filled = structuredClone(sections);
  replaceTexts(filled, values);
  return filled;
}

function replaceTexts(value: unknown, values: PlaceholderValues): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, one] of Object.entries(value)) {
    if (typeof one === 'string') Reflect.set(value, key, fillPlaceholders(one, values) ?? '');
    else replaceTexts(one, values);
  }
}

/** Every text in a section, with its path: `buttons.0.text`. */
export function listTexts(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => listTexts(one, path === '' ? key : `${path}.${key}`));
}
