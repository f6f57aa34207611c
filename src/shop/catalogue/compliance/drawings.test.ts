import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ARROW_SIZE, drawArrow } from './draw-arrow.ts';
import { drawLabel, LABEL_SIZE } from './draw-label.ts';
import { BLACK, CLASS_COLOURS, WHITE } from './draw-svg.ts';
import { ENERGY_CLASSES, findSheetUrl, formatEndurance } from './energy-label.ts';
import type { EnergyLabel } from './energy-label.ts';

const LABEL: EnergyLabel = {
  class: 'B',
  supplier: '',
  model: '',
  endurance_minutes: 3200,
  endurance_cycles: 1000,
  fall_class: 'C',
  repair_class: 'D',
  ip_rating: 'IP68',
  eprel_number: '',
  sheet_url: '',
};
const draw = (changes: Partial<Parameters<typeof drawLabel>[0]> = {}): string =>
  drawLabel({ label: LABEL, supplier: 'Acme', model: 'A1', qr: null, isDemo: false, ...changes });

/** Relative luminance of a colour (WCAG 2.2). */
function getLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function getContrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [getLuminance(one), getLuminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Whether every element is closed in order, and no text has a character that would be markup. */
function isWellFormed(svg: string): boolean {
  const open: string[] = [];
  for (const [, isEnd, name = ''] of svg.matchAll(/<(\/?)([a-z]+)(?: [\w:-]+="[^"<>]*")*>/g)) {
    if (isEnd === '') open.push(name);
    else if (open.pop() !== name) return false;
  }
  const texts = svg.replaceAll(/<\/?[a-z]+(?: [\w:-]+="[^"<>]*")*>/g, '');
  return open.length === 0 && !/[<>]/.test(texts) && !/&(?!(?:amp|lt|gt|quot);)/.test(texts);
}

test('[PROD-09] the arrow has the letter of the class in its colour, and the range', () => {
  for (const name of ENERGY_CLASSES) {
    const svg = drawArrow(name, false);
    assert.ok(isWellFormed(svg), name);
    assert.match(svg, new RegExp(`fill="${CLASS_COLOURS[name]}"`));
    assert.deepEqual(
      [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, text]) => text),
      ['A', 'G', name],
    );
    assert.doesNotMatch(svg, /demo/i);
    assert.match(drawArrow(name, true), />demo label</);
  }
  assert.ok(ARROW_SIZE.width > ARROW_SIZE.height);
});

test('[PROD-09] the letter of each class is legible by its fill or its outline', () => {
  for (const colour of Object.values(CLASS_COLOURS)) {
    const contrast = Math.max(getContrast(WHITE, colour), getContrast(BLACK, colour));
    assert.ok(contrast >= 4.5, `${colour}: ${contrast}`);
  }
  assert.ok(getContrast(WHITE, BLACK) > 20);
});

test('[PROD-09] the label is twice as high as wide and has each element', () => {
  const svg = draw({ qr: { size: 33, path: 'M0 0h1v1h-1z' } });
  assert.equal(LABEL_SIZE.height, 2 * LABEL_SIZE.width);
  for (const part of ['Acme', 'A1', 'ENERG', '53 h 20 min', '1000×', 'IP68', '2023/1669', 'M0 0h1v1h-1z']) {
    assert.ok(svg.includes(part), part);
  }
  const texts = new Set([...svg.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, text]) => text));
  for (const name of ENERGY_CLASSES) assert.ok(texts.has(name), name);
  assert.match(svg, /<title>Energy label of Acme A1: class B<\/title>/);
  assert.match(svg, /<desc>.*Repairability class: D\..*<\/desc>/);
  assert.doesNotMatch(svg, /demo/i);
  const demo = draw({ isDemo: true });
  assert.match(demo, /<title>Demo label of .*<desc>This is a demo label.*>DEMO LABEL</s);
});

test('[PROD-09] any name makes a well-formed label', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...ENERGY_CLASSES), (name, letter) => {
      const svg = draw({ supplier: name, model: `<a x="1">${name}</a>`, label: { ...LABEL, class: letter } });
      return isWellFormed(svg);
    }),
    { numRuns: 30 },
  );
});

test('[PROD-09] the information sheet is that of the supplier, else the page in EPREL', () => {
  assert.equal(findSheetUrl(LABEL), null);
  assert.equal(findSheetUrl({ ...LABEL, eprel_number: '2217' }), 'https://eprel.ec.europa.eu/qr/2217');
  assert.equal(
    findSheetUrl({ ...LABEL, eprel_number: '1', sheet_url: 'https://a.example/s.pdf' }),
    'https://a.example/s.pdf',
  );
  assert.equal(formatEndurance(60), '1 h 0 min');
});
